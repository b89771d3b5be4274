// What must be said of an entry that cannot be recorded, and of a repeat that is not the same.

import { unless } from '../support/readers/violations.ts';
import {
  type AskedEntry,
  type AskedLine,
  decimalsOf,
  type RatesByDate,
  rateOf,
  totalsOf,
} from './expected-entry.ts';

/** A reply lists so many problems at most. */
export const maximumProblems = 100;

/** Whether an entry can be read at all; one that cannot is never taken for a repeat. */
export const isWellFormed = ({ memo, lines }: AskedEntry): boolean =>
  memo.trim() !== '' && lines.length >= 2;

/** What is wrong with the lines. */
const problemsOfLines = ({ lines, transactionCurrency }: AskedEntry): string[] => {
  if (lines.length < 2) return ['too_few_items /entries'];
  const coin = 10n ** BigInt(2 - decimalsOf(transactionCurrency));
  const precise = lines.flatMap(({ side, hundredths }, line) =>
    hundredths % coin === 0n ? [] : [`amount_too_precise /entries/${line}/${side}`],
  );
  const [debits, credits] = totalsOf(lines);
  return precise.length > 0 || debits === credits
    ? precise
    : ['debits_must_equal_credits /entries'];
};

const problemsOfRate = (
  { date, transactionCurrency: transaction, reportingCurrency: reporting }: AskedEntry,
  { today, rates }: { today: string; rates: RatesByDate },
): string[] => {
  const hasRate = (pair: { transaction: string; reporting: string }): boolean =>
    rateOf(pair, { date, today, rates }) !== undefined;
  if (hasRate({ transaction, reporting })) return [];
  const [hasTransaction, hasReporting] = [transaction, reporting].map((currency) =>
    hasRate({ transaction: 'EUR', reporting: currency }),
  );
  if (hasTransaction === hasReporting) return ['exchange_rate_unavailable /date'];
  const field = hasTransaction ? 'reportingCurrency' : 'transactionCurrency';
  return [`exchange_rate_unavailable /${field}`];
};

/**
 * Everything that is wrong with what is asked, as `code pointer`.
 * @param context.chart the accounts of the tenant; `undefined` where there is no such tenant
 */
export const expectedProblems = (
  asked: AskedEntry,
  context: { chart: ReadonlySet<string> | undefined; today: string; rates: RatesByDate },
): string[] => {
  const { chart } = context;
  const accounts = asked.lines.flatMap(({ account }, line) =>
    chart === undefined || chart.has(account) ? [] : [`account_not_found /entries/${line}/account`],
  );
  return [
    ...unless(asked.memo.trim() !== '', 'memo_must_not_be_blank /memo'),
    ...unless(chart !== undefined, 'tenant_not_found /domain_url'),
    ...problemsOfLines(asked),
    ...accounts,
    ...problemsOfRate(asked, context),
  ];
};

const differencesOfLine = (
  line: number,
  { asked, kept }: { asked: AskedLine | undefined; kept: AskedLine | undefined },
): string[] => {
  if (asked === undefined || kept === undefined) return [`/entries/${line}`];
  const fieldsOf = ({ account, description = '', side, hundredths }: AskedLine) => ({
    account,
    description,
    debit: side === 'debit' ? hundredths : 0n,
    credit: side === 'credit' ? hundredths : 0n,
  });
  return differencesOf(fieldsOf(asked), fieldsOf(kept)).map((name) => `/entries/${line}/${name}`);
};

/** A header may be so long; then lines are named without their fields, or all of them at once. */
const maximumHeaderLength = 4096;

const differencesOf = <Fields extends object>(...[one, other]: [Fields, Fields]): string[] =>
  (Object.keys(one) as (keyof Fields & string)[]).filter((name) => one[name] !== other[name]);

/** The header that says in what a repeat differs from its original. */
export const expectedMismatch = (asked: AskedEntry, kept: AskedEntry): string | undefined => {
  const lines = Array.from({ length: Math.max(asked.lines.length, kept.lines.length) }, (_, line) =>
    differencesOfLine(line, { asked: asked.lines[line], kept: kept.lines[line] }),
  );
  const fieldsOf = ({ date, memo, accrualDate, ...currencies }: AskedEntry) => ({
    date,
    memo,
    transactionCurrency: currencies.transactionCurrency,
    reportingCurrency: currencies.reportingCurrency,
    accrual_date: accrualDate,
  });
  const fields = differencesOf(fieldsOf(asked), fieldsOf(kept)).map((name) => `/${name}`);
  const differing = lines.flatMap((it, line) => (it.length > 0 ? [`/entries/${line}`] : []));
  const lists = [
    [...fields, ...lines.flat()],
    [...fields, ...differing],
    [...fields, '/entries'],
  ];
  return lists.flat().length === 1
    ? undefined
    : lists.map((list) => list.join(', ')).find((text) => text.length <= maximumHeaderLength);
};
