// The sandbox platform's demo companies, all of them made up.

import type { Slot } from '#shared/platforms/slots.ts';
import { chartOf, realChartOf } from './charts.ts';
import type { DemoAccount, DemoCompany } from './demo-company.ts';
import { createJournalGenerator, type JournalOptions } from './journals.ts';

type CompanyRow = Pick<DemoCompany, 'id' | 'name' | 'currency' | 'journalCount'> &
  Partial<
    Pick<DemoCompany, 'dataCenter' | 'owner' | 'isActive' | 'taxRates' | 'fiscalYearStart'>
  > & {
    accountCount: number;
    /** Whether it has what tidy books have not: accounts below others, taxes, odd records. */
    isReal?: boolean;
  } & Pick<JournalOptions, 'foreign'>;

/** Nothing of a chart or of a journal is made before somebody asks for it. */
const companyOf = ({
  accountCount,
  foreign,
  isReal = false,
  taxRates = [],
  ...row
}: CompanyRow): DemoCompany => {
  let accounts: readonly DemoAccount[] | undefined;
  let generateJournal: DemoCompany['journalAt'] | undefined;
  const company: DemoCompany = {
    dataCenter: 'us',
    owner: row.id,
    fiscalYearStart: 1,
    isActive: true,
    taxRates,
    ...row,
    get accounts() {
      accounts ??= isReal ? realChartOf(accountCount) : chartOf(accountCount);
      return accounts;
    },
    journalAt: (index) => {
      generateJournal ??= createJournalGenerator(company, { foreign, isReal });
      return generateJournal(index);
    },
  };
  return company;
};

/** As large as a company may reasonably be, to see how an import of that size goes. */
const evergreen = (letter: 'a' | 'b' | 'c', currency: string): DemoCompany =>
  companyOf({
    id: `evergreen-holdings-${letter}`,
    name: 'Evergreen Holdings',
    currency,
    accountCount: 10_000,
    journalCount: 100_000,
  });

const britishRates = [
  { name: '20% VAT', percent: 20 },
  { name: '5% VAT', percent: 5 },
  { name: 'Zero rated', percent: 0 },
];
const canadianRates = [
  { name: 'HST', percent: 13 },
  { name: 'GST', percent: 5 },
];
const irishRates = [
  { name: 'Standard rate', percent: 23 },
  { name: 'Tourism rate', percent: 9 },
];

export const companiesOf: Readonly<Record<Slot, readonly DemoCompany[]>> = {
  platform_a: [
    companyOf({
      id: 'linden-bakery',
      name: 'Linden Bakery GmbH',
      currency: 'EUR',
      accountCount: 118,
      journalCount: 260,
    }),
    companyOf({
      id: 'harbour-coffee',
      name: 'Harbour Coffee Roasters Ltd',
      currency: 'GBP',
      fiscalYearStart: 4,
      accountCount: 64,
      journalCount: 40,
    }),
    companyOf({
      id: 'prairie-tools',
      name: 'Prairie Tools Inc.',
      currency: 'USD',
      accountCount: 22,
      journalCount: 3,
    }),
    companyOf({
      id: 'cedar-interiors',
      name: 'Cedar Interiors Ltd',
      currency: 'GBP',
      owner: 'cedar',
      accountCount: 1_000,
      journalCount: 140,
      isReal: true,
      taxRates: britishRates,
    }),
    companyOf({
      id: 'cedar-interiors-gulf',
      name: 'Cedar Interiors Gulf WLL',
      currency: 'KWD',
      owner: 'cedar',
      accountCount: 40,
      journalCount: 20,
    }),
    evergreen('a', 'EUR'),
  ],
  platform_b: [
    companyOf({
      id: 'alder-software',
      name: 'Alder Software Inc.',
      currency: 'USD',
      accountCount: 96,
      journalCount: 230,
      foreign: { currency: 'EUR', every: 20, rateInTenThousandths: 10_800 },
    }),
    companyOf({
      id: 'sakura-printing',
      name: 'Sakura Printing KK',
      currency: 'JPY',
      fiscalYearStart: 4,
      accountCount: 72,
      journalCount: 25,
    }),
    companyOf({
      id: 'cypress-clinics',
      name: 'Cypress Clinics Inc.',
      currency: 'CAD',
      accountCount: 1_000,
      journalCount: 140,
      isReal: true,
      taxRates: canadianRates,
      foreign: { currency: 'KWD', every: 15, rateInTenThousandths: 44_000 },
    }),
    evergreen('b', 'USD'),
  ],
  platform_c: [
    companyOf({
      id: 'brennan-daughters',
      name: "Brennan & Daughters' Looms Ltd",
      currency: 'EUR',
      dataCenter: 'eu',
      accountCount: 104,
      journalCount: 45,
      foreign: { currency: 'GBP', every: 15, rateInTenThousandths: 11_500 },
    }),
    companyOf({
      id: 'fjord-fish',
      name: 'Fjord Fish AS',
      currency: 'NOK',
      dataCenter: 'eu',
      accountCount: 58,
      journalCount: 12,
    }),
    companyOf({
      id: 'jaipur-textiles',
      name: 'Jaipur Textiles Pvt Ltd',
      currency: 'INR',
      fiscalYearStart: 4,
      dataCenter: 'in',
      accountCount: 30,
      journalCount: 0,
    }),
    companyOf({
      id: 'olive-trading-former',
      name: 'Olive Trading (closed)',
      currency: 'EUR',
      owner: 'olive',
      dataCenter: 'eu',
      isActive: false,
      accountCount: 22,
      journalCount: 5,
    }),
    companyOf({
      id: 'olive-trading',
      name: 'Olive Trading Ltd',
      currency: 'EUR',
      owner: 'olive',
      dataCenter: 'eu',
      accountCount: 1_000,
      journalCount: 140,
      isReal: true,
      taxRates: irishRates,
      foreign: { currency: 'KWD', every: 15, rateInTenThousandths: 28_000 },
    }),
    companyOf({
      id: 'olive-trading-north',
      name: 'Olive Trading North Ltd',
      currency: 'GBP',
      owner: 'olive',
      dataCenter: 'eu',
      accountCount: 30,
      journalCount: 8,
    }),
    companyOf({
      id: 'dune-logistics',
      name: 'Dune Logistics LLC',
      currency: 'AED',
      dataCenter: 'ae',
      accountCount: 30,
      journalCount: 8,
      taxRates: [{ name: 'Standard rate', percent: 5 }],
    }),
    evergreen('c', 'EUR'),
  ],
};

/** All companies of the one's user, in the order of the platform's list; first is the default. */
export const companiesOfOwner = (slot: Slot, { owner }: DemoCompany): readonly DemoCompany[] =>
  companiesOf[slot].filter((company) => company.owner === owner);
