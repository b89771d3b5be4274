// A demo company's books in Xero's fields: ids that are UUIDs, dates of .NET, amounts with signs,
// and journals whose tax goes to an account that their lines do not name.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import type { DemoAccount, DemoCompany, DemoJournal } from '../demo-company.ts';

/** The same ones for the same company, and in the order of what they count. */
export const uuidOf = ({ id }: DemoCompany, kind: string, index = 0): string => {
  const hash = createHash('sha256').update(`${kind} of ${id}`).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`];
  return [...parts, `8${hash.slice(17, 20)}`, index.toString(16).padStart(12, '0')].join('-');
};

export const accountIdOf = (company: DemoCompany, index: number): string =>
  uuidOf(company, 'account', index);

const dotNetDate = (moment: number): string => `/Date(${moment}+0000)/`;

const kinds: Record<DemoAccount['type'], { Type: string; Class: string }> = {
  asset: { Type: 'CURRENT', Class: 'ASSET' },
  liability: { Type: 'CURRLIAB', Class: 'LIABILITY' },
  equity: { Type: 'EQUITY', Class: 'EQUITY' },
  revenue: { Type: 'REVENUE', Class: 'REVENUE' },
  expense: { Type: 'EXPENSE', Class: 'EXPENSE' },
};

export const madeAt = Date.UTC(2025, 0, 1);

const isTaxAccount = (account: DemoAccount | undefined): boolean =>
  account?.code === '2200' && account.status === 'active';

/** What has no value is left out: the specification allows no null anywhere. */
export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { code, name, type, status } = account;
  return {
    AccountID: accountIdOf(company, index),
    ...(code !== null && { Code: code }),
    Name: name,
    Status: status === 'active' ? 'ACTIVE' : 'ARCHIVED',
    ...kinds[type],
    TaxType: 'NONE',
    EnablePaymentsToAccount: false,
    ShowInExpenseClaims: false,
    ...(isTaxAccount(account) && { SystemAccount: 'GST' }),
    UpdatedDateUTC: dotNetDate(madeAt),
    HasAttachments: false,
    AddToWatchlist: false,
  };
};

type NeutralLine = DemoJournal['lines'][number];

/** Debits are positive and credits negative. */
const amountOf = ({ debit, credit }: NeutralLine): Big => new Big(debit).minus(credit);

type LineAmountTypes = 'NoTax' | 'Exclusive' | 'Inclusive';

/** A float holds every amount of the demo journals as it is written. */
const lineFrom = (
  company: DemoCompany,
  { line, tax, types }: { line: NeutralLine; tax: Big; types: LineAmountTypes },
) => {
  const { account, description } = line;
  const code = company.accounts[account]?.code ?? null;
  const amount = amountOf(line);
  return {
    ...(description !== '' && { Description: description }),
    TaxType: tax.eq(0) ? 'NONE' : 'OUTPUT',
    TaxAmount: Number(tax),
    LineAmount: Number(types === 'Inclusive' ? amount.plus(tax) : amount),
    ...(code !== null && { AccountCode: code }),
    Tracking: [],
    AccountID: accountIdOf(company, account),
    IsBlank: false,
  };
};

const lineAmountTypesInTurn: readonly LineAmountTypes[] = ['NoTax', 'Exclusive', 'Inclusive'];

/**
 * Two of three journals that have tax beside something taxed on the same side show it as Xero does:
 * as an amount of the taxed line, beside it or in it. The rest name the account for tax.
 */
const linesFrom = (company: DemoCompany, { lines }: DemoJournal, index: number) => {
  const taxLine = lines.find(({ account }) => isTaxAccount(company.accounts[account]));
  const tax = taxLine ? amountOf(taxLine) : new Big(0);
  const taxed = lines.find((line) => line !== taxLine && amountOf(line).times(tax).gt(0));
  const types = (taxed && lineAmountTypesInTurn[index % lineAmountTypesInTurn.length]) ?? 'NoTax';
  const isShown = (line: NeutralLine) => types === 'NoTax' || line !== taxLine;
  const taxIn = (line: NeutralLine) => (types !== 'NoTax' && line === taxed ? tax : new Big(0));
  return {
    LineAmountTypes: types,
    JournalLines: lines
      .filter(isShown)
      .map((line) => lineFrom(company, { line, tax: taxIn(line), types })),
  };
};

export const journalAt = (company: DemoCompany, index: number) => {
  const journal = company.journalAt(index);
  return {
    Date: dotNetDate(Date.parse(journal.date)),
    Status: journal.status === 'posted' ? 'POSTED' : 'DRAFT',
    UpdatedDateUTC: dotNetDate(Date.parse(journal.date)),
    ManualJournalID: uuidOf(company, 'journal', index),
    Narration: journal.memo,
    ...linesFrom(company, journal, index),
    ShowOnCashBasisReports: true,
    HasAttachments: false,
  };
};
