import { describe, expect, test } from 'vitest';
import type { ConnectedCompany } from '#shared/connections/platform-connections.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import type { Owner } from '#shared/tenants/tenants.store.ts';
import { tokensOf } from '../../support/builders/platforms/connections.ts';
import { connectionOf, openTestTenants, tenantOf } from '../../support/builders/tenants.ts';

const database = await openTestTenants();
const { tenants, connections, newOwner, schemaNamesOf } = database;
const imports = openImports(database.table);
const nameOf = (schemaName: string) => ({ applicationId: 'app1', schemaName });

describe('a connected company', () => {
  test('keeps its tenant when its user connects it again after a disconnection', async () => {
    const owner = await newOwner('one@example.com');
    const created = tenantOf(await tenants.connect(owner, connectionOf('kept')));
    const name = nameOf(created.schemaName);
    await connections.giveUp(name, { version: 1, reason: 'disconnected_by_operator' });
    expect(await database.statusOf(name)).toEqual(['disconnected', 'disconnected_by_operator']);

    const details = { companyName: 'Kept, renamed', cashFlowMethod: 'direct' } as const;
    const again = connectionOf('kept', { details, tokens: 'second', importId: 'import-2' });
    expect(await tenants.connect(owner, again)).toEqual({
      outcome: 'renewed',
      tenant: { ...created, cashFlowMethod: 'direct', statusReason: null },
    });
    expect(await database.statusOf(name)).toEqual(['importing', null]);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('second'), version: 3 });
    expect(await imports.find(name)).toMatchObject({ importId: 'import-2', status: 'requested' });
    expect(await schemaNamesOf(owner)).toEqual([created.schemaName]);
  });

  test.each<[string, string, { platform?: 'platform_b' }, Partial<ConnectedCompany>[]]>([
    ['another application', 'app2', {}, [{}, {}]],
    ['another platform', 'app1', { platform: 'platform_b' }, [{}, {}]],
    ['another data center', 'app1', {}, [{ dataCenter: 'eu' }, { dataCenter: 'in' }]],
    ['a data center instead of none', 'app1', {}, [{}, { dataCenter: 'in' }]],
  ])('becomes a separate tenant for %s', async (other, applicationId, details, companies) => {
    const companyId = `shared with ${other}`;
    const [company = {}, otherCompany = {}] = companies;
    const ours = connectionOf(companyId, { company });
    const theirs = connectionOf(companyId, { company: otherCompany, details });
    const otherOwner = await newOwner('own@example.com', applicationId);
    const one = await tenants.connect(await newOwner('own@example.com'), ours);
    const two = await tenants.connect(otherOwner, theirs);
    expect([one.outcome, two.outcome]).toEqual(['created', 'created']);
    expect(tenantOf(two).prefix).toMatch(/-[a-z2-9]{6}$/);
    expect(await database.tenantsNamed(companyId)).toHaveLength(2);
    expect(await connections.find(tenantOf(one))).toMatchObject(ours.company);
    expect(await connections.find(tenantOf(two))).toMatchObject(theirs.company);
    expect((await tenants.connect(otherOwner, theirs)).outcome).toBe('renewed');
  });

  /**
   * Connects a company 16 times at once, for as many users, with tokens and an import of its own
   * each time. Users are made at once too: each has opened a connection to the table when the race
   * begins.
   */
  const connectAtOnce = async (companyId: string, { users = 1 } = {}) => {
    const numbers = Array.from({ length: 16 }, (_, number) => String(number));
    const owners = await Promise.all(
      numbers.map((number) => newOwner(`${companyId}-${Number(number) % users}@example.com`)),
    );
    const requests = numbers.map((it) => connectionOf(companyId, { tokens: it, importId: it }));
    const creations = await Promise.all(
      requests.map((request, number) => tenants.connect(owners[number] as Owner, request)),
    );
    return { owners, creations };
  };

  test('becomes one tenant when connected 16 times at once, with the last tokens', async () => {
    const { owners, creations } = await connectAtOnce('crowded');
    const [schemaName = '', ...others] = new Set(creations.map((it) => tenantOf(it).schemaName));
    expect(others).toEqual([]);
    expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const { importId = '' } = (await imports.find(nameOf(schemaName))) ?? {};
    const last = { tokens: tokensOf(importId), version: 16 };
    expect(await connections.find(nameOf(schemaName))).toMatchObject(last);
    expect(await database.tenantsNamed('crowded')).toHaveLength(1);
    expect(await schemaNamesOf(owners[0] as Owner)).toEqual([schemaName]);
  });

  test('becomes the tenant of one when 16 users connect it at once', async () => {
    const { owners, creations } = await connectAtOnce('contested', { users: 16 });
    const outcomes = creations.map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual([
      ...Array(15).fill('connected_by_another_user'),
      'created',
    ]);
    const linked = await Promise.all(owners.map((owner) => schemaNamesOf(owner)));
    expect(linked.map((names) => names?.length)).toEqual(
      outcomes.map((outcome) => (outcome === 'created' ? 1 : 0)),
    );
  });

  test('uses its Idempotency-Key up even if it is renewed', async () => {
    const owner = await newOwner('renewed-key@example.com');
    const { schemaName } = tenantOf(await tenants.connect(owner, connectionOf('renewed-key')));
    const again = connectionOf('renewed-key', { idempotencyKey: 'key-4' });
    expect((await tenants.connect(owner, again)).outcome).toBe('renewed');
    expect(await tenants.connect(owner, again)).toEqual({
      outcome: 'replayed',
      idempotencyRecord: { schemaName, request: { companyId: 'renewed-key' } },
    });
  });
});
