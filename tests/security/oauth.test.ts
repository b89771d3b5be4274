// Best Current Practice for OAuth 2.0 Security (RFC 9700), over HTTP, with the service as the
// client. Each row states an attack and its result. The tests of the functions and the adapters
// cover their own refusals.

import { afterAll, describe, expect, test } from 'vitest';
import { slotNames } from '#shared/platforms/slots.ts';
import { ada } from '../support/builders/requests.ts';
import { giveConsent } from '../support/servers/sandbox.ts';
import { openTwoApplications } from './two-applications.ts';

const two = await openTwoApplications();
afterAll(two.stop);

const landing = 'https://app.example.com/connected';

/** A new authorization: its URL and its state. */
const begin = async (slot: string, userId = two.userId) => {
  const query = { user_id: userId, cash_flow_method: 'direct', redirect_url: landing };
  const { body } = await two.mine(`oauth/${slot}/initiate/?${new URLSearchParams(query)}`);
  const url = new URL(body.data.authorization_url);
  return {
    url,
    state: url.searchParams.get('state') ?? '',
    redirectUri: url.searchParams.get('redirect_uri') ?? '',
  };
};

const visit = async (url: URL | string) => {
  const reply = await fetch(url, { redirect: 'manual' });
  return {
    status: reply.status,
    location: reply.headers.get('Location'),
    headers: reply.headers,
    text: await reply.text(),
  };
};

const withQuery = (address: string, query: Record<string, string>): string =>
  `${address}?${new URLSearchParams(query)}`;

const tenantCount = async (): Promise<number> => {
  const { body } = await two.mine('users/profile/', { body: { email: 'ada@example.com' } });
  return body.data.tenant_count;
};

describe('2.1 the authorization request', () => {
  test.each(slotNames)('at %s asks for a code, and carries nothing secret', async (slot) => {
    const { url } = await begin(slot);
    const { searchParams } = url;
    expect(searchParams.get('response_type')).toBe('code');
    const needed = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];
    const pkce = slot === 'platform_b' ? [] : ['code_challenge', 'code_challenge_method'];
    const zohos = slot === 'platform_c' ? ['access_type', 'prompt'] : [];
    expect([...searchParams.keys()].sort()).toEqual([...needed, ...pkce, ...zohos].sort());
    expect(url.hash).toBe('');
  });

  test('has a new state of 256 bits each time', async () => {
    const states = await Promise.all(
      Array.from({ length: 16 }, async () => (await begin('platform_a')).state),
    );
    expect(new Set(states).size).toBe(16);
    for (const state of states) {
      expect(Buffer.from(state.split('.')[0] ?? '', 'base64url')).toHaveLength(32);
    }
  });
});

describe('4.4 mix-up: each platform has its own callback', () => {
  test('and no two are the same', async () => {
    const authorizations = await Promise.all(slotNames.map((slot) => begin(slot)));
    const { callback_url } = two.service.demo;
    expect(authorizations.map(({ redirectUri }) => redirectUri)).toEqual(
      slotNames.map((slot) => `${callback_url}/oauth/${slot}/callback`),
    );
  });
});

describe('4.5 code injection: a code', () => {
  test.each<[string, string, (code: string) => string]>([
    ['of another platform', 'platform_b', (code) => code],
    ['that was never given', 'platform_a', () => 'made-up'],
    ['with a character more', 'platform_a', (code) => `${code}x`],
  ])('%s makes no tenant', async (_, from, alter) => {
    const before = await tenantCount();
    const theirs = await giveConsent((await begin(from)).url.href);
    const { redirectUri, state } = await begin('platform_a');
    const code = alter(theirs.searchParams.get('code') ?? '');
    const { location } = await visit(withQuery(redirectUri, { code, state }));
    expect(location).toBe(`${landing}?status=error&error=authorization_failed`);
    expect(await tenantCount()).toBe(before);
  });

  test.each(['platform_a', 'platform_c'])(
    'of %s from another authorization makes no tenant (PKCE)',
    async (slot) => {
      const before = await tenantCount();
      const stolen = await giveConsent((await begin(slot)).url.href);
      stolen.searchParams.set('state', (await begin(slot)).state);
      const { location } = await visit(stolen);
      expect(location).toBe(`${landing}?status=error&error=authorization_failed`);
      expect(await tenantCount()).toBe(before);
    },
  );

  // Intuit offers no PKCE, and the attacker's own browser brings the code, as the introduction of
  // the reference says. If this test fails, correct the introduction.
  test('of platform_b that was stolen unused still connects for who brings it', async () => {
    const stolen = await giveConsent((await begin('platform_b')).url.href, {
      company: 'sakura-printing',
    });
    stolen.searchParams.set('state', (await begin('platform_b')).state);
    expect((await visit(stolen)).location).toContain('status=success');
  });

  test('of platform_b connects only its own company', async () => {
    const before = await tenantCount();
    const back = await giveConsent((await begin('platform_b')).url.href, {
      company: 'sakura-printing',
    });
    const other = await giveConsent((await begin('platform_b')).url.href, {
      company: 'alder-software',
    });
    back.searchParams.set('realmId', other.searchParams.get('realmId') ?? '');
    expect((await visit(back)).location).toMatch(/\?status=error&error=\w+$/);
    expect(await tenantCount()).toBe(before);
  });

  test('that was used does not work in another authorization', async () => {
    const back = await giveConsent((await begin('platform_a')).url.href);
    expect((await visit(back)).location).toContain('status=success');
    const { state } = await begin('platform_a');
    back.searchParams.set('state', state);
    const { location } = await visit(back);
    expect(location).toBe(`${landing}?status=error&error=authorization_failed`);
  });
});

describe("4.7 request forgery: an attacker's authorization that the victim consents to", () => {
  const mallory = { ...ada, email: 'mallory@example.com' };
  const tenantsOf = async (email: string): Promise<object[]> =>
    (await two.mine('users/profile/', { body: { email } })).body.data.tenants;

  test("gives the attacker none of the victim's books, unless the application does", async () => {
    const ownBooks = await giveConsent((await begin('platform_b')).url.href);
    const prefix = new URL((await visit(ownBooks)).location ?? '').searchParams.get('domain_url');
    const { user_id } = (await two.mine('users/ensure/', { body: mallory })).body.data;
    const attack = async () => giveConsent((await begin('platform_b', user_id)).url.href);
    const error = 'company_connected_by_another_user';
    const { location } = await visit(await attack());
    expect(location).toBe(`${landing}?status=error&error=${error}`);
    expect(await tenantsOf(mallory.email)).toEqual([]);
    await two.mine('tenants/link/', { body: { user_id, domain_url: prefix } });
    expect((await visit(await attack())).location).toContain('status=success');
    expect(await tenantsOf(mallory.email)).toMatchObject([{ tenant_domain_url: prefix }]);
  });
});

describe('4.2 and 4.3 leakage: the callback', () => {
  const guards = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
  const guardsOf = (headers: Headers) =>
    Object.fromEntries(Object.keys(guards).map((name) => [name, headers.get(name)]));

  test('passes on no code, state or token, to the application or in a Referer', async () => {
    const back = await giveConsent((await begin('platform_c')).url.href);
    const { status, location, headers, text } = await visit(back);
    // With 303, no browser repeats a form (section 4.12).
    expect(status).toBe(303);
    const to = new URL(location ?? '');
    expect(`${to.origin}${to.pathname}`).toBe(landing);
    expect([...to.searchParams.keys()]).toEqual(['status', 'domain_url']);
    expect(guardsOf(headers)).toEqual(guards);
    expect(text).toBe('');
  });

  test('shows a page that loads nothing, runs nothing and names nothing', async () => {
    const { redirectUri } = await begin('platform_c');
    const script = '<script>alert(1)</script>';
    const { headers, text } = await visit(withQuery(redirectUri, { state: script, code: script }));
    expect(guardsOf(headers)).toEqual(guards);
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(text).not.toMatch(/<script|<img|<link|<iframe|href=|src=/);
  });
});

// tests/functions/oauth-callback/choices.test.ts shows which forms are refused.
describe('4.7 and 4.16 a consent for several companies: the page for the choice', () => {
  const northern = 'Olive Trading North Ltd';

  /** Comes back from a consent that is good for two companies. */
  const arrive = async () => {
    const back = await giveConsent((await begin('platform_c')).url.href, {
      company: 'olive-trading',
    });
    const { headers, text, status } = await visit(back);
    const fields = text.matchAll(/type="hidden" name="(.+?)" value="(.+?)"/g);
    const asked = Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
    const shown = text.matchAll(/type="radio" name="company" value="(.+?)".*\n<span>(.+?)<br>/g);
    const companies = Object.fromEntries([...shown].map(([, id = '', name = '']) => [name, id]));
    const [main = '', north = ''] = [companies['Olive Trading Ltd'], companies[northern]];
    const address = `${back.origin}${back.pathname}`;
    return { address, asked, status, headers, text, main, north };
  };

  const send = async (address: string, fields: Record<string, string>) => {
    const reply = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    return [reply.status, reply.headers.get('Location')] as const;
  };

  test('loads and runs nothing, allows no frame and no cache', async () => {
    const { status, headers, text } = await arrive();
    expect(status).toBe(200);
    expect(text.match(/type="radio"/g)).toHaveLength(2);
    const policy = headers.get('Content-Security-Policy');
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).toMatch(/; form-action 'self' https:$/);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(text).not.toMatch(/<script|<img|<link|<iframe|href=|src=/);
  });

  test('connects the chosen company once, and redirects with 303', async () => {
    const { address, asked, north, main } = await arrive();
    const [status, location] = await send(address, { ...asked, company: north });
    expect(status).toBe(303);
    expect(location).toMatch(
      /^https:\/\/app\.example\.com\/connected\?status=success&domain_url=olive-trading-north-/,
    );
    expect(await send(address, { ...asked, company: main })).toEqual([200, null]);
    const { body } = await two.mine('users/profile/', { body: { email: ada.email } });
    const names = body.data.tenants.map((it: { company_name: string }) => it.company_name);
    expect(names).toContain(northern);
    expect(names).not.toContain('Olive Trading Ltd');
  });
});
