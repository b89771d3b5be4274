// The problems that the refusal of an entry must name, and whether a repeat is the same.

import { canonicalText } from '../../support/readers/entry-hashes.ts';
import { unless } from '../../support/readers/violations.ts';
import {
  type AskedEntry,
  decimalsOf,
  type RatesByDate,
  rateOf,
  totalsOf,
} from './expected-entry.ts';

/** A reply lists this many problems at most. */
const maximumProblems = 100;

/** Whether all entries can be read. A request with an unreadable entry is no replay. */
export const isWellFormed = (asked: readonly AskedEntry[]): boolean =>
  asked.every(({ memo, lines }) => memo.trim() !== '' && lines.length >= 2);

const problemsOfLines = ({ lines, transactionCurrency }: AskedEntry): string[] => {
  const coin = 10n ** BigInt(2 - decimalsOf(transactionCurrency));
  const [debits, credits] = totalsOf(lines);
  return [
    ...unless(lines.length >= 2, 'too_few_items /entries'),
    ...lines.flatMap(({ side, hundredths }, line) =>
      unless(hundredths % coin === 0n, `amount_too_precise /entries/${line}/${side}`),
    ),
    ...unless(debits === credits, 'debits_must_equal_credits /entries'),
  ];
};

type Context = {
  /** The accounts and the currency of the tenant; `undefined` if there is no such tenant. */
  chart: ReadonlySet<string> | undefined;
  currency: string | undefined;
  today: string;
  rates: RatesByDate;
  isLocked: (postingDate: string) => boolean;
};

/** All problems of an entry, as `code pointer`. Every day of rates has all currencies. */
const problemsOfEntry = (asked: AskedEntry, context: Context): string[] => {
  const { chart, currency, today, rates, isLocked } = context;
  const { date, accrualDate, transactionCurrency: transaction } = asked;
  const currencies = [asked.reportingCurrency, ...(currency === undefined ? [] : [currency])];
  const isPosted = accrualDate === null || accrualDate <= today;
  const isEarly = isPosted && date > today && currencies.some((it) => it !== transaction);
  const hasRates = currencies.every((reporting) =>
    rateOf({ transaction, reporting }, { date, today, rates }),
  );
  const isOpen = chart === undefined || !isLocked(accrualDate ?? date);
  return [
    ...unless(asked.memo.trim() !== '', 'memo_must_not_be_blank /memo'),
    ...problemsOfLines(asked),
    ...asked.lines.flatMap(({ account }, line) =>
      unless(chart?.has(account) ?? true, `account_not_found /entries/${line}/account`),
    ),
    ...unless(!isEarly, 'no_rate_after_today /date'),
    ...unless(hasRates || isEarly, 'exchange_rate_unavailable /date'),
    ...unless(isOpen, `period_locked ${accrualDate === null ? '/date' : '/accrual_date'}`),
  ];
};

/** The problems of each entry of a request. */
export const problemsOfEntries = (
  asked: readonly AskedEntry[],
  { isBatch, ...context }: Context & { isBatch: boolean },
): string[][] =>
  asked.map((entry, index) => {
    const base = isBatch ? `/journal_entries/${index}` : '';
    return problemsOfEntry(entry, context).map((problem) => problem.replace(' ', ` ${base}`));
  });

/** The problems of a request that are not problems of one entry. */
export const problemsOfRequest = (
  asked: readonly AskedEntry[],
  { chart }: Pick<Context, 'chart'>,
): string[] => {
  const ids = asked.map(({ externalId }) => externalId);
  return [
    ...unless(chart !== undefined, 'tenant_not_found /domain_url'),
    ...ids.flatMap((id, index) =>
      unless(
        id === null || ids.indexOf(id) === index,
        `duplicate_external_id /journal_entries/${index}/external_id`,
      ),
    ),
  ];
};

/** Whether a refusal names every problem that it must, and no problem that it may not. */
export const isSaid = (
  given: readonly string[],
  { must, may }: Record<'must' | 'may', readonly string[]>,
): boolean =>
  given.every((it) => may.includes(it)) &&
  new Set(given).size === given.length &&
  (given.length === Math.min(may.length, maximumProblems) ||
    must.every((it) => given.includes(it)));

const contentOf = ({ externalId: _, metadata = {}, lines, ...asked }: AskedEntry): string =>
  canonicalText({
    ...asked,
    metadata,
    lines: lines.map(({ description = '', hundredths, ...line }) => ({
      ...line,
      description,
      hundredths: String(hundredths),
    })),
  });

/** Whether two requests with one external_id ask for the same entry. */
export const isSameEntry = (one: AskedEntry, other: AskedEntry): boolean =>
  contentOf(one) === contentOf(other);
