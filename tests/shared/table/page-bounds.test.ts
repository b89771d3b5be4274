// The read units of a page of a list, for any filter, in large books.

import { beforeAll, describe, expect, test } from 'vitest';
import { journalNumber } from '#shared/entries/journal-entry.ts';
import { accountKey, entryKey } from '#shared/table/keys.ts';
import { euroEntry, linesOf } from '../../support/builders/requests.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';

const { ledger, name, send, call } = await openTenantCalls();
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

const entryCount = 700;
const accountCount = 1_500;

/** Entries of two lines. Every hundredth has another account. */
const seedEntries = async (): Promise<void> => {
  const first = await post({
    date: '2026-01-15',
    memo: 'March consulting for the Engine Company',
  });
  const items = await ledger.scan();
  const item = items.find(({ journalNumber: number }) => number === first.journal_number);
  const entries = Array.from({ length: entryCount - 1 }, (_, index) => {
    const place = { series: 'MJ', date: '2026-01-15', sequence: index + 2 } as const;
    const lines = structuredClone(item?.lines) as { account: string }[];
    if (lines[1] && index % 100 === 0) lines[1].account = '4500';
    const id = `${String(item?.entryId).slice(0, -4)}${String(index).padStart(4, '0')}`;
    const number = journalNumber(place);
    return { ...item, ...entryKey(name, place), lines, entryId: id, journalNumber: number };
  });
  await ledger.seed(...entries);
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

describe('a page at the default limit costs at most 35 read units and three calls', () => {
  test.each<[string, keyof typeof endpoints, object, number]>([
    ['a rare type of account', 'accounts', { type: 'equity' }, 6],
    ['a status that no account has', 'accounts', { status: 'archived' }, 0],
    ['the type of most accounts', 'accounts', { type: 'asset' }, accountCount],
    ['a status that no entry has', 'journal_entries', { status: 'cancelled' }, 0],
    ['an entry type that no entry has', 'journal_entries', { entry_type: 'Imported Journal' }, 0],
    ['an account of few entries', 'journal_entries', { account: '4500' }, 7],
    ['the account of all entries', 'journal_entries', { account: '1010' }, entryCount],
  ])('%s', async (_, list, query, atLeast) => {
    const pages = await pagesOf(list, query);
    expect(pages.flatMap(({ ids }) => ids).length).toBeGreaterThanOrEqual(atLeast);
    expect(Math.max(...pages.map(({ units }) => units))).toBeLessThanOrEqual(35);
    expect(Math.max(...pages.map(({ calls }) => calls))).toBeLessThanOrEqual(3);
  });

  test('scheduled entries of an account cost as much as all scheduled entries', async () => {
    for (let entry = 0; entry < 70; entry += 1) {
      await post({ date: '2026-03-21', accrual_date: '2026-04-30' });
    }
    const query = { status: 'scheduled', account: '4500' };
    const pages = await pagesOf('journal_entries', query);
    expect(pages.map(({ ids }) => ids)).toEqual([[], []]);
    expect(Math.max(...pages.map(({ units }) => units))).toBeLessThanOrEqual(55);
  });

  test('a page that leaves out long entries ends after its first call', async () => {
    const date = '2026-02-10';
    for (let entry = 0; entry < 12; entry += 1) {
      await post({ date, entries: linesOf(100, 'A line of many words '.repeat(10)) });
    }
    const pages = await pagesOf('journal_entries', {
      from: date,
      to: date,
      account: '4500',
      limit: '4',
    });
    expect(pages.length).toBeGreaterThan(2);
    expect(Math.max(...pages.map(({ units }) => units))).toBeLessThanOrEqual(45);
  });
});
