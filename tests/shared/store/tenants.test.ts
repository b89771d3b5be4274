import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#shared/domain/accounts.ts';
import { suffixFrom } from '#shared/domain/domain-names.ts';
import { type Connections, openConnections } from '#shared/store/connections.ts';
import { type Imports, openImports } from '#shared/store/imports.ts';
import { openSealing } from '#shared/store/sealing.ts';
import {
  type ConnectionRequest,
  type Creation,
  type Owner,
  openTenants,
  type Tenant,
  type Tenants,
} from '#shared/store/tenants.ts';
import { openUsers, type Users } from '#shared/store/users.ts';
import { measureUsage } from '#shared/usage.ts';
import { openTestTable } from '../../support/database.ts';
import { fixedSecret, newKeys } from '../../support/secrets.ts';

const createdAt = '2026-03-23T09:30:00.000Z';
const cash: Account = { code: '1000', name: 'Cash', type: 'asset', status: 'active' };

let database: Awaited<ReturnType<typeof openTestTable>>;
let tenants: Tenants;
let users: Users;
let connections: Connections;
let imports: Imports;
let newOwner: (email: string, applicationId?: string) => Promise<Owner & { userId: string }>;

beforeAll(async () => {
  database = await openTestTable();
  const { table } = database;
  const sealing = openSealing(fixedSecret(newKeys('1')));
  tenants = openTenants(table, { sealing, newSuffix: () => suffixFrom(randomBytes(6)) });
  users = openUsers(table);
  connections = openConnections(table, sealing);
  imports = openImports(table);
  newOwner = async (email, applicationId = 'app1') => {
    const { user } = await users.record(
      { applicationId, email, firstName: 'Ada', lastName: 'Lovelace', createdAt },
      { passwordHash: 'none', newUserId: () => String(randomBytes(6).readUIntBE(0, 6) + 1) },
    );
    return { applicationId, email, userId: user.userId };
  };
});

const detailsOf = (companyName: string) =>
  ({
    platform: 'manual',
    companyName,
    currency: 'EUR',
    cashFlowMethod: 'indirect',
    createdAt,
  }) as const;

const create = async (
  owner: Owner,
  { companyName, idempotencyKey }: { companyName: string; idempotencyKey?: string },
): Promise<Creation> =>
  tenants.create(owner, {
    details: detailsOf(companyName),
    accounts: [cash],
    preferredIsFree: true,
    repeatable: idempotencyKey ? { idempotencyKey, request: { companyName } } : undefined,
  });

const tenantOf = (creation: Creation): Tenant => {
  if (creation.outcome === 'repeated') throw new Error('nothing was to be repeated');
  return creation.tenant;
};

const tokensOf = (name: string) => ({
  accessToken: `secret-access-${name}`,
  refreshToken: `secret-refresh-${name}`,
  expiresAt: '2026-03-23T10:00:00.000Z',
});

const connectionOf = (
  companyId: string,
  changes: {
    platform?: ConnectionRequest['details']['platform'];
    companyName?: string;
    tokens?: string;
    importId?: string;
    idempotencyKey?: string;
  } = {},
): ConnectionRequest => {
  const { platform = 'platform_a', companyName = companyId, idempotencyKey } = changes;
  return {
    details: { ...detailsOf(companyName), platform },
    company: { adapter: 'sandbox', companyId },
    tokens: tokensOf(changes.tokens ?? 'first'),
    importId: changes.importId ?? 'import-1',
    repeatable: idempotencyKey ? { idempotencyKey, request: { companyId } } : undefined,
  };
};

const schemaNamesOf = async (owner: Owner): Promise<string[] | undefined> =>
  (await users.findWithTenants(owner))?.schemaNames;

const tenantsNamed = async (companyName: string) =>
  (await database.scan()).filter(
    (item) => item.sk === 'TENANT' && item.companyName === companyName,
  );

describe('a tenant that keeps its own books', () => {
  test('is there whole after two calls: linked to its user, with its chart', async () => {
    const owner = await newOwner('whole@example.com');
    const { usage } = await measureUsage(async () => {
      const prepared = await tenants.prepare({
        ...owner,
        companyName: 'Whole & Söhne',
        idempotencyKey: 'whole',
      });
      expect(prepared).toEqual({
        owner: { applicationId: 'app1', email: 'whole@example.com' },
        repeat: undefined,
        preferredIsFree: true,
      });
      await create(owner, { companyName: 'Whole & Söhne', idempotencyKey: 'whole' });
    });
    expect(usage.calls.map(({ operation }) => operation)).toEqual([
      'BatchGetItem',
      'TransactWriteItems',
    ]);
    const name = { applicationId: 'app1', schemaName: 'whole_sohne' };
    expect(await tenants.find(name)).toEqual({
      ...name,
      prefix: 'whole-sohne',
      ...detailsOf('Whole & Söhne'),
      status: 'active',
    });
    expect(await schemaNamesOf(owner)).toEqual(['whole_sohne']);
    const items = (await database.scan()).filter(({ pk }) => pk === 'APP#app1#TENANT#whole_sohne');
    expect(items.map(({ sk }) => sk).sort()).toEqual(['ACCOUNT#1000', 'TENANT']);
  });

  test('is not seen by another application', async () => {
    const owner = await newOwner('own@example.com');
    const tenant = tenantOf(await create(owner, { companyName: 'Own' }));
    const foreign = { applicationId: 'app2', schemaName: tenant.schemaName };
    expect(await tenants.find(foreign)).toBeUndefined();
  });

  test.each([
    ['is taken by the application itself', 'app1'],
    ['is taken by another application', 'app2'],
  ])('gets a suffix where the plain prefix %s', async (_, applicationId) => {
    const companyName = `Taken ${applicationId}`;
    const first = await create(await newOwner('first@example.com', applicationId), { companyName });
    const second = await create(await newOwner('second@example.com'), { companyName });
    expect(tenantOf(first).prefix).toBe(`taken-${applicationId}`);
    expect(tenantOf(second).prefix).toMatch(new RegExp(`^taken-${applicationId}-[a-z2-9]{6}$`));
    expect(tenantOf(second).schemaName).toBe(tenantOf(second).prefix.replaceAll('-', '_'));
  });

  test('gets a suffix where it asks for a reserved name, or for one that is not free', async () => {
    const owner = await newOwner('reserved@example.com');
    const prepared = await tenants.prepare({
      ...owner,
      companyName: 'Admin',
      idempotencyKey: undefined,
    });
    expect(prepared.preferredIsFree).toBe(false);
    const prefix = tenantOf(await create(owner, { companyName: 'Admin' })).prefix;
    expect(prefix).toMatch(/^admin-[a-z2-9]{6}$/);
  });

  test('shares its plain prefix with none of 15 others that ask for it at once', async () => {
    const owner = await newOwner('crowd@example.com');
    const creations = await Promise.all(
      Array.from({ length: 16 }, () => create(owner, { companyName: 'Crowd' })),
    );
    const prefixes = creations.map((creation) => tenantOf(creation).prefix);
    expect(new Set(prefixes).size).toBe(16);
    expect(prefixes.filter((prefix) => prefix === 'crowd')).toHaveLength(1);
    expect((await schemaNamesOf(owner))?.length).toBe(16);
  });
});

describe('what a creation must know', () => {
  test.each([
    ['has no owner for a user id that does not exist', 'app1', '1'],
    ['has no owner for a user of another application', 'app2', undefined],
  ])('%s', async (_, applicationId, userId) => {
    const owner = await newOwner('scope@example.com', 'app1');
    const prepared = await tenants.prepare({
      applicationId,
      userId: userId ?? owner.userId,
      companyName: 'Scope',
      idempotencyKey: undefined,
    });
    expect(prepared).toEqual({ owner: undefined, repeat: undefined, preferredIsFree: true });
  });

  test('shows what an Idempotency-Key made, to the application that used it', async () => {
    const owner = await newOwner('key@example.com');
    const companyName = 'Keyed';
    await create(owner, { companyName, idempotencyKey: 'key-1' });
    const asked = { ...owner, companyName, idempotencyKey: 'key-1' };
    expect(await tenants.prepare(asked)).toEqual({
      owner: { applicationId: 'app1', email: 'key@example.com' },
      repeat: { schemaName: 'keyed', request: { companyName } },
      preferredIsFree: false,
    });
    expect((await tenants.prepare({ ...asked, applicationId: 'app2' })).repeat).toBeUndefined();
  });
});

describe('an Idempotency-Key', () => {
  test('makes one tenant of 16 creations at once', async () => {
    const owner = await newOwner('repeat@example.com');
    const asked = { companyName: 'Repeated', idempotencyKey: 'key-2' };
    const creations = await Promise.all(Array.from({ length: 16 }, () => create(owner, asked)));
    const repeat = { schemaName: 'repeated', request: { companyName: 'Repeated' } };
    expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(creations.filter(({ outcome }) => outcome === 'repeated')).toEqual(
      Array.from({ length: 15 }, () => ({ outcome: 'repeated', repeat })),
    );
    expect(await tenantsNamed('Repeated')).toHaveLength(1);
    expect(await schemaNamesOf(owner)).toEqual(['repeated']);
  });

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
    expect(outcomes).toEqual(['created', ...Array.from({ length: 15 }, () => 'repeated')]);
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
      outcome: 'repeated',
      repeat: { schemaName: 'renewed_key', request: { companyId: 'renewed-key' } },
    });
  });
});

describe('a connected company', () => {
  test('becomes a tenant whose import is asked for, with its tokens sealed', async () => {
    const owner = await newOwner('connect@example.com');
    const request = connectionOf('connected', { companyName: 'Connected Ltd' });
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
      adapter: 'sandbox',
      companyId: 'connected',
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
      accountsImported: 0,
      reason: 'credentials_refused',
      tenantStatus: 'disconnected',
    });

    const again = connectionOf('kept', {
      companyName: 'Kept, renamed',
      tokens: 'second',
      importId: 'import-2',
    });
    expect(await tenants.connect(second, again)).toEqual({ outcome: 'renewed', tenant: created });
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('second'), version: 2 });
    expect(await imports.find(name)).toMatchObject({ importId: 'import-2', status: 'requested' });
    expect(await schemaNamesOf(first)).toEqual(['kept']);
    expect(await schemaNamesOf(second)).toEqual(['kept']);
  });

  test.each([
    ['another application', 'app2', {}],
    ['another platform', 'app1', { platform: 'platform_b' }],
  ] as const)('becomes a tenant of its own for %s', async (other, applicationId, changes) => {
    const companyId = `shared with ${other}`;
    const owner = await newOwner('own@example.com');
    const one = await tenants.connect(owner, connectionOf(companyId));
    const two = await tenants.connect(
      await newOwner('own@example.com', applicationId),
      connectionOf(companyId, changes),
    );
    expect([one.outcome, two.outcome]).toEqual(['created', 'created']);
    expect(tenantOf(two).prefix).toMatch(/-[a-z2-9]{6}$/);
    expect(await tenantsNamed(companyId)).toHaveLength(2);
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
    expect(await tenantsNamed('crowded')).toHaveLength(1);
  });
});
