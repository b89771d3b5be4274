import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import { ApiError } from '#shared/errors.ts';
import { openApplications } from '#shared/store/applications.ts';
import { readEntry } from '#shared/store/entry-items.ts';
import { applicationKey, tenantKey } from '#shared/store/keys.ts';
import { meterUsage } from '#shared/table-metering.ts';
import { openApplication } from '../support/builders/applications.ts';
import { expectedEntry } from '../support/builders/journal-entry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { recordEntry } from '../support/builders/recorded-entries.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { readEntries } from '../support/readers/written-books.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let metrics: ReturnType<typeof keepMetrics>;

const run = (
  time: string,
  { remaining = 300_000, scheduledEntries = ledger.scheduledEntries } = {},
) =>
  createHandler({
    applications: openApplications(ledger.table),
    scheduledEntries,
    clock: () => new Date(time),
    ...{ log: keepLog(), metrics },
  })({ time } as ScheduledEvent, lambdaContext(remaining));

const schedule = async (accrualDates: string[], applicationId = 'app1'): Promise<void> => {
  const name = { applicationId, schemaName: 'acme' };
  const scheduled = { status: 'scheduled', externalId: null, postedAt: null } as const;
  for (const accrualDate of accrualDates) {
    const entry = { ...expectedEntry, ...scheduled, accrualDate, postingDate: accrualDate };
    await recordEntry(ledger.journalEntries, name, entry);
  }
};

/** Each entry's accrual date, status and time of posting, and whether it is in the due index. */
const entries = async () => {
  const items = (await ledger.scan()).filter(({ kind }) => kind === 'entry');
  return items
    .map((item) => {
      const { accrualDate, status, postedAt } = readEntry([item]) ?? {};
      return [accrualDate, status, postedAt, 'due_pk' in item || 'due_sk' in item] as const;
    })
    .sort(([one], [other]) => String(one).localeCompare(String(other)));
};

beforeEach(async () => {
  ledger = await openTestLedger();
  metrics = keepMetrics();
});

describe('a run', () => {
  test('posts what is due and what missed runs left behind, and nothing later', async () => {
    await schedule(['2026-03-25', '2026-03-28', '2026-03-31', '2026-04-01']);
    const time = '2026-03-31T00:05:00.000Z';
    const summary = { posted: 3, posted_before: 0, suspended: 0, failed: 0 };
    expect(await run(time)).toEqual({ ...summary, stopped_early: 'no' });
    expect(await entries()).toEqual([
      ['2026-03-25', 'posted', time, false],
      ['2026-03-28', 'posted', time, false],
      ['2026-03-31', 'posted', time, false],
      ['2026-04-01', 'scheduled', null, true],
    ]);
  });

  test('repeated, or run twice at once, posts each entry once', async () => {
    await schedule(Array.from({ length: 20 }, () => '2026-03-25'));
    const time = '2026-03-25T00:05:00.000Z';
    const summaries = await Promise.all([run(time), run(time), run(time)]);
    expect(summaries.reduce((sum, { posted }) => sum + Number(posted), 0)).toBe(20);
    expect(await run('2026-03-25T00:20:00.000Z')).toMatchObject({ posted: 0, posted_before: 0 });
    expect(new Set((await entries()).map(([, , postedAt]) => postedAt))).toEqual(new Set([time]));
  });

  test('leaves what a suspended application has due, and posts it once it is resumed', async () => {
    await schedule(['2026-03-24', '2026-03-25']);
    await schedule(['2026-03-25'], 'app2');
    const application = openApplication(ledger.table);
    await application.suspend();
    expect(await run('2026-03-25T00:05:00.000Z')).toMatchObject({ posted: 1, suspended: 2 });
    await application.resume();
    expect(await run('2026-04-25T00:05:00.000Z')).toMatchObject({ posted: 2, suspended: 0 });
    expect((await entries()).map(([, status]) => status)).toEqual(Array(3).fill('posted'));
  });

  test('passes over thousands of a suspended application for one read', async () => {
    await schedule(['2026-03-25'], 'app2');
    await openApplication(ledger.table).suspend();
    const scheduledEntries = {
      ...ledger.scheduledEntries,
      async *listDue(date: string) {
        const ofSuspended = tenantKey({ applicationId: 'app1', schemaName: 'acme' });
        for (let entry = 0; entry < 5000; entry += 1) yield { ...ofSuspended, postingDate: date };
        yield* ledger.scheduledEntries.listDue(date);
      },
    };
    const time = '2026-03-25T00:05:00.000Z';
    const { result, usage } = await meterUsage(() => run(time, { scheduledEntries }));
    expect(result).toMatchObject({ posted: 1, suspended: 5000 });
    const calls = usage.calls.map(({ operation }) => operation);
    expect(calls.filter((operation) => operation !== 'Query').sort()).toEqual([
      ...['BatchGetItem', 'GetItem', 'GetItem', 'TransactWriteItems'],
    ]);
  });

  test('goes on past an application that cannot be read, and fails at the end', async () => {
    await schedule(['2026-03-25']);
    await schedule(['2026-03-25', '2026-03-25'], 'app2');
    await ledger.seed({ ...applicationKey('app1'), status: 'unknown' });
    await expect(run('2026-03-25T00:05:00.000Z')).rejects.toThrow('1 due entries were not posted');
    expect(metrics.events[0]?.[1]).toMatchObject({ posted: 2, failed: 1 });
  });

  test('stops before its time is over, and the next run posts the rest', async () => {
    await schedule(Array.from({ length: 20 }, () => '2026-03-25'));
    const time = '2026-03-25T00:05:00.000Z';
    const first = await run(time, { remaining: 5_000 });
    expect(first).toMatchObject({ stopped_early: 'yes' });
    const second = await run(time);
    expect(Number(first.posted) + Number(second.posted)).toBe(20);
    expect(Number(second.posted)).toBeGreaterThan(0);
  });

  test('goes on past an entry that cannot be posted, and fails at the end', async () => {
    await schedule(['2026-03-25', '2026-03-25', '2026-03-25']);
    let isBroken = true;
    const scheduledEntries = {
      ...ledger.scheduledEntries,
      post: async (...[due, postedAt]: Parameters<typeof ledger.scheduledEntries.post>) => {
        const hasSecond = due.some(({ sk }) => sk.endsWith('#000000002'));
        if (isBroken && hasSecond) throw new Error('the table did not answer');
        return ledger.scheduledEntries.post(due, postedAt);
      },
    };
    const time = '2026-03-25T00:05:00.000Z';
    await expect(run(time, { scheduledEntries })).rejects.toThrow('1 due entries were not posted');
    expect(metrics.events[0]).toEqual([
      'dueEntriesTried',
      expect.objectContaining({ posted: 2, failed: 1 }),
    ]);
    expect((await entries()).map(([, status]) => status).sort()).toEqual([
      'posted',
      'posted',
      'scheduled',
    ]);
    isBroken = false;
    expect(await run(time, { scheduledEntries })).toMatchObject({ posted: 1 });
  });

  test('posts many of one date in their order, and none stands in the way of another', async () => {
    await schedule(Array.from({ length: 70 }, () => '2026-03-25'));
    const { result, usage } = await meterUsage(() => run('2026-03-25T00:05:00.000Z'));
    expect(result).toMatchObject({ posted: 70 });
    expect(usage.contentionRetries).toBe(0);
    const written = usage.calls.filter(({ operation }) => operation === 'TransactWriteItems');
    expect(written).toHaveLength(3);
    const name = { applicationId: 'app1', schemaName: 'acme' };
    const sequences = (await readEntries(ledger.table, name)).map((it) => it.postingSequence);
    expect(sequences).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
  });

  test('leaves a group that met contention to the next run, and goes on with others', async () => {
    await schedule(['2026-03-25', '2026-03-25']);
    await schedule(['2026-03-25'], 'app2');
    const tried: number[] = [];
    const scheduledEntries = {
      ...ledger.scheduledEntries,
      post: async (...[due, postedAt]: Parameters<typeof ledger.scheduledEntries.post>) => {
        tried.push(due.length);
        if (due.length > 1) throw new ApiError('contention', { retryAfterSeconds: 1 });
        return ledger.scheduledEntries.post(due, postedAt);
      },
    };
    const time = '2026-03-25T00:05:00.000Z';
    await expect(run(time, { scheduledEntries })).rejects.toThrow('2 due entries were not posted');
    expect(tried.sort()).toEqual([1, 2]);
    expect(metrics.events[0]?.[1]).toMatchObject({ posted: 1, failed: 2 });
    expect(await run(time)).toMatchObject({ posted: 2 });
  });
});
