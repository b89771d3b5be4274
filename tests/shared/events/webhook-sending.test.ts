// Where deliveries go: only to public addresses, and to the very address that was checked.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openWebhookSending } from '#shared/events/webhook-sending.service.ts';
import {
  findTarget,
  isPublicAddress,
  type Resolve,
} from '#shared/events/webhook-targets.service.ts';

describe('an address', () => {
  test.each([
    ['0.0.0.0', 'this host'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'shared between a carrier and its customers'],
    ['127.0.0.1', 'loopback'],
    ['169.254.169.254', 'the metadata of AWS'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.8', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relays'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:10.0.0.7', 'mapped from IPv4'],
    ['::ffff:1.1.1.1', 'mapped from IPv4'],
    ['64:ff9b::a00:7', 'NAT64'],
    ['64:ff9b:1::a00:7', 'local NAT64'],
    ['100::1', 'discarded'],
    ['2001::1', 'Teredo'],
    ['2001:20::1', 'ORCHID'],
    ['2001:db8::1', 'documentation'],
    ['2002:a00:7::', '6to4'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'the metadata of AWS'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local, with a zone'],
    ['ff02::1', 'multicast'],
    ['10.0.0.7.example', 'no address'],
  ])('%s is refused (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['1.1.1.1', '100.63.255.255', '172.32.0.1', '9.255.255.255', '2606:4700::1111'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a URL', () => {
  const refusalOf = async (url: string, resolve = resolvesTo('1.1.1.1')) => {
    const target = await findTarget(url, { targets: 'public_https', resolve });
    return 'rule' in target ? [target.rule, ...target.resolvedTo] : target.address;
  };

  test.each([
    ['not a URL', 'hooks.example.com', ['absolute_url']],
    ['http', 'http://hooks.example.com/', ['https']],
    ['http to this machine', 'http://localhost/', ['https']],
    ['another scheme', 'file:///etc/passwd', ['https']],
    ['another port', 'https://hooks.example.com:8443/', ['port_443']],
    ['user info', 'https://a:b@hooks.example.com/', ['no_user_info']],
    ['a fragment', 'https://hooks.example.com/#a', ['no_fragment']],
    ['a private address', 'https://10.0.0.7/', ['public_address', '10.0.0.7']],
    ['a decimal address', 'https://2130706433/', ['public_address', '127.0.0.1']],
    ['an octal address', 'https://0177.0.0.1/', ['public_address', '127.0.0.1']],
    ['an IPv6 address', 'https://[::1]/', ['public_address', '::1']],
  ])('with %s is refused', async (_, url, expected) => {
    expect(await refusalOf(url)).toEqual(expected);
  });

  test.each([
    ['nothing', [], ['name_resolves']],
    ['a private address', ['10.0.0.7'], ['public_address', '10.0.0.7']],
    ['a public and a private one', ['1.1.1.1', '10.0.0.7'], ['public_address', '10.0.0.7']],
    ['a public one and its own', ['1.1.1.1', '::1'], ['public_address', '::1']],
  ])('whose name resolves to %s is refused', async (_, addresses, expected) => {
    expect(await refusalOf('https://hooks.example.com/', resolvesTo(...addresses))).toEqual(
      expected,
    );
  });

  test('is not resolved again for the connection', async () => {
    const resolve = resolvesTo('2606:4700::1111', '1.1.1.1');
    expect(await refusalOf('https://hooks.example.com/', resolve)).toBe('1.1.1.1');
  });
});

describe('a delivery', () => {
  const pem = readFileSync('tests/data/webhook-receiver.pem', 'utf8');
  const received: { host: string | undefined; serverName: string | false; url?: string }[] = [];
  let reply: { status: number; headers?: Record<string, string> } = { status: 204 };
  const receiver = createServer({ key: pem, cert: pem }, (request, response) => {
    const { servername } = request.socket as typeof request.socket & { servername: string | false };
    const { headers, url = '' } = request;
    received.push({ host: headers.host, serverName: servername, url });
    response.writeHead(reply.status, reply.headers).end('a secret');
  });
  const listening = new Promise<number>((resolve) => {
    receiver.listen(0, '127.0.0.1', () => resolve((receiver.address() as AddressInfo).port));
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    received.length = 0;
    reply = { status: 204 };
  });

  /** The first address is the receiver's. It stands for a public one. */
  const sendTo = async (url: string, ...answers: string[][]) => {
    const lookups: string[] = [];
    const sending = openWebhookSending({
      targets: 'public_https',
      resolve: async (host) => {
        lookups.push(host);
        const addresses = answers[lookups.length - 1] ?? [];
        return addresses.map((address) => ({ address, family: 4 }));
      },
      isAllowedAddress: (address) => address === '127.0.0.1',
      certificateAuthority: pem,
      port: await listening,
    });
    const message = { headers: { 'webhook-id': 'evt_1' }, body: '{}' };
    const { attempt } = await sending.send(url, message, new Date());
    return { lookups, attempt };
  };

  test('goes to the address that was checked, even if the name changes its address', async () => {
    const url = 'https://hooks.example.com/a?b=c';
    const { lookups, attempt } = await sendTo(url, ['127.0.0.1'], ['10.0.0.7']);
    expect(attempt).toMatchObject({ status: 204, error: null });
    expect(lookups).toEqual(['hooks.example.com']);
    expect(received).toEqual([
      { host: 'hooks.example.com', serverName: 'hooks.example.com', url: '/a?b=c' },
    ]);
  });

  test('is refused if the name has become private since the webhook was created', async () => {
    const { attempt } = await sendTo('https://hooks.example.com/', ['10.0.0.7']);
    expect(attempt).toMatchObject({ status: null, error: 'refused_address: public_address' });
    expect(received).toEqual([]);
  });

  test('is refused if the certificate is for another name', async () => {
    const { attempt } = await sendTo('https://other.example.com/', ['127.0.0.1']);
    expect(attempt).toMatchObject({ status: null, error: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(received).toEqual([]);
  });

  test('does not follow a redirect', async () => {
    reply = { status: 307, headers: { Location: 'https://hooks.example.com/other' } };
    const { attempt } = await sendTo('https://hooks.example.com/', ['127.0.0.1'], ['127.0.0.1']);
    expect(attempt).toMatchObject({ status: 307 });
    expect(received.length).toBe(1);
    expect(JSON.stringify(attempt)).not.toContain('a secret');
  });
});
