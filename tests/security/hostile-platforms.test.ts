// OWASP API Security Top 10 (2023), risk 10, unsafe consumption of APIs, and section 4.3.2 of RFC
// 9700: the replies of a hostile platform, and the URLs that it sees.

import { describe, expect, test } from 'vitest';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { openPlatforms } from '#shared/platforms/registry.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { testSlots } from '../support/builders/slots.ts';
import { type FakeReply, startFakeServer } from '../support/servers/fake-server.ts';
import { sandboxClients } from '../support/servers/sandbox.ts';

const token = 'hostile-platforms-echo-this-token';

/** The token in every field where the platforms have messages. */
const quoting = JSON.stringify({
  error: 'invalid_grant',
  error_description: token,
  Detail: token,
  message: token,
  code: 14,
  Fault: { Error: [{ Message: token, Detail: token, code: '4000' }] },
});

/** Replies that an honest platform never sends. */
const hostileReplies: [string, FakeReply][] = [
  ['HTML', { headers: { 'Content-Type': 'text/html' }, body: `<h1>${token}</h1>` }],
  ['nothing', { body: '' }],
  ['no content', { status: 204, body: '' }],
  ['a text', { body: JSON.stringify(token) }],
  ['a list of wrong things', { body: `[null, 1, "${token}", {"tenantId": 7}]` }],
  ['null', { body: 'null' }],
  ['keys of a prototype', { body: `{"__proto__":{"Organisations":["${token}"]}}` }],
  ['nesting without end', { body: '['.repeat(500_000) }],
  ['a reply of 17 MB', { body: `"${'x'.repeat(17 * 1024 * 1024)}"` }],
  ['an error that quotes the token', { status: 400, body: `{"error":"${token}"}` }],
  ['an error in words that quote it', { status: 400, body: quoting }],
  ['a fault that quotes the token', { status: 500, body: `token ${token} failed` }],
  ['a wait without end', { status: 429, headers: { 'Retry-After': '9'.repeat(400) } }],
  ['an unknown status', { status: 299, body: '{}' }],
];

/** A company's id in the form of each platform's, and its data center. */
const companies: Record<Slot, [string, string | null]> = {
  platform_a: ['5c1d6f0e-8a43-4d0e-9f3c-2b7a51c9e0d4', null],
  platform_b: ['9341453', null],
  platform_c: ['10234695', 'us'],
};

/** Calls a slot's platform, with or without an import's pages. All calls must fail. */
const consume = async (slot: Slot, url: string, { withPages = false } = {}): Promise<unknown[]> => {
  const platforms = openPlatforms({
    slots: testSlots(url),
    clients: fixedSecret(sandboxClients),
    timeoutMilliseconds: 5_000,
  });
  const platform = await platforms.get(slot);
  const [companyId, dataCenter] = companies[slot];
  const access = { companyId, dataCenter, accessToken: token };
  const page = { cursor: null, rows: 100, modifiedSince: null, timeoutMilliseconds: 5_000 };
  const redirectUri = 'https://callback.example/oauth/callback';
  const callback = new URLSearchParams({ realmId: companyId });
  return Promise.all(
    [
      platform.company(access),
      platform.connect({ code: token, codeVerifier: 'v', redirectUri, callback }),
      platform.refresh({ refreshToken: token, dataCenter }),
      ...(withPages
        ? [platform.accountPage(access, page), platform.journalPage(access, page)]
        : []),
    ].map((work) => work.catch((error: unknown) => error)),
  );
};

describe('a platform', () => {
  const everywhere = hostileReplies.flatMap(([what, reply]) =>
    slotNames.map((slot) => ({ what, slot, reply })),
  );

  test.each(everywhere)('that answers $what fails as such at $slot', async ({ slot, reply }) => {
    const server = await startFakeServer(reply);
    const ended = await consume(slot, server.url);
    for (const error of ended) {
      expect(error).toBeInstanceOf(PlatformFailure);
      const { message, cause, stack, platformError } = error as PlatformFailure;
      const said = JSON.stringify(platformError);
      const everything = [message, (cause as Error | undefined)?.message, stack, said].join();
      expect(everything).not.toContain(token);
    }
    await server.stop();
  });

  test.each(slotNames)('that redirects is not followed, at %s', async (slot) => {
    const bait = await startFakeServer();
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { Location: `${bait.url}/collect` };
      const server = await startFakeServer({ status, headers });
      const ended = await consume(slot, server.url);
      expect(ended.every((error) => error instanceof PlatformFailure)).toBe(true);
      await server.stop();
    }
    expect(bait.requests).toEqual([]);
    await bait.stop();
  });

  test('that names another API host for its tokens is not believed', async () => {
    const bait = await startFakeServer();
    const reply = { token_type: 'Bearer', access_token: token, refresh_token: token };
    const server = await startFakeServer({
      body: JSON.stringify({ ...reply, expires_in: 3600, api_domain: bait.url }),
    });
    const [, connected] = await consume('platform_c', server.url);
    expect(connected).toMatchObject({ reason: 'reply_not_understood' });
    expect(server.requests.filter(({ path }) => path?.includes('books'))).toHaveLength(1);
    expect(bait.requests).toEqual([]);
    await Promise.all([bait.stop(), server.stop()]);
  });
});

test.each(slotNames)('tokens and secrets are in no URL that is called at %s', async (slot) => {
  const server = await startFakeServer({ status: 401, body: '{"error":"invalid_grant"}' });
  await consume(slot, server.url, { withPages: true });
  expect(server.requests.length).toBeGreaterThanOrEqual(5);
  for (const { path } of server.requests) {
    expect(decodeURIComponent(path ?? '')).not.toMatch(/hostile-|s:platform/);
  }
  await server.stop();
});
