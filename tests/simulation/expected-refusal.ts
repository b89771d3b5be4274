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
import type { RequestOf, Unchecked } from './requests.ts';

/** A reply lists so many problems at most. */
export const maximumProblems = 100;

/** Whether an entry can be read at all; one that cannot is never taken for a repeat. */
export const isWellFormed = ({ asked, mutation }: RequestOf<'entry'>): boolean =>
  mutation === undefined && asked.memo.trim() !== '' && asked.lines.length >= 2;

/** What is wrong with the lines, as far as they can be read. */
const problemsOfLines = (
  { lines, transactionCurrency }: AskedEntry,
  { code, pointer }: { code?: string; pointer?: string } = {},
): string[] => {
  const few = unless(lines.length >= 2, 'too_few_items /entries');
  const isFirstUnread = code === 'amount_not_valid';
  const isCurrencyUnread = pointer === '/transactionCurrency';
  const coin = isCurrencyUnread ? 1n : 10n ** BigInt(2 - decimalsOf(transactionCurrency));
  const precise = lines.flatMap(({ side, hundredths }, line) => {
    const isRight = hundredths % coin === 0n || (line === 0 && isFirstUnread);
    return unless(isRight, `amount_too_precise /entries/${line}/${side}`);
  });
  const [debits, credits] = totalsOf(lines);
  const isBalanced = isFirstUnread || debits === credits;
  return [...few, ...precise, ...unless(isBalanced, 'debits_must_equal_credits /entries')];
};

type Known = { currency: string | undefined; today: string; rates: RatesByDate };

/** Every day of rates has all currencies, so where there is no rate it is the date. */
const problemsOfRate = (
  { date, transactionCurrency: transaction, reportingCurrency }: AskedEntry,
  { unchecked, currency, ...known }: Known & { unchecked: ReadonlySet<Unchecked> },
): string[] => {
  const wanted = [
    ...(unchecked.has('reporting rate') ? [] : [reportingCurrency]),
    ...(unchecked.has('tenant') || currency === undefined ? [] : [currency]),
  ];
  const hasRates = wanted.every((reporting) =>
    rateOf({ transaction, reporting }, { date, ...known }),
  );
  return unless(unchecked.has('rates') || hasRates, 'exchange_rate_unavailable /date');
};

/**
 * Everything that is wrong with what is asked, as `code pointer`.
 * @param context.chart the accounts of the tenant; `undefined` where there is no such tenant, as is
 *   the currency of its books
 */
export const expectedProblems = (
  { asked, mutation }: RequestOf<'entry'>,
  context: Known & { chart: ReadonlySet<string> | undefined },
): string[] => {
  const { chart } = context;
  const unchecked = new Set(mutation?.unchecked);
  const accounts = asked.lines.flatMap(({ account }, line) => {
    const isUnread = line === 0 && unchecked.has('first account');
    const isThere = isUnread || chart === undefined || chart.has(account);
    return unless(isThere, `account_not_found /entries/${line}/account`);
  });
  const hasMemo = asked.memo.trim() !== '' || mutation?.pointer === '/memo';
  return [
    ...(mutation ? [`${mutation.code} ${mutation.pointer}`] : []),
    ...unless(hasMemo, 'memo_must_not_be_blank /memo'),
    ...unless(chart !== undefined || unchecked.has('tenant'), 'tenant_not_found /domain_url'),
    ...problemsOfLines(asked, mutation),
    ...(unchecked.has('accounts') ? [] : accounts),
    ...problemsOfRate(asked, { ...context, unchecked }),
  ];
};

const differencesOfLine = (
  line: number,
  { asked, kept }: { asked: AskedLine | undefined; kept: AskedLine | undefined },
): string[] => {
  if (asked === undefined || kept === undefined) return [`/entries/${line}`];
  const on = (side: string, it: AskedLine): bigint => (it.side === side ? it.hundredths : 0n);
  return [
    ...unless(asked.account === kept.account, `/entries/${line}/account`),
    ...unless(
      (asked.description ?? '') === (kept.description ?? ''),
      `/entries/${line}/description`,
    ),
    ...['debit', 'credit']
      .filter((side) => on(side, asked) !== on(side, kept))
      .map((side) => `/entries/${line}/${side}`),
  ];
};

/** A header may be so long; then lines are named without their fields, or all of them at once. */
const maximumHeaderLength = 4096;

/** The header that says in what a repeat differs from its original. */
export const expectedMismatch = (asked: AskedEntry, kept: AskedEntry): string | undefined => {
  const lines = Array.from({ length: Math.max(asked.lines.length, kept.lines.length) }, (_, line) =>
    differencesOfLine(line, { asked: asked.lines[line], kept: kept.lines[line] }),
  );
  const fields = [
    ...(['date', 'memo', 'transactionCurrency', 'reportingCurrency'] as const).flatMap((field) =>
      unless(asked[field] === kept[field], `/${field}`),
    ),
    ...unless(asked.accrualDate === kept.accrualDate, '/accrual_date'),
  ];
  const differing = lines.flatMap((it, line) => (it.length > 0 ? [`/entries/${line}`] : []));
  const lists = [lines.flat(), differing, ['/entries']].map((named) => [...fields, ...named]);
  return lists.flat().length === 1
    ? undefined
    : lists.map((list) => list.join(', ')).find((text) => text.length <= maximumHeaderLength);
};

/** Whether a refusal names what it must, and nothing beyond what it may. */
export const isSaid = (given: readonly string[], { must, may }: Record<'must' | 'may', string[]>) =>
  given.every((it) => may.includes(it)) &&
  new Set(given).size === given.length &&
  (given.length === Math.min(may.length, maximumProblems) ||
    must.every((it) => given.includes(it)));
