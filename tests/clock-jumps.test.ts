// A clock that ran ahead and jumped back must not delay anything.
//
// Some moments delay nothing and are not corrected: a pending authorization is valid for longer; an
// access token that has expired is refused by its platform and then refreshed; the last use of a
// key is the latest day that any machine saw; a lock can be moved back by its application.

import { describe, expect, test } from 'vitest';
import { openKeyUse } from '#functions/authorizer/handler.ts';
import { startOfImport } from '#shared/imports/import-checkpoint.ts';
import { scopeAfter } from '#shared/imports/import-scope.store.ts';
import { refusalAfter } from '#shared/imports/import-status.store.ts';
import { isDue } from '#shared/imports/import-timing.ts';
import { openZohoPacing } from '#shared/platforms/zoho/zoho-pacing.ts';
import { openRateCache } from '#shared/rates/rate-cache.store.ts';
import { tenantNameOf } from '#shared/table/keys.ts';
import { lockMovedTo } from '#shared/tenants/period-lock.ts';
import { openTestConnections } from './support/builders/platforms/connections.ts';
import { keepLog } from './support/recorders/log.ts';

const database = await openTestConnections();
const { connections } = database;

const ahead = Date.parse('2026-03-23T10:00:00.000Z');
const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const isImportHeld = (lastsMilliseconds: number) => (now: Date) =>
  !isDue({ dueAt: textOf(ahead + lastsMilliseconds), setAt: textOf(ahead) }, now);

/** Whether what happened by the clock ahead still holds something up by the clock of now. */
type IsHeld = (now: Date) => boolean | Promise<boolean>;

const places: Record<string, IsHeld> = {
  'the pause after an import': (now) =>
    refusalAfter(
      { status: 'complete', finishedAt: textOf(ahead) },
      { requestedAt: now.toISOString() },
    ) !== undefined,
  'the lease of an import': isImportHeld(60_000),
  'the start of an import': isImportHeld(10 * 60_000),
  'an import that was put off for a day': isImportHeld(24 * 60 * 60_000),
  'what an import leaves to the one before it': (now) => {
    const before = { status: 'complete', checkpoint: startOfImport, finishedAt: textOf(ahead) };
    const asked = { requestedAt: now.toISOString(), lockDate: undefined };
    const requestedAt = textOf(ahead - 10_000);
    return scopeAfter({ ...before, status: 'complete', requestedAt }, asked).modifiedSince !== null;
  },
  'the lease of a refresh': async (now) => {
    const name = await database.newTenant();
    const leaseAt = (moment: number) =>
      connections.acquireRefreshLease(name, {
        version: 1,
        now: new Date(moment),
        until: new Date(moment + 30_000),
      });
    expect(await leaseAt(ahead)).toBe(true);
    return !(await leaseAt(now.getTime()));
  },
  'the renewal of tokens': async (now) => {
    const { schemaName } = await database.newTenant();
    for await (const { pk } of connections.listAhead(now)) {
      if (tenantNameOf({ pk })?.schemaName === schemaName) return false;
    }
    return true;
  },
  'rates that were read': async (now) => {
    const world = { now: new Date(ahead), reads: 0 };
    const findDay = async () => {
      world.reads += 1;
      return { date: '2026-03-20', rates: {} };
    };
    const cache = openRateCache({ findDay, clock: () => world.now });
    const range = { from: '2026-03-16', to: '2026-03-23' };
    const read = () =>
      cache.findDay(range, ['USD'], { publisher: 'ecb', readVersion: async () => 1 });
    await read();
    world.now = now;
    await read();
    return world.reads === 1;
  },
  'the record of a key’s use after one that failed': async (now) => {
    const world = { now: new Date(ahead), tries: 0 };
    const recordUse = async () => {
      world.tries += 1;
      throw new Error('the table is away');
    };
    const clock = () => world.now;
    const sleep = () => new Promise(() => {});
    const use = openKeyUse({ applications: { recordUse }, clock, sleep, log: keepLog() });
    const owner = { applicationId: 'app1', keyId: 'key' };
    await use(owner, undefined);
    world.now = now;
    await use(owner, undefined);
    return world.tries === 1;
  },
  'the calls of a company that are used up': (now) => {
    let moment = ahead;
    const pacing = openZohoPacing(() => moment);
    const limits = { Limit: '100', Remaining: '5', Reset: '60' };
    const headers = Object.entries(limits).map(([it, value]) => [`X-Rate-Limit-${it}`, value]);
    pacing.recordReply('company', new Headers(headers as [string, string][]));
    moment = now.getTime();
    return pacing.waitMilliseconds('company') > 0;
  },
};

test.each([
  ['the clock has not jumped', 0, ahead + 40_000],
  ['it is a second behind', -1_000, ahead + 39_000],
  ['it has jumped back a day', -24 * 60 * 60_000, ahead - 24 * 60 * 60_000 + 40_000],
  ['the lock is in force', 60_000, ahead + 60_000],
])('a lock that is moved back is in force when one of now would be: %s', (_, passed, expected) => {
  const tenant = { lockDate: '2026-02-28', lockedFrom: textOf(ahead + 40_000) };
  const moved = lockMovedTo('2026-01-31', { tenant, now: new Date(ahead + passed) });
  expect(moved).toEqual({ lockDate: '2026-01-31', lockedFrom: textOf(expected) });
});

describe.each(Object.entries(places))('%s', (name, isHeld) => {
  test('holds by the clock of its time', async () => {
    expect(await isHeld(new Date(ahead))).toBe(true);
  });

  test('holds by a clock that is a second behind, unless one process alone counts', async () => {
    const isOfOneProcess = name === 'the calls of a company that are used up';
    expect(await isHeld(new Date(ahead - 1_000))).toBe(!isOfOneProcess);
  });

  test.each([
    ['an hour', 60 * 60_000],
    ['three days', 3 * 24 * 60 * 60_000],
    ['ten years', 3_652 * 24 * 60 * 60_000],
  ])('does not hold any more after a jump back of %s', async (_, jump) => {
    // Tokens are renewed a month after their end: a day more or less is no matter.
    const isOfMonths = name === 'the renewal of tokens' && jump === 60 * 60_000;
    expect(await isHeld(new Date(ahead - jump))).toBe(isOfMonths);
  });
});
