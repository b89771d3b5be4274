// Books for statements: entries as lists of accounts with debits, and the sheets of these entries.

import Big from 'big.js';
import fc from 'fast-check';
import { type Account, accountTypes, subtypesByType } from '#shared/accounts/accounts.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { lineClassOf } from '#shared/accounts/line-classes.ts';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
import { formatThousandths } from '#shared/money/thousandths.ts';
import { withoutZeros } from '#shared/reports/statement-columns.ts';
import {
  type AccountAmounts,
  codesIn,
  type StatementAccount,
  statementAccountsOf,
} from '#shared/reports/statement-sums.ts';
import { formatRows, mergeRows, rowsOfEntry } from '#shared/sheets/day-sheet.ts';
import { codeInName } from '#shared/sheets/row-text.ts';
import { type AccountSums, sumPeriod } from '#shared/sheets/sheet-sums.ts';
import { sharesOf } from '../readers/statements/cash-legs.ts';
import { expectedEntry } from './journal-entry.ts';

/** Thousandths by account: positive for a debit. They add up to nothing. */
export type TestEntry = {
  date: string;
  currency?: string;
  lines: readonly (readonly [account: string, debit: number])[];
};

/** An entry as text: accounts and their debits in whole units. */
export const entryOn = (date: string, text: string): TestEntry => ({
  date,
  lines: text.split(', ').map((line) => {
    const [account = '', debit] = line.split(' ');
    return [account, Math.round(1000 * Number(debit))];
  }),
});

export type Chart = ReadonlyMap<string, Account>;

export const chartOf = (...accounts: readonly Account[]): Chart =>
  new Map([...defaultChart, ...accounts].map((account) => [account.code, account]));

/** The sums of sheets. Those before `from` come before the period. */
export const sumSheets = (
  sheets: readonly { date: string; rows: string }[],
  from = '',
): AccountSums[] => {
  const rowsOf = (isBefore: boolean) =>
    sheets.filter(({ date }) => date < from === isBefore).map(({ rows }) => rows);
  const rows = { before: rowsOf(true), within: rowsOf(false), isFromStart: false };
  return sumPeriod(rows, (name) => codeInName(name) ?? name);
};

const amountText = (thousandths: number): string => new Big(thousandths).div(1000).toFixed(3);

const lineOf =
  (chart: Chart) =>
  ([account, debit]: readonly [string, number], index: number): JournalLine => {
    const [bookDebit, bookCredit] = [Math.max(debit, 0), Math.max(-debit, 0)].map(amountText);
    const found = chart.get(account);
    if (found === undefined) throw new Error(`a test has no account ${account}`);
    return {
      ...(expectedEntry.lines[0] as JournalLine),
      lineNumber: index + 1,
      account,
      lineClass: lineClassOf(found),
      // Twice as much in the transaction currency.
      debit: amountText(2 * Math.max(debit, 0)),
      credit: amountText(2 * Math.max(-debit, 0)),
      bookDebit: bookDebit ?? '',
      bookCredit: bookCredit ?? '',
    };
  };

const sheetsOf = (entries: readonly TestEntry[], chart: Chart) => {
  const dates = Map.groupBy(entries, ({ date }) => date);
  return [...dates].map(([date, ofDate]) => {
    const rows = ofDate.flatMap(({ lines, currency = 'KWD' }) =>
      rowsOfEntry({
        bookCurrency: 'KWD',
        transactionCurrency: currency,
        lines: lines.map(lineOf(chart)),
      }),
    );
    return { date, rows: formatRows(mergeRows(rows)) };
  });
};

/** The sums of the accounts before and in a period. */
export const accountsIn = (
  { entries, chart }: { entries: readonly TestEntry[]; chart: Chart },
  { from, to }: { from: string; to: string },
): StatementAccount[] => {
  const upToEnd = entries.filter(({ date }) => date <= to);
  const sums = sumSheets(sheetsOf(upToEnd, chart), from);
  return statementAccountsOf(sums, chart, codesIn(sums));
};

/** A statement of one column, without accounts whose amounts are zero. */
export const ofOneColumn = <Statement>(statement: Statement): Statement =>
  withoutZeros([statement])[0] as Statement;

/** The amounts by account, as text. */
export const shown = ({ accounts }: AccountAmounts): Record<string, string> =>
  Object.fromEntries(
    accounts.map(({ account, amount }) => [account.code, formatThousandths(amount)]),
  );

const accountWith = (code: string): fc.Arbitrary<Account> =>
  fc.constantFrom(...accountTypes).chain((type) =>
    fc
      .record({
        subtype: fc.option(fc.constantFrom(...subtypesByType[type]), { nil: undefined }),
        cashFlow: fc.constantFrom(
          'operating',
          'investing',
          'financing',
          'transfer',
          'cash',
          undefined,
        ),
        normalBalance: fc.constantFrom('debit', 'credit', undefined),
        role: fc.constantFrom('fx_gain_loss', undefined),
      })
      // Any type can be cash: a platform may give another one to an account, which stays cash.
      .map(
        ({ subtype, cashFlow, normalBalance, role }): Account => ({
          code,
          name: `Account ${code}`,
          type,
          status: 'active',
          ...(subtype !== undefined && { subtype }),
          ...(cashFlow !== undefined && { cashFlow }),
          ...(normalBalance !== undefined && { normalBalance }),
          ...(role !== undefined && { role }),
        }),
      ),
  );

/** The last and the first days of fiscal years, and others. */
export const dates = [
  ...['2023-12-31', '2024-01-01', '2024-02-28', '2024-02-29', '2024-03-01', '2024-06-30'],
  ...['2024-07-01', '2024-12-31', '2025-01-01', '2025-02-28', '2025-03-01', '2025-08-15'],
];

/** Any chart of some accounts, and entries of two and more lines to them. */
export const anyBooks: fc.Arbitrary<{ entries: TestEntry[]; chart: Chart }> = fc
  .tuple(...Array.from({ length: 8 }, (_, index) => accountWith(String(1000 + index))))
  .chain((accounts) => {
    const code = fc.constantFrom(...accounts.map((account) => account.code));
    const amount = fc.integer({ min: -99_999, max: 99_999 }).filter((it) => it !== 0);
    const entry = fc
      .record({
        date: fc.constantFrom(...dates),
        currency: fc.constantFrom('KWD', 'USD'),
        lines: fc.array(fc.tuple(code, amount), { minLength: 1, maxLength: 4 }),
        last: code,
      })
      .map(({ lines, last, ...rest }): TestEntry => {
        const balance = lines.reduce((total, [, debit]) => total + debit, 0);
        return { ...rest, lines: [...lines, [last, -balance]] };
      });
    return fc.record({
      entries: fc.array(entry, { maxLength: 25 }),
      chart: fc.constant(new Map(accounts.map((account) => [account.code, account]))),
    });
  });

/** What of some entries is a flow of each account, and what needed no cash, by the tests' model. */
export const sharesByAccount = (
  { entries, chart }: { entries: readonly TestEntry[]; chart: Chart },
  isCounted: (entry: TestEntry) => boolean,
): Map<string, { flow: bigint; nonCash: bigint }> => {
  const sums = new Map<string, { flow: bigint; nonCash: bigint }>();
  for (const { lines } of entries.filter(isCounted)) {
    const shares = sharesOf(
      lines.map(([code, debit]) => {
        const account = chart.get(code);
        if (account === undefined) throw new Error(`a test has no account ${code}`);
        return { lineClass: lineClassOf(account), effect: -BigInt(debit) };
      }),
    );
    for (const [place, [code]] of lines.entries()) {
      const { flow, nonCash } = sums.get(code) ?? { flow: 0n, nonCash: 0n };
      const share = shares[place] ?? { flow: 0n, nonCash: 0n };
      sums.set(code, { flow: flow + share.flow, nonCash: nonCash + share.nonCash });
    }
  }
  return sums;
};

/** The debits to some accounts, in some entries. */
export const debitedTo = (
  { entries, chart }: { entries: readonly TestEntry[]; chart: Chart },
  isMeant: (account: Account) => boolean,
  isCounted: (entry: TestEntry) => boolean,
): bigint =>
  entries.filter(isCounted).reduce(
    (total, { lines }) =>
      lines.reduce((sum, [code, debit]) => {
        const account = chart.get(code);
        return account !== undefined && isMeant(account) ? sum + BigInt(debit) : sum;
      }, total),
    0n,
  );
