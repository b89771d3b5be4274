import { beforeEach, describe, expect, test } from 'vitest';
import { cursors } from '#functions/get-user-profile/schema.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import type { TenantDetails } from '#shared/tenants/tenants.store.ts';
import type { TenantStatus } from '#shared/tenants/tenants.ts';
import {
  connectionOf,
  newSuffix,
  openTestTenants,
  summaryOf,
} from '../../support/builders/tenants.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf, success } from '../../support/readers/replies.ts';

const database = await openTestTenants();
const { table, connections } = database;
const imports = openImports(table);
let owner: Awaited<ReturnType<typeof database.newOwner>>;
let email: string;

beforeEach(async () => {
  owner = await database.newOwner(`ada-${newSuffix()}@example.com`);
  ({ email } = owner);
});

const { send } = callsOf(openInstance({ table, clock: () => new Date() }));
const show = (body: object) => send('getProfile', body);

const newCompanyName = () => `acme-${newSuffix()}`;

/** A tenant of platform_a that is importing, and its summary in the profile. */
const connect = async (
  companyName: string,
  changes: Partial<TenantDetails> = {},
  more: { reconnectBy?: string } = {},
) => {
  const request = connectionOf(companyName, {
    details: { cashFlowMethod: 'direct', ...changes },
    ...more,
  });
  const tenant = await database.connectTenant(owner, request);
  const { createdAt: created_at } = request.details;
  return {
    name: tenant.name,
    summary: { ...summaryOf(tenant, { company_name: companyName }), created_at },
  };
};

const profileOf = (...summaries: object[]) =>
  success({
    user_id: owner.userId,
    email,
    tenant_count: summaries.length,
    tenants: summaries,
    next_cursor: null,
  });

describe('the profile of a user', () => {
  test('without tenants is found by its address in any case', async () => {
    expect(await show({ email: ` ${email.toUpperCase()} ` })).toEqual(profileOf());
  });

  test('lists tenants, the oldest first', async () => {
    const younger = await connect(newCompanyName(), { createdAt: '2026-03-23T10:00:00.000Z' });
    const older = await connect(newCompanyName(), { createdAt: '2026-03-23T09:00:00.000Z' });
    expect(await show({ email })).toEqual(profileOf(older.summary, younger.summary));
  });

  test('has pages of a hundred tenants, each with the total count', async () => {
    const schemaNames: string[] = [];
    for (let index = 0; index < 230; index += 1) {
      schemaNames.push((await database.createTenant(owner, newCompanyName())).schemaName);
    }
    const pages: { tenants: { schema_name: string }[]; next_cursor: string | null }[] = [];
    let cursor: string | null | undefined;
    do {
      const address = pages.length === 1 ? email.toUpperCase() : email;
      const { body } = await show({ email: address, cursor });
      expect(body.data).toMatchObject({ user_id: owner.userId, tenant_count: 230 });
      pages.push(body.data);
      cursor = body.data.next_cursor;
    } while (cursor);
    expect(pages.map((page) => page.tenants.length)).toEqual([100, 100, 30]);
    const shown = pages.flatMap((page) => page.tenants.map((it) => it.schema_name));
    expect(shown.toSorted()).toEqual(schemaNames.toSorted());
  });

  test('is refused for the cursor of another user or an invented one', async () => {
    const other = await database.newOwner(`eve-${newSuffix()}@example.com`);
    const query = { email: other.email, limit: 100 };
    const ofOther = cursors.next(query, { schemaName: 'acme', count: 1 });
    for (const cursor of [ofOther, 'made-up']) {
      const reply = await show({ email, cursor });
      expect([reply.status, problemsOf(reply)]).toEqual([422, ['cursor_not_valid /cursor']]);
    }
  });
});

describe('the status of a tenant', () => {
  const end = { importId: 'import-1', finishedAt: '2026-03-23T10:00:00.000Z' };
  const until = new Date('2026-03-23T10:30:00.000Z');

  test.each<[string, string | null, TenantStatus]>([
    ['well', null, 'active'],
    ['incomplete', 'records_refused', 'active'],
    ['disconnected', 'credentials_refused', 'disconnected'],
  ])('whose import left it %s has the reason %s', async (_, reason, status) => {
    const { name, summary } = await connect(newCompanyName());
    await imports.finish(name, { ...end, reason, tenantStatus: status });
    expect(await show({ email })).toEqual(profileOf({ ...summary, status, status_reason: reason }));
  });

  test('has the reason why its import waits, until the next request', async () => {
    const { name, summary } = await connect(newCompanyName());
    const lease = { importId: 'import-1', runId: 'run-1', now: until };
    await imports.acquireLease(name, { ...lease, runsWithoutProgress: 1 });
    const reason = 'rate_limited';
    await imports.defer(name, { ...lease, until, runsWithoutProgress: 0, reason });
    expect(await show({ email })).toEqual(profileOf({ ...summary, status_reason: reason }));
    await imports.request(name, { importId: 'import-2', requestedAt: '2026-03-23T10:00:00.000Z' });
    expect(await show({ email })).toEqual(profileOf(summary));
  });

  test('that is connected again is importing, without a reason', async () => {
    const companyName = newCompanyName();
    const { name, summary } = await connect(companyName);
    const reason = 'disconnected_by_operator';
    await imports.finish(name, { ...end, reason, tenantStatus: 'disconnected' });
    await connect(companyName);
    expect(await show({ email })).toEqual(profileOf(summary));
  });

  test('says until when to connect again, while it is connected', async () => {
    const companyName = newCompanyName();
    const { name, summary } = await connect(companyName);
    const reconnectBy = '2031-03-22T09:30:00.000Z';
    await connect(companyName, {}, { reconnectBy });
    expect(await show({ email })).toEqual(profileOf({ ...summary, reconnect_by: reconnectBy }));
    await connections.giveUp(name, { version: 2, reason: 'credentials_refused' });
    const lost = { status: 'disconnected', status_reason: 'credentials_refused' };
    expect(await show({ email })).toEqual(profileOf({ ...summary, ...lost }));
  });

  test('that is manual is active, without a reason', async () => {
    await database.createTenant(owner, newCompanyName());
    expect((await show({ email })).body.data.tenants).toMatchObject([
      { platform: 'manual', status: 'active', status_reason: null },
    ]);
  });
});
