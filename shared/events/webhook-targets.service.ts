// Where webhooks may be. A name is resolved once, and every address must be public, so that nobody
// can make the service call machines that only it can reach.

import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveMilliseconds } from './webhooks.ts';

/** What a stage allows: `and_localhost` also allows `http://localhost`. */
export const webhookTargets = ['public_https', 'and_localhost'] as const;
export type WebhookTargets = (typeof webhookTargets)[number];

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

type Address = { address: string; family: number };

export type Resolve = (host: string) => Promise<Address[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** The addresses of a name; none if it has none or if the name servers do not reply in time. */
const addressesOf = (host: string, resolve: Resolve): Promise<Address[]> =>
  Promise.race([
    resolve(host).catch((): Address[] => []),
    sleep(resolveMilliseconds, [], { ref: false }),
  ]);

/** The rule that an address breaks, with what it resolved to. */
export type RefusedTarget = { rule: string; resolvedTo: string[] };

/** A target that was checked. */
export type Target = { url: URL; address: string };

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && hostname === 'localhost';

/** The rule that a URL breaks, whatever its name resolves to. */
const ruleBrokenByUrl = (text: string, targets: WebhookTargets): string | undefined => {
  const url = URL.parse(text);
  if (url === null) return 'absolute_url';
  if (url.username !== '' || url.password !== '') return 'no_user_info';
  if (url.hash !== '') return 'no_fragment';
  if (targets === 'and_localhost' && isLoopback(url)) return undefined;
  if (url.protocol !== 'https:') return 'https';
  return url.port === '' ? undefined : 'port_443';
};

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Lambda has no IPv6 outside of a VPC, so IPv4 comes first. */
const preferred = (addresses: readonly Address[]): string =>
  (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? '';

export type TargetOptions = {
  targets: WebhookTargets;
  resolve?: Resolve;
  /** For tests, which have no public address. */
  isAllowedAddress?: (address: string) => boolean;
};

export const findTarget = async (
  text: string,
  { targets, resolve = resolveAll, isAllowedAddress = isPublicAddress }: TargetOptions,
): Promise<Target | RefusedTarget> => {
  const rule = ruleBrokenByUrl(text, targets);
  if (rule !== undefined) return { rule, resolvedTo: [] };
  const url = new URL(text);
  const host = hostOf(url);
  if (isLoopback(url)) return { url, address: '127.0.0.1' };
  const addresses =
    isIP(host) === 0 ? await addressesOf(host, resolve) : [{ address: host, family: isIP(host) }];
  if (addresses.length === 0) return { rule: 'name_resolves', resolvedTo: [] };
  const refused = addresses.filter(({ address }) => !isAllowedAddress(address));
  if (refused.length > 0) {
    return { rule: 'public_address', resolvedTo: refused.map(({ address }) => address) };
  }
  return { url, address: preferred(addresses) };
};
