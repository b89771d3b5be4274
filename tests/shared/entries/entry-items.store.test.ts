import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineClasses } from '#shared/accounts/line-classes.ts';
import { entryActions, maximumLinesPerItem, readEntry } from '#shared/entries/entry-items.store.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { entryKey } from '#shared/table/keys.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { unnumbered } from '../../support/builders/platforms/platform-journal.ts';

const name = { applicationId: 'app1', schemaName: 'acme' };
const key = entryKey(name, { series: 'MJ', date: '2026-03-20', sequence: 1 });
const posted = { postingSequence: 7, hash: 'f'.repeat(64), hashVersion: 2 } as const;
const unhashed = { hash: null, hashVersion: 1 } as const;
const recorded = { entryId: 'id', journalNumber: 'MJ-20260320-0001', ...posted };
const manual: JournalEntry = { ...expectedEntry, ...recorded };
const imported: JournalEntry = { ...unnumbered({ reference: 'a' }), ...recorded };

/** The items of an entry as the table returns them. */
const itemsOf = (entry: JournalEntry) =>
  entryActions(key, entry).flatMap((action) =>
    'put' in action ? [unmarshall(marshall(action.put, { removeUndefinedValues: true }))] : [],
  );

const amount = fc.constantFrom('0.00', '0.01', '100.00', '999999999999999.99');
const sides = fc.record({
  debit: amount,
  credit: amount,
  reportingDebit: amount,
  reportingCredit: amount,
  lineClass: fc.constantFrom(...lineClasses),
});
const bookSides = fc.record({ bookDebit: amount, bookCredit: amount });

test('an entry can be read from its items', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(manual, imported),
      fc.constantFrom('posted', 'scheduled'),
      fc.option(fc.constantFrom('2026-03-20', '2026-03-25')),
      fc.array(fc.tuple(sides, bookSides), { minLength: 2, maxLength: 250 }),
      fc.boolean(),
      (base, status, accrualDate, amounts, isBooked) => {
        const lines = amounts.map(([line, book], index) => ({
          ...line,
          lineNumber: index + 1,
          account: '1010',
          accountName: 'Bank',
          description: '',
          bookDebit: line.reportingDebit,
          bookCredit: line.reportingCredit,
          ...(!isBooked && book),
        }));
        const { reportingCurrency, reportingAmount, exchangeRate } = base;
        const entry = {
          ...base,
          status,
          accrualDate,
          lines,
          postingDate: accrualDate ?? base.date,
          bookCurrency: reportingCurrency,
          bookAmount: reportingAmount,
          bookExchangeRate: exchangeRate,
          ...(!isBooked && { bookCurrency: 'KES', bookAmount: '1.00', bookExchangeRate: '2' }),
          ...(status === 'scheduled' && { postingSequence: null, postedAt: null, ...unhashed }),
        } as JournalEntry;
        const items = itemsOf(entry);
        expect(items).toHaveLength(Math.ceil(lines.length / maximumLinesPerItem));
        expect(readEntry(items)).toEqual(entry);
        expect(readEntry(items.slice(0, -1))).toBeUndefined();
      },
    ),
  );
});

test.each([
  ['with cash has no classes beside it', [true, false], ['cash', 'unknown']],
  ['without cash has operating lines', [false, false], ['operating', 'operating']],
])('an entry of an earlier version %s', (_, cash, classes) => {
  const [item = { lines: [] }] = itemsOf(manual);
  const lines = (item.lines as object[]).slice(0, 2).map((line, index) => {
    const { lineClass: _class, ...earlier } = line as { lineClass?: string };
    return { ...earlier, ...(cash[index] && { isCash: true }) };
  });
  const read = readEntry([{ ...item, lines, lineCount: 2 }]);
  expect(read?.lines.map(({ lineClass }) => lineClass)).toEqual(classes);
});
