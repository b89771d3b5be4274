// Drafts of entries, complete or partly readable, and their rules.

import type Big from 'big.js';
import { type Account, sides } from '../../accounts/accounts.ts';
import type { Quotas } from '../../applications/quotas.ts';
import { type Problem, pointerTo, problem } from '../../errors.ts';
import {
  decimalsOf,
  fitsDecimals,
  formatExactly,
  maximumAmount,
  parseAmount,
  sumOf,
} from '../../money/amounts.ts';
import { addYears } from '../../money/dates.ts';
import { type Sides, totalOf } from '../../money/sides.ts';
import type { Tenant } from '../../tenants/tenants.ts';

/**
 * The maximum number of lines of all entries in a request. With the longest texts they take 3.3 MB;
 * a transaction allows 4 MB (DynamoDB Developer Guide, "Quotas").
 */
export const maximumBatchLines = 1_500;

/** The JSON pointer to an entry of a request; empty if the request is the entry. */
export const pointerToEntry = (index: number, { isBatch }: { isBatch: boolean }): string =>
  isBatch ? pointerTo('journal_entries', index) : '';

export type DraftLine = Sides & { account: string; description: string };

/** The entry of a valid request. */
export type EntryDraft = {
  date: string;
  memo: string;
  transactionCurrency: string;
  reportingCurrency: string;
  /** The caller's own rate; null if the request has none. */
  exchangeRate: string | null;
  isRateAccepted: boolean;
  lines: DraftLine[];
  accrualDate: string | null;
  externalId: string | null;
  /** The user who posts; null if the request names none. */
  userId: string | null;
  metadata: Record<string, string>;
};

/**
 * The readable parts of a draft, for the rules that do not depend on the rest. A field is
 * `undefined` if it could not be read, and null if the request omits it. A line has amounts only if
 * both could be read.
 */
export type PartialDraft = {
  date: string | undefined;
  accrualDate: string | null | undefined;
  transactionCurrency: string | undefined;
  reportingCurrency: string | undefined;
  exchangeRate: string | null | undefined;
  isRateAccepted: boolean;
  externalId: string | null;
  userId: string | null;
  lines: readonly { account: string | undefined; amounts: LineAmounts | undefined }[];
};

type LineAmounts = Sides & {
  /** Whether the schema has refused one of the amounts. They still count in the totals. */
  isRefused?: boolean;
};

/** Reads a valid line. An omitted side is zero; an omitted description is empty. */
export const draftLine = (line: {
  account: string;
  debit?: string | number | undefined;
  credit?: string | number | undefined;
  description?: string | undefined;
}): DraftLine => ({
  account: line.account,
  debit: parseAmount(line.debit),
  credit: parseAmount(line.credit),
  description: line.description ?? '',
});

/** The posting date; `undefined` if the field that sets it could not be read. */
export const postingDateOf = ({
  date,
  accrualDate,
}: Pick<PartialDraft, 'date' | 'accrualDate'>): string | undefined =>
  accrualDate === null ? date : accrualDate;

export const partialOf = (draft: EntryDraft): PartialDraft => ({
  ...draft,
  lines: draft.lines.map((line) => ({ account: line.account, amounts: line })),
});

/**
 * Checks the sides and decimals of each line, then the balance and size of the totals.
 *
 * @param lines `undefined` for a line that could not be read; then the totals are not checked
 * @param currency `undefined` if it could not be read; then the decimals are not checked
 */
export const lineProblems = (
  lines: readonly (LineAmounts | undefined)[],
  currency: string | undefined,
): Problem[] => {
  const readable = lines.filter((line) => line !== undefined);
  return [
    ...lines.flatMap((line, index) =>
      line === undefined ? [] : problemsOfLine(line, { index, currency }),
    ),
    ...(readable.length < lines.length ? [] : totalProblems(readable, currency)),
  ];
};

const totalProblems = (lines: readonly LineAmounts[], currency: string | undefined): Problem[] => {
  const [debits, credits] = [totalOf(lines, 'debit'), totalOf(lines, 'credit')];
  const unbalanced = problem('debits_must_equal_credits', '/entries', {
    total_debits: formatExactly(debits, currency),
    total_credits: formatExactly(credits, currency),
    difference: formatExactly(debits.minus(credits), currency),
  });
  return [
    ...(debits.eq(credits) ? [] : [unbalanced]),
    ...sizeProblems(debits.gt(credits) ? debits : credits, currency),
  ];
};

const sizeProblems = (total: Big, currency: string | undefined): Problem[] =>
  total.lte(maximumAmount)
    ? []
    : [
        problem('amount_too_large', '/entries', {
          total: formatExactly(total, currency),
          maximum: formatExactly(maximumAmount, undefined),
          ...(currency !== undefined && { currency }),
        }),
      ];

/** Finds a total that is too large after conversion to another currency. */
export const convertedProblems = (
  { lines, transactionCurrency }: PartialDraft,
  { currency, rate }: { currency: string; rate: Big },
): Problem[] => {
  if (transactionCurrency === currency) return [];
  const debits = lines.flatMap(({ amounts }) => amounts?.debit ?? []);
  return sizeProblems(sumOf(debits).times(rate), currency);
};

const problemsOfLine = (
  line: LineAmounts,
  { index, currency }: { index: number; currency: string | undefined },
): Problem[] => {
  const sidesProblem = problem('line_must_have_one_side', pointerTo('entries', index), {
    debit: formatExactly(line.debit, currency),
    credit: formatExactly(line.credit, currency),
  });
  const hasOneSide = line.debit.gt(0) !== line.credit.gt(0);
  return [
    ...(hasOneSide ? [] : [sidesProblem]),
    ...(currency === undefined || line.isRefused
      ? []
      : precisionProblems(line, { index, currency })),
  ];
};

const precisionProblems = (
  line: LineAmounts,
  { index, currency }: { index: number; currency: string },
): Problem[] => {
  const decimals = decimalsOf(currency);
  return sides
    .filter((side) => !fitsDecimals(line[side], decimals))
    .map((side) =>
      problem('amount_too_precise', pointerTo('entries', index, side), { currency, decimals }),
    );
};

/** @param codes `undefined` for a code that could not be read */
export const accountProblems = (
  codes: readonly (string | undefined)[],
  accounts: ReadonlyMap<string, Account>,
): Problem[] =>
  codes.flatMap((code, index) => {
    if (code === undefined) return [];
    const status = accounts.get(code)?.status;
    if (status === 'active') return [];
    const broken = status === undefined ? 'account_not_found' : 'account_archived';
    return [problem(broken, pointerTo('entries', index, 'account'), { account: code })];
  });

/** The default range of entry dates of tenants. */
export type DateQuotas = Pick<Quotas, 'entryYearsBack' | 'entryYearsAhead'>;

/** The range of entry dates of a tenant, in years before and after today. */
export const horizonOf = (
  tenant: Pick<Tenant, 'entryYearsBack' | 'entryYearsAhead'> | undefined,
  quotas: DateQuotas,
): DateQuotas => ({
  entryYearsBack: tenant?.entryYearsBack ?? quotas.entryYearsBack,
  entryYearsAhead: tenant?.entryYearsAhead ?? quotas.entryYearsAhead,
});

/**
 * Finds dates that are too far from today (UTC). Dates are limited because reports read every year
 * with entries, and because a date far away is usually a mistake.
 */
export const dateRangeProblems = (
  { date, accrualDate }: Pick<PartialDraft, 'date' | 'accrualDate'>,
  { today, horizon }: { today: string; horizon: DateQuotas },
): Problem[] => {
  const earliest = addYears(today, -horizon.entryYearsBack);
  const latest = addYears(today, horizon.entryYearsAhead);
  const back = { quota: 'entry_years_back', maximum: horizon.entryYearsBack, earliest };
  const ahead = { quota: 'entry_years_ahead', maximum: horizon.entryYearsAhead, latest };
  const at = (pointer: string, value: string | null | undefined): Problem[] => {
    if (!value || (value >= earliest && value <= latest)) return [];
    return [problem('date_out_of_range', pointer, value < earliest ? back : ahead)];
  };
  return [...at('/date', date), ...at('/accrual_date', accrualDate)];
};
