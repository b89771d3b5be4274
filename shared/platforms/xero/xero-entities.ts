// Converts Xero's organisations and manual journals. The fields are from xero_accounting.yaml in
// github.com/XeroAPI/Xero-OpenAPI, version 16.1.0.

import Big from 'big.js';
import * as z from 'zod/mini';
import { isCurrency } from '../../money/amounts.ts';
import { isCalendarDate } from '../../money/dates.ts';
import { sidesOf } from '../../money/sides.ts';
import type {
  AccountReference,
  PlatformJournal,
  PlatformJournalLine,
  ReadJournal,
} from '../platform.ts';
import { Records } from '../records.ts';
import { CompanyName, Decimal } from '../replies.ts';
import { Pagination } from './xero-pages.ts';

/**
 * A date such as `/Date(1553126400000+0000)/`: milliseconds since 1970 and the offset of its time
 * zone (developer.xero.com/documentation/api/requests-and-responses).
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

/** Some lines name their account only by its code. */
const AccountNames = z.object({
  AccountID: z.nullish(z.guid()),
  AccountCode: z.nullish(z.string()),
});
const accountOf = (names: z.output<typeof AccountNames>): AccountReference | undefined => {
  if (names.AccountID) return { id: names.AccountID.toLowerCase() };
  const code = names.AccountCode?.trim();
  return code ? { code } : undefined;
};

const JournalLine = z
  .object({
    ...AccountNames.shape,
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

/**
 * An archived journal is only hidden and still counts. Only a voided journal is reversed in the
 * ledger (help.xero.com/au/ManualJournals-VoidArchive).
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

export const AccountsReply = z.object({ Accounts: Records });

export const JournalsReply = z.object({
  pagination: z.nullish(Pagination),
  ManualJournals: Records,
});

const isPosted = (journal: ApiEntry): journal is PostedJournal => 'JournalLines' in journal;

/**
 * The tax of a line. It has the sign of the line's amount; otherwise journals would not balance.
 */
const taxOf = (line: JournalLine, { LineAmountTypes }: PostedJournal): Big =>
  LineAmountTypes === 'NoTax' ? new Big(0) : (line.TaxAmount ?? new Big(0));

/** Whether Xero posted a part of the journal to its sales tax account, which no line names. */
export const hasTax = (journal: ApiEntry): boolean =>
  isPosted(journal) && journal.JournalLines.some((line) => !taxOf(line, journal).eq(0));

/** The line and, after it, a line for its tax. A blank line has no account and posts nothing. */
const linesFrom = (
  line: JournalLine,
  { journal, taxAccount }: { journal: PostedJournal; taxAccount: AccountReference },
): PlatformJournalLine[] => {
  const account = accountOf(line);
  if (account === undefined) return [];
  const tax = taxOf(line, journal);
  const isInclusive = journal.LineAmountTypes === 'Inclusive';
  const amount = line.LineAmount ?? new Big(0);
  const description = line.Description?.trim() ?? '';
  const amounts = [
    { account, amount: isInclusive ? amount.minus(tax) : amount },
    ...(tax.eq(0) ? [] : [{ account: taxAccount, amount: tax }]),
  ];
  return amounts.map((it) => ({
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
  // Xero's manual journals have no currency field, so they are in the organisation's currency.
  currency: null,
  exchangeRate: null,
  lines: journal.JournalLines.flatMap((line) => linesFrom(line, { journal, taxAccount })),
});

/** @param taxAccount the organisation's sales tax account */
export const stateOf = (journal: ApiEntry, taxAccount: AccountReference): ReadJournal => {
  if (isPosted(journal)) return { state: 'posted', journal: journalFrom(journal, taxAccount) };
  return { state: journal.Status === 'DRAFT' ? 'not_posted' : 'voided' };
};

export const OrganisationsReply = z.object({
  Organisations: z.tuple([
    z.object({
      Name: CompanyName,
      BaseCurrency: z.string().check(z.refine(isCurrency)),
      /** Read leniently, because an unknown year is no reason to refuse the company. */
      FinancialYearEndDay: z.optional(z.unknown()),
      FinancialYearEndMonth: z.optional(z.unknown()),
    }),
  ]),
});

const SystemAccount = z.object({ AccountID: z.guid(), SystemAccount: z.nullish(z.string()) });

/** Xero's system accounts. An account that cannot be read becomes null. */
export const SystemAccountsReply = z.object({
  Accounts: z.array(z.catch(z.nullable(SystemAccount), null)),
});
