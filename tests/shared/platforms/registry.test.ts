import { describe, expect, test } from 'vitest';
import { openPlatforms, PlatformClients } from '#shared/platforms/registry.ts';
import { type AdapterName, adapterNames, type Slot } from '#shared/platforms/slots.ts';
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
  redirectUri: 'https://us.example/callback',
  state: 'state-1',
  codeChallenge: 'challenge-1',
};

/** The additional parameters for platforms with PKCE. */
const pkce = { code_challenge: 'challenge-1', code_challenge_method: 'S256' };
const withPkce: readonly AdapterName[] = ['xero', 'zoho'];

/** The adapter, its consent page and its client id. */
const describePlatform = async (
  platforms: ReturnType<typeof openPlatforms>,
  slot: Slot = 'platform_a',
) => {
  const platform = await platforms.get(slot);
  const url = new URL(platform.authorizationUrl(request));
  return [platform.adapter, url.origin + url.pathname, url.searchParams.get('client_id')];
};

const quickBooks = ['appcenter.intuit.com/connect/oauth2', 'com.intuit.quickbooks.accounting'];

/** The consent page and the scope of each adapter. */
const consents: Record<AdapterName, string[]> = {
  xero: [
    'login.xero.com/identity/connect/authorize',
    'offline_access accounting.settings.read accounting.manualjournals.read ' +
      'accounting.reports.trialbalance.read',
  ],
  quickbooks: quickBooks,
  quickbooks_sandbox: quickBooks,
  zoho: [
    'accounts.zoho.com/oauth/v2/auth',
    'ZohoBooks.settings.READ,ZohoBooks.accountants.READ,ZohoBooks.reports.READ',
  ],
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
      // Without these, Zoho returns no refresh token.
      ...(adapter === 'zoho' && { access_type: 'offline', prompt: 'consent' }),
    });
  });

  test('read the secret at their first use', async () => {
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

  test('read the secret again for a new client', async () => {
    const { platform_a, ...before } = clients;
    const secret = { read: async () => before, readAgain: async () => clients };
    const platforms = openTest({ clients: secret });
    expect((await describePlatform(platforms)).at(-1)).toBe('id-a');
  });

  test('fail if the secret has no client of the slot', async () => {
    const { platform_a, ...others } = clients;
    const platforms = openTest({ clients: fixedSecret(others) });
    const absent = 'the secret has no client of platform_a';
    await expect(platforms.get('platform_a')).rejects.toThrow(absent);
    expect((await platforms.get('platform_b')).adapter).toBe('quickbooks');
  });
});
