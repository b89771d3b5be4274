// The costs of lists with filters, in large books: of each page, and the number of pages.

import { beforeAll, describe, expect, test } from 'vitest';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { journalNumber } from '#shared/entries/journal-entry.ts';
import { addDays } from '#shared/money/dates.ts';
import {
  addRows,
  countEntry,
  type DaySheet,
  emptySheet,
  fileEntry,
} from '#shared/sheets/day-sheet.ts';
import { blockActions } from '#shared/sheets/day-sheets.store.ts';
import { accountKey, entryKey, sheetKey } from '#shared/table/keys.ts';
import { euroEntry, linesOf } from '../../support/builders/requests.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';

const { ledger, name, time, send, call } = await openTenantCalls();
const post = (changes: object) => call('createEntry', euroEntry(changes));
const endpoints = { accounts: 'listAccounts', journal_entries: 'listEntries' } as const;

const idOf = (it: { code?: string; journal_entry_id?: string }) => it.code ?? it.journal_entry_id;

/** All pages of a list, with their costs. */
const pagesOf = async (list: keyof typeof endpoints, query: object) => {
  const pages: { ids: unknown[]; units: number; calls: number }[] = [];
  let cursor: string | null = null;
  do {
    let body = { data: { [list]: [] as object[], next_cursor: null as string | null } };
    const cost = await costOf(async () => {
      ({ body } = await send(endpoints[list], { ...query, ...(cursor !== null && { cursor }) }));
    });
    const ids = (body.data[list] as object[]).map(idOf);
    pages.push({ ids, units: cost.units.read, calls: cost.sequentialCalls });
    cursor = body.data.next_cursor as string | null;
  } while (cursor !== null);
  return pages;
};

type Pages = Awaited<ReturnType<typeof pagesOf>>;

const worstOf = (pages: Pages) => ({
  units: Math.max(...pages.map(({ units }) => units)),
  calls: Math.max(...pages.map(({ calls }) => calls)),
});

const dates = 200;
const entriesOfDate = 25;
const accountCount = 1_500;
const firstDate = '2025-01-01';

/** A date with thousands of entries, before all others. Each thousandth has the account 4600. */
const largeDate = '2024-06-01';
const entriesOfLargeDate = 4_000;

/** Entries of two lines. The second line of some has another account. */
const seedDate = async (
  item: object,
  {
    date,
    count,
    accountAt,
  }: {
    date: string;
    count: number;
    accountAt: (sequence: number) => string | undefined;
  },
): Promise<void> => {
  const of = { series: 'MJ', date } as const;
  const seeded: object[] = [];
  let sheet: DaySheet = emptySheet;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const place = { ...of, sequence };
    const lines = structuredClone((item as JournalEntry).lines) as JournalEntry['lines'];
    const account = accountAt(sequence);
    const number = account && (await ledger.table.get(accountKey(name, account)))?.number;
    if (lines[1] && account) Object.assign(lines[1], { account, accountNumber: number });
    const entryId = `${date}${sequence}`.padStart(36, '0');
    const entry = { ...item, ...of, entryId, lines, journalNumber: journalNumber(place) };
    seeded.push({ ...entry, ...entryKey(name, place) });
    const booked = lines.map((line) => ({
      ...line,
      bookDebit: line.reportingDebit ?? '0.00',
      bookCredit: line.reportingCredit ?? '0.00',
    }));
    const whole = { ...entry, lines: booked, bookCurrency: 'EUR' } as unknown as JournalEntry;
    sheet = countEntry(whole, fileEntry(sheet, whole)).sheet;
  }
  const blocks = blockActions(name, of, sheet).flatMap((it) => ('put' in it ? [it.put] : []));
  const { fullBlocks: _, added = [], ...stored } = sheet;
  seeded.push(...blocks, {
    ...stored,
    ...sheetKey(name, of),
    revision: count,
    rows: addRows('', added),
  });
  await ledger.seed(...(seeded as Parameters<typeof ledger.seed>));
};

const seedEntries = async (): Promise<void> => {
  const posted = await post({ date: '2026-01-15', memo: 'Consulting for the Engine Company' });
  const items = await ledger.scan();
  const item = items.find(({ journalNumber: number }) => number === posted.journal_number) ?? {};
  for (let day = 0; day < dates; day += 1) {
    const accountAt = (sequence: number) => (day % 50 === 0 && sequence === 1 ? '4500' : undefined);
    await seedDate(item, { date: addDays(firstDate, day), count: entriesOfDate, accountAt });
  }
  const accountAt = (sequence: number) => (sequence % 1_000 === 0 ? '4600' : undefined);
  await seedDate(item, { date: largeDate, count: entriesOfLargeDate, accountAt });
};

beforeAll(async () => {
  await seedEntries();
  const code = (index: number) => `X${String(index).padStart(5, '0')}`;
  await ledger.seed(
    ...Array.from({ length: accountCount }, (_, index) => ({
      ...accountKey(name, code(index)),
      kind: 'account',
      code: code(index),
      name: `Receivables of customer ${index}`,
      type: 'asset',
      status: 'active',
      normalBalance: 'debit',
      cashFlow: 'operating',
    })),
  );
});

const from = addDays(firstDate, 180);
const since = 20 * entriesOfDate;
const manual = 'Manual Journal';
const imported = 'Imported Journal';

describe('a page at the default limit costs at most 30 read units and nine calls', () => {
  test.each<[string, keyof typeof endpoints, object, { atLeast: number; maximumPages: number }]>([
    ['a rare type of account', 'accounts', { type: 'equity' }, { atLeast: 6, maximumPages: 4 }],
    ['a missing status', 'accounts', { status: 'archived' }, { atLeast: 0, maximumPages: 4 }],
    [
      'the type of most accounts',
      'accounts',
      { type: 'asset' },
      { atLeast: accountCount, maximumPages: 31 },
    ],
    ['cancelled', 'journal_entries', { status: 'cancelled' }, { atLeast: 0, maximumPages: 2 }],
    ['imported', 'journal_entries', { entry_type: imported }, { atLeast: 0, maximumPages: 2 }],
    [
      'manual',
      'journal_entries',
      { entry_type: manual, from },
      { atLeast: since, maximumPages: 11 },
    ],
    ['an unused account', 'journal_entries', { account: '6000' }, { atLeast: 0, maximumPages: 2 }],
    ['a rare account', 'journal_entries', { account: '4500' }, { atLeast: 4, maximumPages: 4 }],
    [
      'a rare account, the earliest first',
      'journal_entries',
      { account: '4500', order: 'asc', status: 'posted' },
      { atLeast: 4, maximumPages: 4 },
    ],
    [
      'a rare account of a date with many entries',
      'journal_entries',
      { account: '4600' },
      { atLeast: 4, maximumPages: 8 },
    ],
    [
      'the same, the earliest first',
      'journal_entries',
      { account: '4600', order: 'asc' },
      { atLeast: 4, maximumPages: 8 },
    ],
    [
      'the account of all entries',
      'journal_entries',
      { account: '1010', from },
      { atLeast: since, maximumPages: 11 },
    ],
  ])('%s', async (_, list, query, { atLeast, maximumPages }) => {
    const pages = await pagesOf(list, query);
    const ids = pages.flatMap((page) => page.ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(atLeast);
    expect(pages.length).toBeLessThanOrEqual(maximumPages);
    const { units, calls } = worstOf(pages);
    expect(units).toBeLessThanOrEqual(30);
    expect(calls).toBeLessThanOrEqual(9);
  });

  test('scheduled entries, and those of an account', async () => {
    for (let entry = 0; entry < 70; entry += 1) {
      await post({ date: '2026-03-21', accrual_date: '2026-04-30' });
    }
    const scheduled = await pagesOf('journal_entries', { status: 'scheduled' });
    expect(scheduled.map(({ ids }) => ids.length)).toEqual([25, 25, 20]);
    expect(worstOf(scheduled).units).toBeLessThanOrEqual(30);
    const unused = await pagesOf('journal_entries', { status: 'scheduled', account: '6000' });
    expect(unused).toEqual([{ ids: [], units: expect.any(Number), calls: 2 }]);
    expect(worstOf(unused).units).toBeLessThanOrEqual(8);
  });

  test('an account, or a later time, of one of many posted entries', async () => {
    const date = '2026-05-05';
    for (let batch = 1; batch <= 17; batch += 1) {
      const entries = Array.from({ length: 25 }, () => euroEntry({ date }));
      const [first, ...others] = entries;
      const [debit, credit] = linesOf(2) as [object, object];
      const rare = { ...first, entries: [{ ...debit, account: '1020' }, credit] };
      await call('createEntries', { journal_entries: [batch === 11 ? rare : first, ...others] });
    }
    time.now = '2026-03-24T12:00:00.001Z';
    await post({ date });
    await post({ date: addDays(firstDate, 3) });
    // The first 200 entries and the last 26 have no blocks.
    for (const [query, count, maximumPages] of [
      [{ account: '1020' }, 1, 5],
      [{ recorded_from: time.now }, 2, 6],
    ] as const) {
      for (const order of ['asc', 'desc']) {
        const pages = await pagesOf('journal_entries', { ...query, order });
        expect(pages.flatMap(({ ids }) => ids)).toHaveLength(count);
        expect(pages.length).toBeLessThanOrEqual(maximumPages);
        expect(worstOf(pages).units).toBeLessThanOrEqual(30);
      }
    }
  });

  test('a page that leaves out long entries ends after its first call', async () => {
    const date = '2026-02-10';
    await post({ date, entries: linesOf(2) });
    for (let entry = 0; entry < 12; entry += 1) {
      await post({ date, entries: linesOf(100, 'A line of many words '.repeat(10)) });
    }
    const [debit, credit] = linesOf(2) as [object, object];
    await post({ date, entries: [debit, { ...credit, account: '4500' }] });
    const query = { from: date, to: date, account: '4500', limit: '4', order: 'asc' };
    const pages = await pagesOf('journal_entries', query);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(({ ids }) => ids)).toHaveLength(1);
    expect(worstOf(pages).units).toBeLessThanOrEqual(46);
  });
});
