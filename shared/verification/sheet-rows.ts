// Recomputes the rows of a day sheet from entries, and compares them with the stored rows.

import type Big from 'big.js';
import type { Account } from '../accounts/accounts.ts';
import { type CountedEntry, mergeRows, rowsOfEntry, type SheetRow } from '../sheets/day-sheet.ts';
import { codeInName, codesByRowName, rowNameOf } from '../sheets/row-text.ts';
import { type Finding, findingsIn } from './differences.ts';

/** Merging in batches keeps the cost of each entry proportional to its lines. */
const mergeBatchSize = 2_000;

export const openRows = () => {
  let rows: SheetRow[] = [];
  let waiting: SheetRow[] = [];
  const merge = (): SheetRow[] => {
    rows = mergeRows([...rows, ...waiting]);
    waiting = [];
    return rows;
  };
  return {
    add: (entry: CountedEntry): void => {
      const lines = entry.lines.map((line) => ({ ...line, accountNumber: undefined }));
      waiting.push(...rowsOfEntry({ ...entry, lines }));
      if (waiting.length > mergeBatchSize) merge();
    },
    all: merge,
  };
};

/** The rows with each account named by its code, if the chart has its number. */
export const rowsByCode = (
  rows: readonly SheetRow[],
  accounts: ReadonlyMap<string, Account>,
): SheetRow[] => {
  const codes = codesByRowName(accounts.values());
  return mergeRows(
    rows.map((row) => {
      const code = codes.get(row.account);
      return code === undefined ? row : { ...row, account: rowNameOf({ code }) };
    }),
  );
};

/** The rows with each account named by its number, if it has one. */
export const rowsByNumber = (
  rows: readonly SheetRow[],
  accounts: ReadonlyMap<string, Account>,
): SheetRow[] =>
  rows.map((row) => {
    const account = accounts.get(codeInName(row.account) ?? '');
    return account === undefined ? row : { ...row, account: rowNameOf(account) };
  });

const titleOf = ({ account, currency }: SheetRow): string => {
  const title = `row ${codeInName(account) ?? `of account number ${account}`}`;
  return currency === null ? title : `${title} ${currency}`;
};

/** With two decimals, or more if it has more. */
const shown = (amount: Big): string =>
  amount.eq(amount.round(2)) ? amount.toFixed(2) : amount.toFixed();

const amountsOf = (
  row: SheetRow | undefined,
  { showsBooked }: { showsBooked: boolean },
): string => {
  if (row === undefined) return 'none';
  const { bookBalance } = row;
  const amounts = [
    `debit ${shown(row.debit)}`,
    `credit ${shown(row.credit)}`,
    `cash effect ${shown(row.cashEffect)}`,
    `non-cash ${shown(row.nonCash)}`,
    `disposed ${shown(row.disposed)}`,
    ...(showsBooked ? [`booked ${bookBalance ? shown(bookBalance) : 'unknown'}`] : []),
  ];
  return amounts.join(', ');
};

export const isRow = ({ what }: Pick<Finding, 'what'>): boolean => what.startsWith('row ');

/**
 * The rows that differ. A row of zeros also counts: it shows that the account had postings.
 * @param options.isComplete whether rows of earlier versions differ because they lack their book
 *   balance
 */
export const rowFindings = (
  expected: readonly SheetRow[],
  found: readonly SheetRow[],
  { isComplete }: { isComplete: boolean },
): Finding[] => {
  const stored = new Map(found.map((row) => [titleOf(row), row]));
  const computed = new Map(expected.map((row) => [titleOf(row), row]));
  const titles = new Set([...computed.keys(), ...stored.keys()]);
  return findingsIn(
    [...titles].map((it) => {
      const [one, other] = [computed.get(it), stored.get(it)];
      const showsBooked =
        one?.bookBalance !== undefined && (isComplete || other?.bookBalance !== undefined);
      return [it, amountsOf(one, { showsBooked }), amountsOf(other, { showsBooked })];
    }),
  );
};
