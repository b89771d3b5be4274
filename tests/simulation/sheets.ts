// What all that counts on a date adds up to, by account in the currency of the books, and by
// account and transaction currency: worked out of what was asked for, and held against the sheets.

import chart from '#shared/accounts/default-chart.json' with { type: 'json' };
import type { RawItem } from '../support/readers/item-kinds.ts';
import { readRows } from '../support/readers/sheet-invariants.ts';
import { digitsOf } from '../support/readers/stored-entries.ts';
import { unless } from '../support/readers/violations.ts';
import { tenantPlaceOf } from './entry-data.ts';
import type { expectedAmounts } from './expected-entry.ts';

/** An entry that counts, as the model expects a reply to show it. */
export type Posting = {
  place: string;
  series: 'MJ' | 'IJ';
  data: {
    posting_date: string;
    book_currency: string;
    transaction_currency: string;
    transactions: ReturnType<typeof expectedAmounts>['transactions'];
  };
};

/** How many entries count on a date, and debits, credits and cash effects by `account currency`. */
type Sheet = { counted: number; rows: Map<string, bigint[]> };

const defaultCashCodes = new Set(
  chart.accounts.filter(({ cashFlow }) => cashFlow === 'cash').map(({ code }) => code),
);

const add = ({ rows }: Sheet, name: string, amounts: readonly bigint[]): void => {
  const before = rows.get(name) ?? [];
  const sums = amounts.map((amount, index) => amount + (before[index] ?? 0n));
  rows.set(name, sums);
};

const addPosting = (
  sheet: Sheet,
  { data, isCash }: Posting & { isCash: (account: string) => boolean },
): void => {
  const { transactions, transaction_currency: currency, book_currency } = data;
  const movesCash = transactions.some(({ account }) => isCash(account));
  sheet.counted += 1;
  for (const { account, ...line } of transactions) {
    const [debit, credit] = [digitsOf(line.book_debit), digitsOf(line.book_credit)];
    const effect = movesCash && !isCash(account) ? credit - debit : 0n;
    add(sheet, `${account} `, [debit, credit, effect]);
    if (currency === book_currency) continue;
    add(sheet, `${account} ${currency}`, [digitsOf(line.debit), digitsOf(line.credit), 0n]);
  }
};

const asText = ({ counted, rows }: Sheet): string =>
  [
    `${counted} entries`,
    ...[...rows].map(([name, sums]) => `${name}: ${sums.join(' ')}`).sort(),
  ].join('; ');

/**
 * Whether the sheets of the table, and no others, say what these entries add up to.
 *
 * @param options.cashCodes the accounts that are cash, beside those of the default chart
 */
export const sheetDifferences = (
  items: readonly RawItem[],
  { postings, cashCodes }: { postings: readonly Posting[]; cashCodes: ReadonlySet<string> },
): string[] => {
  const isCash = (account: string) => defaultCashCodes.has(account) || cashCodes.has(account);
  const expected = new Map<string, Sheet>();
  for (const posting of postings) {
    const name = `${posting.place} ${posting.data.posting_date}#${posting.series}`;
    const sheet = expected.get(name) ?? { counted: 0, rows: new Map() };
    expected.set(name, sheet);
    addPosting(sheet, { ...posting, isCash });
  }
  const told = new Map(
    items
      .filter(({ sk }) => String(sk).startsWith('SEQUENCE#'))
      .map((item) => {
        const rows = readRows(String(item.rows)) ?? new Map();
        const name = `${tenantPlaceOf(item)} ${String(item.sk).slice('SEQUENCE#'.length)}`;
        return [name, { counted: Number(item.counted), rows }];
      }),
  );
  const nothing: Sheet = { counted: 0, rows: new Map() };
  return [...new Set([...expected.keys(), ...told.keys()])].flatMap((name) => {
    const [given, meant] = [told, expected].map((sheets) => asText(sheets.get(name) ?? nothing));
    return unless(given === meant, `the sheet ${name} has ${given}, and must have ${meant}`);
  });
};
