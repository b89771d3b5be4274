import { beforeAll, describe, expect, test } from 'vitest';
import type { ConnectedCompany } from '#shared/domain/platform-connections.ts';
import type { Connections } from '#shared/store/connections.ts';
import { type Imports, openImports } from '#shared/store/imports.ts';
import type { Tenants } from '#shared/store/tenants.ts';
import { tokensOf } from '../../support/builders/connections.ts';
import {
  connectionOf,
  createdAt,
  openTestTenants,
  tenantOf,
} from '../../support/builders/tenants.ts';

let database: Awaited<ReturnType<typeof openTestTenants>>;
let tenants: Tenants;
let connections: Connections;
let imports: Imports;
let newOwner: typeof database.newOwner;
let schemaNamesOf: typeof database.schemaNamesOf;

beforeAll(async () => {
  database = await openTestTenants();
  ({ tenants, connections, newOwner, schemaNamesOf } = database);
  imports = openImports(database.table);
});

describe('a connected company', () => {
  test('becomes a tenant whose import is asked for, with its tokens sealed', async () => {
    const owner = await newOwner('connect@example.com');
    const request = connectionOf('connected', { details: { companyName: 'Connected Ltd' } });
    const tenant = {
      applicationId: 'app1',
      schemaName: 'connected_ltd',
      prefix: 'connected-ltd',
      ...request.details,
      status: 'importing',
    };
    expect(await tenants.connect(owner, request)).toEqual({ outcome: 'created', tenant });
    const name = { applicationId: 'app1', schemaName: 'connected_ltd' };
    expect(await tenants.find(name)).toEqual(tenant);
    expect(await connections.find(name)).toEqual({
      ...request.company,
      tokens: request.tokens,
      version: 1,
    });
    expect(await imports.find(name)).toMatchObject({ importId: 'import-1', status: 'requested' });
    expect(await schemaNamesOf(owner)).toEqual(['connected_ltd']);
    expect(JSON.stringify(await database.scan())).not.toContain('secret-');
  });

  test('keeps its tenant when another user connects it: renewed, and linked to both', async () => {
    const [first, second] = [await newOwner('one@example.com'), await newOwner('two@example.com')];
    const created = tenantOf(await tenants.connect(first, connectionOf('kept')));
    const name = { applicationId: 'app1', schemaName: created.schemaName };
    await imports.finish(name, {
      importId: 'import-1',
      finishedAt: createdAt,
      reason: 'credentials_refused',
      tenantStatus: 'disconnected',
    });

    const again = connectionOf('kept', {
      details: { companyName: 'Kept, renamed', cashFlowMethod: 'direct' },
      tokens: 'second',
      importId: 'import-2',
    });
    expect(await database.statusOf(name)).toEqual(['disconnected', 'credentials_refused']);
    expect(await tenants.connect(second, again)).toEqual({
      outcome: 'renewed',
      tenant: { ...created, cashFlowMethod: 'direct', statusReason: null },
    });
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('second'), version: 2 });
    expect(await imports.find(name)).toMatchObject({ importId: 'import-2', status: 'requested' });
    expect(await schemaNamesOf(first)).toEqual(['kept']);
    expect(await schemaNamesOf(second)).toEqual(['kept']);
  });

  test('comes back to its tenant after its connection was given up', async () => {
    const owner = await newOwner('revived@example.com');
    const { schemaName } = tenantOf(await tenants.connect(owner, connectionOf('revived')));
    const name = { applicationId: 'app1', schemaName };
    await connections.giveUp(name, { version: 1, reason: 'disconnected_by_operator' });
    expect(await database.statusOf(name)).toEqual(['disconnected', 'disconnected_by_operator']);
    const again = await tenants.connect(owner, connectionOf('revived', { tokens: 'second' }));
    expect([again.outcome, tenantOf(again).schemaName]).toEqual(['renewed', schemaName]);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('second'), version: 3 });
    expect(await database.statusOf(name)).toEqual(['importing', null]);
  });

  test.each<[string, string, { platform?: 'platform_b' }, Partial<ConnectedCompany>[]]>([
    ['another application', 'app2', {}, [{}, {}]],
    ['another platform', 'app1', { platform: 'platform_b' }, [{}, {}]],
    ['another data center', 'app1', {}, [{ dataCenter: 'eu' }, { dataCenter: 'in' }]],
    ['a data center where the other has none', 'app1', {}, [{}, { dataCenter: 'in' }]],
  ])('becomes a tenant of its own for %s', async (other, applicationId, details, companies) => {
    const companyId = `shared with ${other}`;
    const [company = {}, otherCompany = {}] = companies;
    const owner = await newOwner('own@example.com');
    const otherOwner = await newOwner('own@example.com', applicationId);
    const ours = connectionOf(companyId, { company });
    const theirs = connectionOf(companyId, { company: otherCompany, details });
    const creations = [
      await tenants.connect(owner, ours),
      await tenants.connect(otherOwner, theirs),
    ];
    expect(creations.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    expect(creations.map((it) => tenantOf(it).prefix)[1]).toMatch(/-[a-z2-9]{6}$/);
    expect(await database.tenantsNamed(companyId)).toHaveLength(2);
    for (const [creation, request] of [
      [creations[0], ours],
      [creations[1], theirs],
    ] as const) {
      const name = creation && tenantOf(creation);
      expect(name && (await connections.find(name))).toMatchObject(request.company);
    }
    expect((await tenants.connect(otherOwner, theirs)).outcome).toBe('renewed');
  });

  test('becomes one tenant when 16 connect it at once, with the last tokens', async () => {
    const owner = await newOwner('crowded@example.com');
    const creations = await Promise.all(
      Array.from({ length: 16 }, (_, number) =>
        tenants.connect(
          owner,
          connectionOf('crowded', { importId: String(number), tokens: String(number) }),
        ),
      ),
    );
    expect(new Set(creations.map((creation) => tenantOf(creation).prefix))).toEqual(
      new Set(['crowded']),
    );
    expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const name = { applicationId: 'app1', schemaName: 'crowded' };
    const { importId = '' } = (await imports.find(name)) ?? {};
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf(importId), version: 16 });
    expect(await database.tenantsNamed('crowded')).toHaveLength(1);
  });
});

describe('an Idempotency-Key of a connection', () => {
  test('makes one tenant and one import of 16 connections at once', async () => {
    const owner = await newOwner('repeated-connection@example.com');
    const creations = await Promise.all(
      Array.from({ length: 16 }, (_, number) =>
        tenants.connect(
          owner,
          connectionOf('repeated-company', {
            idempotencyKey: 'key-3',
            importId: `import-${number}`,
            tokens: String(number),
          }),
        ),
      ),
    );
    const outcomes = creations.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['created', ...Array.from({ length: 15 }, () => 'replayed')]);
    const winner = creations.findIndex(({ outcome }) => outcome === 'created');
    const name = { applicationId: 'app1', schemaName: 'repeated_company' };
    expect((await imports.find(name))?.importId).toBe(`import-${winner}`);
    expect(await connections.find(name)).toMatchObject({
      tokens: tokensOf(String(winner)),
      version: 1,
    });
  });

  test('is used up by a connection that renews too', async () => {
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
