// get-tenant and list-tenants. tests/security shows how unknown tenants are refused.

import { beforeAll, expect, test } from 'vitest';
import { cursors } from '#functions/list-tenants/schema.ts';
import { openConnectionRecorder } from '#shared/connections/pending-connections.store.ts';
import { byService } from '#shared/history/tenant-history.ts';
import {
  connectionOf,
  detailsOf,
  newSuffix,
  openTestTenants,
  summaryOf,
  tenantOf,
} from '../support/builders/tenants.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const database = await openTestTenants();
const { table, keys, sealing, tenants, newOwner } = database;
const now = '2026-03-24T12:00:00.000Z';
const instance = openInstance({ table, keys, clock: () => new Date(now) });
const { send, call, pages } = callsOf(instance);
const ofOther = callsOf(instance, { applicationId: 'app2' });

const owner = await newOwner('ada@example.com');
const other = await newOwner('ada@example.com', 'app2');

const create = async (companyName: string, createdAt: string, of = owner) => {
  const request = { details: { ...detailsOf(companyName), createdAt }, accounts: [] };
  const by = byService;
  return tenantOf(await tenants.create(of, { ...request, idempotentRequest: undefined, by }));
};

const names: string[] = [];
beforeAll(async () => {
  for (const day of ['03', '01', '05', '02', '04']) {
    const { prefix } = await create(`Company ${day}`, `2026-03-${day}T09:00:00.000Z`);
    names.push(prefix);
  }
  names.sort();
  await create('Not ours', '2026-03-02T10:00:00.000Z', other);
});

const listed = (page: { tenants: { tenant_domain_url: string }[] }) =>
  page.tenants.map(({ tenant_domain_url }) => tenant_domain_url);

test.each([1, 2, 5, 200])('pages of %s list every tenant once, the oldest first', async (limit) => {
  const all = await pages('listTenants', { limit: String(limit) });
  expect(all.flatMap(listed)).toEqual(names);
  expect(all.map((page) => listed(page).length).every((length) => length <= limit)).toBe(true);
});

test('a list has the tenants of its application only', async () => {
  expect((await ofOther.call('listTenants')).tenants).toMatchObject([{ company_name: 'Not ours' }]);
  const { next_cursor: cursor } = await call('listTenants', { limit: '1' });
  const refused = await ofOther.send('listTenants', { limit: '1', cursor });
  expect(problemsOf(refused)).toEqual(['cursor_not_valid /cursor']);
});

test('a tenant that is created between two pages is on a later page', async () => {
  const seen: string[] = [];
  await pages('listTenants', { limit: '2' }, async (page, index) => {
    seen.push(...listed(page));
    if (index === 0) names.push((await create('New', now)).prefix);
  });
  expect(seen).toEqual(names);
});

test('a tenant without users stays in the list', async () => {
  const [domain_url] = names;
  await call('unlink', { user_id: owner.userId, domain_url });
  expect(listed(await call('listTenants'))).toContain(domain_url);
});

test('a tenant is listed when its connection is confirmed', async () => {
  const recorder = openConnectionRecorder(table, { sealing, newSuffix });
  const request = connectionOf('to-be-confirmed');
  await recorder.record({ owner, request, code: 'code', now: new Date(now) });
  const { tenants: shown } = await call('getProfile', { email: owner.email });
  const pending = shown.find(({ status }: { status: string }) => status === 'pending');
  const domain_url = pending.tenant_domain_url;
  expect((await send('getTenant', { domain_url })).status).toBe(404);
  expect(listed(await call('listTenants'))).not.toContain(domain_url);
  await call('confirm', { domain_url, user_id: owner.userId, confirmation_code: 'code' });
  const { tenants: after } = await call('listTenants');
  const tenant = after.find(
    (it: object) => 'tenant_domain_url' in it && it.tenant_domain_url === domain_url,
  );
  expect(tenant).toMatchObject({ status: 'importing', company_name: 'to-be-confirmed' });
  expect(await send('getTenant', { domain_url })).toEqual(success(tenant));
});

test('a tenant is shown with its settings', async () => {
  const { prefix, schemaName } = await create('Shown', now);
  const reply = success({
    ...summaryOf({ prefix, schemaName }, { company_name: 'Shown' }),
    platform: 'manual',
    follow_platform_edits: null,
    cash_flow_method: 'indirect',
    status: 'active',
    created_at: now,
  });
  for (const domain_url of [prefix, `${prefix}.ledger.example`.toUpperCase()]) {
    expect(await send('getTenant', { domain_url })).toEqual(reply);
  }
});

const position = { createdAt: now, schemaName: 'acme' };
test.each<[string, object, string]>([
  ['a limit of 0', { limit: '0' }, 'out_of_range /limit'],
  ['a limit of 201', { limit: '201' }, 'out_of_range /limit'],
  ['an invented cursor', { cursor: 'made-up' }, 'cursor_not_valid /cursor'],
  [
    'a cursor that is no time',
    { cursor: cursors.next({ limit: 50 }, { ...position, createdAt: 'x' }) },
    'cursor_not_valid /cursor',
  ],
  [
    'a cursor with a long name',
    { cursor: cursors.next({ limit: 50 }, { ...position, schemaName: 'x'.repeat(101) }) },
    'cursor_not_valid /cursor',
  ],
])('a list with %s is refused', async (_title, query, problem) => {
  const reply = await send('listTenants', query);
  expect([reply.status, problemsOf(reply)]).toEqual([422, [problem]]);
});
