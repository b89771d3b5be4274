// The sandbox's fictitious companies.

import type { Slot } from '#shared/platforms/slots.ts';
import { chartOf, realChartOf } from './charts.ts';
import type { DemoAccount, DemoCompany } from './demo-company.ts';
import { createJournalGenerator, type ForeignJournals } from './journals.ts';

type CompanyRow = Pick<DemoCompany, 'id' | 'name' | 'currency'> &
  Partial<
    Pick<DemoCompany, 'dataCenter' | 'owner' | 'isActive' | 'taxRates' | 'fiscalYearStart'>
  > & {
    size: [accounts: number, journals: number];
    /** Whether the books have what real ones have: sub-accounts, taxes and incomplete records. */
    isReal?: boolean;
    foreign?: ForeignJournals;
  };

/** Computes the chart and the journals on first use. */
const company = ({ size, foreign, isReal = false, taxRates = [], ...row }: CompanyRow) => {
  const [accountCount, journalCount] = size;
  let accounts: readonly DemoAccount[] | undefined;
  let generateJournal: DemoCompany['journalAt'] | undefined;
  const created: DemoCompany = {
    dataCenter: 'us',
    owner: row.id,
    fiscalYearStart: 1,
    isActive: true,
    taxRates,
    journalCount,
    ...row,
    get accounts() {
      accounts ??= isReal ? realChartOf(accountCount) : chartOf(accountCount);
      return accounts;
    },
    journalAt: (index) => {
      generateJournal ??= createJournalGenerator(created, { foreign, isReal });
      return generateJournal(index);
    },
  };
  return created;
};

/** The largest company that an import must handle. */
const evergreen = (letter: 'a' | 'b' | 'c', currency: string): DemoCompany =>
  company({
    id: `evergreen-holdings-${letter}`,
    name: 'Evergreen Holdings',
    currency,
    size: [10_000, 100_000],
  });

const xeroCompanies: readonly DemoCompany[] = [
  company({ id: 'linden-bakery', name: 'Linden Bakery GmbH', currency: 'EUR', size: [118, 260] }),
  company({
    id: 'harbour-coffee',
    name: 'Harbour Coffee Roasters Ltd',
    currency: 'GBP',
    fiscalYearStart: 4,
    size: [64, 40],
  }),
  company({ id: 'prairie-tools', name: 'Prairie Tools Inc.', currency: 'USD', size: [22, 3] }),
  company({
    id: 'cedar-interiors',
    name: 'Cedar Interiors Ltd',
    currency: 'GBP',
    owner: 'cedar',
    size: [1_000, 140],
    isReal: true,
    taxRates: [
      { name: '20% VAT', percent: 20 },
      { name: '5% VAT', percent: 5 },
      { name: 'Zero rated', percent: 0 },
    ],
  }),
  company({
    id: 'cedar-interiors-gulf',
    name: 'Cedar Interiors Gulf WLL',
    currency: 'KWD',
    owner: 'cedar',
    size: [40, 20],
  }),
  evergreen('a', 'EUR'),
];

const quickbooksCompanies: readonly DemoCompany[] = [
  company({
    id: 'alder-software',
    name: 'Alder Software Inc.',
    currency: 'USD',
    size: [96, 230],
    foreign: { currency: 'EUR', every: 20, rateInTenThousandths: 10_800 },
  }),
  company({
    id: 'sakura-printing',
    name: 'Sakura Printing KK',
    currency: 'JPY',
    fiscalYearStart: 4,
    size: [72, 25],
  }),
  company({
    id: 'cypress-clinics',
    name: 'Cypress Clinics Inc.',
    currency: 'CAD',
    size: [1_000, 140],
    isReal: true,
    taxRates: [
      { name: 'HST', percent: 13 },
      { name: 'GST', percent: 5 },
    ],
    foreign: { currency: 'KWD', every: 15, rateInTenThousandths: 44_000 },
  }),
  evergreen('b', 'USD'),
];

const olive = { owner: 'olive', dataCenter: 'eu' };

const zohoCompanies: readonly DemoCompany[] = [
  company({
    id: 'brennan-daughters',
    name: "Brennan & Daughters' Looms Ltd",
    currency: 'EUR',
    dataCenter: 'eu',
    size: [104, 45],
    foreign: { currency: 'GBP', every: 15, rateInTenThousandths: 11_500 },
  }),
  company({
    id: 'fjord-fish',
    name: 'Fjord Fish AS',
    currency: 'NOK',
    dataCenter: 'eu',
    size: [58, 12],
  }),
  company({
    id: 'jaipur-textiles',
    name: 'Jaipur Textiles Pvt Ltd',
    currency: 'INR',
    fiscalYearStart: 4,
    dataCenter: 'in',
    size: [30, 0],
  }),
  company({
    ...olive,
    id: 'olive-trading-former',
    name: 'Olive Trading (closed)',
    currency: 'EUR',
    isActive: false,
    size: [22, 5],
  }),
  company({
    ...olive,
    id: 'olive-trading',
    name: 'Olive Trading Ltd',
    currency: 'EUR',
    size: [1_000, 140],
    isReal: true,
    taxRates: [
      { name: 'Standard rate', percent: 23 },
      { name: 'Tourism rate', percent: 9 },
    ],
    foreign: { currency: 'KWD', every: 15, rateInTenThousandths: 28_000 },
  }),
  company({
    ...olive,
    id: 'olive-trading-north',
    name: 'Olive Trading North Ltd',
    currency: 'GBP',
    size: [30, 8],
  }),
  company({
    id: 'dune-logistics',
    name: 'Dune Logistics LLC',
    currency: 'AED',
    dataCenter: 'ae',
    size: [30, 8],
    taxRates: [{ name: 'Standard rate', percent: 5 }],
  }),
  evergreen('c', 'EUR'),
];

export const companiesOf: Readonly<Record<Slot, readonly DemoCompany[]>> = {
  platform_a: xeroCompanies,
  platform_b: quickbooksCompanies,
  platform_c: zohoCompanies,
};
