// A demo company's books in QuickBooks' fields: numeric ids, names with colons, unsigned amounts,
// and taxes that are separate from the lines of an entry.

import { createHash } from 'node:crypto';
import {
  type AccountKind,
  amountOf,
  booksCreatedAt,
  type DemoAccount,
  type DemoCompany,
  type DemoLine,
  isDebit,
  sumOf,
} from '../demo-company.ts';

/** Sixteen digits, stable for each company. */
export const realmIdOf = ({ id }: DemoCompany): string => {
  const digest = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  return `9341${String(digest % 1e12).padStart(12, '0')}`;
};

export const accountIdOf = (index: number): string => String(index + 1);
const firstEntryId = 20_001;
const entryIdOf = (index: number): string => String(index + firstEntryId);
export const entryIndexIn = (id: string): number => Number(id) - firstEntryId;

/** Intuit writes moments in the time zone of California. */
const pacificTime = (moment: string): string => {
  const shifted = new Date(Date.parse(moment) - 8 * 60 * 60 * 1000).toISOString();
  return shifted.replace(/\.\d+Z$/, '-08:00');
};

const entityOf = (id: string, modifiedAt = booksCreatedAt) => ({
  Id: id,
  MetaData: { CreateTime: pacificTime(booksCreatedAt), LastUpdatedTime: pacificTime(modifiedAt) },
});

/** AccountType and AccountSubType of github.com/intuit/QuickBooks-V3-Java-SDK, Finance.xsd. */
const types: Record<DemoAccount['type'] | AccountKind, [type: string, subType: string]> = {
  asset: ['Other Current Asset', 'OtherCurrentAssets'],
  liability: ['Other Current Liability', 'OtherCurrentLiabilities'],
  equity: ['Equity', 'OwnersEquity'],
  revenue: ['Income', 'SalesOfProductIncome'],
  expense: ['Expense', 'OfficeGeneralAdministrativeExpenses'],
  bank: ['Bank', 'Checking'],
  cash: ['Bank', 'CashOnHand'],
  receivable: ['Accounts Receivable', 'AccountsReceivable'],
  fixed_asset: ['Fixed Asset', 'MachineryAndEquipment'],
  payable: ['Accounts Payable', 'AccountsPayable'],
  credit_card: ['Credit Card', 'CreditCard'],
  tax: ['Other Current Liability', 'GlobalTaxPayable'],
  cost_of_sales: ['Cost of Goods Sold', 'SuppliesMaterialsCogs'],
  retained_earnings: ['Equity', 'RetainedEarnings'],
};

/** The names of the account's parents and its own, separated by colons. */
export const fullNameOf = ({ accounts }: DemoCompany, account: DemoAccount): string => {
  const names = [account.name];
  for (let { parent } = account; parent !== undefined; parent = accounts[parent]?.parent) {
    names.unshift(accounts[parent]?.name ?? '');
  }
  return names.join(':');
};

export const accountAt = (company: DemoCompany, index: number) => {
  const account = company.accounts[index] as DemoAccount;
  const { code, name, type, status, kind, parent, hole, modifiedAt } = account;
  const [AccountType, AccountSubType] = types[kind ?? type];
  const Classification = type.charAt(0).toUpperCase() + type.slice(1);
  return {
    ...(hole !== 'name' && { Name: name, FullyQualifiedName: fullNameOf(company, account) }),
    SubAccount: parent !== undefined,
    ...(parent !== undefined && { ParentRef: { value: accountIdOf(parent) } }),
    Active: status === 'active',
    ...(hole !== 'type' && { Classification, AccountType }),
    AccountSubType,
    ...(code !== null && { AcctNum: code }),
    CurrencyRef: { value: company.currency },
    ...entityOf(accountIdOf(index), modifiedAt),
  };
};

const lineFrom = ({ accounts }: DemoCompany, line: DemoLine, place: number) => {
  const { account, description, tax, hole } = line;
  const AccountRef = { value: accountIdOf(account), name: accounts[account]?.name };
  return {
    Id: String(place),
    ...(description !== '' && { Description: description }),
    Amount: Number(amountOf(line)),
    DetailType: 'JournalEntryLineDetail',
    JournalEntryLineDetail: {
      PostingType: isDebit(line) ? 'Debit' : 'Credit',
      ...(hole !== 'account' && { AccountRef }),
      ...(tax && { TaxAmount: Number(tax.amount) }),
    },
  };
};

/** One tax line for each rate. Source: Finance.xsd. Unverified: the amounts have no sign. */
const taxDetailOf = (lines: readonly DemoLine[]) => {
  const taxes = lines.flatMap(({ tax }) => tax ?? []);
  if (taxes.length === 0) return {};
  const byRate = Map.groupBy(taxes, ({ name }) => name);
  const sum = (some: typeof taxes) => sumOf(some.map(({ amount }) => amount));
  const TaxLine = [...byRate.values()].map((some) => ({
    Amount: sum(some),
    DetailType: 'TaxLineDetail',
  }));
  return { TotalTax: sum(taxes), TaxLine };
};

export const entryAt = (company: DemoCompany, index: number) => {
  const journal = company.journalAt(index);
  const { date, memo, lines, currency, exchangeRate, modifiedAt, hole } = journal;
  return {
    ...entityOf(entryIdOf(index), modifiedAt),
    ...(hole !== 'date' && { TxnDate: date }),
    CurrencyRef: { value: currency },
    ...(exchangeRate !== null && { ExchangeRate: Number(exchangeRate) }),
    PrivateNote: memo,
    Line: lines.map((line, place) => lineFrom(company, line, place)),
    TxnTaxDetail: taxDetailOf(lines),
  };
};

/** A deleted entry has only these fields (developer.intuit.com, Change data capture). */
export const changedEntryAt = (company: DemoCompany, index: number) => {
  const { status, modifiedAt } = company.journalAt(index);
  if (status !== 'deleted') return entryAt(company, index);
  return { status: 'Deleted', ...entityOf(entryIdOf(index), modifiedAt) };
};

export const companyInfoOf = (company: DemoCompany) => ({
  CompanyName: company.name,
  Country: company.country,
  FiscalYearStartMonth: new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2025, company.fiscalYearStart - 1)),
  ),
  ...entityOf('1'),
});

export const preferencesOf = ({ currency }: DemoCompany) => ({
  CurrencyPrefs: { HomeCurrency: { value: currency }, MultiCurrencyEnabled: true },
  ...entityOf('1'),
});
