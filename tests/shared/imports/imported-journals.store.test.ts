import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noHash } from '#shared/entries/entry-hash.ts';
import { openEntryReader } from '#shared/entries/entry-reader.store.ts';
import type { ImportedJournal } from '#shared/entries/journal-entry.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import type { JournalOrigin, UnnumberedJournal } from '#shared/imports/journal-guards.ts';
import { addDays } from '#shared/money/dates.ts';
import { openDaySheets } from '#shared/sheets/day-sheets.store.ts';
import { journalReferenceKey, sheetKey, type TenantName } from '#shared/table/keys.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import { unnumbered } from '../../support/builders/platforms/platform-journal.ts';
import { recordEntry } from '../../support/builders/recorded-entries.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { readEntries } from '../../support/readers/tenant-entries.ts';

const ledger = await openTestLedger();
const { table } = ledger;
const journals = openImportedJournals(table);

const toRecord = (given: readonly UnnumberedJournal[], origin: JournalOrigin = {}) =>
  given.map((journal) => ({ journal, origin }));
const record = async (
  name: TenantName,
  given: readonly UnnumberedJournal[],
  origin?: JournalOrigin,
) => (await journals.record(name, toRecord(given, origin))).recorded;

let tenants = 0;
const newTenant = (): TenantName => {
  tenants += 1;
  return { applicationId: 'app1', schemaName: `tenant_${tenants}` };
};

const journalsNamed = (references: (string | number)[], more = {}) =>
  references.map((reference) => unnumbered({ reference: String(reference), ...more }));
const manyJournals = (count: number, more = {}) => journalsNamed([...Array(count).keys()], more);

const readJournals = async (name: TenantName) =>
  (await readEntries(table, name)).filter((entry) => entry.entryType === 'Imported Journal');

/** The numbers that journals of these dates have if there are no gaps. */
const numbersWithoutGaps = (dates: readonly string[]): string[] =>
  dates.map((date, index) => {
    const sequence = 1 + dates.slice(0, index).filter((it) => it === date).length;
    return `IJ-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;
  });

/** The number and the reference of every journal. Fails if the numbers have gaps. */
const numbersOf = async (name: TenantName): Promise<string[]> => {
  const found = await readJournals(name);
  expect(found.map(({ journalNumber }) => journalNumber)).toEqual(
    numbersWithoutGaps(found.map(({ date }) => date)),
  );
  return found.map((it) => `${it.journalNumber} ${it.platformReference}`);
};

describe('journals', () => {
  test('are numbered by date in their order, and stored completely', async () => {
    const name = newTenant();
    const asked = [
      unnumbered({ reference: 'a', date: '2026-03-21' }),
      unnumbered({ reference: 'b', date: '2026-03-20' }),
      unnumbered({ reference: 'c', date: '2026-03-21', lineCount: 250 }),
    ] as const;
    expect(await record(name, asked)).toBe(3);
    const [a, b, c] = asked;
    const found = await readJournals(name);
    const given = (index: number) => {
      const { entryId, hash, postingSequence } = found[index] as ImportedJournal;
      return { entryId, hash, hashVersion: 2, postingSequence };
    };
    expect(found).toEqual([
      { ...b, ...given(0), journalNumber: 'IJ-20260320-0001', postingSequence: 1 },
      { ...a, ...given(1), journalNumber: 'IJ-20260321-0001', postingSequence: 1 },
      { ...c, ...given(2), journalNumber: 'IJ-20260321-0002', postingSequence: 2 },
    ]);
    const items = (await ledger.scan()).filter(({ pk }) => String(pk).endsWith(name.schemaName));
    expect(items.map(({ sk }) => sk).sort()).toEqual([
      'ENTRY#2026-03-20#IJ#000000001',
      'ENTRY#2026-03-21#IJ#000000001',
      'ENTRY#2026-03-21#IJ#000000002',
      'ENTRY#2026-03-21#IJ#000000002#LINES#001',
      'ENTRY#2026-03-21#IJ#000000002#LINES#002',
      'REF#a',
      'REF#b',
      'REF#c',
      'SEQUENCE#2026-03-20#IJ',
      'SEQUENCE#2026-03-21#IJ',
    ]);
    const sk = 'ENTRY#2026-03-21#IJ#000000002';
    expect(await table.get(journalReferenceKey(name, 'c'))).toMatchObject({ entrySk: sk });
    // An imported journal is read like any entry of the ledger.
    const key = { ...journalReferenceKey(name, 'c'), sk };
    expect(await openEntryReader(table).get(key)).toEqual(found[2]);
  });

  test('have a separate series', async () => {
    const name = newTenant();
    const { platformReference, ...rest } = unnumbered({ reference: 'a' });
    const manual = {
      ...rest,
      entryType: 'Manual Journal',
      exchangeRateSource: 'same_currency',
      createdWithKey: 'key',
      userId: null,
    } as const;
    const post = () => recordEntry(ledger.journalEntries, name, manual);
    const first = await post();
    await record(name, journalsNamed(['a', 'b']));
    const second = await post();
    expect([first, second].map(({ entry }) => entry.journalNumber)).toEqual([
      'MJ-20260320-0001',
      'MJ-20260320-0002',
    ]);
    expect(await numbersOf(name)).toEqual(['IJ-20260320-0001 a', 'IJ-20260320-0002 b']);
    const sheets = await openDaySheets(table).list(name, {});
    const [sheet] = sheets.filter(({ series }) => series === 'MJ');
    expect(sheet).toMatchObject({ lastSequence: 2, counted: 2 });
  });

  test('are recorded once', async () => {
    const name = newTenant();
    await record(name, journalsNamed(['a', 'b']));
    expect(await record(name, journalsNamed(['c', 'b', 'd', 'a']))).toBe(2);
    expect(await record(name, journalsNamed(['d', 'a']))).toBe(0);
    expect(await numbersOf(name)).toEqual([
      'IJ-20260320-0001 a',
      'IJ-20260320-0002 b',
      'IJ-20260320-0003 c',
      'IJ-20260320-0004 d',
    ]);
  });

  test('are known by their reference, in their tenant only', async () => {
    const [name, other] = [newTenant(), newTenant()];
    const many = manyJournals(120);
    await record(name, many);
    const references = [...many.map((it) => it.platformReference), 'x', 'y'];
    const known = await journals.findKnown(name, references);
    expect([...known.keys()]).toEqual(references.slice(0, -2));
    expect(await journals.findKnown(other, references)).toEqual(new Map());
    expect(await journals.findKnown(name, [])).toEqual(new Map());
    expect(await record(other, journalsNamed(['0']))).toBe(1);
  });

  test('are returned with their origins', async () => {
    const name = newTenant();
    const origin = { contentHash: 'abc', assumption: 'tax_clearing_used' } as const;
    await record(name, journalsNamed(['a']), origin);
    await record(name, journalsNamed(['b']));
    const known = await journals.findKnown(name, ['a', 'b']);
    const place = 'ENTRY#2026-03-20#IJ#00000000';
    expect([...known]).toEqual([
      ['a', { ...origin, entrySk: `${place}1`, revision: 1 }],
      ['b', { entrySk: `${place}2`, revision: 1 }],
    ]);
  });

  test('with a repeated reference are refused by the table, and none is stored', async () => {
    const name = newTenant();
    await expect(record(name, journalsNamed(['a', 'b', 'a']))).rejects.toThrow();
    expect(await numbersOf(name)).toEqual([]);
  });
});

describe('journals of a tenant with a locked period', () => {
  const dated = (...dates: string[]) =>
    dates.map((date, index) => unnumbered({ reference: `${index} of ${date}`, date }));
  const given = dated('2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01');
  const newBooks = async () => {
    const { applicationId, schemaName } = await ledger.createTenant(
      `Locked ${newTenant().schemaName}`,
    );
    return { applicationId, schemaName };
  };

  test('are refused in the locked period, without a gap in the numbers', async () => {
    const name = await newBooks();
    await lockPeriod(table, name, '2026-02-28');
    expect(await journals.record(name, toRecord(given))).toEqual({
      recorded: 1,
      locked: ['0 of 2026-01-31', '1 of 2026-02-01', '2 of 2026-02-28'],
      lockDate: '2026-02-28',
    });
    expect(await numbersOf(name)).toEqual(['IJ-20260301-0001 3 of 2026-03-01']);
    await lockPeriod(table, name, '2026-01-31');
    expect(await journals.record(name, toRecord(given))).toEqual({
      recorded: 2,
      locked: ['0 of 2026-01-31'],
      lockDate: '2026-01-31',
    });
    expect((await journals.findKnown(name, ['0 of 2026-01-31'])).size).toBe(0);
  });

  test('stay known after a later lock', async () => {
    const name = await newBooks();
    await record(name, given);
    await lockPeriod(table, name, '2026-02-28');
    const nothing = { recorded: 0, locked: [], lockDate: null };
    expect(await journals.record(name, toRecord(given))).toEqual(nothing);
  });

  test('are refused from the batch on that follows a new lock', async () => {
    const name = await newBooks();
    let transactions = 0;
    const lockedMeanwhile = openImportedJournals({
      ...table,
      tryTransact: async (transaction) => {
        transactions += 1;
        if (transactions === 1) await lockPeriod(table, name, '2026-03-20');
        return table.tryTransact(transaction);
      },
    });
    const result = await lockedMeanwhile.record(name, toRecord(manyJournals(40)));
    expect([result.recorded, result.locked.length]).toEqual([33, 7]);
  });
});

describe('the cost of journals', () => {
  const longest = { text: '🧾'.repeat(1000) };

  test.each<[string, () => ReturnType<typeof manyJournals>, number]>([
    ['100 journals are 33 to a transaction', () => manyJournals(100), 4],
    [
      '3 of 500 lines of the longest texts fit',
      () => manyJournals(3, { lineCount: 500, ...longest }),
      1,
    ],
    [
      'small journals fill the transaction of a large one',
      () =>
        [1_490, 2, 2, 2, 2, 2, 2].flatMap((lineCount, number) =>
          journalsNamed([number], { lineCount }),
        ),
      2,
    ],
    [
      '33 journals of 33 dates are one transaction',
      () =>
        Array.from({ length: 33 }, (_, number) =>
          unnumbered({
            reference: String(number),
            date: new Date(Date.UTC(2026, 0, number + 1)).toISOString().slice(0, 10),
          }),
        ),
      1,
    ],
  ])('%s', async (_, newJournals, transactions) => {
    const name = newTenant();
    const given = newJournals();
    const cost = await costOf(async () => {
      expect(await record(name, given)).toBe(given.length);
    });
    expect(cost.operations).toEqual(
      Array.from({ length: transactions }, () => ['BatchGetItem', 'TransactWriteItems']).flat(),
    );
    expect(await numbersOf(name)).toHaveLength(given.length);
    const again = await costOf(() => record(name, given));
    expect(again.operations).toEqual(Array.from({ length: transactions }, () => 'BatchGetItem'));
  });

  test('journals of dates with large sheets take more transactions', async () => {
    const name = newTenant();
    const dates = Array.from({ length: 33 }, (_, day) => addDays('2026-01-01', day));
    const row = (account: number) => `${'9'.repeat(60)}${account}\t\t1`;
    const rows = Array.from({ length: 2_000 }, (_, account) => row(1_000 + account)).join('\n');
    const sheet = { lastSequence: 0, revision: 1, counted: 0, head: noHash, rows };
    await ledger.seed(
      ...dates.map((date) => ({ ...sheetKey(name, { series: 'IJ', date }), ...sheet })),
    );
    const given = dates.map((date, number) => unnumbered({ reference: String(number), date }));
    expect(await record(name, given)).toBe(33);
    expect(await record(name, given)).toBe(0);
    expect(await numbersOf(name)).toHaveLength(33);
  });
});

test('counts journals of all dates, but no posted entries and no other tenants', async () => {
  const [name, other] = [newTenant(), newTenant()];
  const countOf = async (of: TenantName) => (await journals.count(of)).imported;
  expect(await countOf(name)).toBe(0);
  const dated = (date: string, references: string[]) =>
    journalsNamed(references).map((journal) => ({ ...journal, date }));
  await record(name, dated('2026-03-20', ['a', 'b', 'c']));
  await record(name, [...dated('2026-03-20', ['c', 'd']), ...dated('2025-01-31', ['e'])]);
  await record(other, dated('2026-03-20', ['a']));
  const { platformReference, ...rest } = unnumbered({ reference: 'a' });
  const manual = { entryType: 'Manual Journal', createdWithKey: 'key' } as const;
  const posted = { ...rest, ...manual, exchangeRateSource: 'same_currency' } as const;
  await recordEntry(ledger.journalEntries, name, posted);
  expect([await countOf(name), await countOf(other)]).toEqual([5, 1]);
});

describe('journals whose recording is interrupted', () => {
  test('are recorded in whole batches, and the next recording adds the rest', async () => {
    const name = newTenant();
    const many = manyJournals(100, { lineCount: 3 });
    let transactions = 0;
    const cutOff = openImportedJournals({
      ...table,
      tryTransact: async (transaction) => {
        transactions += 1;
        if (transactions === 2) throw new Error('cut off');
        return table.tryTransact(transaction);
      },
    });
    await expect(cutOff.record(name, toRecord(many))).rejects.toThrow('cut off');
    expect(await numbersOf(name)).toHaveLength(33);
    expect(await record(name, many)).toBe(67);
    const numbers = await numbersOf(name);
    expect(numbers.map((it) => it.split(' ')[1])).toEqual(
      many.map(({ platformReference }) => platformReference),
    );
  });

  test('whose commit was reported as contention are counted once', async () => {
    const name = newTenant();
    let isFirst = true;
    const misheard = openImportedJournals({
      ...table,
      tryTransact: async (transaction) => {
        const outcome = await table.tryTransact(transaction);
        const heard = isFirst ? undefined : outcome;
        isFirst = false;
        return heard;
      },
    });
    const result = await misheard.record(name, toRecord(manyJournals(10)));
    expect(result).toEqual({ recorded: 10, locked: [], lockDate: null });
    expect(await numbersOf(name)).toHaveLength(10);
  });
});

describe('recordings at the same time', () => {
  const dates = ['2026-03-20', '2026-03-21', '2026-03-22'];
  const references = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 45 });

  test('of sets that overlap record each journal once, without gaps in the numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(references, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (sets, dateCount) => {
          const name = newTenant();
          const counts = await Promise.all(
            sets.map((numbers) =>
              record(
                name,
                numbers.map((number) =>
                  unnumbered({
                    reference: String(number),
                    date: dates[number % dateCount] ?? '',
                    lineCount: number % 20 === 0 ? 130 : 2,
                  }),
                ),
              ),
            ),
          );
          const expected = new Set(sets.flat().map(String));
          const found = (await numbersOf(name)).map((it) => it.split(' ')[1] ?? '');
          expect(found.sort()).toEqual([...expected].sort());
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expected.size);
          expect(new Set((await journals.findKnown(name, [...expected])).keys())).toEqual(expected);
        },
      ),
      { numRuns: 10 },
    );
  });
});
