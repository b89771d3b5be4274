// The sheet of a date and series: the number of entries filed under the date, and the totals by
// account of the entries that count on it.
//
// An entry is filed under its entry date and counts on its posting date. The two are usually the
// same. An entry counts on one sheet only, so every sheet balances and every report is a sum of
// sheets.

import Big from 'big.js';
import { hashOf, hashVersion, noHash } from '../entries/entry-hash.ts';
import type { JournalEntry, JournalSeries } from '../entries/journal-entry.ts';
import { lineFlowsOf } from '../entries/line-flows.ts';
import { decimalsOf, fitsDecimals, shownDecimalsOf } from '../money/amounts.ts';
import { type BlocksOfSheet, namesIn, withBlockOf, withNames } from './entry-blocks.ts';
import {
  formatRowTexts,
  type RowName,
  type RowTexts,
  replaceRows,
  rowNameOf,
  rowNamesOf,
  rowTextsIn,
  rowTextsOf,
} from './row-text.ts';

/**
 * The totals of an account on a date. `account` is its name on sheets. With `currency` null they
 * are book amounts. Otherwise they are amounts in that transaction currency; there is no such row
 * for the book currency.
 *
 * `cashEffect`, `nonCash` and `disposed` are the account's cash flows, its part in transactions
 * without cash, and what of accumulated depreciation went with disposals, in book amounts
 * (entries/line-flows.ts). In every entry, the cash effects add up to the movement of cash, and
 * `nonCash` to zero.
 *
 * `bookBalance` is debit less credit in book amounts, of a row with a currency. It is `undefined`
 * if entries of earlier versions count in the row, and for rows of book amounts.
 */
export type SheetRow = {
  account: RowName;
  currency: string | null;
  debit: Big;
  credit: Big;
  cashEffect: Big;
  nonCash: Big;
  disposed: Big;
  bookBalance?: Big | undefined;
};

/**
 * Rows that were posted after the date of the sheet was carried forward, as text. They are part of
 * the carried totals from the date `carriedOn` on; if it is missing, of none yet.
 */
export type LateRows = { rows: string; carriedOn?: string | undefined };

/**
 * Until `inboxUntil`, in milliseconds since 1970, new requests wait in the inbox of the date. The
 * request with the ticket `inboxHolder` holds it.
 */
export type InboxMark = { inboxHolder?: string | undefined; inboxUntil?: number | undefined };

export type DaySheet = InboxMark &
  BlocksOfSheet & {
    /** The sequence of the last entry filed under the date. */
    lastSequence: number;
    /** The optimistic lock of the sheet. Every change increases it. */
    revision: number;
    /** The number of entries that count on the date, and the hash of the last one. */
    counted: number;
    head: string;
    /** The rows as stored, because few of them change in a post. */
    rows: string;
    /** Rows to be added when the sheet is stored. */
    added?: readonly SheetRow[] | undefined;
    /** Rows that carried totals lack; `undefined` if the date of the sheet is not carried. */
    late?: readonly LateRows[] | undefined;
    /**
     * The codes of the accounts in entries that are filed under the date with an accrual date, one
     * per line. Such entries add no rows to this sheet. `undefined` if they are not known, because
     * an earlier version wrote the sheet or there are too many.
     */
    accrualAccounts?: string | undefined;
    /**
     * The number of entries filed under the date that were recorded with an Idempotency-Key. The
     * guards of these keys count as many, so verification notices a missing guard.
     */
    keyedEntries?: number | undefined;
  };

/** The date and series of a sheet. */
export type SheetName = { date: string; series: JournalSeries };

/** A sheet with its date and series. */
export type NamedSheet = SheetName & DaySheet;

export const emptySheet: DaySheet = {
  lastSequence: 0,
  revision: 0,
  counted: 0,
  head: noHash,
  rows: '',
  accrualAccounts: '',
};

const zero = new Big(0);

const amountText = (amount: Big): string => (amount.eq(zero) ? '' : amount.toFixed());
const amountOf = (text: string): Big => (text === '' ? zero : new Big(text));

const textsOf = ({ account, currency, ...row }: SheetRow): RowTexts => [
  account,
  currency ?? '',
  amountText(row.debit),
  amountText(row.credit),
  amountText(row.cashEffect),
  amountText(row.nonCash),
  amountText(row.disposed),
  row.bookBalance?.toFixed() ?? '',
];

const rowOf = ([account, currency, debit, credit, ...flows]: RowTexts): SheetRow => ({
  account,
  currency: currency === '' ? null : currency,
  debit: amountOf(debit),
  credit: amountOf(credit),
  cashEffect: amountOf(flows[0]),
  nonCash: amountOf(flows[1]),
  disposed: amountOf(flows[2]),
  ...(flows[3] !== '' && { bookBalance: new Big(flows[3]) }),
});

/** The rows as text, in the order of its form. */
export const formatRows = (rows: readonly SheetRow[]): string => formatRowTexts(rows.map(textsOf));

export const readRows = (text: string): SheetRow[] => rowTextsOf(text).map(rowOf);

export type CountedEntry = Pick<JournalEntry, 'bookCurrency' | 'transactionCurrency' | 'lines'>;

type Flows = Pick<SheetRow, 'cashEffect' | 'nonCash' | 'disposed'>;

/** The flows of lines. Shares have the currency's decimals, or those of imported amounts. */
const flowsOf = (lines: CountedEntry['lines'], bookCurrency: string): Flows[] => {
  const effects = lines.map((line) => new Big(line.bookCredit).minus(line.bookDebit));
  const usual = decimalsOf(bookCurrency);
  const decimals = effects.every((it) => fitsDecimals(it, usual))
    ? usual
    : shownDecimalsOf(bookCurrency);
  const unit = new Big(10).pow(-decimals);
  const inUnits = lines.map(({ lineClass }, index) => ({
    lineClass,
    effect: BigInt((effects[index] ?? zero).div(unit).toFixed(0)),
  }));
  const amountIn = (units: bigint) => (units === 0n ? zero : unit.times(String(units)));
  return lineFlowsOf(inUnits).map(({ flow, nonCash, disposed }) => ({
    cashEffect: amountIn(flow),
    nonCash: amountIn(nonCash),
    disposed: amountIn(disposed),
  }));
};

/** The rows that an entry adds to its sheet, one or two per line. */
export const rowsOfEntry = ({
  bookCurrency,
  transactionCurrency,
  lines,
}: CountedEntry): SheetRow[] => {
  const flows = flowsOf(lines, bookCurrency);
  return lines.flatMap((line, index) => {
    const account = rowNameOf({ code: line.account, number: line.accountNumber });
    const none = { cashEffect: zero, nonCash: zero, disposed: zero };
    const [debit, credit] = [new Big(line.bookDebit), new Big(line.bookCredit)];
    const booked = { account, currency: null, debit, credit, ...(flows[index] ?? none) };
    const currency = line.revaluedCurrency ?? transactionCurrency;
    if (currency === bookCurrency) return [booked];
    // A revaluation changes no balance in another currency, only its book amount.
    const isRevalued = line.revaluedCurrency !== undefined;
    const amounts = isRevalued
      ? { debit: zero, credit: zero }
      : { debit: new Big(line.debit), credit: new Big(line.credit) };
    const bookBalance = debit.minus(credit);
    return [booked, { account, currency, ...amounts, ...none, bookBalance }];
  });
};

const keyOf = ({ account, currency }: SheetRow): string => `${account}\t${currency ?? ''}`;

/** Merges rows with the same account and currency, and sorts them by both. */
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
            nonCash: before.nonCash.plus(row.nonCash),
            disposed: before.disposed.plus(row.disposed),
            bookBalance: row.bookBalance && before.bookBalance?.plus(row.bookBalance),
          },
    );
  }
  return [...merged.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
};

/** The text of rows with others added to them. */
export const addRows = (text: string, added: readonly SheetRow[]): string => {
  if (added.length === 0) return text;
  const names = new Set(added.map(({ account }) => account));
  return replaceRows(text, names, (rows) => mergeRows([...rows.map(rowOf), ...added]).map(textsOf));
};

/** Requests that are recorded together need not be in the order of their times. */
const recordedUntilWith = (
  { lastSequence, recordedUntil = 0 }: DaySheet,
  createdAt: string,
): number | undefined =>
  lastSequence > 0 && recordedUntil === 0
    ? undefined
    : Math.max(recordedUntil, Date.parse(createdAt));

/** Takes the next sequence number for an entry. */
export const fileEntry = (
  sheet: DaySheet,
  { accrualDate, lines, createdAt }: Pick<JournalEntry, 'accrualDate' | 'lines' | 'createdAt'>,
): DaySheet => {
  const lastSequence = sheet.lastSequence + 1;
  const recordedUntil = recordedUntilWith(sheet, createdAt);
  return {
    ...sheet,
    lastSequence,
    recordedUntil,
    ...withBlockOf({ ...sheet, recordedUntil }, { sequence: lastSequence, lines }),
    ...(accrualDate !== null && {
      accrualAccounts: withNames(
        sheet.accrualAccounts,
        lines.map(({ account }) => account),
      ),
    }),
  };
};

/** Adds rows to a sheet. If the date of the sheet is carried, they are late too. */
export const withRows = (sheet: DaySheet, rows: readonly SheetRow[]): DaySheet => {
  const { late, added = [] } = sheet;
  const isPending = ({ carriedOn }: LateRows): boolean => carriedOn === undefined;
  const pending = late?.find(isPending)?.rows ?? '';
  return {
    ...sheet,
    added: [...added, ...rows],
    ...(late !== undefined && {
      late: [...late.filter((it) => !isPending(it)), { rows: addRows(pending, rows) }],
    }),
  };
};

/** Whether an entry that is filed under the date can have a line on this account. */
export const mayHaveFiled = (
  { rows, accrualAccounts }: Pick<DaySheet, 'rows' | 'accrualAccounts'>,
  account: { code: string; number?: number | undefined },
): boolean =>
  accrualAccounts === undefined ||
  namesIn(accrualAccounts).includes(account.code) ||
  rowTextsIn(rows, rowNamesOf(account)).length > 0;

type UncountedEntry = Omit<JournalEntry, 'postingSequence' | 'hash' | 'hashVersion'>;

type CountedPlace = { postingSequence: number; hash: string; hashVersion: typeof hashVersion };

/**
 * Counts an entry on the sheet of its posting date. The entry gets its posting sequence and hash.
 */
export const countEntry = <Entry extends UncountedEntry>(
  entry: Entry,
  sheet: DaySheet,
): { entry: Entry & CountedPlace; sheet: DaySheet } => {
  const postingSequence = sheet.counted + 1;
  const hash = hashOf({ ...entry, postingSequence }, sheet.head);
  return {
    entry: { ...entry, postingSequence, hash, hashVersion },
    sheet: withRows({ ...sheet, counted: postingSequence, head: hash }, rowsOfEntry(entry)),
  };
};
