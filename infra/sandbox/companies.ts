// The sandbox platform's demo companies, all of them made up, in no platform's words: each dialect
// words them in its own.

import type { Account } from '#shared/domain/accounts.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { chartOf } from './charts.ts';
import { type ForeignJournals, journalMaker } from './journals.ts';

/** Not every account has a code, and two accounts can have the same. */
export type DemoAccount = {
  code: string | null;
  name: string;
  type: Account['type'];
  status: Account['status'];
};

export type DemoJournal = {
  /** As in 2026-03-31. */
  date: string;
  memo: string;
  status: 'posted' | 'draft';
  /** `account` is a place in the company's `accounts`. One side of a line is zero. */
  lines: { account: number; description: string; debit: string; credit: string }[];
  currency: string;
  /** What one unit of `currency` is in the company's; `null` where it is the company's own. */
  exchangeRate: string | null;
};

export type DemoCompany = {
  /** What the consent page's form and scripts choose the company by. */
  id: string;
  name: string;
  currency: string;
  /** Where a platform with several data centers keeps the company. */
  dataCenter: string;
  accounts: readonly DemoAccount[];
  journalCount: number;
  /** The journal at this place, counted from 0. Computed, so that journals cost no memory. */
  journalAt: (index: number) => DemoJournal;
};

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
  let makeJournal: DemoCompany['journalAt'] | undefined;
  const company: DemoCompany = {
    ...row,
    dataCenter,
    get accounts() {
      accounts ??= chartOf(accountCount);
      return accounts;
    },
    journalAt: (index) => {
      makeJournal ??= journalMaker(company, foreign);
      return makeJournal(index);
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
