// The rules of a journal entry, and how one is made. Pure: time, ids and numbers are arguments.

import Big from 'big.js';
import * as z from 'zod/mini';
import { type Problem, pointerTo, problem } from '../errors.ts';
import type { Account } from './accounts.ts';
import { convertAndAllocate, fitsDecimals, formatAmount, parseAmount, sumOf } from './amounts.ts';
import { decimalsOf } from './currencies.ts';
import type { ExchangeRate } from './exchange-rates.ts';

export const JournalLine = z.object({
  lineNumber: z.int(),
  account: z.string(),
  accountName: z.string(),
  description: z.string(),
  debit: z.string(),
  credit: z.string(),
  reportingDebit: z.string(),
  reportingCredit: z.string(),
});
export type JournalLine = z.infer<typeof JournalLine>;

/** An entry as the ledger keeps it. Amounts are decimal text with two decimals. */
export const JournalEntry = z.object({
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  memo: z.string(),
  entryType: z.literal('Manual Journal'),
  status: z.enum(['posted', 'scheduled']),
  accrualDate: z.nullable(z.string()),
  externalId: z.nullable(z.string()),
  transactionCurrency: z.string(),
  transactionAmount: z.string(),
  reportingCurrency: z.string(),
  reportingAmount: z.string(),
  exchangeRate: z.string(),
  exchangeRateDate: z.string(),
  exchangeRateSource: z.enum(['ecb_published', 'ecb_derived', 'same_currency']),
  lines: z.array(JournalLine),
  createdAt: z.string(),
  createdWithKey: z.string(),
  postedAt: z.nullable(z.string()),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

/** A line as it was asked for. */
export type DraftLine = { account: string; debit: Big; credit: Big; description: string };

/** An entry as it was asked for, with every field well formed. */
export type EntryDraft = {
  date: string;
  memo: string;
  transactionCurrency: string;
  reportingCurrency: string;
  lines: DraftLine[];
  accrualDate: string | null;
  externalId: string | null;
};

/** Reads a well-formed line; an omitted side is zero and an omitted description is empty. */
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

const sides = ['debit', 'credit'] as const;

/**
 * The problems of the lines themselves: sides, decimals of the currency, balance.
 *
 * @param lines `undefined` stands for a line that could not be read; then nothing is said of the
 *   balance, which depends on it
 * @param currency `undefined` where it could not be read; then nothing is said of decimals
 */
export const lineProblems = (
  lines: readonly (Pick<DraftLine, 'debit' | 'credit'> | undefined)[],
  currency: string | undefined,
): Problem[] => {
  const found = lines.flatMap((line, index) =>
    line === undefined ? [] : problemsOfLine(line, { index, currency }),
  );
  const readable = lines.filter((line) => line !== undefined);
  if (found.length > 0 || readable.length < lines.length || lines.length === 0) return found;
  const totalDebits = sumOf(readable.map(({ debit }) => debit));
  const totalCredits = sumOf(readable.map(({ credit }) => credit));
  if (totalDebits.eq(totalCredits)) return [];
  return [
    problem('debits_must_equal_credits', '/entries', {
      total_debits: formatAmount(totalDebits),
      total_credits: formatAmount(totalCredits),
      difference: formatAmount(totalDebits.minus(totalCredits)),
    }),
  ];
};

const problemsOfLine = (
  line: Pick<DraftLine, 'debit' | 'credit'>,
  { index, currency }: { index: number; currency: string | undefined },
): Problem[] => {
  if (line.debit.gt(0) === line.credit.gt(0)) {
    return [
      problem('line_must_have_one_side', pointerTo('entries', index), {
        debit: formatAmount(line.debit),
        credit: formatAmount(line.credit),
      }),
    ];
  }
  if (currency === undefined) return [];
  const decimals = decimalsOf(currency);
  return sides
    .filter((side) => !fitsDecimals(line[side], decimals))
    .map((side) =>
      problem('amount_too_precise', pointerTo('entries', index, side), { currency, decimals }),
    );
};

/** The problems of account codes (`undefined` for one that could not be read). */
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

/** The prefix of a number says which series it counts: manual or imported journals. */
export type JournalSeries = 'MJ' | 'IJ';

/** `MJ-20260131-0001`: series, entry date, sequence within tenant, series and date. */
export const journalNumber = ({
  series,
  date,
  sequence,
}: {
  series: JournalSeries;
  date: string;
  sequence: number;
}): string => `${series}-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;

/** A line whose account is known. */
export type ResolvedLine = {
  account: { code: string; name: string };
  description: string;
  debit: Big;
  credit: Big;
};

/**
 * Lines as the ledger keeps them, with what each comes to in the reporting currency. Reporting
 * debits and reporting credits each add up to `reportingAmount`, to the last unit.
 */
export const convertLines = (
  lines: readonly ResolvedLine[],
  conversion: { rate: Big; decimals: number },
): { transactionAmount: string; reportingAmount: string; lines: JournalLine[] } => {
  const amounts = lines.map(({ debit }) => debit);
  const debits = convertAndAllocate(amounts, conversion);
  const credits = convertAndAllocate(
    lines.map(({ credit }) => credit),
    conversion,
  );
  return {
    transactionAmount: formatAmount(sumOf(amounts)),
    reportingAmount: formatAmount(debits.total),
    lines: lines.map((line, index) => ({
      lineNumber: index + 1,
      account: line.account.code,
      accountName: line.account.name,
      description: line.description,
      debit: formatAmount(line.debit),
      credit: formatAmount(line.credit),
      reportingDebit: formatAmount(debits.shares[index] ?? new Big(0)),
      reportingCredit: formatAmount(credits.shares[index] ?? new Big(0)),
    })),
  };
};

/** What an entry needs beyond the draft. `today` is the UTC date of `createdAt`. */
export type EntryContext = {
  accounts: ReadonlyMap<string, Account>;
  exchangeRate: ExchangeRate;
  entryId: string;
  createdAt: string;
  createdWithKey: string;
};

/** Makes the entry, all but its number. */
export const makeEntry = (
  draft: EntryDraft,
  context: EntryContext,
): Omit<JournalEntry, 'journalNumber'> => {
  const today = context.createdAt.slice(0, 10);
  const scheduled = draft.accrualDate !== null && draft.accrualDate > today;
  const nameOf = (code: string): string => context.accounts.get(code)?.name ?? '';
  const converted = convertLines(
    draft.lines.map((line) => ({
      ...line,
      account: { code: line.account, name: nameOf(line.account) },
    })),
    {
      rate: new Big(context.exchangeRate.rate),
      decimals: decimalsOf(draft.reportingCurrency),
    },
  );
  return {
    entryId: context.entryId,
    date: draft.date,
    memo: draft.memo,
    entryType: 'Manual Journal',
    status: scheduled ? 'scheduled' : 'posted',
    accrualDate: draft.accrualDate,
    externalId: draft.externalId,
    transactionCurrency: draft.transactionCurrency,
    transactionAmount: converted.transactionAmount,
    reportingCurrency: draft.reportingCurrency,
    reportingAmount: converted.reportingAmount,
    exchangeRate: context.exchangeRate.rate,
    exchangeRateDate: context.exchangeRate.date,
    exchangeRateSource: context.exchangeRate.source,
    lines: converted.lines,
    createdAt: context.createdAt,
    createdWithKey: context.createdWithKey,
    postedAt: scheduled ? null : context.createdAt,
  };
};

/** Where a repeated request differs from the entry it repeats, as pointers into the request. */
export const differences = (draft: EntryDraft, entry: JournalEntry): string[] => {
  const fields = [
    ['/date', draft.date, entry.date],
    ['/memo', draft.memo, entry.memo],
    ['/transactionCurrency', draft.transactionCurrency, entry.transactionCurrency],
    ['/reportingCurrency', draft.reportingCurrency, entry.reportingCurrency],
    ['/accrual_date', draft.accrualDate, entry.accrualDate],
  ] as const;
  const lineCount = Math.max(draft.lines.length, entry.lines.length);
  return [
    ...fields.filter(([, asked, kept]) => asked !== kept).map(([pointer]) => pointer),
    ...Array.from({ length: lineCount }, (_, index) =>
      differencesOfLine(index, { asked: draft.lines[index], kept: entry.lines[index] }),
    ).flat(),
  ];
};

const differencesOfLine = (
  index: number,
  { asked, kept }: { asked: DraftLine | undefined; kept: JournalLine | undefined },
): string[] => {
  if (asked === undefined || kept === undefined) return [pointerTo('entries', index)];
  return [
    ...(['account', 'description'] as const).filter((field) => asked[field] !== kept[field]),
    ...sides.filter((side) => !asked[side].eq(kept[side])),
  ].map((field) => pointerTo('entries', index, field));
};

/**
 * Fits pointers into a header of at most `longest` characters by naming parents instead of their
 * fields: first whole lines, then all lines. A parent's pointer covers everything below it.
 */
export const pointerList = (pointers: readonly string[], longest: number): string => {
  const atDepth = (depth: number) =>
    [
      ...new Set(
        pointers.map((it) =>
          it
            .split('/')
            .slice(0, depth + 1)
            .join('/'),
        ),
      ),
    ].join(', ');
  return [3, 2, 1].map(atDepth).find((list) => list.length <= longest) ?? '';
};
