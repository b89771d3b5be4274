import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { euroEntry, linesOf } from '../../../support/builders/requests.ts';
import { startFaultyDynamoDB } from '../../../support/dynamodb/faulty-dynamodb.ts';
import { openTenantCalls } from '../../../support/harnesses/calls.ts';
import { dueEntriesOf, postEntries } from '../../../support/readers/due-entries.ts';

const books = await openTenantCalls();
const post = (changes: object) => books.call('createEntry', euroEntry(changes));
const faulty = await startFaultyDynamoDB(books.ledger.endpoint);
afterAll(() => faulty.stop());

type Page = { journal_entries: JournalEntryView[]; next_cursor: string | null };

/** Reads all pages of a list, with work between them. */
const readWhile = async (query: object, between: readonly (() => Promise<unknown>)[] = []) => {
  const entries: JournalEntryView[] = [];
  const work = between.values();
  let cursor: string | null = null;
  do {
    const request: object = { ...query, ...(cursor && { cursor }) };
    const { journal_entries, next_cursor }: Page = await books.call('listEntries', request);
    entries.push(...journal_entries);
    cursor = next_cursor;
    await work.next().value?.();
  } while (cursor !== null);
  return entries;
};

const idsOf = (entries: readonly JournalEntryView[]) =>
  entries.map(({ journal_entry_id }) => journal_entry_id);

describe('a list that is read page by page', () => {
  const drawnEntry = fc.record({ day: fc.integer({ min: 1, max: 4 }), isLong: fc.boolean() });
  const drawn = fc.record({
    status: fc.constantFrom('posted', 'scheduled'),
    order: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 3 }),
    before: fc.array(drawnEntry, { maxLength: 6 }),
    between: fc.array(fc.array(drawnEntry, { maxLength: 2 }), { maxLength: 5 }),
  });
  let year = 2100;

  test('has each earlier entry once and in order, whatever is posted in the meantime', async () => {
    const property = fc.asyncProperty(drawn, async (it) => {
      const { status, order, limit, before, between } = it;
      year += 1;
      const postDrawn = ({ day, isLong }: (typeof before)[number]) => {
        const date = `${year}-01-0${day}`;
        // Scheduled entries have entry dates in reverse order.
        const scheduled = { date: `2026-03-0${5 - day}`, accrual_date: date };
        const dates = status === 'scheduled' ? scheduled : { date };
        return post({ ...dates, entries: linesOf(isLong ? 120 : 2) });
      };
      const first: JournalEntryView[] = [];
      for (const entry of before) first.push(await postDrawn(entry));
      const query = {
        status,
        order,
        limit: String(limit),
        from: `${year}-01-01`,
        to: `${year}-12-31`,
      };
      const read = await readWhile(
        query,
        between.map((entries) => async () => {
          for (const entry of entries) await postDrawn(entry);
        }),
      );
      const ids = idsOf(read);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(idsOf(first)));
      const places = read.map((entry) => [entry.posting_date, entry.journal_number].join());
      const sorted = places.toSorted();
      expect(places).toEqual(order === 'asc' ? sorted : sorted.reverse());
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test('has the entries that stay scheduled while others are posted', async () => {
    const entries: JournalEntryView[] = [];
    for (const day of [1, 2, 3, 4, 5]) {
      entries.push(await post({ date: '2026-03-20', accrual_date: `2050-01-0${day}` }));
    }
    const { table } = books.ledger;
    const postTwo = async () => {
      for await (const due of dueEntriesOf(table, '2050-12-31')) {
        const isChosen = ['2050-01-02', '2050-01-04'].includes(due.postingDate);
        if (isChosen) await postEntries(table, [due], '2050-01-05T00:00:00.000Z');
      }
    };
    const query = { status: 'scheduled', order: 'asc', limit: '2', to: '2050-12-31' };
    const read = await readWhile(query, [postTwo]);
    expect(idsOf(read)).toEqual(idsOf([0, 1, 2, 4].flatMap((index) => entries[index] ?? [])));
  });
});

describe('an entry with items that become visible one by one', () => {
  test.each(['asc', 'desc'])('is read again until it is complete: %s', async (order) => {
    const date = order === 'asc' ? '2026-01-10' : '2026-01-11';
    const whole = await post({ date, entries: linesOf(250) });
    const items = (await books.ledger.scan())
      .filter(({ sk }) => String(sk).startsWith(`ENTRY#${date}`))
      .filter(({ sk }) => !String(sk).endsWith('#LINES#001'))
      .sort((one, other) => String(one.sk).localeCompare(String(other.sk)));
    const inOrder = order === 'asc' ? items : items.toReversed();
    const Items = inOrder.map((item) => marshall(item));
    const body = { Items, Count: Items.length, ScannedCount: Items.length };
    faulty.plan('Query', 1, { status: 200, body });
    const reply = await books
      .callsAt(faulty.endpoint)
      .send('listEntries', { from: date, to: date, order });
    expect(reply.body.data).toEqual({ journal_entries: [whole], next_cursor: null });
  });
});
