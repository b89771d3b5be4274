import { describe, expect, test } from 'vitest';
import { openPlatforms, PlatformClients } from '#shared/platforms/registry.ts';
import { type AdapterName, adapterNames, type Slot, slotNames } from '#shared/platforms/slots.ts';
import { fixedSecret } from '../../support/builders/secrets.ts';
import { testSlots } from '../../support/builders/slots.ts';

const clientOf = (slot: string) => ({ client_id: `id-${slot}`, client_secret: `secret-${slot}` });
const clients = PlatformClients.parse({
  platform_a: clientOf('a'),
  platform_b: clientOf('b'),
  platform_c: clientOf('c'),
});

type Opening = Partial<Parameters<typeof openPlatforms>[0]>;
const openTest = (changes: Opening = {}) =>
  openPlatforms({ slots: testSlots(), clients: fixedSecret(clients), ...changes });

const request = {
  ...{ redirectUri: 'https://us.example/callback', state: 'state-1' },
  codeChallenge: 'challenge-1',
};

/** What goes with a request where the platform takes PKCE. */
const pkce = { code_challenge: 'challenge-1', code_challenge_method: 'S256' };
const withPkce: readonly AdapterName[] = ['xero', 'zoho'];

/** The adapter of a platform, where it sends the browser, and as whose client. */
const describePlatform = async (
  platforms: ReturnType<typeof openPlatforms>,
  slot: Slot = 'platform_a',
) => {
  const platform = await platforms.get(slot);
  const url = new URL(platform.authorizationUrl(request));
  return [platform.adapter, url.origin + url.pathname, url.searchParams.get('client_id')];
};

const quickBooks = ['appcenter.intuit.com/connect/oauth2', 'com.intuit.quickbooks.accounting'];

/** Where consent is given, and the scope that is asked for. */
const consents: Record<AdapterName, string[]> = {
  xero: [
    'login.xero.com/identity/connect/authorize',
    'offline_access accounting.settings.read accounting.manualjournals.read',
  ],
  quickbooks: quickBooks,
  quickbooks_sandbox: quickBooks,
  zoho: ['accounts.zoho.com/oauth/v2/auth', 'ZohoBooks.settings.READ,ZohoBooks.accountants.READ'],
};

describe('the platforms of a stage', () => {
  test.each(adapterNames)('ask %s for consent as RFC 6749 section 4.1.1 says', async (adapter) => {
    const { baseUrlOverride, ...slot } = testSlots().platform_a;
    const slots = { ...testSlots(), platform_a: { ...slot, adapter } };
    const platform = await openTest({ slots }).get('platform_a');
    expect(platform.adapter).toBe(adapter);
    const { origin, pathname, searchParams } = new URL(platform.authorizationUrl(request));
    const [page, scope] = consents[adapter];
    expect(origin + pathname).toBe(`https://${page}`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'id-a',
      redirect_uri: request.redirectUri,
      scope,
      state: request.state,
      ...(withPkce.includes(adapter) && pkce),
      // What makes Zoho give a refresh token.
      ...(adapter === 'zoho' && { access_type: 'offline', prompt: 'consent' }),
    });
  });

  test('each have the base URL override and the client of their slot', async () => {
    const slots = testSlots();
    slots.platform_b.baseUrlOverride = 'https://override.example/b/';
    const platforms = openTest({ slots });
    expect(await Promise.all(slotNames.map((it) => describePlatform(platforms, it)))).toEqual([
      ['xero', `http://localhost:1/${consents.xero[0]}`, 'id-a'],
      ['quickbooks', `https://override.example/b/${consents.quickbooks[0]}`, 'id-b'],
      ['zoho', `http://localhost:1/${consents.zoho[0]}`, 'id-c'],
    ]);
  });

  test('read the secret when one of them is asked for, and not before', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return clients;
    };
    const platforms = openTest({ clients: { read, readAgain: read } });
    expect(reads).toBe(0);
    await platforms.get('platform_c');
    expect(reads).toBe(1);
  });

  test('read the secret again for a client that has come since', async () => {
    const { platform_a, ...before } = clients;
    const secret = { read: async () => before, readAgain: async () => clients };
    const platforms = openTest({ clients: secret });
    expect((await describePlatform(platforms)).at(-1)).toBe('id-a');
  });

  test('fail loudly where the secret has no client of the slot', async () => {
    const { platform_a, ...others } = clients;
    const platforms = openTest({ clients: fixedSecret(others) });
    const absent = 'the secret has no client of platform_a';
    await expect(platforms.get('platform_a')).rejects.toThrow(absent);
    expect((await platforms.get('platform_b')).adapter).toBe('quickbooks');
  });

  test('use the fetch that they are given', async () => {
    const asked: string[] = [];
    const platforms = openTest({
      fetch: async (url) => {
        asked.push(String(url).split('?')[0] ?? '');
        return Response.json({}, { status: 403 });
      },
    });
    const platform = await platforms.get('platform_b');
    const access = { companyId: '4711', dataCenter: null, accessToken: 'token' };
    await expect(platform.company(access)).rejects.toThrow('credentials_refused');
    expect(asked[0]).toMatch(/^http:\/\/localhost:1\/quickbooks\.api\.intuit\.com\/v3\//);
  });
});
