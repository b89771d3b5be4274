import { beforeAll, describe, expect, test } from 'vitest';
import type { Connections } from '#shared/store/connections.ts';
import { connectionKey, type TenantName } from '#shared/store/keys.ts';
import { openTestConnections, someCompany, tokensOf } from '../../support/builders/connections.ts';

let database: Awaited<ReturnType<typeof openTestConnections>>;
let connections: Connections;

beforeAll(async () => {
  database = await openTestConnections();
  ({ connections } = database);
});

const at = (time: string): Date => new Date(`2026-03-23T${time}.000Z`);

/** When a lease of this time ends. */
const untilOf = (time: string): Date => new Date(at(time).getTime() + 30_000);

/** Claims the refresh at a time, for thirty seconds. */
const lease = (name: TenantName, time: string, version = 1): Promise<boolean> =>
  connections.acquireRefreshLease(name, { version, now: at(time), until: untilOf(time) });

const isClaimed = async (name: TenantName): Promise<boolean> =>
  'refreshLeaseUntil' in ((await database.table.get(connectionKey(name))) ?? {});

describe('the lease of a refresh', () => {
  test('goes to one of many', async () => {
    const name = await database.newTenant('crowd');
    const leases = await Promise.all(Array.from({ length: 16 }, () => lease(name, '09:00:00')));
    expect(leases.filter(Boolean)).toHaveLength(1);
    expect(await connections.find(name)).toEqual({
      ...someCompany,
      tokens: tokensOf('first'),
      version: 1,
    });
  });

  test.each([
    ['is not to be had before it has run out', '09:00:29', false],
    ['is to be had at the moment when it runs out', '09:00:30', true],
    ['is to be had long after', '23:59:59', true],
  ])('%s', async (title, time, isTaken) => {
    const name = await database.newTenant(`expiry ${title}`);
    expect(await lease(name, '09:00:00')).toBe(true);
    expect(await lease(name, time)).toBe(isTaken);
  });

  test('that has run out goes to one of many', async () => {
    const name = await database.newTenant('late_crowd');
    await lease(name, '09:00:00');
    const leases = await Promise.all(Array.from({ length: 16 }, () => lease(name, '09:05:00')));
    expect(leases.filter(Boolean)).toHaveLength(1);
  });

  test('is to be had at once where it was given back', async () => {
    const name = await database.newTenant('given_back');
    await lease(name, '09:00:00');
    await connections.releaseRefreshLease(name, { version: 1, until: untilOf('09:00:00') });
    expect(await isClaimed(name)).toBe(false);
    expect(await lease(name, '09:00:01')).toBe(true);
  });

  test('is not given back by whose own has run out and gone to another', async () => {
    const name = await database.newTenant('late_release');
    await lease(name, '09:00:00');
    await lease(name, '09:05:00');
    await connections.releaseRefreshLease(name, { version: 1, until: untilOf('09:00:00') });
    expect(await isClaimed(name)).toBe(true);
  });

  test('is not given back by who holds older tokens', async () => {
    const name = await database.newTenant('stale_release');
    await connections.replaceTokens(name, { version: 1, tokens: tokensOf('second') });
    await lease(name, '09:00:00', 2);
    await connections.releaseRefreshLease(name, { version: 1, until: untilOf('09:00:00') });
    expect(await isClaimed(name)).toBe(true);
  });

  test.each<[string, (name: TenantName) => Promise<unknown>]>([
    [
      'tokens that were replaced',
      (name) => connections.replaceTokens(name, { version: 1, tokens: tokensOf('new') }),
    ],
    ['a connection that was renewed', (name) => database.connect(name, { tokens: 'new' })],
    [
      'a connection that was given up',
      (name) => connections.giveUp(name, { version: 1, reason: 'x' }),
    ],
  ])('is not to be had for %s', async (title, change) => {
    const name = await database.newTenant(`not for ${title}`);
    await change(name);
    expect(await lease(name, '09:00:00')).toBe(false);
  });

  test('is not to be had, or given back, where there is no connection', async () => {
    const name = { applicationId: 'app1', schemaName: 'nobody' };
    expect(await lease(name, '09:00:00')).toBe(false);
    await connections.releaseRefreshLease(name, { version: 1, until: untilOf('09:00:00') });
    expect(await database.table.get(connectionKey(name))).toBeUndefined();
  });

  test.each<[string, (name: TenantName) => Promise<unknown>]>([
    [
      'new tokens',
      (name) => connections.replaceTokens(name, { version: 1, tokens: tokensOf('new') }),
    ],
    ['a new connection', (name) => database.connect(name, { tokens: 'new' })],
  ])('ends with %s, whose own refresh can be leased at once', async (title, change) => {
    const name = await database.newTenant(`ends with ${title}`);
    await lease(name, '09:00:00');
    await change(name);
    expect(await isClaimed(name)).toBe(false);
    expect(await lease(name, '09:00:01', 2)).toBe(true);
  });

  test('does not keep out who was faster all the same', async () => {
    const name = await database.newTenant('two_refreshes');
    expect(await lease(name, '09:00:00')).toBe(true);
    expect(await lease(name, '09:01:00')).toBe(true);
    const replace = (tokens: string) =>
      connections.replaceTokens(name, { version: 1, tokens: tokensOf(tokens) });
    expect([await replace('of the one'), await replace('of the other')]).toEqual([true, false]);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('of the one') });
  });
});

describe('a connection that is given up', () => {
  test('is found no more, has no tokens, and leaves its tenant disconnected', async () => {
    const name = await database.newTenant('given_up');
    await lease(name, '09:00:00');
    expect(await connections.giveUp(name, { version: 1, reason: 'credentials_refused' })).toBe(
      true,
    );
    expect(await connections.find(name)).toBeUndefined();
    expect(await database.table.get(connectionKey(name))).toEqual({
      ...connectionKey(name),
      ...someCompany,
      version: 2,
    });
    expect(await database.statusOf(name)).toEqual(['disconnected', 'credentials_refused']);
  });

  test('takes no tokens, not even from who holds its version', async () => {
    const name = await database.newTenant('closed');
    await connections.giveUp(name, { version: 1, reason: 'x' });
    for (const version of [1, 2]) {
      const late = { version, tokens: tokensOf('late') };
      expect(await connections.replaceTokens(name, late)).toBe(false);
      expect(await lease(name, '09:00:00', version)).toBe(false);
    }
    expect(await connections.find(name)).toBeUndefined();
  });

  test('can be connected anew, under a version that no late refresh knows', async () => {
    const name = await database.newTenant('revived');
    await connections.giveUp(name, { version: 1, reason: 'x' });
    await database.connect(name, { tokens: 'revived' });
    const revived = { ...someCompany, tokens: tokensOf('revived'), version: 3 };
    expect(await connections.find(name)).toEqual(revived);
    for (const version of [1, 2]) {
      const late = { version, tokens: tokensOf('late') };
      expect(await connections.replaceTokens(name, late)).toBe(false);
      expect(await connections.giveUp(name, { version, reason: 'late' })).toBe(false);
    }
    expect(await connections.find(name)).toEqual(revived);
  });

  test.each<[string, (name: TenantName) => Promise<unknown>]>([
    [
      'its tokens were replaced',
      (name) => connections.replaceTokens(name, { version: 1, tokens: tokensOf('new') }),
    ],
    ['it was renewed', (name) => database.connect(name, { tokens: 'new' })],
  ])('is kept where %s meanwhile', async (title, change) => {
    const name = await database.newTenant(`kept because ${title}`);
    await change(name);
    expect(await connections.giveUp(name, { version: 1, reason: 'x' })).toBe(false);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('new'), version: 2 });
    expect(await database.statusOf(name)).toEqual(['importing', null]);
  });

  test('is one of many that give it up at once', async () => {
    const name = await database.newTenant('given_up_by_many');
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, () => connections.giveUp(name, { version: 1, reason: 'x' })),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await database.table.get(connectionKey(name))).toMatchObject({ version: 2 });
  });

  test('is none where there was none', async () => {
    const name = { applicationId: 'app1', schemaName: 'nobody' };
    expect(await connections.giveUp(name, { version: 1, reason: 'x' })).toBe(false);
    expect(await database.statusOf(name)).toEqual([undefined, undefined]);
  });
});
