import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/accounts.ts';
import { type Owner, openTenants } from '#shared/tenants/tenants.store.ts';
import { testQuotas } from '../../support/builders/quotas.ts';
import { detailsOf, openTestTenants, tenantOf } from '../../support/builders/tenants.ts';

const cash: Account = { code: '1000', name: 'Cash', type: 'asset', status: 'active' };

const database = await openTestTenants();
const { tenants, newOwner, schemaNamesOf } = database;

const create = async (
  owner: Owner,
  { companyName, idempotencyKey }: { companyName: string; idempotencyKey?: string },
): ReturnType<typeof tenants.create> =>
  tenants.create(owner, {
    details: detailsOf(companyName),
    accounts: [cash],
    idempotentRequest: idempotencyKey ? { idempotencyKey, request: { companyName } } : undefined,
  });

describe('a tenant that keeps its own books', () => {
  test('is there whole for its own application, linked to its user, with its chart', async () => {
    const owner = await newOwner('whole@example.com');
    const companyName = 'Whole & Söhne';
    expect(await tenants.prepare({ ...owner, idempotencyKey: 'whole' })).toEqual({
      owner: { applicationId: 'app1', email: 'whole@example.com' },
      idempotencyRecord: undefined,
    });
    const { prefix } = tenantOf(await create(owner, { companyName, idempotencyKey: 'whole' }));
    expect(prefix).toMatch(/^whole-sohne-[a-z2-9]{6}$/);
    const name = { applicationId: 'app1', schemaName: prefix.replaceAll('-', '_') };
    expect(await tenants.find(name)).toEqual({
      ...name,
      prefix,
      ...detailsOf(companyName),
      status: 'active',
    });
    expect(await tenants.find({ ...name, applicationId: 'app2' })).toBeUndefined();
    expect(await schemaNamesOf(owner)).toEqual([name.schemaName]);
    const items = (await database.scan()).filter(
      ({ pk }) => pk === `APP#app1#TENANT#${name.schemaName}`,
    );
    expect(items.map(({ sk }) => sk).sort()).toEqual(['ACCOUNT#1000', 'COUNT#ACCOUNTS', 'TENANT']);
  });

  test('gets another suffix where somebody has its prefix', async () => {
    const suffixes = ['aaaaaa', 'aaaaaa', 'bbbbbb'];
    const newSuffix = () => suffixes.shift() ?? 'none is left';
    const { create: createWith } = openTenants(database.table, {
      ...database,
      newSuffix,
      quotas: testQuotas,
    });
    const owners = [await newOwner('1@example.com', 'app2'), await newOwner('2@example.com')];
    const prefixes: string[] = [];
    for (const owner of owners) {
      const asked = { details: detailsOf('Taken'), accounts: [], idempotentRequest: undefined };
      prefixes.push(tenantOf(await createWith(owner, asked)).prefix);
    }
    expect(prefixes).toEqual(['taken-aaaaaa', 'taken-bbbbbb']);
  });

  test('shares its prefix with none of 15 others of its name that are made at once', async () => {
    const owner = await newOwner('crowd@example.com');
    const creations = await Promise.all(
      Array.from({ length: 16 }, () => create(owner, { companyName: 'Crowd' })),
    );
    const prefixes = creations.map((creation) => tenantOf(creation).prefix);
    expect(new Set(prefixes).size).toBe(16);
    expect((await schemaNamesOf(owner))?.length).toBe(16);
  });
});

describe('what a creation must know', () => {
  test.each([
    ['has no owner for a user id that does not exist', 'app1', '1'],
    ['has no owner for a user of another application', 'app2', undefined],
  ])('%s', async (_, applicationId, userId) => {
    const owner = await newOwner('scope@example.com', 'app1');
    const asked = { idempotencyKey: undefined, applicationId };
    expect(await tenants.prepare({ ...asked, userId: userId ?? owner.userId })).toEqual({
      owner: undefined,
      idempotencyRecord: undefined,
    });
  });

  test('shows what an Idempotency-Key made, to the application that used it', async () => {
    const owner = await newOwner('key@example.com');
    const companyName = 'Keyed';
    const creation = await create(owner, { companyName, idempotencyKey: 'key-1' });
    const { schemaName } = tenantOf(creation);
    const asked = { ...owner, idempotencyKey: 'key-1' };
    expect(await tenants.prepare(asked)).toEqual({
      owner: { applicationId: 'app1', email: 'key@example.com' },
      idempotencyRecord: { schemaName, request: { companyName } },
    });
    const foreign = await tenants.prepare({ ...asked, applicationId: 'app2' });
    expect(foreign.idempotencyRecord).toBeUndefined();
  });
});
