// The sandbox platform's demo companies, all of them made up.

import type { Slot } from '#shared/platforms/slots.ts';
import { chartOf } from './charts.ts';
import type { DemoAccount, DemoCompany } from './demo-company.ts';
import { createJournalGenerator, type ForeignJournals } from './journals.ts';

type CompanyRow = Pick<DemoCompany, 'id' | 'name' | 'currency' | 'journalCount'> & {
  accountCount: number;
  dataCenter?: string;
  foreign?: ForeignJournals;
};

/** Nothing of a chart or of a journal is made before somebody asks for it. */
const companyOf = ({
  accountCount,
  foreign,
  dataCenter = 'us',
  ...row
}: CompanyRow): DemoCompany => {
  let accounts: readonly DemoAccount[] | undefined;
  let generateJournal: DemoCompany['journalAt'] | undefined;
  const company: DemoCompany = {
    ...row,
    dataCenter,
    get accounts() {
      accounts ??= chartOf(accountCount);
      return accounts;
    },
    journalAt: (index) => {
      generateJournal ??= createJournalGenerator(company, foreign);
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
      accountCount: 72,
      journalCount: 25,
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
      dataCenter: 'in',
      accountCount: 30,
      journalCount: 0,
    }),
    evergreen('c', 'EUR'),
  ],
};
