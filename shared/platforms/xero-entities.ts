// What Xero's organisations, accounts and manual journals mean to the ledger. Their fields are
// those of xero_accounting.yaml in github.com/XeroAPI/Xero-OpenAPI.

import Big from 'big.js';
import * as z from 'zod/mini';
import {
  type Account,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  type PlatformAccount,
} from '../domain/accounts.ts';
import { isCurrency } from '../domain/currencies.ts';
import { isCalendarDate } from '../domain/dates.ts';
import { truncate } from '../domain/texts.ts';
import { CompanyName, Decimal } from './http.ts';
import type { PlatformJournal, PlatformJournalLine } from './platform.ts';

const typeByClass = {
  ASSET: 'asset',
  LIABILITY: 'liability',
  EQUITY: 'equity',
  REVENUE: 'revenue',
  EXPENSE: 'expense',
} as const satisfies Record<string, Account['type']>;

/** Each of Xero's types of accounts belongs to one class, and only that matters here. */
const XeroAccount = z.object({
  AccountID: z.guid(),
  /** Bank accounts need none. */
  Code: z.nullish(z.string()),
  Name: z.string(),
  Class: z.enum(Object.keys(typeByClass) as (keyof typeof typeByClass)[]),
  Status: z.enum(['ACTIVE', 'ARCHIVED', 'DELETED']),
});
type XeroAccount = z.output<typeof XeroAccount>;

export const AccountsReply = z.object({ Accounts: z.array(XeroAccount) });

const accountFrom = (account: XeroAccount): PlatformAccount => {
  const code = account.Code?.trim() ?? '';
  return {
    accountId: account.AccountID.toLowerCase(),
    code: code === '' || code.length > maximumAccountCodeLength ? null : code,
    name: truncate(maximumAccountNameLength, account.Name.trim()),
    type: typeByClass[account.Class],
    status: account.Status === 'ARCHIVED' ? 'archived' : 'active',
  };
};

/** Deleted accounts are left out; archived ones are not, since older journals name them. */
export const accountsFrom = (reply: z.output<typeof AccountsReply>): PlatformAccount[] =>
  reply.Accounts.filter(({ Status }) => Status !== 'DELETED').map(accountFrom);

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

const JournalLine = z
  .object({
    AccountID: z.optional(z.guid()),
    /** "Debits are positive, credits are negative value". */
    LineAmount: Decimal,
    TaxAmount: z.nullish(Decimal),
    Description: z.nullish(z.string()),
    IsBlank: z.nullish(z.boolean()),
  })
  .check(z.refine(({ IsBlank, AccountID }) => IsBlank || AccountID !== undefined));
type JournalLine = z.output<typeof JournalLine>;

/**
 * An archived journal is one that people did not want to see any more; only a voided one is
 * reversed in the ledger (help.xero.com/au/ManualJournals-VoidArchive). So both of these count.
 */
const PostedJournal = z.object({
  ManualJournalID: z.guid(),
  Status: z.enum(['POSTED', 'ARCHIVED']),
  Date: XeroDate,
  Narration: z.string(),
  LineAmountTypes: z.enum(['Exclusive', 'Inclusive', 'NoTax']),
  JournalLines: z.array(JournalLine),
});
type PostedJournal = z.output<typeof PostedJournal>;

const OtherJournal = z.object({ Status: z.enum(['DRAFT', 'DELETED', 'VOIDED']) });

/** Xero's documentation shows pages without `pagination`, its specification pages with it. */
export const JournalsReply = z.object({
  pagination: z.nullish(z.object({ page: z.int(), pageCount: z.int() })),
  ManualJournals: z.array(z.discriminatedUnion('Status', [PostedJournal, OtherJournal])),
});

export const postedIn = (reply: z.output<typeof JournalsReply>): PostedJournal[] =>
  reply.ManualJournals.filter((journal) => 'ManualJournalID' in journal);

/**
 * It is taken to have the sign of its line's amount, which Xero does not say in words. Were it not
 * so, the journal would not balance.
 */
const taxOf = (line: JournalLine, { LineAmountTypes }: PostedJournal): Big =>
  LineAmountTypes === 'NoTax' ? new Big(0) : (line.TaxAmount ?? new Big(0));

/** Whether Xero posted some of the journal to the account for sales tax, which no line names. */
export const hasTax = (journal: PostedJournal): boolean =>
  journal.JournalLines.some((line) => !taxOf(line, journal).eq(0));

const sidesOf = (amount: Big): Pick<PlatformJournalLine, 'debit' | 'credit'> => ({
  debit: amount.gt(0) ? amount : new Big(0),
  credit: amount.lt(0) ? amount.abs() : new Big(0),
});

/** A line's own amount, and its tax behind it, so that both can be told where they came from. */
const linesFrom = (
  line: JournalLine,
  { journal, taxAccountId }: { journal: PostedJournal; taxAccountId: string | null },
): PlatformJournalLine[] => {
  const tax = taxOf(line, journal);
  const isInclusive = journal.LineAmountTypes === 'Inclusive';
  const net = isInclusive ? line.LineAmount.minus(tax) : line.LineAmount;
  const description = line.Description?.trim() ?? '';
  const posted = [
    { accountId: line.AccountID, amount: net },
    ...(tax.eq(0) ? [] : [{ accountId: taxAccountId, amount: tax }]),
  ];
  // A blank line is one that nobody filled in: it has no account, and posts nothing.
  return posted.flatMap(({ accountId, amount }) =>
    accountId
      ? [
          {
            account: { id: accountId.toLowerCase() },
            description,
            ...sidesOf(amount),
            reportingAmount: null,
          },
        ]
      : [],
  );
};

/** @param taxAccountId the organisation's account for sales tax, if it has one */
export const journalFrom = (
  journal: PostedJournal,
  taxAccountId: string | null,
): PlatformJournal => ({
  reference: journal.ManualJournalID.toLowerCase(),
  date: journal.Date,
  memo: journal.Narration.trim() || `Manual journal ${journal.ManualJournalID}`,
  // The specification has no currency for manual journals: they are in the organisation's own.
  currency: null,
  exchangeRate: null,
  lines: journal.JournalLines.flatMap((line) => linesFrom(line, { journal, taxAccountId })),
});

export const OrganisationsReply = z.object({
  Organisations: z.tuple([
    z.object({
      Name: CompanyName,
      BaseCurrency: z.string().check(z.refine(isCurrency)),
    }),
  ]),
});

/** The accounts that Xero itself posts to. */
export const SystemAccountsReply = z.object({
  Accounts: z.array(z.object({ AccountID: z.guid(), SystemAccount: z.nullish(z.string()) })),
});
