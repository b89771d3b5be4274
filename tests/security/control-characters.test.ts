// Values that become part of a key or a header have no control characters, at any entry point.

import { expect, test } from 'vitest';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { type Instance, openInstance } from '../support/harnesses/instances.ts';

const { table } = await openTestTable();
const service = openInstance({
  table,
  clock: () => new Date('2026-03-24T12:00:00.000Z'),
});

const domain_url = 'acme';
const code = 'control_characters_not_allowed';
const places = [
  ['createEntry', 'external_id', `${code} /external_id`],
  ['reverseEntry', 'external_id', `${code} /external_id`],
  ['createAccount', 'code', `${code} /code`],
  ['createTenant', 'platform_company_id', `${code} /platform_company_id`],
  ['createTenant', 'access_token', `${code} /access_token`],
  ['createTenant', 'refresh_token', `${code} /refresh_token`],
  ['ensureUser', 'email', 'email_not_valid /email'],
  ['listAccounts', 'domain_url', 'domain_not_valid /domain_url'],
] as const;

const problemsOf = async (handler: keyof Instance, request: Parameters<typeof apiEvent>[0]) => {
  const handle = service[handler] as Instance['getEntry'];
  const { body } = readResult(await handle(apiEvent(request), lambdaContext()));
  return (body.error?.details ?? []).map(
    (it: { code: string; pointer: string }) => `${it.code} ${it.pointer}`,
  );
};

const characters = ['\t', '\n', '\r', '\u0000', '\u001b', '\u0085', '\u2028'];

test.each(places)('%s takes none in %s', async (handler, field, expected) => {
  for (const character of characters) {
    const given = { domain_url, [field]: `a${character}b` };
    const request = handler === 'listAccounts' ? { method: 'GET', query: given } : { body: given };
    expect(await problemsOf(handler, request as object)).toContain(expected);
  }
});

test('createEntry takes none in a name of metadata', async () => {
  for (const character of characters) {
    const metadata = { [`a${character}b`]: 'text' };
    const found = await problemsOf('createEntry', { body: { domain_url, metadata } });
    expect(found).toContain(`${code} /metadata/a${character}b`);
  }
});

test.each(['createEntry', 'createEntries', 'createTenant'] as const)(
  '%s takes none in an Idempotency-Key',
  async (handler) => {
    for (const character of characters) {
      const headers = { 'Idempotency-Key': `a${character}b` };
      expect(await problemsOf(handler, { headers, body: { domain_url } })).toContain(
        'idempotency_key_not_valid /Idempotency-Key',
      );
    }
  },
);
