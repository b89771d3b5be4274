import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/post-scheduled-entries/handler.ts';
import { readEntry } from '#shared/entries/entry-items.store.ts';
import { ApiError } from '#shared/errors.ts';
import { applicationKey, dueDateKey, sheetKey, type TenantName } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import type { Item } from '#shared/table/table.ts';
import { openApplication } from '../support/builders/applications.ts';
import { fullRows } from '../support/builders/full-sheets.ts';
import { expectedEntry } from '../support/builders/journal-entry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { recordEntry } from '../support/builders/recorded-entries.ts';
import { nothingDue } from '../support/builders/run-summaries.ts';
import { seedBacklog } from '../support/builders/scheduled-backlog.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { openNeighbours } from '../support/harnesses/hostile-neighbours.ts';
import { postingStoresOf } from '../support/readers/due-entries.ts';
import { readEntries } from '../support/readers/tenant-entries.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let stores: ReturnType<typeof postingStoresOf>;
let metrics: ReturnType<typeof keepMetrics>;
beforeEach(async () => {
  ledger = await openTestLedger();
  stores = postingStoresOf(ledger.table);
  metrics = keepMetrics();
});

const day = '2026-03-25';
const atMinute = (minute: string) => `${day}T00:${minute}.000Z`;

/** A run on the day at this minute. */
const run = (
  minute: string,
  {
    remaining = () => 300_000,
    ...changes
  }: Partial<Dependencies> & { remaining?: () => number } = {},
) => {
  const time = minute.includes('T') ? minute : atMinute(minute);
  const handler = createHandler({
    ...stores,
    clock: () => new Date(time),
    log: keepLog(),
    metrics,
    ...changes,
  });
  const context = { ...lambdaContext(), getRemainingTimeInMillis: remaining };
  return handler({ time } as ScheduledEvent, context);
};

const nothing = {
  posted: 0,
  converted: 0,
  ...nothingDue,
};

const acme: TenantName = { applicationId: 'app1', schemaName: 'acme' };
const dueDate = 'APP#app1#TENANT#acme DUEDATE#2026-03-25';

const schedule = async (accrualDates: string[], applicationId = 'app1'): Promise<void> => {
  const scheduled = { status: 'scheduled', externalId: null, postedAt: null } as const;
  for (const accrualDate of accrualDates) {
    const entry = { ...expectedEntry, ...scheduled, accrualDate, postingDate: accrualDate };
    await recordEntry(ledger.journalEntries, { ...acme, applicationId }, entry);
  }
};
const times = (count: number): string[] => Array.from({ length: count }, () => day);

/** The accrual date, status and time of posting of each entry. */
const entries = async () => {
  const items = (await ledger.scan()).filter(({ kind }) => kind === 'entry');
  return items
    .map((item) => {
      const { accrualDate, status, postedAt } = readEntry([item]) ?? {};
      return [accrualDate, status, postedAt] as const;
    })
    .sort(([one], [other]) => String(one).localeCompare(String(other)));
};

/** For each date in the due index, when it is due. */
const dueDates = async (): Promise<string[]> =>
  (await ledger.scan())
    .filter(({ sk }) => String(sk).startsWith('DUEDATE#'))
    .map(({ due_sk }) => String(due_sk).split('#')[0] ?? '')
    .sort();

describe('a run', () => {
  test('posts what is due today or before, and nothing later', async () => {
    await schedule([day, '2026-03-28', '2026-03-31', '2026-04-01']);
    const time = '2026-03-31T00:05:00.000Z';
    expect(await run(time)).toEqual({ ...nothing, posted: 3, due: 3, done: 3 });
    expect(await entries()).toEqual([
      [day, 'posted', time],
      ['2026-03-28', 'posted', time],
      ['2026-03-31', 'posted', time],
      ['2026-04-01', 'scheduled', null],
    ]);
    expect(await dueDates()).toEqual(['2026-04-01']);
  });

  test('posts each entry once, even beside other runs', async () => {
    await schedule(times(20));
    const summaries = await Promise.all([run('05:00'), run('05:00'), run('05:00')]);
    expect(summaries.reduce((sum, { posted }) => sum + Number(posted), 0)).toBe(20);
    expect(await run('20:00')).toEqual(nothing);
    expect(new Set((await entries()).map(([, , postedAt]) => postedAt))).toEqual(
      new Set([atMinute('05:00')]),
    );
  });

  test('skips a suspended application until it is resumed', async () => {
    await schedule(['2026-03-24', day]);
    await schedule([day], 'app2');
    const application = openApplication(ledger.table);
    await application.suspend();
    expect(await run('05:00')).toMatchObject({ posted: 1, due: 1, suspended: 2 });
    await application.resume();
    expect(await run('20:00')).toMatchObject({ posted: 2, suspended: 0 });
    expect(await dueDates()).toEqual([]);
  });

  test('without time posts nothing and logs where the next run starts', async () => {
    await schedule(times(20));
    expect(await run('05:00', { remaining: () => 5_000 })).toEqual({
      ...nothing,
      due: 1,
      not_tried: 1,
      stopped_early: 'yes',
      continues_with: dueDate,
    });
    expect(await dueDates()).toEqual([day]);
    expect(await run('05:00')).toMatchObject({ posted: 20 });
  });

  test('moves an unfinished date to the end of the queue', async () => {
    await seedBacklog(ledger, acme, { date: day, count: 40 });
    let calls = 0;
    const post: typeof stores.scheduledEntries.post = (...parameters) => {
      calls += 1;
      return stores.scheduledEntries.post(...parameters);
    };
    const summary = await run('06:00', {
      remaining: () => (calls === 0 ? 300_000 : 15_000),
      scheduledEntries: { ...stores.scheduledEntries, post },
    });
    expect(summary).toEqual({
      ...nothing,
      posted: 32,
      due: 1,
      unfinished: 1,
      stopped_early: 'yes',
      continues_with: dueDate,
    });
    expect(await dueDates()).toEqual([atMinute('06:00')]);
    expect(await run('20:00')).toMatchObject({ posted: 8, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test('posts many entries of a date in order, without contention', async () => {
    await seedBacklog(ledger, acme, { date: day, count: 70 });
    const { result, usage } = await meterUsage(() => run('05:00'));
    expect(result).toMatchObject({ posted: 70, due: 1, done: 1 });
    expect(usage.contentionRetries).toBe(0);
    const sequences = (await readEntries(ledger.table, acme)).map((it) => it.postingSequence);
    expect(sequences).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
  });

  test('keeps a date in the index if an entry is scheduled meanwhile', async () => {
    await schedule([day]);
    let isFirst = true;
    const remove: typeof stores.dueDates.remove = async (...parameters) => {
      if (isFirst) await schedule([day]);
      isFirst = false;
      return stores.dueDates.remove(...parameters);
    };
    const summary = await run('05:00', { dueDates: { ...stores.dueDates, remove } });
    expect(summary).toMatchObject({ posted: 2, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test('removes a date whose entries were all cancelled', async () => {
    await schedule([day]);
    const [item] = (await ledger.scan()).filter(({ sk }) => String(sk).startsWith('SCHEDULED#'));
    await ledger.table.transact([{ delete: { pk: String(item?.pk), sk: String(item?.sk) } }]);
    expect(await run('05:00')).toEqual({ ...nothing, due: 1, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test('posts within two short runs, even behind 100 tenants of another application', async () => {
    const neighbours = await openNeighbours();
    await neighbours.makeTenants(100);
    for (const minutes of [5, 20]) {
      const summary = await neighbours.run(minutes, { writes: 20 });
      expect(summary).toMatchObject({ stopped_early: 'yes', continues_with: expect.any(String) });
      expect(summary.not_tried).toBeGreaterThan(50);
    }
    expect(await neighbours.countWaiting()).toBe(0);
    expect(await neighbours.run(35)).toMatchObject({ not_tried: 0, unfinished: 0 });
  });

  test('fails if the table does not answer, and the next run posts', async () => {
    await schedule([day]);
    const findRevision = () =>
      Promise.reject(new ApiError('temporarily_unavailable', { retryAfterSeconds: 1 }));
    const failing = { dueDates: { ...stores.dueDates, findRevision } };
    await expect(run('05:00', failing)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await run('20:00')).toMatchObject({ posted: 1 });
  });
});

describe('a date that cannot be posted', () => {
  const stuckOn = async (date: string) =>
    (await ledger.table.get(dueDateKey(acme, date)))?.stuck as Item | undefined;
  const countStuck = () => metrics.events.filter(([event]) => event === 'workStuck').length;

  test('because it is full is stuck, at the cost of two reads, until there is room', async () => {
    await seedBacklog(ledger, acme, { date: day, count: 100 });
    await schedule(['2026-03-24'], 'app2');
    const key = sheetKey(acme, { series: 'MJ', date: day });
    const sheet = { ...key, lastSequence: 1, revision: 1, counted: 1, head: 'f'.repeat(64) };
    await ledger.seed({ ...sheet, rows: fullRows() });
    const { result, usage } = await meterUsage(() => run('05:00'));
    expect(result).toEqual({ ...nothing, posted: 1, due: 2, done: 1, stuck: 1 });
    const reads = usage.calls.filter(({ operation }) => operation === 'BatchGetItem');
    expect(reads).toHaveLength(2);
    const stuck = { reason: 'date_full', since: atMinute('05:00') };
    expect(await stuckOn(day)).toEqual({ ...stuck, attempts: 1 });
    expect(await dueDates()).toEqual([atMinute('10:00')]);
    expect(await run('09:59')).toEqual(nothing);
    expect(await run('20:00')).toMatchObject({ due: 1, stuck: 1 });
    expect(await stuckOn(day)).toEqual({ ...stuck, attempts: 2 });
    expect(await dueDates()).toEqual([atMinute('35:00')]);
    expect(countStuck()).toBe(1);
    await ledger.seed({ ...sheet, rows: '' });
    expect(await run('35:00')).toMatchObject({ posted: 100, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test.each<[string, Item, string]>([
    ['has another form', { lines: 'none' }, 'entry_unreadable'],
    ['lacks lines', { lineCount: 101 }, 'entry_unreadable'],
    ['was altered', { memo: 'Gift' }, 'entry_altered'],
  ])('because one entry %s is stuck, and the others are posted', async (_, changes, reason) => {
    await seedBacklog(ledger, acme, { date: day, count: 70 });
    const sk = 'ENTRY#2026-03-20#MJ#000000002';
    const second = (await ledger.scan()).find((item) => item.sk === sk);
    await ledger.seed({ ...second, ...changes });
    expect(await run('05:00')).toMatchObject({ posted: 69, due: 1, stuck: 1 });
    expect(await stuckOn(day)).toMatchObject({ reason, attempts: 1 });
    expect(countStuck()).toBe(1);
  });

  test('because its application is unreadable is stuck, and others are posted', async () => {
    await schedule([day]);
    await schedule([day, day], 'app2');
    await ledger.seed({ ...applicationKey('app1'), status: 'unknown' });
    expect(await run('05:00')).toMatchObject({ posted: 2, due: 2, stuck: 1 });
    expect(await stuckOn(day)).toMatchObject({ reason: 'internal_error' });
  });

  test('because of contention is deferred, not stuck', async () => {
    await schedule([day, day]);
    await schedule([day], 'app2');
    const post: typeof stores.scheduledEntries.post = async (due, postedAt) => {
      if (due.length > 1) throw new ApiError('contention', { retryAfterSeconds: 1 });
      return stores.scheduledEntries.post(due, postedAt);
    };
    const contended = { scheduledEntries: { ...stores.scheduledEntries, post } };
    const summary = { ...nothing, posted: 1, due: 2, done: 1, deferred: 1 };
    expect(await run('05:00', contended)).toEqual(summary);
    expect([await stuckOn(day), countStuck()]).toEqual([undefined, 0]);
    expect(await dueDates()).toEqual([atMinute('05:00')]);
    expect(await run('20:00')).toMatchObject({ posted: 2 });
  });
});
