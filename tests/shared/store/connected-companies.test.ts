import { describe, expect, test } from 'vitest';
import type { ConnectedCompany } from '#shared/domain/platform-connections.ts';
import { openImports } from '#shared/store/imports.ts';
import type { Owner } from '#shared/store/tenants.ts';
import { tokensOf } from '../../support/builders/connections.ts';
import { connectionOf, openTestTenants, tenantOf } from '../../support/builders/tenants.ts';

const database = await openTestTenants();
const { tenants, connections, newOwner, schemaNamesOf } = database;
const imports = openImports(database.table);
const nameOf = (schemaName: string) => ({ applicationId: 'app1', schemaName });

describe('a connected company', () => {
  test('given up keeps its tenant when another user connects it, linked to both', async () => {
    const [first, second] = [await newOwner('one@example.com'), await newOwner('two@example.com')];
    const created = tenantOf(await tenants.connect(first, connectionOf('kept')));
    const name = nameOf(created.schemaName);
    await connections.giveUp(name, { version: 1, reason: 'disconnected_by_operator' });
    expect(await database.statusOf(name)).toEqual(['disconnected', 'disconnected_by_operator']);

    const details = { companyName: 'Kept, renamed', cashFlowMethod: 'direct' } as const;
    const again = connectionOf('kept', { details, tokens: 'second', importId: 'import-2' });
    expect(await tenants.connect(second, again)).toEqual({
      outcome: 'renewed',
      tenant: { ...created, cashFlowMethod: 'direct', statusReason: null },
    });
    expect(await database.statusOf(name)).toEqual(['importing', null]);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('second'), version: 3 });
    expect(await imports.find(name)).toMatchObject({ importId: 'import-2', status: 'requested' });
    expect(await schemaNamesOf(first)).toEqual(['kept']);
    expect(await schemaNamesOf(second)).toEqual(['kept']);
  });

  test.each<[string, string, { platform?: 'platform_b' }, Partial<ConnectedCompany>[]]>([
    ['another application', 'app2', {}, [{}, {}]],
    ['another platform', 'app1', { platform: 'platform_b' }, [{}, {}]],
    ['another data center', 'app1', {}, [{ dataCenter: 'eu' }, { dataCenter: 'in' }]],
    ['a data center where the other has none', 'app1', {}, [{}, { dataCenter: 'in' }]],
  ])('becomes a tenant of its own for %s', async (other, applicationId, details, companies) => {
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
   * Connects a company for 16 users at once, with tokens and an import of its own each time. The
   * users are made at once too: each has opened a connection to the table when the race begins.
   */
  const connectAtOnce = async (companyId: string, more: { idempotencyKey?: string } = {}) => {
    const numbers = Array.from({ length: 16 }, (_, number) => String(number));
    const owners = await Promise.all(
      numbers.map((number) => newOwner(`${companyId}-${number}@example.com`)),
    );
    const requests = numbers.map((it) =>
      connectionOf(companyId, { tokens: it, importId: it, ...more }),
    );
    const creations = await Promise.all(
      requests.map((request, number) => tenants.connect(owners[number] as Owner, request)),
    );
    return { owners, creations };
  };

  test('becomes one tenant of all when 16 connect it at once, with the last tokens', async () => {
    const { owners, creations } = await connectAtOnce('crowded');
    expect(new Set(creations.map((it) => tenantOf(it).prefix))).toEqual(new Set(['crowded']));
    expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const { importId = '' } = (await imports.find(nameOf('crowded'))) ?? {};
    const last = { tokens: tokensOf(importId), version: 16 };
    expect(await connections.find(nameOf('crowded'))).toMatchObject(last);
    expect(await database.tenantsNamed('crowded')).toHaveLength(1);
    for (const owner of owners) expect(await schemaNamesOf(owner)).toEqual(['crowded']);
  });

  test('becomes one tenant with one import under an Idempotency-Key sent 16 times', async () => {
    const { creations } = await connectAtOnce('repeated', { idempotencyKey: 'key-3' });
    const outcomes = creations.map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['created', ...Array(15).fill('replayed')]);
    const winner = String(outcomes.indexOf('created'));
    expect((await imports.find(nameOf('repeated')))?.importId).toBe(winner);
    const first = { tokens: tokensOf(winner), version: 1 };
    expect(await connections.find(nameOf('repeated'))).toMatchObject(first);
  });

  test('uses the Idempotency-Key up where it is renewed too', async () => {
    const owner = await newOwner('renewed-key@example.com');
    await tenants.connect(owner, connectionOf('renewed-key'));
    const again = connectionOf('renewed-key', { idempotencyKey: 'key-4' });
    expect((await tenants.connect(owner, again)).outcome).toBe('renewed');
    expect(await tenants.connect(owner, again)).toEqual({
      outcome: 'replayed',
      idempotencyRecord: { schemaName: 'renewed_key', request: { companyId: 'renewed-key' } },
    });
  });
});
