import { describe, expect, test } from 'vitest';
import { voidRefreshLeases } from '#shared/connections/connections.store.ts';
import { connectionKey, type TenantName } from '#shared/table/keys.ts';
import {
  openTestConnections,
  someCompany,
  tokensOf,
} from '../../support/builders/platforms/connections.ts';

const database = await openTestConnections();
const { connections } = database;

const at = (time: string): Date => new Date(`2026-03-23T${time}.000Z`);

/** When a lease of this time ends. */
const untilOf = (time: string): Date => new Date(at(time).getTime() + 30_000);

/** Leases the refresh at a time, for thirty seconds. */
const lease = (name: TenantName, time: string, version = 1): Promise<boolean> =>
  connections.acquireRefreshLease(name, { version, now: at(time), until: untilOf(time) });
const release = (name: TenantName, time: string): Promise<void> =>
  connections.releaseRefreshLease(name, { version: 1, until: untilOf(time) });

const isLeased = async (name: TenantName): Promise<boolean> =>
  'refreshLeaseUntil' in ((await database.table.get(connectionKey(name))) ?? {});

const replace = (name: TenantName, tokens: string, version = 1): Promise<boolean> =>
  connections.replaceTokens(name, { version, tokens: tokensOf(tokens) });
const giveUp = (name: TenantName, version = 1): Promise<boolean> =>
  connections.giveUp(name, { version, reason: 'credentials_refused' });

const countTrue = async (attempts: () => Promise<boolean>): Promise<number> =>
  (await Promise.all(Array.from({ length: 16 }, attempts))).filter(Boolean).length;

/** The ways to give a connection new tokens, of version 2. */
const renewals: [string, (name: TenantName) => Promise<unknown>][] = [
  ['its tokens were replaced', (name) => replace(name, 'new')],
  ['it was connected again', (name) => database.connect(name, { tokens: 'new' })],
];

describe('the lease of a refresh', () => {
  test('is acquired by one of many processes, and again by one after it expires', async () => {
    const name = await database.newTenant();
    expect(await countTrue(() => lease(name, '09:00:00'))).toBe(1);
    expect(await countTrue(() => lease(name, '09:05:00'))).toBe(1);
    const connection = { ...someCompany, tokens: tokensOf('first'), version: 1 };
    expect(await connections.find(name)).toEqual(connection);
  });

  test.each([
    ['before it expires', '09:00:29', false],
    ['when it expires', '09:00:30', true],
    ['long after', '23:59:59', true],
  ])('can be acquired again %s (%s): %s', async (_, time, isTaken) => {
    const name = await database.newTenant();
    expect(await lease(name, '09:00:00')).toBe(true);
    expect(await lease(name, time)).toBe(isTaken);
  });

  test('can be acquired after a start that voids all leases', async () => {
    const [leased, free] = [await database.newTenant(), await database.newTenant()];
    await lease(leased, '09:00:00');
    const before = await database.table.get(connectionKey(free));
    await voidRefreshLeases(database.table);
    expect(await lease(leased, '09:00:01')).toBe(true);
    expect(await database.table.get(connectionKey(free))).toEqual(before);
  });

  test('can be acquired after a release', async () => {
    const name = await database.newTenant();
    await lease(name, '09:00:00');
    await release(name, '09:00:00');
    expect(await isLeased(name)).toBe(false);
    expect(await lease(name, '09:00:01')).toBe(true);
  });

  test('is not released by an earlier lessee or with older tokens', async () => {
    const name = await database.newTenant();
    await lease(name, '09:00:00');
    await lease(name, '09:05:00');
    await release(name, '09:00:00');
    expect(await isLeased(name)).toBe(true);
    await replace(name, 'second');
    await lease(name, '09:10:00', 2);
    await release(name, '09:10:00');
    expect(await isLeased(name)).toBe(true);
  });

  test.each(renewals)('ends if %s, and can be acquired for the new tokens', async (_, renew) => {
    const name = await database.newTenant();
    await lease(name, '09:00:00');
    await renew(name);
    expect(await isLeased(name)).toBe(false);
    expect(await lease(name, '09:00:01')).toBe(false);
    expect(await lease(name, '09:00:01', 2)).toBe(true);
  });

  test('does not stop a late lessee from storing its tokens first', async () => {
    const name = await database.newTenant();
    expect(await lease(name, '09:00:00')).toBe(true);
    expect(await lease(name, '09:01:00')).toBe(true);
    const replaced = [await replace(name, 'of the one'), await replace(name, 'of the other')];
    expect(replaced).toEqual([true, false]);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('of the one') });
  });
});

describe('a connection that is given up', () => {
  test('loses its tokens, accepts no others, and its tenant is disconnected', async () => {
    const name = await database.newTenant();
    await lease(name, '09:00:00');
    expect(await countTrue(() => giveUp(name))).toBe(1);
    expect(await connections.find(name)).toBeUndefined();
    for (const version of [1, 2]) {
      expect(await replace(name, 'late', version)).toBe(false);
      expect(await lease(name, '09:00:00', version)).toBe(false);
    }
    expect(await database.table.get(connectionKey(name))).toEqual({
      ...connectionKey(name),
      ...someCompany,
      version: 2,
    });
    expect(await database.statusOf(name)).toEqual(['disconnected', 'credentials_refused']);
  });

  test('can be connected again, with a version that no late refresh has', async () => {
    const name = await database.newTenant();
    await giveUp(name);
    await database.connect(name, { tokens: 'revived' });
    const revived = { ...someCompany, tokens: tokensOf('revived'), version: 3 };
    expect(await connections.find(name)).toEqual(revived);
    for (const version of [1, 2]) {
      expect(await replace(name, 'late', version)).toBe(false);
      expect(await giveUp(name, version)).toBe(false);
    }
    expect(await connections.find(name)).toEqual(revived);
  });

  test.each(renewals)('keeps its tokens if %s in the meantime', async (_, renew) => {
    const name = await database.newTenant();
    await renew(name);
    expect(await giveUp(name)).toBe(false);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('new'), version: 2 });
    expect(await database.statusOf(name)).toEqual(['importing', null]);
  });
});
