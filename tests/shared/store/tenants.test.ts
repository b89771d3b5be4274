import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#shared/domain/accounts.ts';
import type { Creation, Owner, Tenants } from '#shared/store/tenants.ts';
import { meterUsage } from '#shared/table-metering.ts';
import { detailsOf, openTestTenants, tenantOf } from '../../support/builders/tenants.ts';

const cash: Account = { code: '1000', name: 'Cash', type: 'asset', status: 'active' };

let database: Awaited<ReturnType<typeof openTestTenants>>;
let tenants: Tenants;
let newOwner: typeof database.newOwner;
let schemaNamesOf: typeof database.schemaNamesOf;

beforeAll(async () => {
  database = await openTestTenants();
  ({ tenants, newOwner, schemaNamesOf } = database);
});

const create = async (
  owner: Owner,
  { companyName, idempotencyKey }: { companyName: string; idempotencyKey?: string },
): Promise<Creation> =>
  tenants.create(owner, {
    details: detailsOf(companyName),
    accounts: [cash],
    preferredIsFree: true,
    idempotentRequest: idempotencyKey ? { idempotencyKey, request: { companyName } } : undefined,
  });

describe('a tenant that keeps its own books', () => {
  test('is there whole after two calls: linked to its user, with its chart', async () => {
    const owner = await newOwner('whole@example.com');
    const { usage } = await meterUsage(async () => {
      const prepared = await tenants.prepare({
        ...owner,
        companyName: 'Whole & Söhne',
        idempotencyKey: 'whole',
      });
      expect(prepared).toEqual({
        owner: { applicationId: 'app1', email: 'whole@example.com' },
        idempotencyRecord: undefined,
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
    expect(prepared).toEqual({
      owner: undefined,
      idempotencyRecord: undefined,
      preferredIsFree: true,
    });
  });

  test('shows what an Idempotency-Key made, to the application that used it', async () => {
    const owner = await newOwner('key@example.com');
    const companyName = 'Keyed';
    await create(owner, { companyName, idempotencyKey: 'key-1' });
    const asked = { ...owner, companyName, idempotencyKey: 'key-1' };
    expect(await tenants.prepare(asked)).toEqual({
      owner: { applicationId: 'app1', email: 'key@example.com' },
      idempotencyRecord: { schemaName: 'keyed', request: { companyName } },
      preferredIsFree: false,
    });
    expect(
      (await tenants.prepare({ ...asked, applicationId: 'app2' })).idempotencyRecord,
    ).toBeUndefined();
  });
});

describe('an Idempotency-Key', () => {
  test('makes one tenant of 16 creations at once', async () => {
    const owner = await newOwner('repeat@example.com');
    const asked = { companyName: 'Repeated', idempotencyKey: 'key-2' };
    const creations = await Promise.all(Array.from({ length: 16 }, () => create(owner, asked)));
    const idempotencyRecord = { schemaName: 'repeated', request: { companyName: 'Repeated' } };
    expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(creations.filter(({ outcome }) => outcome === 'replayed')).toEqual(
      Array.from({ length: 15 }, () => ({ outcome: 'replayed', idempotencyRecord })),
    );
    expect(await database.tenantsNamed('Repeated')).toHaveLength(1);
    expect(await schemaNamesOf(owner)).toEqual(['repeated']);
  });
});
