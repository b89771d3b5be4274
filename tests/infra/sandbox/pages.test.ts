import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { failures } from '#infra/sandbox/failure-injection.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { openSandboxClient } from '../../support/harnesses/sandbox-client.ts';
import { giveConsent, sandboxClients } from '../../support/servers/sandbox.ts';

const sandbox = await openSandboxClient();
afterAll(sandbox.stop);
beforeEach(sandbox.resetClock);

const authorizeUrl = (changes: Record<string, string | undefined> = {}) =>
  sandbox.authorizeUrl('platform_a', changes);

/** What a page lets its reader choose, by the fields' names. */
const choicesOn = (page: string) => ({
  companies: [...page.matchAll(/type="(?:radio|checkbox)" name="company" value="([^"]+)"/g)].map(
    ([, id]) => id,
  ),
  failures: [...page.matchAll(/<option value="([^"]+)">/g)].map(([, name]) => name),
});

describe('an authorization request', () => {
  test('shows a page that escapes what it was given and loads nothing else', async () => {
    const attack = '"><script>alert(1)</script>';
    const redirect_uri = `http://localhost:3001/${attack}`;
    const reply = await fetch(authorizeUrl({ redirect_uri, state: attack }));
    const page = await reply.text();
    expect(reply.status).toBe(200);
    const policy = reply.headers.get('Content-Security-Policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('alert(1)</');
    expect(page).toContain('ledger at platform_a');
    expect(page).toContain('http://localhost:3001');
  });

  test('names the platform, what is asked for, and everything that can be chosen', async () => {
    const page = await (await fetch(authorizeUrl())).text();
    expect(page).toContain('<h1>Connect a company at Plain Books</h1>');
    expect(page.replaceAll('\n', ' ')).toContain('a sandbox that stands in for Plain Books.');
    for (const asked of ['name and the currency', 'chart of accounts', 'manual journals']) {
      expect(page).toMatch(new RegExp(`<li>.*${asked}.*</li>`));
    }
    expect(choicesOn(page)).toEqual({
      companies: companiesOf.platform_a.map(({ id }) => id),
      failures: Object.keys(failures),
    });
    expect(page).toContain('<small>EUR, 118 accounts, 260 manual journals</small>');
    expect(page).toContain('10,000 accounts, 100,000 manual journals, which take long to import');
  });

  test.each(['login.fancy.example', 'login.fancy.example.eu'])(
    'is answered at each host of its platform: %s',
    async (host) => {
      const url = sandbox.authorizeUrl('platform_c').replace('login.fancy.example', host);
      const page = await (await fetch(url)).text();
      expect(page).toContain('<h1>Connect a company at Fancy &#60;Books&#62;</h1>');
      expect(page).toContain('Brennan &#38; Daughters&#39; Looms Ltd');
      expect(page).not.toContain('Brennan & Daughters');
    },
  );

  test.each([
    ['an unknown client', { client_id: 'somebody' }],
    ['no client', { client_id: undefined }],
    ["another platform's client", { client_id: sandboxClients.platform_b.client_id }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a redirect URI that is no web address', { redirect_uri: 'javascript:alert(1)' }],
    ['a redirect URI with a fragment', { redirect_uri: 'https://example.com/#here' }],
    ['a redirect URI that is relative', { redirect_uri: '/callback' }],
  ])('from %s gets a page and no redirect', async (_title, changes) => {
    const reply = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    expect([reply.status, reply.headers.get('Location')]).toEqual([400, null]);
    expect(await reply.text()).toContain('This request cannot be trusted');
  });

  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'books.read everything' }, 'invalid_scope'],
    ["another platform's separator", { scope: 'offline_access,books.read' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
  ])('with %s is sent back with the error', async (_title, changes, error) => {
    const reply = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    const location = new URL(reply.headers.get('Location') ?? '');
    expect(reply.status).toBe(303);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: '<b>"here"</b>',
      error,
      state: 'the state',
    });
  });

  test('must name a registered redirect URI where some are registered', async () => {
    const registered = 'http://localhost:3001/callback/platform_a';
    const other = await openSandboxClient({
      redirectUris: (slot) => (slot === 'platform_a' ? [registered] : []),
    });
    const open = (redirect_uri: string, changes = {}) =>
      fetch(other.authorizeUrl('platform_a', { redirect_uri, ...changes }), { redirect: 'manual' });
    expect((await open(registered)).status).toBe(200);
    for (const redirect of [`${registered}/`, `${registered}?from=x`, 'https://example.com/']) {
      // The wrong scope would be sent back if the redirect URI were a trusted one.
      const reply = await open(redirect, { scope: 'everything' });
      expect([reply.status, reply.headers.get('Location')]).toEqual([400, null]);
      expect(await reply.text()).toContain('a redirect_uri that is not registered');
    }
    await other.stop();
  });
});

describe('the consent form', () => {
  const code = expect.stringMatching(/^[\w-]{43}$/);
  const state = 'the state';

  test.each<[string, string, object, object]>([
    ['a code and the state when approved', authorizeUrl(), {}, { code, state }],
    [
      'what the platform says of the company',
      sandbox.authorizeUrl('platform_c'),
      { company: 'jaipur-textiles' },
      { code, state, location: 'in' },
    ],
    [
      'access_denied when denied',
      authorizeUrl({ state: undefined }),
      { decision: 'deny' },
      { error: 'access_denied' },
    ],
  ])('sends the browser back with %s', async (_title, url, choice, expected) => {
    const { origin, pathname, searchParams } = await giveConsent(url, choice);
    expect(origin + pathname).toBe('http://localhost:3001/callback');
    expect(Object.fromEntries(searchParams)).toEqual({ from: '<b>"here"</b>', ...expected });
  });

  test('is accepted once, within ten minutes, at its own platform, filled in', async () => {
    const open = async () => {
      const page = await (await fetch(authorizeUrl())).text();
      return /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
    };
    const submit = async (form: Record<string, string>, slot: Slot = 'platform_a') => {
      const url = `${sandbox.baseUrl(slot)}/oauth/consent`;
      const body = new URLSearchParams(form);
      return (await fetch(url, { method: 'POST', body, redirect: 'manual' })).status;
    };
    const approve = { consent: await open(), decision: 'approve' };
    expect(await submit(approve, 'platform_b')).toBe(400);
    expect(await submit({ ...approve, company: 'no-such-company' })).toBe(400);
    expect(await submit({ ...approve, failure: 'no-such-failure' })).toBe(400);
    expect(await submit({ consent: approve.consent })).toBe(400);
    expect(await submit(approve)).toBe(303);
    expect(await submit(approve)).toBe(400);
    const late = { consent: await open(), decision: 'approve' };
    sandbox.advance(10 * 60);
    expect(await submit(late)).toBe(400);
  });
});

describe('grants without a browser', () => {
  const post = (path: string, body: string | URLSearchParams) =>
    fetch(`${sandbox.baseUrl('platform_b')}${path}`, { method: 'POST', body });
  const sakura = [200, { id: 'sakura-printing' }];

  test('are made by a program', async () => {
    const grant = await sandbox.makeGrant('platform_b', { company_id: 'sakura-printing' });
    expect(grant).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 1800,
      platform_company_id: 'plain-sakura-printing',
    });
    expect(await sandbox.callApi('platform_b', grant)).toEqual(sakura);
    const byDefault = await (await post('/test-grants', '')).json();
    expect(byDefault).toMatchObject({ platform_company_id: 'plain-alder-software' });
  });

  test('say at platform_c where the company is kept, and what its tenant needs', async () => {
    expect(await sandbox.makeGrant('platform_c', { company_id: 'jaipur-textiles' })).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      platform_company_id: 'fancy-jaipur-textiles',
      data_center: 'in',
      company_name: 'Jaipur Textiles Pvt Ltd',
      currency: 'INR',
    });
  });

  test.each([
    ['an unknown company', '{"company_id":"none"}'],
    ["a platform's own id", '{"company_id":"plain-alder-software"}'],
    ['a failure that needs a code', '{"failure":"bad_code"}'],
    ['an unknown field', '{"company":"alder-software"}'],
    ['text that is not JSON', 'company'],
  ])('are refused for %s', async (_title, body) => {
    const reply = await post('/test-grants', body);
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('are made on a page that offers what needs no code', async () => {
    const shown = await fetch(`${sandbox.baseUrl('platform_b')}/oauth/direct`);
    const { bad_code, expired_code, ...others } = failures;
    expect(choicesOn(await shown.text())).toEqual({
      companies: companiesOf.platform_b.map(({ id }) => id),
      failures: Object.keys(others),
    });
    const form = new URLSearchParams({ company: 'sakura-printing', failure: 'none' });
    const page = await (await post('/oauth/direct', form)).text();
    const json = /<pre[^>]*>([^<]+)<\/pre>/.exec(page)?.[1]?.replaceAll('&#34;', '"') ?? '';
    expect(await sandbox.callApi('platform_b', JSON.parse(json))).toEqual(sakura);
    const refused = await post('/oauth/direct', new URLSearchParams({ failure: 'bad_code' }));
    expect(refused.status).toBe(400);
  });
});

describe('the first page', () => {
  test('names the platforms, lists every company and leads to their pages', async () => {
    const page = await (await fetch(sandbox.url)).text();
    expect(page).toContain('<html lang="en">');
    for (const slot of slotNames) {
      for (const { id } of companiesOf[slot]) expect(page).toContain(`<code>${id}</code>`);
      const title = slot === 'platform_c' ? 'Fancy &#60;Books&#62;' : 'Plain Books';
      expect(page).toContain(`<a href="#${slot}">${title} (${slot})</a>`);
      expect(page).toContain(`<a href="/${slot}/oauth/direct">Make tokens for ${title}</a>`);
    }
    for (const name of Object.keys(failures)) expect(page).toContain(`<li><code>${name}</code> `);
  });
});
