// A demo company's books in Xero's fields: ids that are UUIDs, dates of .NET, amounts with signs,
// and journals whose tax goes to an account that their lines do not name.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import {
  booksMadeAt,
  type DemoAccount,
  type DemoCompany,
  type DemoJournal,
  type DemoLine,
} from '../demo-company.ts';

/** The same ones for the same company, and in the order of what they count. */
export const uuidOf = ({ id }: DemoCompany, kind: string, index = 0): string => {
  const hash = createHash('sha256').update(`${kind} of ${id}`).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`];
  return [...parts, `8${hash.slice(17, 20)}`, index.toString(16).padStart(12, '0')].join('-');
};

export const accountIdOf = (company: DemoCompany, index: number): string =>
  uuidOf(company, 'account', index);

export const journalIdOf = (company: DemoCompany, index: number): string =>
  uuidOf(company, 'journal', index);

const dotNetDate = (moment: number): string => `/Date(${moment}+0000)/`;

const kinds: Record<DemoAccount['type'], { Type: string; Class: string }> = {
  asset: { Type: 'CURRENT', Class: 'ASSET' },
  liability: { Type: 'CURRLIAB', Class: 'LIABILITY' },
  equity: { Type: 'EQUITY', Class: 'EQUITY' },
  revenue: { Type: 'REVENUE', Class: 'REVENUE' },
  expense: { Type: 'EXPENSE', Class: 'EXPENSE' },
};

export const madeAt = Date.parse(booksMadeAt);

const isTaxAccount = (account: DemoAccount | undefined): boolean => account?.kind === 'tax';

/** Xero asks for no code of a bank account, and nobody gave this one any. */
export const codeOf = ({ code, kind }: DemoAccount): string | null =>
  kind === 'bank' && code === '1020' ? null : code;

const bankFieldsOf = (company: DemoCompany, index: number) => ({
  Type: 'BANK',
  BankAccountNumber: String(10_000_000 + index),
  BankAccountType: 'BANK',
  CurrencyCode: company.currency,
});

/** What has no value is left out: the specification allows no null anywhere. */
export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { name, type, status, kind, hole, modifiedAt = booksMadeAt } = account;
  const code = codeOf(account);
  const { Type, Class } = kinds[type];
  return {
    AccountID: accountIdOf(company, index),
    ...(code !== null && { Code: code }),
    ...(hole !== 'name' && { Name: name }),
    Status: status === 'active' ? 'ACTIVE' : 'ARCHIVED',
    Class,
    ...(hole !== 'type' && { Type }),
    ...(kind === 'bank' && bankFieldsOf(company, index)),
    TaxType: 'NONE',
    EnablePaymentsToAccount: false,
    ShowInExpenseClaims: false,
    ...(isTaxAccount(account) && { SystemAccount: 'GST' }),
    UpdatedDateUTC: dotNetDate(Date.parse(modifiedAt)),
    HasAttachments: false,
    AddToWatchlist: false,
  };
};

/** Debits are positive and credits negative. */
const amountOf = ({ debit, credit }: DemoLine): Big => new Big(debit).minus(credit);

type LineAmountTypes = 'NoTax' | 'Exclusive' | 'Inclusive';

/** A float holds every amount of the demo journals as it is written. */
const lineFrom = (
  company: DemoCompany,
  { line, tax, types }: { line: DemoLine; tax: Big; types: LineAmountTypes },
) => {
  const { account, description, hole } = line;
  const code = codeOf(company.accounts[account] as DemoAccount);
  const amount = amountOf(line);
  return {
    ...(description !== '' && { Description: description }),
    TaxType: tax.eq(0) ? 'NONE' : 'OUTPUT',
    TaxAmount: Number(tax),
    LineAmount: Number(types === 'Inclusive' ? amount.plus(tax) : amount),
    ...(code !== null && { AccountCode: code }),
    Tracking: [],
    ...(hole !== 'account' && { AccountID: accountIdOf(company, account) }),
    IsBlank: false,
  };
};

const lineAmountTypesInTurn: readonly LineAmountTypes[] = ['NoTax', 'Exclusive', 'Inclusive'];

/**
 * Tax is an amount of the line that it is on, beside the line's own amount or in it. Where a
 * journal has a line for tax beside one on the same side, that becomes such an amount in two of
 * three journals; the rest name the account for tax.
 */
const linesFrom = (company: DemoCompany, { lines }: DemoJournal, index: number) => {
  const inTurn = lineAmountTypesInTurn[index % lineAmountTypesInTurn.length] ?? 'NoTax';
  if (lines.some(({ tax }) => tax)) {
    const types = inTurn === 'NoTax' ? 'Exclusive' : inTurn;
    const taxOf = (line: DemoLine) =>
      new Big(line.tax?.amount ?? 0).times(amountOf(line).lt(0) ? -1 : 1);
    return {
      LineAmountTypes: types,
      JournalLines: lines.map((line) => lineFrom(company, { line, tax: taxOf(line), types })),
    };
  }
  const taxLine = lines.find(({ account }) => isTaxAccount(company.accounts[account]));
  const tax = taxLine ? amountOf(taxLine) : new Big(0);
  const taxed = lines.find((line) => line !== taxLine && amountOf(line).times(tax).gt(0));
  const types = taxed ? inTurn : 'NoTax';
  const isShown = (line: DemoLine) => types === 'NoTax' || line !== taxLine;
  const taxIn = (line: DemoLine) => (types !== 'NoTax' && line === taxed ? tax : new Big(0));
  return {
    LineAmountTypes: types,
    JournalLines: lines
      .filter(isShown)
      .map((line) => lineFrom(company, { line, tax: taxIn(line), types })),
  };
};

/** What was deleted once it was posted is listed as voided. */
const statuses: Record<DemoJournal['status'], string> = {
  posted: 'POSTED',
  draft: 'DRAFT',
  deleted: 'VOIDED',
};

export const journalAt = (company: DemoCompany, index: number) => {
  const journal = company.journalAt(index);
  return {
    ...(journal.hole !== 'date' && { Date: dotNetDate(Date.parse(journal.date)) }),
    Status: statuses[journal.status],
    UpdatedDateUTC: dotNetDate(Date.parse(journal.modifiedAt)),
    ManualJournalID: journalIdOf(company, index),
    Narration: journal.memo,
    ...linesFrom(company, journal, index),
    ShowOnCashBasisReports: true,
    HasAttachments: false,
  };
};
