import { describe, expect, test } from 'vitest';
import { openPlatforms, PlatformClients } from '#shared/platforms/registry.ts';
import { testSlots } from '../../support/slots.ts';

const clientOf = (slot: string) => ({ client_id: `id-${slot}`, client_secret: `secret-${slot}` });
const clients = PlatformClients.parse({
  platform_a: clientOf('a'),
  platform_b: clientOf('b'),
  platform_c: clientOf('c'),
});

describe('the platforms of a stage', () => {
  test('each have the base URL and the client of their slot', async () => {
    const read = async () => clients;
    const slots = testSlots();
    slots.platform_b.baseUrl = 'https://b.example/api';
    const platforms = openPlatforms({ slots, clients: { read, readAgain: read } });
    const urls = await Promise.all(
      (['platform_a', 'platform_b'] as const).map(async (slot) => {
        const platform = await platforms.get(slot);
        const url = new URL(platform.authorizationUrl({ redirectUri: 'https://us', state: 's' }));
        return [platform.adapter, url.origin + url.pathname, url.searchParams.get('client_id')];
      }),
    );
    expect(urls).toEqual([
      ['sandbox', 'http://localhost:1/oauth/authorize', 'id-a'],
      ['sandbox', 'https://b.example/api/oauth/authorize', 'id-b'],
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

  test('use the fetch that they are given', async () => {
    const read = async () => clients;
    const asked: string[] = [];
    const platforms = openPlatforms({
      slots: testSlots(),
      clients: { read, readAgain: read },
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ id: 'acme', name: 'Acme', currency: 'EUR' });
      },
    });
    const platform = await platforms.get('platform_a');
    expect(await platform.company('token', 'acme')).toEqual({
      companyId: 'acme',
      name: 'Acme',
      currency: 'EUR',
    });
    expect(asked).toEqual(['http://localhost:1/api/companies/acme']);
  });
});
