// What Xero's organisations and manual journals mean to the ledger. Their fields are those of
// xero_accounting.yaml in github.com/XeroAPI/Xero-OpenAPI, version 16.1.0.

import Big from 'big.js';
import * as z from 'zod/mini';
import { isCurrency } from '../../money/currencies.ts';
import { isCalendarDate } from '../../money/dates.ts';
import type {
  AccountReference,
  PlatformJournal,
  PlatformJournalLine,
  ReadJournal,
} from '../platform.ts';
import { CompanyName, Decimal } from '../replies.ts';
import { Pagination } from './xero-pages.ts';

/**
 * Dates come as `/Date(1553126400000+0000)/`, the milliseconds since 1970 with the offset of the
 * place where they are meant (developer.xero.com/documentation/api/requests-and-responses).
 */
const dateFrom = (text: string): string => {
  const [, milliseconds, sign, hours, minutes] =
    /^\/Date\((-?\d{1,15})(?:([+-])(\d\d)(\d\d))?\)\/$/.exec(text) ?? [];
  if (milliseconds === undefined) {
    return /^(\d{4}-\d\d-\d\d)(?:T[\d:.]+Z?)?$/.exec(text)?.[1] ?? '';
  }
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  const moment = Number(milliseconds) + (sign === '-' ? -offset : offset);
  return new Date(moment).toISOString().slice(0, 10);
};

const XeroDate = z.pipe(
  z.string(),
  z.pipe(z.transform(dateFrom), z.string().check(z.refine(isCalendarDate))),
);

/** Lines have been seen that name their account by its code alone. */
const JournalLine = z
  .object({
    AccountID: z.nullish(z.guid()),
    AccountCode: z.nullish(z.string()),
    /** "Debits are positive, credits are negative value". */
    LineAmount: z.nullish(Decimal),
    TaxAmount: z.nullish(Decimal),
    Description: z.nullish(z.string()),
    IsBlank: z.nullish(z.boolean()),
  })
  .check(
    z.refine((it) => it.IsBlank || accountOf(it) !== undefined, { path: ['AccountID'] }),
    z.refine((it) => it.IsBlank || it.LineAmount != null, { path: ['LineAmount'] }),
  );
type JournalLine = z.output<typeof JournalLine>;

const accountOf = (line: {
  AccountID?: string | null | undefined;
  AccountCode?: string | null | undefined;
}): AccountReference | undefined => {
  if (line.AccountID) return { id: line.AccountID.toLowerCase() };
  const code = line.AccountCode?.trim();
  return code ? { code } : undefined;
};

/**
 * An archived journal is one that people did not want to see any more; only a voided one is
 * reversed in the ledger (help.xero.com/au/ManualJournals-VoidArchive). So both of these count.
 */
const PostedJournal = z.object({
  ManualJournalID: z.guid(),
  Status: z.enum(['POSTED', 'ARCHIVED']),
  Date: XeroDate,
  Narration: z.string(),
  LineAmountTypes: z._default(z.enum(['Exclusive', 'Inclusive', 'NoTax']), 'NoTax'),
  JournalLines: z.array(JournalLine),
});
type PostedJournal = z.output<typeof PostedJournal>;

const OtherJournal = z.object({
  ManualJournalID: z.guid(),
  Status: z.enum(['DRAFT', 'DELETED', 'VOIDED']),
});

export const ApiEntry = z.discriminatedUnion('Status', [PostedJournal, OtherJournal]);
type ApiEntry = z.output<typeof ApiEntry>;

/** Records are read one by one. */
const Records = z.array(z.unknown());

export const AccountsReply = z.object({ Accounts: Records });

export const JournalsReply = z.object({
  pagination: z.nullish(Pagination),
  ManualJournals: Records,
});

const isPosted = (journal: ApiEntry): journal is PostedJournal => 'JournalLines' in journal;

/**
 * It is taken to have the sign of its line's amount, which Xero does not say in words. Were it not
 * so, the journal would not balance.
 */
const taxOf = (line: JournalLine, { LineAmountTypes }: PostedJournal): Big =>
  LineAmountTypes === 'NoTax' ? new Big(0) : (line.TaxAmount ?? new Big(0));

/** Whether Xero posted some of the journal to the account for sales tax, which no line names. */
export const hasTax = (journal: ApiEntry): boolean =>
  isPosted(journal) && journal.JournalLines.some((line) => !taxOf(line, journal).eq(0));

const sidesOf = (amount: Big): Pick<PlatformJournalLine, 'debit' | 'credit'> => ({
  debit: amount.gt(0) ? amount : new Big(0),
  credit: amount.lt(0) ? amount.abs() : new Big(0),
});

/** A line's own amount, and its tax behind it, so that both can be told where they came from. */
const linesFrom = (
  line: JournalLine,
  { journal, taxAccount }: { journal: PostedJournal; taxAccount: AccountReference },
): PlatformJournalLine[] => {
  const account = accountOf(line);
  // A blank line is one that nobody filled in: it has no account, and posts nothing.
  if (account === undefined) return [];
  const tax = taxOf(line, journal);
  const isInclusive = journal.LineAmountTypes === 'Inclusive';
  const amount = line.LineAmount ?? new Big(0);
  const description = line.Description?.trim() ?? '';
  const posted = [
    { account, amount: isInclusive ? amount.minus(tax) : amount },
    ...(tax.eq(0) ? [] : [{ account: taxAccount, amount: tax }]),
  ];
  return posted.map((it) => ({
    account: it.account,
    description,
    ...sidesOf(it.amount),
    reportingAmount: null,
  }));
};

const journalFrom = (journal: PostedJournal, taxAccount: AccountReference): PlatformJournal => ({
  reference: journal.ManualJournalID.toLowerCase(),
  date: journal.Date,
  memo: journal.Narration.trim() || `Manual journal ${journal.ManualJournalID}`,
  // The specification has no currency for manual journals: they are in the organisation's own.
  currency: null,
  exchangeRate: null,
  lines: journal.JournalLines.flatMap((line) => linesFrom(line, { journal, taxAccount })),
});

/** @param taxAccount where the organisation posts its sales tax */
export const stateOf = (journal: ApiEntry, taxAccount: AccountReference): ReadJournal => {
  if (isPosted(journal)) return { state: 'posted', journal: journalFrom(journal, taxAccount) };
  return { state: journal.Status === 'DRAFT' ? 'not_posted' : 'voided' };
};

export const OrganisationsReply = z.object({
  Organisations: z.tuple([
    z.object({
      Name: CompanyName,
      BaseCurrency: z.string().check(z.refine(isCurrency)),
      /** A year that cannot be read is no reason to refuse the company. */
      FinancialYearEndDay: z.optional(z.unknown()),
      FinancialYearEndMonth: z.optional(z.unknown()),
    }),
  ]),
});

const SystemAccount = z.object({ AccountID: z.guid(), SystemAccount: z.nullish(z.string()) });

/** The accounts that Xero itself posts to; one that cannot be read is not the one looked for. */
export const SystemAccountsReply = z.object({
  Accounts: z.array(z.catch(z.nullable(SystemAccount), null)),
});
