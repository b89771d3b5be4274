// Which IP addresses a webhook may have. Everything but public unicast addresses is refused, so that
// nobody can make the service call machines that only it can reach.

import { BlockList, isIP } from 'node:net';

/**
 * The networks that are not globally reachable, and those with a special use (IANA IPv4
 * Special-Purpose Address Registry; multicast, RFC 5771).
 */
const refusedIPv4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Only 2000::/3 is global unicast (IANA IPv6 Address Space). IPv4-mapped addresses and NAT64 lie
 * outside. Of it, these are refused (IANA IPv6 Special-Purpose Address Registry): protocol
 * assignments with Teredo and ORCHID, documentation, 6to4 and AS112.
 */
const globalIPv6: [network: string, prefix: number] = ['2000::', 3];
const refusedIPv6: readonly [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const listOf = (networks: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
};

const [refused4, refused6] = [listOf(refusedIPv4, 'ipv4'), listOf(refusedIPv6, 'ipv6')];
const global6 = listOf([globalIPv6], 'ipv6');

/** Whether the text is an IP address that the whole internet can reach. */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !refused4.check(address, 'ipv4');
  // An address with a zone is link-local.
  if (version !== 6 || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
};
