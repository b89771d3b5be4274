// The sandbox's fictitious companies.

import type { Slot } from '#shared/platforms/slots.ts';
import { openChangedBooks } from './changed-books.ts';
import { chartOf } from './charts.ts';
import type { DemoAccount, DemoCompany, DemoTransaction } from './demo-company.ts';
import { createJournalGenerator } from './journals.ts';
import { transactionsOf } from './transactions.ts';

type CompanyRow = Pick<DemoCompany, 'name' | 'currency'> &
  Partial<
    Pick<DemoCompany, 'country' | 'dataCenter' | 'owner' | 'isActive' | 'fiscalYearStart'>
  > & {
    size: readonly [accounts: number, journals: number];
    /** The percentage of each tax. */
    taxes?: Record<string, number>;
    /** Whether the books have what real ones have: sub-accounts, taxes and incomplete records. */
    isReal?: boolean;
    foreign?: string;
  };

/** Computes the chart and the journals on first use. */
const companyFrom = ([id, row]: [id: string, row: CompanyRow]): DemoCompany => {
  const { size, foreign, isReal = false, taxes = {}, ...fields } = row;
  const [accountCount, journalCount] = size;
  let accounts: readonly DemoAccount[] | undefined;
  let generateJournal: DemoCompany['journalAt'] | undefined;
  const changed = openChangedBooks();
  let transactions: readonly DemoTransaction[] | undefined;
  const company: DemoCompany = {
    id,
    country: 'US',
    dataCenter: 'us',
    owner: id,
    fiscalYearStart: 1,
    isActive: true,
    taxRates: Object.entries(taxes).map(([name, percent]) => ({ name, percent })),
    journalCount,
    ...fields,
    get accounts() {
      accounts ??= chartOf(accountCount, { isReal });
      return accounts;
    },
    journalAt: (index) => {
      generateJournal ??= createJournalGenerator(company, { foreign, isReal });
      return changed.journal(index, generateJournal(index));
    },
    get transactions() {
      transactions ??= transactionsOf(company);
      return changed.transactions(transactions);
    },
    get revision() {
      return changed.revision();
    },
    change: changed.change,
  };
  return company;
};

const companies = (rows: Record<string, CompanyRow>): DemoCompany[] =>
  Object.entries(rows).map(companyFrom);

/** The largest company that an import must handle. */
const evergreen = { name: 'Evergreen Holdings', size: [10_000, 100_000] } as const;

const olive = { owner: 'olive', dataCenter: 'eu' } as const;
const real = { size: [1_000, 140], isReal: true } as const;

export const companiesOf: Readonly<Record<Slot, readonly DemoCompany[]>> = {
  platform_a: companies({
    'linden-bakery': { name: 'Linden Bakery GmbH', currency: 'EUR', size: [118, 260] },
    'harbour-coffee': {
      name: 'Harbour Coffee Roasters Ltd',
      currency: 'GBP',
      size: [64, 40],
      fiscalYearStart: 4,
    },
    'prairie-tools': { name: 'Prairie Tools Inc.', currency: 'USD', size: [22, 3] },
    'cedar-interiors': {
      name: 'Cedar Interiors Ltd',
      currency: 'GBP',
      ...real,
      owner: 'cedar',
      taxes: { '20% VAT': 20, '5% VAT': 5, 'Zero rated': 0 },
    },
    'cedar-interiors-gulf': {
      name: 'Cedar Interiors Gulf WLL',
      currency: 'KWD',
      size: [40, 20],
      owner: 'cedar',
    },
    'evergreen-holdings-a': { ...evergreen, currency: 'EUR' },
  }),
  platform_b: companies({
    'alder-software': { name: 'Alder Software', currency: 'USD', size: [96, 230], foreign: 'EUR' },
    'sakura-printing': {
      name: 'Sakura Printing KK',
      currency: 'JPY',
      size: [72, 25],
      country: 'JP',
      fiscalYearStart: 4,
    },
    'tilleul-librairie': {
      name: 'Librairie du Tilleul SARL',
      currency: 'EUR',
      country: 'FR',
      size: [30, 8],
    },
    'cypress-clinics': {
      name: 'Cypress Clinics Inc.',
      currency: 'CAD',
      country: 'CA',
      ...real,
      taxes: { HST: 13, GST: 5 },
      foreign: 'KWD',
    },
    'evergreen-holdings-b': { ...evergreen, currency: 'USD' },
  }),
  platform_c: companies({
    'brennan-daughters': {
      name: "Brennan & Daughters' Looms Ltd",
      currency: 'EUR',
      size: [104, 45],
      dataCenter: 'eu',
      foreign: 'GBP',
    },
    'fjord-fish': { name: 'Fjord Fish AS', currency: 'NOK', size: [58, 12], dataCenter: 'eu' },
    'jaipur-textiles': {
      name: 'Jaipur Textiles Pvt Ltd',
      currency: 'INR',
      size: [30, 0],
      fiscalYearStart: 4,
      dataCenter: 'in',
    },
    'olive-trading-former': {
      name: 'Olive Trading (closed)',
      currency: 'EUR',
      size: [22, 5],
      ...olive,
      isActive: false,
    },
    'olive-trading': {
      name: 'Olive Trading Ltd',
      currency: 'EUR',
      ...real,
      ...olive,
      taxes: { 'Standard rate': 23, 'Tourism rate': 9 },
      foreign: 'KWD',
    },
    'olive-trading-north': {
      name: 'Olive Trading North Ltd',
      currency: 'GBP',
      size: [30, 8],
      ...olive,
    },
    'dune-logistics': {
      name: 'Dune Logistics LLC',
      currency: 'AED',
      size: [30, 8],
      dataCenter: 'ae',
      taxes: { 'Standard rate': 5 },
    },
    'evergreen-holdings-c': { ...evergreen, currency: 'EUR' },
  }),
};
