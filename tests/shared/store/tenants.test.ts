import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/domain/accounts.ts';
import type { Creation, Owner } from '#shared/store/tenants.ts';
import { detailsOf, openTestTenants, tenantOf } from '../../support/builders/tenants.ts';

const cash: Account = { code: '1000', name: 'Cash', type: 'asset', status: 'active' };

const database = await openTestTenants();
const { tenants, newOwner, schemaNamesOf } = database;

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
  test('is there whole for its own application, linked to its user, with its chart', async () => {
    const owner = await newOwner('whole@example.com');
    const companyName = 'Whole & Söhne';
    expect(await tenants.prepare({ ...owner, companyName, idempotencyKey: 'whole' })).toEqual({
      owner: { applicationId: 'app1', email: 'whole@example.com' },
      idempotencyRecord: undefined,
      preferredIsFree: true,
    });
    await create(owner, { companyName, idempotencyKey: 'whole' });
    const name = { applicationId: 'app1', schemaName: 'whole_sohne' };
    expect(await tenants.find(name)).toEqual({
      ...name,
      prefix: 'whole-sohne',
      ...detailsOf(companyName),
      status: 'active',
    });
    expect(await tenants.find({ ...name, applicationId: 'app2' })).toBeUndefined();
    expect(await schemaNamesOf(owner)).toEqual(['whole_sohne']);
    const items = (await database.scan()).filter(({ pk }) => pk === 'APP#app1#TENANT#whole_sohne');
    expect(items.map(({ sk }) => sk).sort()).toEqual(['ACCOUNT#1000', 'TENANT']);
  });

  test.each(['app1', 'app2'])('gets a suffix where %s has the plain prefix', async (other) => {
    const companyName = `Taken ${other}`;
    const first = tenantOf(await create(await newOwner('1@example.com', other), { companyName }));
    const second = tenantOf(await create(await newOwner('2@example.com'), { companyName }));
    expect(first.prefix).toBe(`taken-${other}`);
    expect(second.prefix).toMatch(new RegExp(`^taken-${other}-[a-z2-9]{6}$`));
    expect(second.schemaName).toBe(second.prefix.replaceAll('-', '_'));
  });

  test('gets a suffix where it asks for a reserved name', async () => {
    const owner = await newOwner('reserved@example.com');
    const asked = { ...owner, companyName: 'Admin', idempotencyKey: undefined };
    expect((await tenants.prepare(asked)).preferredIsFree).toBe(false);
    const { prefix } = tenantOf(await create(owner, { companyName: 'Admin' }));
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
    const asked = { companyName: 'Scope', idempotencyKey: undefined, applicationId };
    expect(await tenants.prepare({ ...asked, userId: userId ?? owner.userId })).toEqual({
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
    const foreign = await tenants.prepare({ ...asked, applicationId: 'app2' });
    expect(foreign.idempotencyRecord).toBeUndefined();
  });
});
