import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { Slot } from '#shared/platforms/slots.ts';
import {
  giveConsent,
  sandboxClients,
  startSandboxPlatform,
} from '../../support/servers/sandbox.ts';

const sandbox = await startSandboxPlatform({ clients: sandboxClients });
afterAll(sandbox.stop);

type Json = Record<string, unknown>;
const read = async (slot: Slot, place: string, options: RequestInit = {}): Promise<Json> =>
  (await fetch(`${sandbox.baseUrl(slot)}/${place}`, options)).json() as Promise<Json>;

const intuit = 'https://oauth.platform.intuit.com';

test.each<[Slot, string, Json]>([
  [
    'platform_a',
    'identity.xero.com/.well-known/openid-configuration',
    {
      issuer: 'https://identity.xero.com',
      token_endpoint: 'https://identity.xero.com/connect/token',
    },
  ],
  [
    'platform_b',
    'developer.api.intuit.com/.well-known/openid_configuration/',
    { issuer: `${intuit}/op/v1`, token_endpoint: `${intuit}/oauth2/v1/tokens/bearer` },
  ],
  [
    'platform_b',
    'developer.intuit.com/.well-known/openid_sandbox_configuration/',
    {
      userinfo_endpoint: 'https://sandbox-accounts.platform.intuit.com/v1/openid_connect/userinfo',
    },
  ],
])('%s tells anybody where its endpoints are: %s', async (slot, place, expected) => {
  expect(await read(slot, place)).toMatchObject(expected);
});

const partOf = (token: unknown, place: 0 | 1): Json =>
  JSON.parse(Buffer.from(String(token).split('.')[place] ?? '', 'base64url').toString());

const isSignedBy = (token: unknown, key: JsonWebKey | undefined): boolean => {
  const [text = '', signature = ''] = String(token).split(/\.(?=[^.]*$)/);
  const publicKey = createPublicKey({ key: key ?? {}, format: 'jwk' });
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
};

test('Xero signs tokens that say whose they are, and of which consent', async () => {
  const client = sandboxClients.platform_a;
  const redirect_uri = 'http://localhost:3001/callback';
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: client.client_id, redirect_uri },
    ...{ scope: 'openid profile accounting.settings.read', nonce: 'seven' },
  });
  const place = 'login.xero.com/identity/connect/authorize';
  const page = `${sandbox.baseUrl('platform_a')}/${place}?${query}`;
  const code = (await giveConsent(page)).searchParams.get('code') ?? '';
  // The client's id and secret are in the form, as xero-python sends them.
  const form = { grant_type: 'authorization_code', code, redirect_uri, ...client };
  const tokens = await read('platform_a', 'identity.xero.com/connect/token', {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { id_token, access_token } = tokens;
  const { keys } = (await read(
    'platform_a',
    'identity.xero.com/.well-known/openid-configuration/jwks',
  )) as { keys: (JsonWebKey & { kid: string })[] };
  for (const token of [id_token, access_token]) {
    const { kid } = partOf(token, 0);
    expect(
      isSignedBy(
        token,
        keys.find((key) => key.kid === kid),
      ),
    ).toBe(true);
  }

  const headers = { Authorization: `Bearer ${access_token}` };
  const user = await read('platform_a', 'identity.xero.com/connect/userinfo', { headers });
  const { client_id } = client;
  const issuer = 'https://identity.xero.com';
  expect(partOf(id_token, 1)).toMatchObject({
    ...{ iss: issuer, aud: client_id, nonce: 'seven', sub: user.sub },
  });
  const connections = await read('platform_a', 'api.xero.com/connections', { headers });
  expect(connections).toMatchObject([
    { authEventId: partOf(access_token, 1).authentication_event_id },
  ]);
});
