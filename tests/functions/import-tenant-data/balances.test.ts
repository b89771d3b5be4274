// The comparison of the books with the platform's trial balances: random companies, whose whole
// books the platform has and whose journals alone it lists.

import Big from 'big.js';
import { expect, test, vi } from 'vitest';
import {
  openPlatformBalances,
  type PlatformBalances,
} from '#shared/balances/platform-balances.store.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import {
  addCents,
  balancesOf,
  type Cents,
  chartOfWholeBooks,
  openWholeBooks,
  type YearEnd,
} from '../../support/builders/platforms/whole-books.ts';
import { openRandom, type Random } from '../../support/builders/random.ts';
import { openTenantImports } from '../../support/harnesses/tenant-imports.ts';
import { readEntries } from '../../support/readers/tenant-entries.ts';
import { isWhole, sliceSeed } from '../../support/slices.ts';

vi.setConfig({ testTimeout: 180_000 });

const env = await openTenantImports();
const balances = openPlatformBalances(env.table);

type WholeBooks = ReturnType<typeof openWholeBooks>;
type Company = Awaited<ReturnType<typeof env.connectCompany>>;

const monthEnds = [...Array(25).keys()].map((index) =>
  new Date(Date.UTC(2024, 2 + index, 0)).toISOString().slice(0, 10),
);

/** The sum of all entries by date, in the account names of the platform. */
const recordedEvents = async ({ name }: Company) => {
  const chart = await balances.readChart(name);
  const entries = await readEntries(env.table, name);
  return entries
    .filter(({ entryType }) => entryType !== 'Manual Journal')
    .map(({ postingDate, lines }) => {
      const cents: Cents = new Map();
      for (const { account, bookDebit, bookCredit } of lines) {
        const amount = Math.round(Number(bookDebit) * 100) - Math.round(Number(bookCredit) * 100);
        addCents(cents, new Map([[chart.get(account)?.platformAccountId ?? account, amount]]));
      }
      return { date: postingDate, cents };
    });
};

/** The days on which an account differs from the platform, computed without the product. */
const differingDays = async (
  company: Company,
  books: ReturnType<typeof openWholeBooks>,
  yearEnd: YearEnd,
): Promise<string[]> => {
  const events = await recordedEvents(company);
  return [...monthEnds, '2026-03-23'].filter((date) => {
    const ours = balancesOf(events, { to: date, ...yearEnd });
    addCents(ours, books.balances(date), -1);
    return [...ours.values()].some((cents) => cents !== 0);
  });
};

/** The journals whose entries do not add up to what the platform has. */
const differingJournals = async (
  { name }: Company,
  { events }: WholeBooks,
): Promise<Set<string>> => {
  const chart = await balances.readChart(name);
  const differences = new Map<string, Cents>();
  const add = (reference: string, date: string, cents: ReadonlyMap<string, number>): void => {
    const ofJournal = differences.get(reference) ?? new Map();
    differences.set(reference, ofJournal);
    for (const [code, amount] of cents) addCents(ofJournal, new Map([[`${date} ${code}`, amount]]));
  };
  for (const entry of await readEntries(env.table, name)) {
    if (entry.entryType !== 'Imported Journal') continue;
    const [reference = ''] = entry.platformReference.split('#');
    for (const { account, bookDebit, bookCredit } of entry.lines) {
      const amount = Math.round(Number(bookDebit) * 100) - Math.round(Number(bookCredit) * 100);
      const code = chart.get(account)?.platformAccountId ?? account;
      add(reference, entry.postingDate, new Map([[code, amount]]));
    }
  }
  for (const { reference, date, cents } of events) {
    const negative = new Map([...cents].map(([code, amount]) => [code, -amount]));
    if (reference !== null) add(reference, date, negative);
  }
  const isDifferent = ([, cents]: [string, Cents]): boolean =>
    [...cents.values()].some((amount) => amount !== 0);
  return new Set([...differences].filter(isDifferent).map(([reference]) => reference));
};

const importAgain = async (company: Company, random: Random, count: number): Promise<void> => {
  company.world.now += 3_600_000;
  const details = { importId: `import-${count}`, requestedAt: company.clock().toISOString() };
  const { lockDate } = (await env.tenants.find(company.name)) ?? {};
  const outcome = random.once(2)
    ? await env.imports.request(company.name, details)
    : await env.imports.requestChanges(company.name, { ...details, lockDate });
  expect([true, 'requested']).toContain(outcome);
  await company.runToEnd();
};

const seeds = [...Array(isWhole ? 25 : 2).keys()].map((index) => sliceSeed * 1_000 + index);

test.each(seeds)('the books equal the platform or say why not, with the seed %i', async (seed) => {
  const random = openRandom(seed);
  const lastMonth = 1 + random.below(12);
  const yearEnd = { lastMonth: random.once(3) ? null : lastMonth };
  const books = openWholeBooks(random, yearEnd);
  for (let count = 5 + random.below(40); count > 0; count -= 1) books.add();
  const [listsRemoved, hasLines] = [random.once(2), random.once(2)];
  const options = { accountPages: [chartOfWholeBooks], listsRemoved, isWhole: hasLines };
  const company = await env.connectCompany(options);
  const { fake } = company;
  const financialYearEnd = new Date(Date.UTC(2024, lastMonth, 0)).toISOString().slice(5, 10);
  fake.books.company = { ...fake.books.company, financialYearEnd };
  fake.books.trialBalance = books.trialBalance;
  let lockDate: string | undefined;
  for (let round = 1; round <= 4; round += 1) {
    fake.books.journalPages = [books.journals()];
    fake.books.changedJournals = books.journals();
    const lasts = random.below(30);
    if (random.once(2)) {
      fake.plan('trialBalance', ...Array(lasts).fill(() => {}), new Error('the run was killed'));
    }
    if (random.once(3)) {
      const calls = Array(random.below(8)).fill(() => {});
      fake.plan('readJournal', ...calls, new Error('the run was killed'));
    }
    if (round === 1) await company.runToEnd();
    else await importAgain(company, random, round);
    const { days = [], reason } = await balances.findComparison(company.name);
    expect(reason).toBeNull();
    const explained = days.filter((day) => day.reason !== null).map(({ date }) => date);
    const differing = await differingDays(company, books, yearEnd);
    // A complete import compares all days; another one may miss a change that no list has.
    const { modifiedSince, checkpoint } = (await env.imports.find(company.name)) ?? {};
    if (modifiedSince === null) expect(differing).toEqual(explained);
    const refused = checkpoint?.refused.map(({ reference }) => reference) ?? [];
    const exists = (it: string) => books.events.some(({ reference }) => reference === it);
    // Lists without lines show no edit, and only a complete one shows what was deleted.
    const isShown = (it: string): boolean =>
      exists(it) ? hasLines || modifiedSince !== null : !listsRemoved && modifiedSince === null;
    const lacking = [...(await differingJournals(company, books))].filter(isShown);
    expect(refused).toEqual(expect.arrayContaining(lacking));
    for (const { reason: why } of days) expect([null, 'period_locked']).toContain(why);
    for (let count = random.below(4); count > 0; count -= 1) books.change();
    if (random.once(3)) books.add();
    if (lockDate === undefined && random.once(4)) {
      lockDate = random.pick(monthEnds);
      await lockPeriod(env.table, company.name, lockDate);
    }
  }
});

/** What the comparison would get wrong, and what an import uses then. */
const saboteurs: Record<
  string,
  (report: WholeBooks['trialBalance']) => {
    balances?: Partial<PlatformBalances>;
    trialBalance?: WholeBooks['trialBalance'];
  }
> = {
  'the profit of earlier years is counted twice from January on': (report) => ({
    trialBalance: (request) => ({ ...report(request), profitSince: 'start_of_books' }),
  }),
  'each month gets the totals instead of the differences': () => ({
    balances: { listSheets: async () => [] },
  }),
  'an entry is posted twice': () => ({
    balances: {
      post: async (name, entry, { runId, revision }) => {
        const posting = await balances.post(name, entry, { runId, revision });
        await balances.post(name, entry, { runId, revision: revision + 1 });
        return posting;
      },
    },
  }),
  'an account that the chart lacks is left out': (report) => ({
    trialBalance: (request) => {
      const { rows, ...rest } = report(request);
      const rent = rows.find(({ accountId }) => accountId === 'rent')?.balance ?? new Big(0);
      const others = rows.filter(({ accountId }) => accountId !== 'rent');
      const first = { ...others[0], balance: others[0]?.balance.plus(rent) };
      return { ...rest, rows: [first, ...others.slice(1)] as typeof rows };
    },
  }),
  'the amounts of a header are added to its accounts': (report) => ({
    trialBalance: (request) => {
      const { rows, ...rest } = report(request);
      const doubled = rows.map((row) => ({ ...row, balance: row.balance.times(2) }));
      return { ...rest, rows: doubled };
    },
  }),
};

test.each(Object.entries(saboteurs))('the checks notice if %s', async (_, sabotage) => {
  const yearEnd = { lastMonth: 12 };
  const books = openWholeBooks(openRandom(7), yearEnd);
  for (let count = 40; count > 0; count -= 1) books.add();
  const company = await env.connectCompany({ accountPages: [chartOfWholeBooks] });
  const { fake } = company;
  const sabotaged = sabotage(books.trialBalance);
  fake.books.company = { ...fake.books.company, financialYearEnd: '12-31' };
  fake.books.trialBalance = sabotaged.trialBalance ?? books.trialBalance;
  fake.books.journalPages = [books.journals()];
  await company.runToEnd({ balances: { ...env.stores.balances, ...sabotaged.balances } });
  expect(await differingDays(company, books, yearEnd)).not.toEqual([]);
});

test('reports that fail end the comparison after three more runs, not the import', async () => {
  const company = await env.connectCompany();
  const { fake } = company;
  fake.books.trialBalance = openWholeBooks(openRandom(1), { lastMonth: 12 }).trialBalance;
  fake.plan('trialBalance', ...Array(20).fill(new PlatformFailure('platform_unavailable')));
  await company.runToEnd();
  const comparison = await balances.findComparison(company.name);
  expect(comparison).toMatchObject({ reason: 'reports_unavailable', days: [], checkedAt: null });
  expect((await company.state()).tenant).toEqual(['active', null]);
  const unavailable = 'deferred_platform_unavailable';
  expect(company.outcomes()).toEqual([...Array(3).fill(unavailable), 'success']);
});
