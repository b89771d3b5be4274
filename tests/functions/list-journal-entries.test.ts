import { beforeAll, describe, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { importJournals } from '../support/builders/platforms/platform-journal.ts';
import { euroEntry, linesOf } from '../support/builders/requests.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { success, verdictOf } from '../support/readers/replies.ts';

const { ledger, name, send, call, pages } = await openTenantCalls();
const post = (changes: object) => call('createEntry', euroEntry(changes));

const pageOf = (query: object) => call('listEntries', query);
const numbersOf = (entries: readonly JournalEntryView[]) =>
  entries.map(({ journal_number }) => journal_number);

/** The numbers of each page of a list. */
const pagesOf = async (query: object): Promise<string[][]> =>
  (await pages('listEntries', query)).map((page) => numbersOf(page.journal_entries));

await post({ date: '2026-03-20', external_id: 'first' });
await importJournals(ledger.table, name, { reference: 'journal-1', date: '2026-03-20' });
await post({ date: '2026-03-22', accrual_date: '2026-04-30' });
await post({ date: '2026-03-22', entries: linesOf(250) });
const last = await post({ date: '2026-03-23', accrual_date: '2026-03-21' });
await post({ date: '2026-03-21', accrual_date: '2026-04-01' });
await post({
  date: '2026-04-02',
  accrual_date: '2026-04-30',
  entries: [
    { account: '1010', debit: '1.00' },
    { account: '4500', credit: '1.00' },
  ],
});

/** All entries by date. */
const [IJ20, MJ20, MJ21] = ['IJ-20260320-0001', 'MJ-20260320-0001', 'MJ-20260321-0001'];
const [MJ22, long22, MJ23] = ['MJ-20260322-0001', 'MJ-20260322-0002', 'MJ-20260323-0001'];
const MJ02 = 'MJ-20260402-0001';
const all = [IJ20, MJ20, MJ21, MJ22, long22, MJ23, MJ02];

describe('a list', () => {
  test.each<[string, object, string[][]]>([
    ['has the latest first', {}, [all.toReversed()]],
    ['has the earliest first', { order: 'asc' }, [all]],
    ['has pages', { order: 'asc', limit: '4' }, [all.slice(0, 4), all.slice(4)]],
    [
      'has pages of one entry of any length',
      { limit: '1' },
      all.toReversed().map((number) => [number]),
    ],
    ['begins on a date', { from: '2026-03-22', order: 'asc' }, [all.slice(3)]],
    ['ends on a date', { to: '2026-03-22', order: 'asc' }, [all.slice(0, 5)]],
    ['is of one date', { from: '2026-03-20', to: '2026-03-20' }, [[MJ20, IJ20]]],
    [
      'is of some dates, in pages',
      { from: '2026-03-21', to: '2026-03-23', limit: '3' },
      [[MJ23, long22, MJ22], [MJ21]],
    ],
    ['can be empty', { from: '2026-05-01' }, [[]]],
    ['can be of posted entries', { status: 'posted' }, [[MJ23, long22, MJ20, IJ20]]],
    [
      'can be of manual entries',
      { entry_type: 'Manual Journal', from: '2026-03-22' },
      [[MJ02, MJ23, long22, MJ22]],
    ],
    ['can be of imported entries', { entry_type: 'Imported Journal' }, [[IJ20]]],
    ['can be of an account', { account: '4500' }, [[MJ02]]],
    ['can be of an account without entries', { account: '6100' }, [[]]],
    ['can be of scheduled entries', { status: 'scheduled' }, [[MJ02, MJ22, MJ21]]],
    [
      'can be of scheduled entries, in pages',
      { status: 'scheduled', order: 'asc', limit: '2' },
      [[MJ21, MJ22], [MJ02]],
    ],
    [
      'finds scheduled entries by posting date',
      { status: 'scheduled', from: '2026-04-02', to: '2026-04-30', order: 'asc' },
      [[MJ22, MJ02]],
    ],
    [
      'can be of scheduled entries of an account',
      { status: 'scheduled', account: '4500' },
      [[MJ02]],
    ],
    [
      'has no scheduled imported entries',
      { status: 'scheduled', entry_type: 'Imported Journal' },
      [[]],
    ],
  ])('%s', async (_, query, pages) => {
    expect(await pagesOf(query)).toEqual(pages);
  });

  test('has each entry as it was posted', async () => {
    const reply = await send('listEntries', { from: '2026-03-23', to: '2026-03-23' });
    expect(reply).toEqual(success({ journal_entries: [last], next_cursor: null }));
    const { journal_entries } = await pageOf({ from: '2026-03-22', to: '2026-03-22' });
    expect(
      journal_entries.map(({ transactions }: JournalEntryView) => transactions.length),
    ).toEqual([250, 2]);
  });
});

describe('a page', () => {
  test('ends before a reply is too long', async () => {
    // A quotation mark takes four bytes in JSON within JSON: three of these are more than 4 MB.
    const long = { date: '2026-06-01', lineCount: 1_500, text: '"'.repeat(250) };
    for (const reference of ['a', 'b', 'c'])
      await importJournals(ledger.table, name, { ...long, reference });
    const query = { from: '2026-06-01', order: 'asc' };
    const [IJ1, IJ2, IJ3] = [1, 2, 3].map((number) => `IJ-20260601-000${number}`);
    expect(await pagesOf(query)).toEqual([[IJ1, IJ2], [IJ3]]);
    const { body } = await send('listEntries', query);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(body)))).toBeLessThan(4_001_000);
  });
});

describe('refused', () => {
  const refusal = async (query: object) => verdictOf(await send('listEntries', query));

  test.each<[string, object, string[]]>([
    ['an end before the start', { from: '2026-03-02', to: '2026-03-01' }, ['from_after_to /from']],
    ['an unknown account', { account: '9998' }, ['account_not_found /account']],
    [
      'all problems at once',
      {
        from: 'x',
        to: 'y',
        status: 'open',
        entry_type: 'manual',
        order: 'up',
        limit: '0',
        account: '9998',
        recorded_from: '2026-03-24',
      },
      [
        'date_not_valid /from /to',
        'not_an_allowed_value /status /entry_type',
        'time_not_valid /recorded_from',
        'not_an_allowed_value /order',
        'out_of_range /limit',
        'account_not_found /account',
      ],
    ],
  ])('%s', async (_, query, problems) => {
    expect(await refusal(query)).toEqual([422, 'validation_failed', ...problems]);
  });

  test('a cursor of another list or of no entry', async () => {
    const from = '2026-03-20';
    const { next_cursor } = await pageOf({ limit: '1', from });
    const notValid = [422, 'validation_failed', 'cursor_not_valid /cursor'];
    expect(await refusal({ cursor: next_cursor, from, status: 'scheduled' })).toEqual(notValid);
    const content = JSON.parse(Buffer.from(next_cursor, 'base64url').toString());
    const made = (position: object) =>
      Buffer.from(JSON.stringify({ ...content, position })).toString('base64url');
    const cursor = made({ date: '2026-03-20', number: 'MJ-1' });
    expect(await refusal({ cursor, from })).toEqual(notValid);
    // A place outside the list is at one of its ends.
    const early = { cursor: made({ ...content.position, number: 'IJ-00010101-0001' }), from };
    expect(await pageOf(early)).toEqual({ journal_entries: [], next_cursor: null });
  });
});

describe('a list of cancelled entries', () => {
  const numbers = ['MJ-20260801-0001', 'MJ-20260801-0002', 'MJ-20260803-0001'];

  beforeAll(async () => {
    for (const changes of [{ entries: linesOf(150) }, {}, { date: '2026-08-03' }]) {
      const entry = { date: '2026-08-01', accrual_date: '2027-01-31', ...changes };
      const { journal_entry_id } = await post(entry);
      await call('cancelEntry', { journal_entry_id });
    }
  });

  test.each<[string, object, string[][]]>([
    ['has the latest first', {}, [numbers.toReversed()]],
    ['has pages', { order: 'asc', limit: '2' }, [numbers.slice(0, 2), numbers.slice(2)]],
    ['can be of some dates', { to: '2026-08-02', order: 'asc' }, [numbers.slice(0, 2)]],
    ['can be of an account', { account: '1010', order: 'asc' }, [numbers]],
    ['can be of another account', { account: '6100' }, [[]]],
    ['has no imported entries', { entry_type: 'Imported Journal' }, [[]]],
  ])('%s', async (_, query, expected) => {
    expect(await pagesOf({ status: 'cancelled', ...query })).toEqual(expected);
  });
});
