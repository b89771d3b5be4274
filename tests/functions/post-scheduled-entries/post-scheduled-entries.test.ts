import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/post-scheduled-entries/handler.ts';
import { readEntry } from '#shared/entries/entry-items.store.ts';
import { ApiError } from '#shared/errors.ts';
import { applicationKey, dueDateKey, sheetKey, type TenantName } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import type { Item } from '#shared/table/table.ts';
import { openApplication } from '../../support/builders/applications.ts';
import { fullRows } from '../../support/builders/full-sheets.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { recordEntry } from '../../support/builders/recorded-entries.ts';
import { seedBacklog } from '../../support/builders/scheduled-backlog.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { postingStoresOf } from '../../support/readers/due-entries.ts';
import { readEntries } from '../../support/readers/tenant-entries.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let metrics: ReturnType<typeof keepMetrics>;

const run = (
  time: string,
  { remaining = 300_000, ...changes }: Partial<Dependencies> & { remaining?: number } = {},
) =>
  createHandler({
    ...postingStoresOf(ledger.table),
    clock: () => new Date(time),
    ...{ log: keepLog(), metrics },
    ...changes,
  })({ time } as ScheduledEvent, lambdaContext(remaining));

const nothing = {
  ...{ posted: 0, converted: 0, due: 0, done: 0, deferred: 0, stuck: 0, suspended: 0 },
  ...{ unfinished: 0, not_tried: 0, stopped_early: 'no', goes_on_with: 'nothing' },
};

const acme: TenantName = { applicationId: 'app1', schemaName: 'acme' };

const schedule = async (accrualDates: string[], applicationId = 'app1'): Promise<void> => {
  const name = { ...acme, applicationId };
  const scheduled = { status: 'scheduled', externalId: null, postedAt: null } as const;
  for (const accrualDate of accrualDates) {
    const entry = { ...expectedEntry, ...scheduled, accrualDate, postingDate: accrualDate };
    await recordEntry(ledger.journalEntries, name, entry);
  }
};

const day = '2026-03-25';
const times = (count: number, date = day): string[] => Array.from({ length: count }, () => date);

/** Each entry's accrual date, status and time of posting. */
const entries = async () => {
  const items = (await ledger.scan()).filter(({ kind }) => kind === 'entry');
  return items
    .map((item) => {
      const { accrualDate, status, postedAt } = readEntry([item]) ?? {};
      return [accrualDate, status, postedAt] as const;
    })
    .sort(([one], [other]) => String(one).localeCompare(String(other)));
};

/** The dates that the due index lists, each with the time or the date at which it is due. */
const dueDates = async (): Promise<string[]> =>
  (await ledger.scan())
    .filter(({ sk }) => String(sk).startsWith('DUEDATE#'))
    .map(({ due_sk }) => String(due_sk).split('#')[0] ?? '')
    .sort();

const countPosted = async (): Promise<number> =>
  (await entries()).filter(([, status]) => status === 'posted').length;

const spoil = async (sequence: number, changes: Item): Promise<void> => {
  const items = await ledger.scan();
  const found = items.find(({ sk }) => String(sk) === `ENTRY#2026-03-20#MJ#00000000${sequence}`);
  await ledger.seed({ ...found, ...changes });
};

beforeEach(async () => {
  ledger = await openTestLedger();
  metrics = keepMetrics();
});

describe('a run', () => {
  test('posts what is due and what missed runs left behind, and nothing later', async () => {
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

  test('repeated, or run twice at once, posts each entry once', async () => {
    await schedule(times(20));
    const time = `${day}T00:05:00.000Z`;
    const summaries = await Promise.all([run(time), run(time), run(time)]);
    expect(summaries.reduce((sum, { posted }) => sum + Number(posted), 0)).toBe(20);
    expect(await run(`${day}T00:20:00.000Z`)).toEqual(nothing);
    expect(new Set((await entries()).map(([, , postedAt]) => postedAt))).toEqual(new Set([time]));
  });

  test('leaves what a suspended application has due, and posts it once it is resumed', async () => {
    await schedule(['2026-03-24', day]);
    await schedule([day], 'app2');
    const application = openApplication(ledger.table);
    await application.suspend();
    expect(await run(`${day}T00:05:00.000Z`)).toMatchObject({ posted: 1, due: 1, suspended: 2 });
    await application.resume();
    expect(await run(`${day}T00:20:00.000Z`)).toMatchObject({ posted: 2, suspended: 0 });
    expect(await countPosted()).toBe(3);
  });

  test('stops before its time is over, says where it goes on, and the next posts it', async () => {
    await schedule(times(20));
    const time = `${day}T00:05:00.000Z`;
    expect(await run(time, { remaining: 5_000 })).toEqual({
      ...{ ...nothing, due: 1, not_tried: 1, stopped_early: 'yes' },
      goes_on_with: 'APP#app1#TENANT#acme DUEDATE#2026-03-25',
    });
    expect(await dueDates()).toEqual([day]);
    expect(await run(time)).toMatchObject({ posted: 20 });
  });

  test('sends to the back what it has begun and not finished', async () => {
    await seedBacklog(ledger, acme, { date: day, count: 40 });
    let calls = 0;
    const { scheduledEntries } = postingStoresOf(ledger.table);
    const context = { remaining: () => (calls === 0 ? 300_000 : 15_000) };
    const handler = createHandler({
      ...postingStoresOf(ledger.table),
      clock: () => new Date(`${day}T00:06:00.000Z`),
      ...{ log: keepLog(), metrics },
      scheduledEntries: {
        ...scheduledEntries,
        post: (...parameters) => {
          calls += 1;
          return scheduledEntries.post(...parameters);
        },
      },
    });
    const event = { time: `${day}T00:05:00.000Z` } as ScheduledEvent;
    const lambda = { ...lambdaContext(), getRemainingTimeInMillis: context.remaining };
    expect(await handler(event, lambda)).toEqual({
      ...{ ...nothing, posted: 32, due: 1, unfinished: 1, stopped_early: 'yes' },
      goes_on_with: 'APP#app1#TENANT#acme DUEDATE#2026-03-25',
    });
    expect(await dueDates()).toEqual([`${day}T00:06:00.000Z`]);
    expect(await run(`${day}T00:20:00.000Z`)).toMatchObject({ posted: 8, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test('posts many of one date in their order, and none stands in the way of another', async () => {
    await seedBacklog(ledger, acme, { date: day, count: 70 });
    const { result, usage } = await meterUsage(() => run(`${day}T00:05:00.000Z`));
    expect(result).toMatchObject({ posted: 70, due: 1, done: 1 });
    expect(usage.contentionRetries).toBe(0);
    const sequences = (await readEntries(ledger.table, acme)).map((it) => it.postingSequence);
    expect(sequences).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
  });

  test('keeps a date on the list for which something is scheduled meanwhile', async () => {
    await schedule([day]);
    const stores = postingStoresOf(ledger.table);
    let isFirst = true;
    const remove: typeof stores.dueDates.remove = async (...parameters) => {
      if (isFirst) await schedule([day]);
      isFirst = false;
      return stores.dueDates.remove(...parameters);
    };
    const summary = await run(`${day}T00:05:00.000Z`, { dueDates: { ...stores.dueDates, remove } });
    expect(summary).toMatchObject({ posted: 2, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test('takes a date off the list whose entries were all cancelled', async () => {
    await schedule([day]);
    const [item] = (await ledger.scan()).filter(({ sk }) => String(sk).startsWith('SCHEDULED#'));
    await ledger.table.transact([{ delete: { pk: String(item?.pk), sk: String(item?.sk) } }]);
    expect(await run(`${day}T00:05:00.000Z`)).toEqual({ ...nothing, due: 1, done: 1 });
    expect(await dueDates()).toEqual([]);
  });
});

describe('what cannot be posted', () => {
  const stuckOn = async (date: string) =>
    (await ledger.table.get(dueDateKey(acme, date)))?.stuck as Item | undefined;
  const becameStuck = () => metrics.events.filter(([event]) => event === 'workStuck').length;

  test('on a full date is judged once, for all of its entries', async () => {
    await seedBacklog(ledger, acme, { date: day, count: 100 });
    await schedule(['2026-03-24'], 'app2');
    const of = { series: 'MJ', date: day } as const;
    const sheet = { lastSequence: 1, revision: 1, counted: 1, head: 'f'.repeat(64) };
    await ledger.seed({ ...sheetKey(acme, of), ...sheet, rows: fullRows() });
    const first = await meterUsage(() => run(`${day}T00:05:00.000Z`));
    expect(first.result).toEqual({ ...nothing, posted: 1, due: 2, done: 1, stuck: 1 });
    const reads = first.usage.calls.filter(({ operation }) => operation === 'BatchGetItem');
    expect(reads).toHaveLength(2);
    expect(await stuckOn(day)).toEqual({
      ...{ reason: 'date_full', since: `${day}T00:05:00.000Z`, attempts: 1 },
    });
    expect(await dueDates()).toEqual([`${day}T00:10:00.000Z`]);
    // Until then, the next runs leave it alone.
    expect(await run(`${day}T00:09:59.000Z`)).toEqual(nothing);
    expect(await run(`${day}T00:20:00.000Z`)).toMatchObject({ due: 1, stuck: 1 });
    expect(await stuckOn(day)).toMatchObject({ since: `${day}T00:05:00.000Z`, attempts: 2 });
    expect(await dueDates()).toEqual([`${day}T00:35:00.000Z`]);
    expect(becameStuck()).toBe(1);
    // As soon as there is room, all of them are posted.
    await ledger.seed({ ...sheetKey(acme, of), ...sheet, rows: '' });
    expect(await run(`${day}T00:35:00.000Z`)).toMatchObject({ posted: 100, done: 1 });
    expect(await dueDates()).toEqual([]);
  });

  test.each<[string, Item]>([
    ['that has another form', { lines: 'none' }],
    ['that lacks lines', { lineCount: 101 }],
  ])('since an entry cannot be read %s, does not hold up the others', async (_, changes) => {
    await seedBacklog(ledger, acme, { date: day, count: 70 });
    await spoil(2, changes);
    expect(await run(`${day}T00:05:00.000Z`)).toMatchObject({ posted: 69, due: 1, stuck: 1 });
    expect(await stuckOn(day)).toMatchObject({ reason: 'entry_unreadable', attempts: 1 });
    expect(becameStuck()).toBe(1);
  });

  test('since its application cannot be read, does not hold up others', async () => {
    await schedule([day]);
    await schedule([day, day], 'app2');
    await ledger.seed({ ...applicationKey('app1'), status: 'unknown' });
    expect(await run(`${day}T00:05:00.000Z`)).toMatchObject({ posted: 2, due: 2, stuck: 1 });
    expect(await stuckOn(day)).toMatchObject({ reason: 'internal_error' });
  });

  test('for contention goes to the back of the queue, and is not stuck', async () => {
    await schedule([day, day]);
    await schedule([day], 'app2');
    const stores = postingStoresOf(ledger.table);
    const scheduledEntries: typeof stores.scheduledEntries = {
      ...stores.scheduledEntries,
      post: async (due, postedAt) => {
        if (due.length > 1) throw new ApiError('contention', { retryAfterSeconds: 1 });
        return stores.scheduledEntries.post(due, postedAt);
      },
    };
    const time = `${day}T00:05:00.000Z`;
    const summary = await run(time, { scheduledEntries });
    expect(summary).toEqual({ ...nothing, posted: 1, due: 2, done: 1, deferred: 1 });
    expect(await stuckOn(day)).toBeUndefined();
    expect(await dueDates()).toEqual([time]);
    expect(becameStuck()).toBe(0);
    expect(await run(`${day}T00:20:00.000Z`)).toMatchObject({ posted: 2 });
  });

  test('since the table never answers fails the run, and the next posts it', async () => {
    await schedule([day]);
    const stores = postingStoresOf(ledger.table);
    const findRevision = () =>
      Promise.reject(new ApiError('temporarily_unavailable', { retryAfterSeconds: 1 }));
    const silent = { dueDates: { ...stores.dueDates, findRevision } };
    const time = `${day}T00:05:00.000Z`;
    await expect(run(time, silent)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await run(`${day}T00:20:00.000Z`)).toMatchObject({ posted: 1 });
  });
});
