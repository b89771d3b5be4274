// Refusals by the gateway and the authorizer, in the service's envelope.

import assert from 'node:assert/strict';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import { apiKeyText } from '#shared/applications/api-keys.ts';
import type { ApiErrorCode } from '#shared/errors.ts';
import { ada } from '../../support/builders/requests.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { assertRefused, type CallOptions, call, type Reply } from './calls.ts';
import type { Deployed } from './deployed.ts';

const unknownKey = apiKeyText({ keyId: '0'.repeat(24), secret: '0'.repeat(64) });
const json = { 'Content-Type': 'application/json' };
const plainText = { 'Content-Type': 'text/plain' };

const refusals: [title: string, path: string, options: CallOptions, code: ApiErrorCode][] = [
  ['an unknown route', 'users/delete/', { body: {} }, 'route_not_found'],
  [
    'a missing key',
    'users/ensure/',
    { body: ada, headers: { 'X-API-Key': '' } },
    'api_key_not_accepted',
  ],
  [
    'an unknown key',
    'users/ensure/',
    { body: ada, headers: { 'X-API-Key': unknownKey } },
    'api_key_not_accepted',
  ],
  [
    'a body of another type',
    'users/ensure/',
    { body: ada, headers: plainText },
    'content_type_not_supported',
  ],
  [
    'a body over the limit',
    'users/ensure/',
    { body: { ...ada, first_name: 'a'.repeat(300_000) } },
    'body_too_large',
  ],
  [
    'an unknown user',
    'users/profile/',
    { body: { email: 'nobody@example.com' } },
    'user_not_found',
  ],
];

/** The gateway answers an unsupported method like an unknown path. */
const checkMethods = async (deployed: Deployed): Promise<void> => {
  for (const { trigger } of functionsOfKind('api')) {
    const short = trigger.path.slice('/external/v1/'.length).replace('{platform}', 'platform_a');
    const reply = await call(deployed, `${short}/`, { method: 'DELETE' });
    assertRefused(reply, { code: 'route_not_found' });
  }
};

const checkMalformed = async ({ api }: Deployed): Promise<void> => {
  const reply = await fetch(`${api.base_url}/external/v1/users/ensure/`, {
    method: 'POST',
    headers: { ...json, 'X-API-Key': api.api_key },
    body: '{"email":',
  });
  const { status, headers } = reply;
  const body = (await reply.json()) as Reply['body'];
  const { details } = body.error;
  assertRefused({ status, headers, body }, { code: 'malformed_json', details });
  assert.deepEqual(details[0].params, { line: 1, column: 10 });
};

/** New keys, since the gateway caches the authorizer's decisions. */
const checkClosedDoors = async ({ commands }: Emulator, deployed: Deployed): Promise<void> => {
  const tryWith = (api_key: string) =>
    call({ ...deployed, api: { ...deployed.api, api_key } }, 'users/ensure/', { body: ada });
  const revoked = await commands.ops('keys create --application shop');
  await commands.ops(`keys revoke --key ${revoked.key_id}`);
  assertRefused(await tryWith(revoked.api_key), { code: 'api_key_not_accepted' });
  const reader = await commands.ops('keys create --application shop --read-only');
  assertRefused(await tryWith(reader.api_key), { code: 'api_key_read_only' });
  await commands.ops('applications create --application closed');
  const suspended = await commands.ops('keys create --application closed');
  await commands.ops('applications suspend --application closed');
  assertRefused(await tryWith(suspended.api_key), { code: 'application_suspended' });
};

export const walkRefusals = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  report.heading('Refusals');
  for (const [title, path, options, code] of refusals) {
    await report.check(`${title}: ${code}`, async () => {
      assertRefused(await call(deployed, path, options), { code });
    });
  }
  await report.check('malformed JSON: malformed_json', () => checkMalformed(deployed));
  await report.check('another method: route_not_found', () => checkMethods(deployed));
  await report.check('a revoked key, a read-only key and a suspended application', () =>
    checkClosedDoors(emulator, deployed),
  );
};
