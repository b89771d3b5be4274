// The sheet of a date and series: how many entries are filed under the date, and the totals by
// account of those that count on it.
//
// An entry is filed under its own date and counts on its posting date, which is mostly the same. A
// sheet holds whole entries only, so that it balances by itself, and every report is a sum of
// sheets.

import Big from 'big.js';
import { hashOf, noHash } from './entry-hash.ts';
import type { JournalEntry, JournalSeries } from './journal-entry.ts';

/**
 * The totals of an account on a date. With `currency` null they are book amounts; with a currency
 * they are amounts in that transaction currency, kept where it is not the one of the books.
 *
 * `cashEffect` is what the account's lines did to cash, in book amounts: their credit less their
 * debit in entries that touch a cash account, where the account is not cash itself. In every entry
 * these add up to the movement of cash.
 */
export type SheetRow = {
  account: string;
  currency: string | null;
  debit: Big;
  credit: Big;
  cashEffect: Big;
};

export type DaySheet = {
  /** The last number that was given to an entry filed under the date. */
  lastSequence: number;
  /** Goes up with every change: the optimistic lock of the sheet. */
  revision: number;
  /** How many entries count on the date, and the hash of the last of them. */
  counted: number;
  head: string;
  rows: readonly SheetRow[];
};

/** A sheet of a date and series whose rows are still text: a report has thousands of them. */
export type DatedSheetText = { date: string; series: JournalSeries } & Omit<DaySheet, 'rows'> & {
    rows: string;
  };

export const emptySheet: DaySheet = {
  lastSequence: 0,
  revision: 0,
  counted: 0,
  head: noHash,
  rows: [],
};

const zero = new Big(0);

const amountText = (amount: Big): string => (amount.eq(zero) ? '' : amount.toFixed());
const amountOf = (text: string): Big => (text === '' ? zero : new Big(text));

/** The rows as text: a line each, parted by tabs, with zeros left out, and the tabs before none. */
export const formatRows = (rows: readonly SheetRow[]): string =>
  rows
    .map(({ account, currency, debit, credit, cashEffect }) =>
      [account, currency ?? '', ...[debit, credit, cashEffect].map(amountText)]
        .join('\t')
        .replace(/\t+$/, ''),
    )
    .join('\n');

/** A row as its text has it: zeros are empty, as is the currency of book amounts. */
export type RowTexts = [
  account: string,
  currency: string,
  debit: string,
  credit: string,
  cashEffect: string,
];

export const rowTextsOf = (text: string): RowTexts[] =>
  text === ''
    ? []
    : text.split('\n').map((row) => {
        const [account = '', currency = '', debit = '', credit = '', effect = ''] = row.split('\t');
        return [account, currency, debit, credit, effect];
      });

/** The row of an account's book amounts; `undefined` where nothing of it counts on the date. */
export const bookRowTextsOf = (text: string, account: string): RowTexts | undefined =>
  text.includes(account)
    ? rowTextsOf(text).find(([code, currency]) => code === account && currency === '')
    : undefined;

export const readRows = (text: string): SheetRow[] =>
  rowTextsOf(text).map(([account, currency, debit, credit, cashEffect]) => ({
    account,
    currency: currency === '' ? null : currency,
    debit: amountOf(debit),
    credit: amountOf(credit),
    cashEffect: amountOf(cashEffect),
  }));

export type CountedEntry = Pick<JournalEntry, 'bookCurrency' | 'transactionCurrency' | 'lines'>;

/** What each line of an entry adds to the sheet on which it counts. */
export const rowsOfEntry = ({
  bookCurrency,
  transactionCurrency,
  lines,
}: CountedEntry): SheetRow[] => {
  const touchesCash = lines.some(({ isCash }) => isCash);
  return lines.flatMap(({ account, isCash, ...line }) => {
    const [debit, credit] = [new Big(line.bookDebit), new Big(line.bookCredit)];
    const cashEffect = touchesCash && !isCash ? credit.minus(debit) : zero;
    const booked: SheetRow = { account, currency: null, debit, credit, cashEffect };
    if (transactionCurrency === bookCurrency) return [booked];
    const amounts = { debit: new Big(line.debit), credit: new Big(line.credit) };
    return [booked, { account, currency: transactionCurrency, ...amounts, cashEffect: zero }];
  });
};

const keyOf = ({ account, currency }: SheetRow): string => `${account}\t${currency ?? ''}`;

/** Rows with one for each account and currency, in the order of these. */
export const mergeRows = (rows: readonly SheetRow[]): SheetRow[] => {
  const merged = new Map<string, SheetRow>();
  for (const row of rows) {
    const before = merged.get(keyOf(row));
    merged.set(
      keyOf(row),
      before === undefined
        ? row
        : {
            ...before,
            debit: before.debit.plus(row.debit),
            credit: before.credit.plus(row.credit),
            cashEffect: before.cashEffect.plus(row.cashEffect),
          },
    );
  }
  return [...merged.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
};

/** The sheet with one more entry filed under its date. */
export const withNumberGiven = (sheet: DaySheet): DaySheet => ({
  ...sheet,
  lastSequence: sheet.lastSequence + 1,
});

/** An entry before it counts. */
type Uncounted = Omit<JournalEntry, 'postingSequence' | 'hash'>;

/**
 * An entry that counts from now on, and the sheet of its posting date with it. What it adds comes
 * behind the sheet's rows: whoever writes the sheet merges them, once for all of its new entries.
 */
export const countEntry = <Entry extends Uncounted>(
  entry: Entry,
  sheet: DaySheet,
): { entry: Entry & { postingSequence: number; hash: string }; sheet: DaySheet } => {
  const postingSequence = sheet.counted + 1;
  const hash = hashOf({ ...entry, postingSequence }, sheet.head);
  return {
    entry: { ...entry, postingSequence, hash },
    sheet: {
      ...sheet,
      counted: postingSequence,
      head: hash,
      rows: [...sheet.rows, ...rowsOfEntry(entry)],
    },
  };
};
