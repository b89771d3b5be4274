import type { ScheduledEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import { JournalEntry } from '#shared/domain/entries/journal-entry.ts';
import { expectedEntry } from '../support/builders/journal-entry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let metrics: ReturnType<typeof keepMetrics>;

const run = (time: string, { remaining = 300_000, journalEntries = ledger.journalEntries } = {}) =>
  createHandler({ journalEntries, clock: () => new Date(time), log: keepLog(), metrics })(
    { time } as ScheduledEvent,
    lambdaContext(remaining),
  );

const schedule = async (accrualDates: string[]): Promise<void> => {
  const name = { applicationId: 'app1', schemaName: 'acme_k7m2xq' };
  const scheduled = { status: 'scheduled', externalId: null, postedAt: null } as const;
  for (const [lastSequence, accrualDate] of accrualDates.entries()) {
    const entry = { ...expectedEntry, ...scheduled, accrualDate };
    await ledger.journalEntries.record(name, entry, { lastSequence });
  }
};

/** Each entry's accrual date, status and time of posting, and whether it is in the due index. */
const entries = async () => {
  const items = (await ledger.scan()).filter(({ kind }) => kind === 'entry');
  return items
    .map((item) => {
      const { accrualDate, status, postedAt } = JournalEntry.parse(item);
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
    const summary = { posted: 3, posted_before: 0, failed: 0, stopped_early: 'no' };
    expect(await run(time)).toEqual(summary);
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
    let calls = 0;
    const journalEntries = {
      ...ledger.journalEntries,
      post: async (...parameters: Parameters<typeof ledger.journalEntries.post>) => {
        calls += 1;
        if (calls === 1) throw new Error('the table did not answer');
        return ledger.journalEntries.post(...parameters);
      },
    };
    const time = '2026-03-25T00:05:00.000Z';
    await expect(run(time, { journalEntries })).rejects.toThrow('1 due entries were not posted');
    expect(metrics.events[0]).toEqual([
      'dueEntriesTried',
      expect.objectContaining({ posted: 2, failed: 1 }),
    ]);
    expect((await entries()).map(([, status]) => status).sort()).toEqual([
      'posted',
      'posted',
      'scheduled',
    ]);
    expect(await run(time)).toMatchObject({ posted: 1 });
  });
});
