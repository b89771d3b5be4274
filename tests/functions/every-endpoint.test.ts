// The rules that the requests of all endpoints share.

import { describe, expect, test } from 'vitest';
import { testSlots } from '../support/builders/slots.ts';
import { connectionOf, openTestTenants } from '../support/builders/tenants.ts';
import {
  callsOf,
  type Endpoint,
  endpointsOf,
  hasQuery,
  openTenantCalls,
} from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { problemsOf } from '../support/readers/replies.ts';
import { openFakePlatform } from '../support/servers/fake-platform.ts';

const { ledger, send } = await openTenantCalls();

const endpoints = endpointsOf(openInstance({ table: ledger.table, clock: () => new Date() }));

describe.each(endpoints.filter((it) => !hasQuery(it)))('%s refuses a body that is', (endpoint) => {
  test.each(['"text"', '[]', 'null', '7'])('%s', async (rawBody) => {
    const before = await ledger.scan();
    const reply = await send(endpoint, {}, { rawBody });
    expect([reply.status, problemsOf(reply)[0]]).toEqual([422, 'wrong_type ']);
    expect(await ledger.scan()).toEqual(before);
  });
});

test.each(endpoints)('%s names an unknown field', async (endpoint) => {
  const pathParameters = { platform: 'platform_a' };
  const reply = await send(endpoint, { colour: 'red' }, { pathParameters });
  expect(reply.status).toBe(422);
  expect(problemsOf(reply)).toContainEqual(expect.stringMatching(/^unknown_field .*\/colour/));
});

describe('a platform is called by the name that the stage gives it', async () => {
  const database = await openTestTenants();
  const { email, ...owner } = await database.newOwner('ada@example.com');
  const connection = connectionOf('Named');
  const { domain_url } = await database.connectTenant({ ...owner, email }, connection);
  const slots = testSlots();
  slots.platform_a.name = 'xero';
  const { table, keys } = database;
  const { platforms } = openFakePlatform();
  const { call } = callsOf(
    openInstance({ table, keys, slots, platforms, clock: () => new Date() }),
  );

  test.each<[Endpoint, object]>([
    ['getImport', { domain_url }],
    ['requestImport', { domain_url }],
    ['updateTenant', { domain_url, company_name: 'Renamed' }],
    ['getProfile', { email }],
    ['getTenant', { domain_url }],
    ['listTenants', {}],
    ['disconnect', { domain_url }],
  ])('by %s', async (endpoint, input) => {
    const data = await call(endpoint, input);
    expect((data.tenants?.[0] ?? data).platform).toBe('xero');
  });
});
