// A demo company's books in QuickBooks' fields: numeric ids, names with colons, amounts without
// signs, and taxes that stand beside the lines of an entry.

import { createHash } from 'node:crypto';
import Big from 'big.js';
import {
  type AccountKind,
  booksMadeAt,
  type DemoAccount,
  type DemoCompany,
  type DemoJournal,
  type DemoLine,
  type TaxRate,
} from '../demo-company.ts';

/** Sixteen digits, the same ones for the same company. */
export const realmIdOf = ({ id }: DemoCompany): string => {
  const digest = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  return `9341${String(digest % 1e12).padStart(12, '0')}`;
};

export const accountIdOf = (index: number): string => String(index + 1);
const firstEntryId = 20_001;
const entryIdOf = (index: number): string => String(index + firstEntryId);
const rateIdOf = (place: number): string => String(place + 1);
const codeIdOf = (place: number): string => String(place + 101);

/** Intuit writes moments in the time of California. */
const pacificTime = (moment: string): string => {
  const shifted = new Date(Date.parse(moment) - 8 * 60 * 60 * 1000).toISOString();
  return shifted.replace(/\.\d+Z$/, '-08:00');
};

const entityOf = (id: string, modifiedAt = booksMadeAt) => ({
  domain: 'QBO',
  sparse: false,
  Id: id,
  SyncToken: '0',
  MetaData: { CreateTime: pacificTime(booksMadeAt), LastUpdatedTime: pacificTime(modifiedAt) },
});

export type Entity = ReturnType<typeof entityOf> & Record<string, unknown>;

const classifications: Record<DemoAccount['type'], string> = {
  asset: 'Asset',
  liability: 'Liability',
  equity: 'Equity',
  revenue: 'Revenue',
  expense: 'Expense',
};

/** AccountType and AccountSubType of Finance.xsd in github.com/intuit/QuickBooks-V3-Java-SDK. */
const ordinaryTypes: Record<DemoAccount['type'], [type: string, subType: string]> = {
  asset: ['Other Current Asset', 'OtherCurrentAssets'],
  liability: ['Other Current Liability', 'OtherCurrentLiabilities'],
  equity: ['Equity', 'OwnersEquity'],
  revenue: ['Income', 'SalesOfProductIncome'],
  expense: ['Expense', 'OfficeGeneralAdministrativeExpenses'],
};

const typesByKind: Record<AccountKind, [type: string, subType: string]> = {
  bank: ['Bank', 'Checking'],
  cash: ['Bank', 'CashOnHand'],
  receivable: ['Accounts Receivable', 'AccountsReceivable'],
  inventory: ['Other Current Asset', 'Inventory'],
  fixed_asset: ['Fixed Asset', 'MachineryAndEquipment'],
  payable: ['Accounts Payable', 'AccountsPayable'],
  credit_card: ['Credit Card', 'CreditCard'],
  tax: ['Other Current Liability', 'GlobalTaxPayable'],
  loan: ['Long Term Liability', 'NotesPayable'],
  other_income: ['Other Income', 'InterestEarned'],
  cost_of_sales: ['Cost of Goods Sold', 'SuppliesMaterialsCogs'],
};

/** The names of the accounts above it and its own, with colons between them. */
const fullNameOf = ({ accounts }: DemoCompany, account: DemoAccount): string => {
  const names = [account.name];
  for (let { parent } = account; parent !== undefined; parent = accounts[parent]?.parent) {
    names.unshift(accounts[parent]?.name ?? '');
  }
  return names.join(':');
};

export const accountAt = (company: DemoCompany, index: number): Entity => {
  const account = company.accounts[index] as DemoAccount;
  const { code, name, type, status, kind, parent, hole, modifiedAt } = account;
  const [accountType, subType] = kind ? typesByKind[kind] : ordinaryTypes[type];
  return {
    ...(hole !== 'name' && { Name: name, FullyQualifiedName: fullNameOf(company, account) }),
    SubAccount: parent !== undefined,
    ...(parent !== undefined && { ParentRef: { value: accountIdOf(parent) } }),
    Active: status === 'active',
    ...(hole !== 'type' && { Classification: classifications[type], AccountType: accountType }),
    AccountSubType: subType,
    ...(code !== null && { AcctNum: code }),
    CurrentBalance: 0,
    CurrentBalanceWithSubAccounts: 0,
    CurrencyRef: { value: company.currency },
    ...entityOf(accountIdOf(index), modifiedAt),
  };
};

/** Rates are told apart by their names. */
const placeOfRate = ({ taxRates }: DemoCompany, { name }: TaxRate): number =>
  taxRates.findIndex((rate) => rate.name === name);

const sideOf = ({ debit }: DemoLine): 'Debit' | 'Credit' =>
  Number(debit) > 0 ? 'Debit' : 'Credit';
const amountOf = ({ debit, credit }: DemoLine): Big => new Big(debit).plus(credit);

/** A float holds every amount and rate of the demo journals as it is written. */
const lineFrom = (company: DemoCompany, line: DemoLine, place: number) => {
  const { account, description, tax, hole } = line;
  return {
    Id: String(place),
    ...(description !== '' && { Description: description }),
    Amount: Number(amountOf(line)),
    DetailType: 'JournalEntryLineDetail',
    JournalEntryLineDetail: {
      PostingType: sideOf(line),
      ...(hole !== 'account' && {
        AccountRef: { value: accountIdOf(account), name: company.accounts[account]?.name },
      }),
      ...(tax && {
        TaxApplicableOn: sideOf(line) === 'Debit' ? 'Purchase' : 'Sales',
        TaxCodeRef: { value: codeIdOf(placeOfRate(company, tax)) },
        TaxAmount: Number(tax.amount),
      }),
    },
  };
};

/**
 * One line of tax for each rate. Finance.xsd has the fields; that an amount has no sign, whichever
 * side it is on, is unverified.
 */
const taxDetailOf = (company: DemoCompany, { lines }: DemoJournal) => {
  const taxed = lines.filter(({ tax }) => tax !== undefined);
  if (taxed.length === 0) return {};
  const sum = (amounts: Big[]): number =>
    Number(amounts.reduce((total, amount) => total.plus(amount), new Big(0)));
  const taxOf = ({ tax }: DemoLine): Big => new Big(tax?.amount ?? 0);
  const byRate = Map.groupBy(taxed, ({ tax }) => placeOfRate(company, tax as TaxRate));
  return {
    TotalTax: sum(taxed.map(taxOf)),
    TaxLine: [...byRate].map(([place, of]) => ({
      Amount: sum(of.map(taxOf)),
      DetailType: 'TaxLineDetail',
      TaxLineDetail: {
        TaxRateRef: { value: rateIdOf(place) },
        PercentBased: true,
        TaxPercent: company.taxRates[place]?.percent,
        NetAmountTaxable: sum(of.map(amountOf)),
      },
    })),
  };
};

export const entryAt = (company: DemoCompany, index: number): Entity => {
  const journal = company.journalAt(index);
  const { date, memo, lines, currency, exchangeRate, modifiedAt, hole } = journal;
  const isTaxed = lines.some(({ tax }) => tax !== undefined);
  return {
    Adjustment: false,
    ...entityOf(entryIdOf(index), modifiedAt),
    ...(hole !== 'date' && { TxnDate: date }),
    CurrencyRef: { value: currency },
    ...(exchangeRate !== null && { ExchangeRate: Number(exchangeRate) }),
    ...(company.taxRates.length > 0 && {
      GlobalTaxCalculation: isTaxed ? 'TaxExcluded' : 'NotApplicable',
    }),
    PrivateNote: memo,
    Line: lines.map((line, place) => lineFrom(company, line, place)),
    TxnTaxDetail: taxDetailOf(company, journal),
  };
};

/** Of what was deleted only this is told (the Change data capture page of developer.intuit.com). */
export const deletedEntryAt = (company: DemoCompany, index: number) => {
  const { domain, Id, MetaData } = entityOf(entryIdOf(index), company.journalAt(index).modifiedAt);
  return {
    ...{ domain, status: 'Deleted', Id },
    MetaData: { LastUpdatedTime: MetaData.LastUpdatedTime },
  };
};

const taxRateAt = (rate: TaxRate, place: number): Entity => ({
  ...{ Name: rate.name, Description: rate.name, Active: true, RateValue: rate.percent },
  AgencyRef: { value: '1' },
  SpecialTaxType: 'NONE',
  DisplayType: 'ReadOnly',
  ...entityOf(rateIdOf(place)),
});

/** Both sides' rate is the same one here. */
const taxCodeAt = (rate: TaxRate, place: number): Entity => {
  const TaxRateRef = { value: rateIdOf(place), name: rate.name };
  const rates = {
    TaxRateDetail: [{ TaxRateRef, TaxTypeApplicable: 'TaxOnAmount', TaxOrder: 0 }],
  };
  return {
    ...{ Name: rate.name, Description: rate.name, Active: true, Taxable: true, TaxGroup: true },
    ...{ SalesTaxRateList: rates, PurchaseTaxRateList: rates },
    ...entityOf(codeIdOf(place)),
  };
};

const companyInfoOf = (company: DemoCompany): Entity => ({
  ...{ CompanyName: company.name, LegalName: company.name },
  FiscalYearStartMonth: new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2025, company.fiscalYearStart - 1)),
  ),
  ...entityOf('1'),
});

const preferencesOf = ({ currency }: DemoCompany): Entity => ({
  CurrencyPrefs: { HomeCurrency: { value: currency }, MultiCurrencyEnabled: true },
  ...entityOf('1'),
});

/** Where a company's entries are among its journals. QuickBooks has no drafts of entries. */
const entryIndexes = new WeakMap<DemoCompany, number[]>();

const entryIndexesOf = (company: DemoCompany): number[] => {
  const known = entryIndexes.get(company);
  if (known) return known;
  const found = [...Array(company.journalCount).keys()].filter(
    (index) => company.journalAt(index).status === 'posted',
  );
  entryIndexes.set(company, found);
  return found;
};

/** What a company has of an entity, in the order of the ids; nothing is made that is not asked. */
export type Collection = { length: number; at: (place: number) => Entity };

export const collectionsOf: Readonly<Record<string, (company: DemoCompany) => Collection>> = {
  Account: (company) => ({
    length: company.accounts.length,
    at: (place) => accountAt(company, place),
  }),
  JournalEntry: (company) => {
    const indexes = entryIndexesOf(company);
    return {
      length: indexes.length,
      at: (place) => entryAt(company, indexes[place] as number),
    };
  },
  TaxRate: ({ taxRates }) => ({
    length: taxRates.length,
    at: (place) => taxRateAt(taxRates[place] as TaxRate, place),
  }),
  TaxCode: ({ taxRates }) => ({
    length: taxRates.length,
    at: (place) => taxCodeAt(taxRates[place] as TaxRate, place),
  }),
  TaxAgency: ({ taxRates }) => ({
    length: Math.min(1, taxRates.length),
    at: () => ({ DisplayName: 'Sales tax', TaxTrackedOnSales: true, ...entityOf('1') }),
  }),
  CompanyInfo: (company) => ({ length: 1, at: () => companyInfoOf(company) }),
  Preferences: (company) => ({ length: 1, at: () => preferencesOf(company) }),
};

/** The entity as Intuit writes it; clients write it with any capitals. */
export const entityNamed = (text: string): string | undefined =>
  Object.keys(collectionsOf).find((name) => name.toLowerCase() === text.toLowerCase());

/** Looks an entity up by its id, which for accounts and entries says where it is. */
export const findEntity = (
  company: DemoCompany,
  { name, id }: { name: string; id: string },
): Entity | undefined => {
  if (name === 'JournalEntry') {
    const index = Number(id) - firstEntryId;
    const isKnown = Number.isInteger(index) && index >= 0 && index < company.journalCount;
    return isKnown && company.journalAt(index).status === 'posted'
      ? entryAt(company, index)
      : undefined;
  }
  const { length = 0, at } = collectionsOf[name]?.(company) ?? {};
  // A company's own particulars have the company's id in their address.
  const isOwn = name === 'CompanyInfo' && id === realmIdOf(company);
  const places = [...Array(length).keys()];
  return places.map((place) => at?.(place)).find((entity) => isOwn || entity?.Id === id);
};
