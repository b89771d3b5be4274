// The rows: loads as customers have them. Each one prepares its clients for a service.

import { addDays } from '#shared/money/dates.ts';
import { openRandom } from '../../support/builders/random.ts';
import { entryDate } from '../requests.ts';
import type { Client, RowService } from './row-service.ts';

export type Row = {
  title: string;
  /** Makes the tenants of the row on a service, and its clients. */
  prepare: (service: RowService, options: { quick: boolean }) => Promise<Client[]>;
  /** The entries of all blocks together. Other rows are measured for some seconds. */
  entries?: number;
};

const batchSize = 25;
const booksEntries = 20_000;
const quickEntries = 500;
const thousand = 1_000;
const currencies = ['USD', 'GBP', 'CHF', 'SEK', 'PLN', 'CAD', 'AUD', 'EUR'];
const paths = { one: 'journal_entries/create/', many: 'journal_entries/create_many/' };

type Draft = { date: string; accounts?: readonly [string, string]; currency?: string };

const entryOf = ({
  date,
  accounts: [debit, credit] = ['1010', '4010'],
  currency = 'EUR',
}: Draft) => ({
  date,
  memo: 'March consulting',
  transactionCurrency: currency,
  reportingCurrency: 'EUR',
  entries: [
    { account: debit, debit: '1159.60', description: 'Received' },
    { account: credit, credit: '1159.60', description: 'Consulting' },
  ],
});

/** Clients that post one entry after the other. `draftOf` gets the number of the entry. */
const postOne = (
  count: number,
  domain_url: string,
  draftOf: (place: number) => Draft,
): Client[] => {
  let place = 0;
  return Array.from({ length: count }, () => () => {
    place += 1;
    return { path: paths.one, body: { domain_url, ...entryOf(draftOf(place)) } };
  });
};

const postMany = (
  count: number,
  domain_url: string,
  draftOf: (place: number) => Draft,
): Client[] => {
  let place = 0;
  return Array.from({ length: count }, () => () => {
    const journal_entries = Array.from({ length: batchSize }, () => {
      place += 1;
      return entryOf(draftOf(place));
    });
    return { path: paths.many, body: { domain_url, journal_entries } };
  });
};

const onOneDate = (): Draft => ({ date: entryDate });
const on28Dates = (place: number): Draft => ({ date: addDays(entryDate, -(place % 28)) });

/** The entry at a place in a year of entries on all accounts, in the order of their dates. */
const inAYear = (place: number, codes: readonly string[]): Draft => {
  const date = addDays(entryDate, Math.floor((place * 365) / booksEntries) - 365);
  const codeAt = (number: number): string => codes[number % codes.length] ?? '';
  return { date, accounts: [codeAt(place), codeAt(place * 7 + 3)] };
};

/** The books of a year on each service, which several rows continue. */
type Books = { prefix: string; codes: string[]; entries: number };
const yearBooks = new WeakMap<RowService, Books>();

const openBooks = async (service: RowService): Promise<Books> => {
  const prefix = await service.newTenant('Books of a year');
  return { prefix, codes: await service.codesOf(prefix), entries: 0 };
};

/** Books with at least this number of entries. Posts the missing ones in batches. */
const booksWith = async (service: RowService, entries: number): Promise<Books> => {
  const books = yearBooks.get(service) ?? (await openBooks(service));
  yearBooks.set(service, books);
  const { prefix, codes, entries: before } = books;
  const clients = postMany(4, prefix, (place) => inAYear(before + place, codes));
  const { done } = await service.run(clients, { count: entries - before });
  books.entries += done;
  return books;
};

const continueBooks = ({ prefix, codes, entries }: Books): Client[] =>
  postOne(4, prefix, (place) => inAYear(entries + place, codes));

/** Clients that read the books of a year. */
const reads =
  (resource: string, query: Record<string, string> = {}): Row['prepare'] =>
  async (service, { quick }) => {
    const { prefix } = await booksWith(service, quick ? quickEntries : booksEntries);
    await service.carryTotals();
    const path = `${resource}?${new URLSearchParams({ domain_url: prefix, ...query })}`;
    return Array.from({ length: 4 }, () => () => ({ path }));
  };

const trialBalance = 'reports/trial_balance/';
const entryList = 'journal_entries/list/';

export const rows: Record<string, Row> = {
  'one-client': {
    title: 'one client',
    prepare: async ({ newTenant }) => postOne(1, await newTenant('One client'), onOneDate),
  },
  'hot-accounts': {
    title: '16 clients, two accounts, 28 dates',
    prepare: async ({ newTenant }) => postOne(16, await newTenant('Hot accounts'), on28Dates),
  },
  tenants: {
    title: '16 tenants across currencies',
    prepare: async ({ newTenant }) => {
      const clients: Client[] = [];
      for (let place = 1; place <= 16; place += 1) {
        const tenant = await newTenant(`Tenant ${place}`);
        const currency = currencies[place % currencies.length] ?? 'EUR';
        clients.push(...postOne(1, tenant, () => ({ date: entryDate, currency })));
      }
      return clients;
    },
  },
  ...Object.fromEntries(
    [16, 64, 256].map((count): [string, Row] => [
      `one-date-${count}`,
      {
        title: `${count} clients, one date`,
        prepare: async ({ newTenant }) => {
          return postOne(count, await newTenant(`${count} clients`), onOneDate);
        },
      },
    ]),
  ),
  'batches-1': {
    title: 'batches of 25 by 1 client',
    prepare: async ({ newTenant }) => postMany(1, await newTenant('Batches'), onOneDate),
  },
  'batches-4': {
    title: 'batches of 25 by 4 clients',
    prepare: async ({ newTenant }) => postMany(4, await newTenant('More batches'), onOneDate),
  },
  'out-of-order': {
    title: '16 clients, dates of three years out of order',
    prepare: async ({ newTenant }) => {
      const random = openRandom(1);
      const draftOf = () => ({ date: addDays(entryDate, -random.below(3 * 365)) });
      return postOne(16, await newTenant('Out of order'), draftOf);
    },
  },
  'first-thousand': {
    title: 'first thousand of 20,000, 4 clients',
    entries: thousand,
    prepare: async (service) => continueBooks(await booksWith(service, 0)),
  },
  'last-thousand': {
    title: 'last thousand of 20,000, 4 clients',
    entries: thousand,
    prepare: async (service, { quick }) =>
      continueBooks(await booksWith(service, quick ? quickEntries : booksEntries - thousand)),
  },
  'balances-now': {
    title: 'balances of 20,000 entries now, 4 clients',
    prepare: reads(trialBalance),
  },
  'balances-as-of': {
    title: 'balances of 20,000 entries half a year before, 4 clients',
    prepare: reads(trialBalance, { as_of: addDays(entryDate, -180) }),
  },
  'list-of-account': {
    title: 'a page of 50 entries of one account, of 20,000 entries, 4 clients',
    prepare: reads(entryList, { account: '4010' }),
  },
  'list-of-nothing': {
    title: 'a page of imported entries of 20,000 entries without any, 4 clients',
    prepare: reads(entryList, { entry_type: 'Imported Journal' }),
  },
};
