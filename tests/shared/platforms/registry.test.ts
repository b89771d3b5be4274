import { describe, expect, test } from 'vitest';
import { openPlatforms, PlatformClients } from '#shared/platforms/registry.ts';
import { type AdapterName, adapterNames, slotNames } from '#shared/platforms/slots.ts';
import { fixedSecret } from '../../support/builders/secrets.ts';
import { testSlots } from '../../support/builders/slots.ts';

const clientOf = (slot: string) => ({ client_id: `id-${slot}`, client_secret: `secret-${slot}` });
const clients = PlatformClients.parse({
  platform_a: clientOf('a'),
  platform_b: clientOf('b'),
  platform_c: clientOf('c'),
});

/** The adapter of a platform, where it sends the browser, and as whose client. */
const describePlatform = async (
  platforms: ReturnType<typeof openPlatforms>,
  slot = 'platform_a',
) => {
  const platform = await platforms.get(slotNames.find((it) => it === slot) ?? 'platform_a');
  const request = { redirectUri: 'https://us.example/callback', state: 'state-1' };
  const url = new URL(platform.authorizationUrl(request));
  expect(url.searchParams.get('redirect_uri')).toBe(request.redirectUri);
  expect(url.searchParams.get('state')).toBe(request.state);
  return [platform.adapter, url.origin + url.pathname, url.searchParams.get('client_id')];
};

const hosts: Record<AdapterName, string> = {
  xero: 'login.xero.com/identity/connect/authorize',
  quickbooks: 'appcenter.intuit.com/connect/oauth2',
  quickbooks_sandbox: 'appcenter.intuit.com/connect/oauth2',
  zoho: 'accounts.zoho.com/oauth/v2/auth',
};

describe('the platforms of a stage', () => {
  test.each(adapterNames)('open the adapter %s at the platform itself', async (adapter) => {
    const { baseUrlOverride, ...slot } = testSlots().platform_a;
    const slots = { ...testSlots(), platform_a: { ...slot, adapter } };
    const platforms = openPlatforms({ slots, clients: fixedSecret(clients) });
    expect(await describePlatform(platforms)).toEqual([
      adapter,
      `https://${hosts[adapter]}`,
      'id-a',
    ]);
  });

  test('each have the base URL override and the client of their slot', async () => {
    const slots = testSlots();
    slots.platform_b.baseUrlOverride = 'https://override.example/b/';
    const platforms = openPlatforms({ slots, clients: fixedSecret(clients) });
    expect(await Promise.all(slotNames.map((it) => describePlatform(platforms, it)))).toEqual([
      ['xero', `http://localhost:1/${hosts.xero}`, 'id-a'],
      ['quickbooks', `https://override.example/b/${hosts.quickbooks}`, 'id-b'],
      ['zoho', `http://localhost:1/${hosts.zoho}`, 'id-c'],
    ]);
  });

  test('read the secret when one of them is asked for, and not before', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return clients;
    };
    const platforms = openPlatforms({ slots: testSlots(), clients: { read, readAgain: read } });
    expect(reads).toBe(0);
    await platforms.get('platform_c');
    expect(reads).toBe(1);
  });

  test('read the secret again for a client that has come since', async () => {
    const { platform_a, ...before } = clients;
    const secret = { read: async () => before, readAgain: async () => clients };
    const platforms = openPlatforms({ slots: testSlots(), clients: secret });
    expect((await describePlatform(platforms)).at(-1)).toBe('id-a');
  });

  test('fail loudly where the secret has no client of the slot', async () => {
    const { platform_a, ...others } = clients;
    const platforms = openPlatforms({ slots: testSlots(), clients: fixedSecret(others) });
    await expect(platforms.get('platform_a')).rejects.toThrow(
      'the secret has no client of platform_a',
    );
    expect((await platforms.get('platform_b')).adapter).toBe('quickbooks');
  });

  test('use the fetch that they are given', async () => {
    const asked: string[] = [];
    const platforms = openPlatforms({
      slots: testSlots(),
      clients: fixedSecret(clients),
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
