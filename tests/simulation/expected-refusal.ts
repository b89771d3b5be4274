// What must be said of an entry that cannot be recorded, and of a repeat that is not the same.

import { canonicalText } from '../support/readers/entry-hashes.ts';
import { unless } from '../support/readers/violations.ts';
import {
  type AskedEntry,
  type AskedLine,
  decimalsOf,
  type RatesByDate,
  rateOf,
  totalsOf,
} from './expected-entry.ts';
import { thousandths } from './mutations.ts';
import type { Mutation, Unchecked } from './requests.ts';

/** A reply lists so many problems at most. */
export const maximumProblems = 100;

/** A request for an entry, or for many; or an entry of one. */
type Asked<Entries> = { asked: Entries; mutation?: Mutation };

const isReadable = ({ memo, lines }: AskedEntry): boolean =>
  memo.trim() !== '' && lines.length >= 2;

/** Whether entries can be read at all; of those that cannot none is taken for a repeat. */
export const isWellFormed = ({ asked, mutation }: Asked<readonly AskedEntry[]>): boolean =>
  mutation === undefined && asked.every(isReadable);

/** What is wrong with the lines, as far as they can be read. */
const problemsOfLines = (
  { lines, transactionCurrency }: AskedEntry,
  { code, pointer, value }: { code?: string; pointer?: string; value?: unknown } = {},
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
  // An amount in thousandths has a total all the same, and hundredths never come to it.
  const isBalanced = isFirstUnread ? value !== thousandths : debits === credits;
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

type Context = Known & {
  /** The accounts of the tenant; `undefined` where there is no such tenant, as is `currency`. */
  chart: ReadonlySet<string> | undefined;
  isLocked: (postingDate: string) => boolean;
};

/** Whether the date is locked on which it counts, as far as that can be read. */
const problemsOfLock = (
  { date, accrualDate }: Pick<AskedEntry, 'date' | 'accrualDate'>,
  { mutation, isLocked }: Pick<Context, 'isLocked'> & { mutation: Mutation | undefined },
): string[] => {
  const pointer = accrualDate === null ? '/date' : '/accrual_date';
  const isUnread = mutation?.pointer === pointer || mutation?.pointer === '/accrual_date';
  return unless(isUnread || !isLocked(accrualDate ?? date), `period_locked ${pointer}`);
};

/** Everything that is wrong with an entry that is asked for, as `code pointer`. */
const problemsOfEntry = ({ asked, mutation }: Asked<AskedEntry>, context: Context): string[] => {
  const { chart } = context;
  const unchecked = new Set(mutation?.unchecked);
  const accounts = asked.lines.flatMap(({ account }, line) => {
    const isUnread = line === 0 && unchecked.has('first account');
    const isThere = isUnread || chart === undefined || chart.has(account);
    return unless(isThere, `account_not_found /entries/${line}/account`);
  });
  const hasMemo = asked.memo.trim() !== '' || mutation?.pointer === '/memo';
  return [
    ...unless(hasMemo, 'memo_must_not_be_blank /memo'),
    ...problemsOfLines(asked, mutation),
    ...(unchecked.has('accounts') ? [] : accounts),
    ...problemsOfRate(asked, { ...context, unchecked }),
    ...(chart === undefined || unchecked.has('tenant')
      ? []
      : problemsOfLock(asked, { ...context, mutation })),
  ];
};

/** What a mutation of a request is to one of its entries. */
const mutationAt = (mutation: Mutation | undefined, base: string): Mutation | undefined => {
  if (mutation === undefined || mutation.unchecked?.includes('tenant')) return mutation;
  const isInside = mutation.pointer.startsWith(`${base}/`);
  return isInside ? { ...mutation, pointer: mutation.pointer.slice(base.length) } : undefined;
};

/** Where a request says something of one of its entries. */
export const baseOf = (index: number, { isBatch }: { isBatch: boolean }): string =>
  isBatch ? `/journal_entries/${index}` : '';

/** Everything that is wrong with each of the entries that are asked for. */
export const problemsOfEntries = (
  { asked, mutation }: Asked<readonly AskedEntry[]>,
  { isBatch, ...context }: Context & { isBatch: boolean },
): string[][] =>
  asked.map((entry, index) => {
    const base = baseOf(index, { isBatch });
    const inside = mutationAt(mutation, base);
    const found = problemsOfEntry({ asked: entry, ...(inside && { mutation: inside }) }, context);
    return found.map((problem) => problem.replace(' ', ` ${base}`));
  });

/** What is wrong with a request beside its entries. */
export const problemsOfRequest = (
  { asked, mutation }: Asked<readonly AskedEntry[]>,
  { chart }: Pick<Context, 'chart'>,
): string[] => {
  const ids = asked.map(({ externalId }) => externalId);
  const hasTenant = chart !== undefined || mutation?.unchecked?.includes('tenant') === true;
  return [
    ...(mutation ? [`${mutation.code} ${mutation.pointer}`] : []),
    ...unless(hasTenant, 'tenant_not_found /domain_url'),
    ...ids.flatMap((id, index) =>
      unless(
        id === null || ids.indexOf(id) === index,
        `duplicate_external_id /journal_entries/${index}/external_id`,
      ),
    ),
  ];
};

/** Whether a refusal names what it must, and nothing beyond what it may. */
export const isSaid = (
  given: readonly string[],
  { must, may }: Record<'must' | 'may', readonly string[]>,
): boolean =>
  given.every((it) => may.includes(it)) &&
  new Set(given).size === given.length &&
  (given.length === Math.min(may.length, maximumProblems) ||
    must.every((it) => given.includes(it)));

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

const isSameMetadata = (one: AskedEntry, other: AskedEntry): boolean =>
  canonicalText(one.metadata ?? {}) === canonicalText(other.metadata ?? {});

const differencesOf = (asked: AskedEntry, kept: AskedEntry): string[] => [
  ...(['date', 'memo', 'transactionCurrency', 'reportingCurrency'] as const).flatMap((field) =>
    unless(asked[field] === kept[field], `/${field}`),
  ),
  ...unless(asked.accrualDate === kept.accrualDate, '/accrual_date'),
  ...unless(isSameMetadata(asked, kept), '/metadata'),
  ...Array.from({ length: Math.max(asked.lines.length, kept.lines.length) }, (_, line) =>
    differencesOfLine(line, { asked: asked.lines[line], kept: kept.lines[line] }),
  ).flat(),
];

/** What was asked for and what stands for it, where a request says something of it. */
export type Repeat = { asked: AskedEntry; kept: AskedEntry; base: string };

/** The header that says in what repeats differ from their originals. */
export const expectedMismatch = (repeats: readonly Repeat[]): string | undefined => {
  const pointers = repeats.flatMap(({ asked, kept, base }) =>
    differencesOf(asked, kept).map((pointer) => `${base}${pointer}`),
  );
  if (pointers.length === 0) return undefined;
  const upTo = (depth: number): string =>
    [...new Set(pointers.map((it) => it.split('/', depth + 1).join('/')))].join(', ');
  return [5, 4, 3, 2, 1].map(upTo).find((text) => text.length <= maximumHeaderLength);
};
