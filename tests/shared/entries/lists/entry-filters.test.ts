// Lists with filters pass over dates by their sheets, and have exactly the matching entries.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { addDays } from '#shared/money/dates.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { importJournals } from '../../../support/builders/platforms/platform-journal.ts';
import { openRandom } from '../../../support/builders/random.ts';
import { euroEntry } from '../../../support/builders/requests.ts';
import { openTenantCalls } from '../../../support/harnesses/calls.ts';
import type { RawItem } from '../../../support/readers/item-kinds.ts';

const { ledger, name, time, call, pages } = await openTenantCalls();

const firstDate = '2026-03-01';
const dates = Array.from({ length: 20 }, (_, day) => addDays(firstDate, day));
const codes = ['1000', '1010', '1100', '2000', '4000', '4010', '4500', '5000', '6000', '6100'];
const ofBatch = 25;
const recordedOn = (day: number): string => `2026-03-2${2 + (day % 3)}T12:00:00.000Z`;
const lateTime = '2026-03-28T12:00:00.000Z';

/** Two accounts for each date, seldom another one, and few entries with an accrual date. */
const keepBooks = async (): Promise<void> => {
  const random = openRandom(7);
  const scheduled: string[] = [];
  for (const [day, date] of dates.entries()) {
    time.now = recordedOn(day);
    const usual = [codes[day % 4], codes[4 + (day % 2)]] as const;
    const journal_entries = Array.from({ length: ofBatch }, () => {
      const [debit, credit] = random.once(60) ? [random.pick(codes), '4500'] : usual;
      const accrual_date = random.once(80) ? addDays(firstDate, random.below(60)) : null;
      const entries = [
        { account: debit, debit: '1.00' },
        { account: credit, credit: '1.00' },
      ];
      return euroEntry({ date, accrual_date, entries });
    });
    const reply = await call('createEntries', { journal_entries });
    for (const entry of reply.journal_entries as JournalEntryView[]) {
      if (entry.status === 'scheduled') scheduled.push(entry.journal_entry_id);
    }
    if (day % 7 === 3) await importJournals(ledger.table, name, { reference: date, date });
  }
  // Nothing is cancelled before it is recorded.
  time.now = lateTime;
  for (const journal_entry_id of scheduled.filter((_, index) => index % 2 === 0)) {
    await call('cancelEntry', { journal_entry_id });
  }
  for (const date of [dates[2], dates[5]]) await call('createEntry', euroEntry({ date }));
  // As an earlier version wrote them.
  for (const date of dates.filter((_, day) => day % 9 === 5)) {
    const item = await ledger.table.get(sheetKey(name, { series: 'MJ', date }));
    const { accrualAccounts: _, recordedUntil: __, ...earlier } = item ?? {};
    await ledger.seed(earlier as RawItem);
  }
};

const listed = async (query: object): Promise<JournalEntryView[]> =>
  (await pages('listEntries', query)).flatMap((page) => page.journal_entries);

let all: JournalEntryView[] = [];
beforeAll(async () => {
  await keepBooks();
  all = await listed({ order: 'asc', limit: '200' });
});

type Query = {
  account?: string;
  status?: 'posted' | 'scheduled' | 'cancelled';
  entry_type?: 'Manual Journal' | 'Imported Journal';
  recorded_from?: string;
  from?: string;
  to?: string;
  order: 'asc' | 'desc';
  limit: string;
};

const expectedOf = (query: Query) => {
  const { account, status, entry_type, recorded_from = '', from = '', to = '9', order } = query;
  const dateOf = ({ date, posting_date }: JournalEntryView): string =>
    status === 'scheduled' ? posting_date : date;
  const matching = all
    .filter((entry) => dateOf(entry) >= from && dateOf(entry) <= to)
    .filter((entry) => status === undefined || entry.status === status)
    .filter((entry) => entry_type === undefined || entry.entry_type === entry_type)
    .filter((entry) => entry.created_at >= recorded_from)
    .filter(
      ({ transactions }) =>
        account === undefined || transactions.some((it) => it.account === account),
    )
    .sort((one, other) => (dateOf(one) < dateOf(other) ? -1 : Number(dateOf(one) > dateOf(other))));
  return order === 'asc' ? matching : matching.toReversed();
};

const maybe = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

const drawn = fc.record({
  account: maybe(codes),
  status: maybe(['posted', 'scheduled', 'cancelled'] as const),
  entry_type: maybe(['Manual Journal', 'Imported Journal'] as const),
  recorded_from: maybe([recordedOn(1), recordedOn(2), lateTime, '2026-03-28T12:00:00.001Z']),
  from: maybe(dates),
  to: maybe(dates),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom('7', '50', '200'),
});

test('a list has the matching entries of the books, in order and once', async () => {
  const property = fc.asyncProperty(drawn, async (query) => {
    fc.pre(query.from === undefined || query.to === undefined || query.from <= query.to);
    const given = Object.fromEntries(Object.entries(query).filter(([, it]) => it !== undefined));
    const numbers = (entries: JournalEntryView[]) => entries.map((it) => it.journal_number);
    expect(numbers(await listed(given))).toEqual(numbers(expectedOf(given as Query)));
  });
  await fc.assert(property, { numRuns: 80 });
});

test('the books have entries for each filter', () => {
  const statuses = Map.groupBy(all, ({ status }) => status);
  expect([...statuses.keys()].sort()).toEqual(['cancelled', 'posted', 'scheduled']);
  const types = Map.groupBy(all, ({ entry_type }) => entry_type);
  expect(types.get('Imported Journal')).toHaveLength(3);
  expect(all.some((it) => it.status === 'posted' && it.date !== it.posting_date)).toBe(true);
});
