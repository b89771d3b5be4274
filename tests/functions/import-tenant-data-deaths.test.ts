import { beforeAll, describe, expect, test } from 'vitest';
import {
  account,
  broughtAgain,
  done,
  journal,
  openTenantImports,
  type TenantImports,
} from '../support/harnesses/tenant-imports.ts';
import { type Fate, openMortalProcess } from '../support/processes/crashing-process.ts';

const mortal = openMortalProcess();
let open: TenantImports;

beforeAll(async () => {
  open = await openTenantImports(mortal.config);
});

type Company = ReturnType<TenantImports['newCompany']>;

/** Two pages of accounts and three of journals; the access token ends after the first of them. */
const connectForAll = async (): Promise<Company> => {
  const company = open.newCompany({
    accountPages: [[account('1'), account('2')], [account('3', { code: null })]],
    journalPages: [
      [journal('a'), journal('b', { date: '2026-03-21' })],
      [journal('c', { accounts: ['1', '3'] }), journal('d')],
      [journal('e', { date: '2026-03-21' })],
    ],
  });
  const tokens = company.fake.issueTokens();
  company.fake.plan('accountPage', () => company.fake.revokeAccess(tokens.accessToken));
  await company.connect({ tokens });
  return company;
};

/** A journal that names an account which was added after the chart was read. */
const connectForChartAgain = async (): Promise<Company> => {
  const company = open.newCompany({
    accountPages: [[account('1')]],
    journalPages: [[journal('a')]],
  });
  company.fake.plan('journalPage', () => {
    company.fake.books.accountPages = [[account('1')], [account('2')]];
  });
  await company.connect();
  return company;
};

/** A platform whose pages shift, where a journal comes to the first page after it was read. */
const connectForWalks = async (): Promise<Company> => {
  const [first, second] = [[journal('a')], [journal('b')]];
  const company = open.newCompany({
    accountPages: [[account('1'), account('2')]],
    journalPages: [first, second],
    pagesShift: true,
  });
  company.fake.plan(
    'journalPage',
    () => {},
    () => {
      company.fake.books.journalPages = [[...first, journal('c')], second];
    },
  );
  await company.connect();
  return company;
};

const complete = { tenant: ['active', null], import: ['complete', null] };

/** Dying after a call leaves the same behind as dying before the next, so it is tried once. */
const distinctFates: Fate[] = ['dies before it', 'lives on without its answer'];
const everyFate: Fate[] = ['dies after it', ...distinctFates];

const imports = [
  {
    title: 'an import whose process makes any call and',
    connect: connectForAll,
    fates: everyFate,
    moreCallsThan: 40,
    operations: ['company', 'accountPage', 'refresh', 'journalPage', 'readJournal'],
    everything: {
      ...{ ...complete, counts: [3, 5, 0], accounts: ['1', '2', 'ID-3'] },
      journals: [
        ['IJ-20260320-0001', 'a'],
        ['IJ-20260320-0002', 'c'],
        ['IJ-20260320-0003', 'd'],
        ['IJ-20260321-0001', 'b'],
        ['IJ-20260321-0002', 'e'],
      ],
    },
  },
  {
    title: 'an import that reads the chart twice, whose process makes any call and',
    connect: connectForChartAgain,
    fates: distinctFates,
    moreCallsThan: 30,
    operations: ['company', 'accountPage', 'journalPage', 'readJournal'],
    everything: {
      ...{ ...complete, counts: [2, 1, 0], accounts: ['1', '2'] },
      journals: [['IJ-20260320-0001', 'a']],
    },
  },
  {
    title: 'an import that walks through shifting pages, whose process makes any call and',
    connect: connectForWalks,
    fates: distinctFates,
    moreCallsThan: 40,
    operations: ['company', 'accountPage', 'journalPage', 'readJournal'],
    everything: {
      ...{ ...complete, counts: [2, 3, 0], accounts: ['1', '2'] },
      journals: [
        ['IJ-20260320-0001', 'a'],
        ['IJ-20260320-0002', 'b'],
        ['IJ-20260320-0003', 'c'],
      ],
    },
  },
];

const platformsOf = ({ fake }: Company) => {
  const platform = mortal.mortal(fake.platform);
  return { get: async () => platform };
};

/** How an import ended whose first process met this fate at this call, and which calls it made. */
const importWith = async (company: Company, end?: { fate: Fate; at: number }) => {
  const platforms = platformsOf(company);
  mortal.start(end);
  await company.deliver({ platforms });
  const calls = [...mortal.calls()];
  mortal.start();
  await company.runToEnd({ platforms });
  const { tokens } = (await open.connections.find(company.name)) ?? {};
  const isConnected = company.fake.isRefreshable(tokens?.refreshToken ?? '');
  return { calls, ending: { state: await company.state(), isConnected } };
};

describe.each(imports)('$title', ({ connect, fates, moreCallsThan, operations, everything }) => {
  const ending = { state: everything, isConnected: true };
  let calls: readonly string[];

  beforeAll(async () => {
    const unharmed = await importWith(await connect());
    expect(unharmed.ending).toEqual(ending);
    calls = unharmed.calls;
  });

  test('lives makes many calls, of every kind', () => {
    expect(calls.length).toBeGreaterThan(moreCallsThan);
    const table = ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'TransactWriteItems'];
    expect(new Set(calls)).toEqual(new Set([...table, ...operations]));
  });

  test.each(fates)(
    '%s, ends as if nothing had been',
    async (fate) => {
      for (let at = 1; at <= calls.length; at += 1) {
        const found = await importWith(await connect(), { fate, at });
        const where = `call ${at}, ${calls[at - 1]}`;
        expect(found.calls.slice(0, at), where).toEqual(calls.slice(0, at));
        expect(found.ending, where).toEqual(ending);
      }
    },
    90_000,
  );
});

test('an import whose process dies in five runs that recorded nothing is given up', async () => {
  const company = await connectForAll();
  const platforms = platformsOf(company);
  for (let runs = 1; runs <= 5; runs += 1) {
    mortal.start({ fate: 'dies before it', at: 6 });
    expect(await company.deliver({ platforms })).toEqual(broughtAgain);
    expect(mortal.calls().slice(4)).toEqual(['company', 'UpdateItem']);
    expect((await company.state()).import).toEqual(['running', null]);
    await company.resumeWhenDue();
  }
  mortal.start();
  expect(await company.deliver({ platforms })).toEqual(done);
  expect(await company.state()).toEqual({
    tenant: ['import_failed', 'gave_up'],
    import: ['failed', 'gave_up'],
    counts: [0, 0, 0],
    accounts: [],
    journals: [],
  });
  expect(company.fake.calls).toEqual(Array.from({ length: 5 }, () => 'company'));
  expect(company.metrics.events).toContainEqual(['importFailed']);
});
