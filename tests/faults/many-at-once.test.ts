// Concurrent posts and due entries on one sheet. Each entry counts once, every client finishes, and
// the sheet is the sum of its entries.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { draftLine } from '#shared/entries/drafts/draft.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { makeEntry } from '#shared/entries/make-entry.ts';
import {
  maximumDueEntries,
  openScheduledEntries,
} from '#shared/entries/schedule/scheduled-entries.store.ts';
import { ApiError } from '#shared/errors.ts';
import { accountKey, entryKey, sheetKey } from '#shared/table/keys.ts';
import type { Action, Table } from '#shared/table/table.ts';
import { context, draft, expectedEntry } from '../support/builders/journal-entry.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { recordEntry } from '../support/builders/recorded-entries.ts';
import { entryViolations } from '../support/readers/entry-invariants.ts';
import { sortItems } from '../support/readers/item-kinds.ts';

const ledger = await openTestLedger();
const { createTenant, scan, seed, table } = ledger;
type Stores = Pick<typeof ledger, 'journalEntries' | 'scheduledEntries'>;
const series = 'MJ';

/** A starving client exceeds this limit, even on a busy machine. */
const timeout = 240_000;

const openBooks = async (companyName: string) => {
  const { applicationId, schemaName } = await createTenant(companyName);
  return { applicationId, schemaName };
};
type Books = Awaited<ReturnType<typeof openBooks>>;

/** Repeats an entry until it is recorded, after the Retry-After of each refusal. */
const post = async (
  name: Books,
  asked: Partial<typeof expectedEntry>,
  { journalEntries }: Pick<Stores, 'journalEntries'> = ledger,
): Promise<string> => {
  const entry = { ...expectedEntry, externalId: randomUUID(), ...asked };
  for (;;) {
    try {
      return (await recordEntry(journalEntries, name, entry)).entry.journalNumber;
    } catch (error) {
      const { retryAfterSeconds } = error instanceof ApiError ? error : {};
      if (retryAfterSeconds === undefined) throw error;
      await pause(retryAfterSeconds * 1000 * (1 + Math.random()));
    }
  }
};

const on = (date: string) => ({ date, postingDate: date });

/** What all of these come to, once the last of them has ended. */
const all = async <Result>(work: readonly Promise<Result>[]): Promise<Result[]> => {
  await Promise.allSettled(work);
  return Promise.all(work);
};
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  all(Array.from({ length: count }, (_, index) => work(index)));

const sheetOf = (name: Books, date: string) => table.get(sheetKey(name, { series, date }));

const violations = async (dueUntil?: string): Promise<string[]> =>
  entryViolations(sortItems(await scan()), { dueUntil });

test('64 posts at once on a sheet of 200 accounts', { timeout }, async () => {
  const name = await openBooks('Many accounts');
  const date = '2026-03-20';
  const codes = Array.from({ length: 200 }, (_, account) => `7${account + 100}`);
  await seed(
    ...codes.map((code) => ({
      ...{ ...accountKey(name, code), kind: 'account' },
      ...{ code, name: code, type: 'asset', status: 'active' },
    })),
  );
  const lines = codes.map((account, index) =>
    draftLine({ account, [index % 2 ? 'credit' : 'debit']: '1.00' }),
  );
  const inBooks = { ...context, exchangeRate: context.bookRate };
  await post(name, makeEntry({ ...draft, date, reportingCurrency: 'EUR', lines }, inBooks));

  const numbers = await times(64, () => post(name, on(date)));

  expect(new Set(numbers).size).toBe(64);
  expect(await sheetOf(name, date)).toMatchObject({ lastSequence: 65, counted: 65, revision: 65 });
  expect(await violations()).toEqual([]);
});

const postingDate = '2026-04-01';
const scheduledCount = maximumDueEntries + 8;
const postCount = 24;

/** Two runs and many posts meet on one sheet; returns how many entries the runs have posted. */
const meetOnPostingDate = async (name: Books, stores: Stores): Promise<number> => {
  const date = '2026-03-20';
  const scheduled = { status: 'scheduled', accrualDate: postingDate, postedAt: null } as const;
  for (let entry = 0; entry < scheduledCount; entry += 1) {
    await post(name, { date, postingDate, ...scheduled });
  }
  const due = Array.from({ length: scheduledCount }, (_, index) => ({
    ...entryKey(name, { series, date, sequence: index + 1 }),
    postingDate,
  }));
  const groups = [due.slice(0, maximumDueEntries), due.slice(maximumDueEntries)];
  const postDue = (group: typeof due) =>
    stores.scheduledEntries.post(group, `${postingDate}T00:05:00.000Z`);
  const posts = times(postCount, () => post(name, on(postingDate), stores));
  const runs = times(2, () => all(groups.map(postDue)));
  await Promise.allSettled([posts, runs]);
  await posts;
  return (await runs).flat().reduce((sum, { posted }) => sum + posted, 0);
};

test('posts and two runs at once on one posting date', { timeout }, async () => {
  const name = await openBooks('Due');
  expect(await meetOnPostingDate(name, ledger)).toBe(scheduledCount);
  expect(await sheetOf(name, postingDate)).toMatchObject({
    lastSequence: postCount,
    counted: scheduledCount + postCount,
  });
  expect(await violations(postingDate)).toEqual([]);
});

test('a store that leaves the revision of a sheet out is found', { timeout }, async () => {
  const name = await openBooks('Blind');
  const blind: Table = {
    ...table,
    tryTransact: ({ actions, ...transaction }) => {
      const isSheet = (it: Action) => 'put' in it && /^SEQUENCE#/.test(String(it.put.sk));
      const changed = actions.map((it) => ('put' in it && isSheet(it) ? { put: it.put } : it));
      return table.tryTransact({ ...transaction, actions: changed });
    },
  };
  const stores = {
    journalEntries: openJournalEntries(blind),
    scheduledEntries: openScheduledEntries(blind),
  };
  // Two who take the same number do not come through; neither does one of them count.
  await meetOnPostingDate(name, stores).catch(() => {});
  expect(await violations()).toContainEqual(expect.stringContaining(`${postingDate}#MJ counts`));
});
