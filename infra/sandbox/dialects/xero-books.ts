// A demo company's books in Xero's fields: UUIDs, .NET dates, signed amounts, taxes in lines.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import {
  amountOf,
  booksCreatedAt,
  type DemoAccount,
  type DemoCompany,
  type DemoJournal,
  type DemoLine,
  isDebit,
} from '../demo-company.ts';

/** A stable id; for the same kind, ids ascend with the index. */
export const uuidOf = ({ id }: DemoCompany, kind: string, index = 0): string => {
  const hash = createHash('sha256').update(`${kind} of ${id}`).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`];
  return [...parts, `8${hash.slice(17, 20)}`, index.toString(16).padStart(12, '0')].join('-');
};

export const indexIn = (uuid: string): number => Number.parseInt(uuid.slice(-12), 16);

export const accountIdOf = (company: DemoCompany, index: number): string =>
  uuidOf(company, 'account', index);

const dotNetDate = (moment: number): string => `/Date(${moment}+0000)/`;

const types: Record<DemoAccount['type'], string> = {
  asset: 'CURRENT',
  liability: 'CURRLIAB',
  equity: 'EQUITY',
  revenue: 'REVENUE',
  expense: 'EXPENSE',
};

/** Xero does not require a code of a bank account, and this one has none. */
export const codeOf = ({ code, kind }: DemoAccount): string | null =>
  kind === 'bank' && code === '1020' ? null : code;

/** Fields without a value are absent, because the specification allows no null. */
export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { name, type, status, kind, hole, modifiedAt = booksCreatedAt } = account;
  const code = codeOf(account);
  return {
    AccountID: accountIdOf(company, index),
    ...(code !== null && { Code: code }),
    ...(hole !== 'name' && { Name: name }),
    Status: status === 'active' ? 'ACTIVE' : 'ARCHIVED',
    Class: type.toUpperCase(),
    ...(hole !== 'type' && { Type: kind === 'bank' ? 'BANK' : types[type] }),
    ...(kind === 'tax' && { SystemAccount: 'GST' }),
    ...(kind === 'retained_earnings' && { SystemAccount: 'RETAINEDEARNINGS' }),
    UpdatedDateUTC: dotNetDate(Date.parse(modifiedAt)),
  };
};

/** Debits are positive, credits negative. A tax is added to the line's amount or included in it. */
const lineFrom = (
  company: DemoCompany,
  { line, isInclusive }: { line: DemoLine; isInclusive: boolean },
) => {
  const { account, description, hole } = line;
  const code = codeOf(company.accounts[account] as DemoAccount);
  const sign = isDebit(line) ? 1 : -1;
  const tax = new Big(line.tax?.amount ?? 0).times(sign);
  const amount = amountOf(line).times(sign);
  return {
    ...(description !== '' && { Description: description }),
    TaxType: line.tax ? 'OUTPUT' : 'NONE',
    TaxAmount: Number(tax),
    LineAmount: Number(isInclusive ? amount.plus(tax) : amount),
    ...(code !== null && { AccountCode: code }),
    ...(hole !== 'account' && { AccountID: accountIdOf(company, account) }),
  };
};

/** The taxes of a journal are exclusive or inclusive by turns. */
const linesFrom = (company: DemoCompany, { lines }: DemoJournal, index: number) => {
  const isInclusive = index % 3 === 2;
  const hasTaxes = lines.some(({ tax }) => tax);
  return {
    LineAmountTypes: hasTaxes ? (isInclusive ? 'Inclusive' : 'Exclusive') : 'NoTax',
    JournalLines: lines.map((line) => lineFrom(company, { line, isInclusive })),
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
    ManualJournalID: uuidOf(company, 'journal', index),
    Narration: journal.memo,
    ...linesFrom(company, journal, index),
  };
};
