// A demo company's books in Xero's fields: UUIDs, .NET dates, signed amounts, and taxes whose
// account the lines do not name.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import {
  booksCreatedAt,
  type DemoAccount,
  type DemoCompany,
  type DemoJournal,
  type DemoLine,
} from '../demo-company.ts';

/** A stable id; for the same kind, ids ascend with the index. */
export const uuidOf = ({ id }: DemoCompany, kind: string, index = 0): string => {
  const hash = createHash('sha256').update(`${kind} of ${id}`).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`];
  return [...parts, `8${hash.slice(17, 20)}`, index.toString(16).padStart(12, '0')].join('-');
};

/** The index in an id of `uuidOf`. */
export const indexIn = (uuid: string): number => Number.parseInt(uuid.slice(-12), 16);

export const accountIdOf = (company: DemoCompany, index: number): string =>
  uuidOf(company, 'account', index);

export const journalIdOf = (company: DemoCompany, index: number): string =>
  uuidOf(company, 'journal', index);

export const dotNetDate = (moment: number): string => `/Date(${moment}+0000)/`;

const kinds: Record<DemoAccount['type'], { Type: string; Class: string }> = {
  asset: { Type: 'CURRENT', Class: 'ASSET' },
  liability: { Type: 'CURRLIAB', Class: 'LIABILITY' },
  equity: { Type: 'EQUITY', Class: 'EQUITY' },
  revenue: { Type: 'REVENUE', Class: 'REVENUE' },
  expense: { Type: 'EXPENSE', Class: 'EXPENSE' },
};

const isTaxAccount = (account: DemoAccount | undefined): boolean => account?.kind === 'tax';

/** Xero does not require a code of a bank account, and this one has none. */
export const codeOf = ({ code, kind }: DemoAccount): string | null =>
  kind === 'bank' && code === '1020' ? null : code;

const bankFieldsOf = (company: DemoCompany, index: number) => ({
  Type: 'BANK',
  BankAccountNumber: String(10_000_000 + index),
  BankAccountType: 'BANK',
  CurrencyCode: company.currency,
});

/** Fields without a value are absent, because the specification allows no null. */
export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { name, type, status, kind, hole, modifiedAt = booksCreatedAt } = account;
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

/** Debits are positive, credits negative. */
const amountOf = ({ debit, credit }: DemoLine): Big => new Big(debit).minus(credit);

type LineAmountTypes = 'NoTax' | 'Exclusive' | 'Inclusive';

/** The amounts of demo journals are exact as JSON numbers. */
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

const lineAmountTypesByTurn: readonly LineAmountTypes[] = ['NoTax', 'Exclusive', 'Inclusive'];

/**
 * A tax is a field of a line, added to the line's amount or included in it. Two of three journals
 * with a tax line show it as the tax of another line on the same side. The others show the line.
 */
const linesFrom = (company: DemoCompany, { lines }: DemoJournal, index: number) => {
  const turn = lineAmountTypesByTurn[index % lineAmountTypesByTurn.length] ?? 'NoTax';
  if (lines.some(({ tax }) => tax)) {
    const types = turn === 'NoTax' ? 'Exclusive' : turn;
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
  const types = taxed ? turn : 'NoTax';
  const isShown = (line: DemoLine) => types === 'NoTax' || line !== taxLine;
  const taxIn = (line: DemoLine) => (types !== 'NoTax' && line === taxed ? tax : new Big(0));
  return {
    LineAmountTypes: types,
    JournalLines: lines
      .filter(isShown)
      .map((line) => lineFrom(company, { line, tax: taxIn(line), types })),
  };
};

/** Xero lists a deleted journal as voided. */
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
