import Big from 'big.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Platform, PlatformJournal } from '#shared/platforms/platform.ts';
import {
  account,
  done,
  journal,
  openTenantImports,
  type TenantImports,
} from '../support/harnesses/tenant-imports.ts';

let open: TenantImports;

beforeAll(async () => {
  open = await openTenantImports();
});

const accountPages = [[account('1'), account('2')]];

const connectCompany = async (options: Parameters<TenantImports['newCompany']>[0] = {}) => {
  const company = open.newCompany({ accountPages, ...options });
  await company.connect();
  return company;
};

/** How the import of these journals, on one page, ended. */
const importOf = async (...journals: PlatformJournal[]) => {
  const company = await connectCompany({ journalPages: [journals] });
  await company.deliver();
  const items = await open.scan();
  const entries = items.filter(({ pk, kind }) => {
    return String(pk).endsWith(`#${company.name.schemaName}`) && kind === 'entry';
  });
  const refusedJournals = (await open.imports.find(company.name))?.checkpoint.refusedJournals;
  return { state: await company.state(), entries, refusedJournals };
};

const unbalanced = (reference: string): PlatformJournal => {
  const { lines, ...rest } = journal(reference);
  return { ...rest, lines: lines.map((line) => ({ ...line, credit: new Big(1) })) };
};

describe('a journal', () => {
  test('becomes a posted entry, over the accounts that it names by id', async () => {
    const { entries } = await importOf(journal('a', { memo: 'March rent' }));
    const line = { debit: '0.00', credit: '0.00', reportingDebit: '0.00', reportingCredit: '0.00' };
    expect(entries).toEqual([
      {
        pk: expect.any(String),
        sk: 'ENTRY#2026-03-20#IJ#000000001',
        kind: 'entry',
        entryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        journalNumber: 'IJ-20260320-0001',
        date: '2026-03-20',
        memo: 'March rent',
        entryType: 'Imported Journal',
        status: 'posted',
        accrualDate: null,
        externalId: null,
        platformReference: 'a',
        transactionCurrency: 'EUR',
        transactionAmount: '100.00',
        reportingCurrency: 'EUR',
        reportingAmount: '100.00',
        exchangeRate: '1.00000000000',
        exchangeRateDate: '2026-03-20',
        exchangeRateSource: 'same_currency',
        lines: [
          {
            ...{ ...line, lineNumber: 1, account: '1', accountName: 'Account 1' },
            ...{ description: 'From', debit: '100.00', reportingDebit: '100.00' },
          },
          {
            ...{ ...line, lineNumber: 2, account: '2', accountName: 'Account 2' },
            ...{ description: 'To', credit: '100.00', reportingCredit: '100.00' },
          },
        ],
        lineCount: 2,
        createdAt: '2026-03-23T09:30:00.000Z',
        createdWithKey: null,
        postedAt: '2026-03-23T09:30:00.000Z',
      },
    ]);
  });

  test.each([
    [
      'in a foreign currency at the rate that the platform says',
      { currency: 'USD', exchangeRate: new Big('0.86543') },
      ['USD', '100.00', 'EUR', '86.54', '0.86543000000', 'platform'],
    ],
    [
      "in the company's own currency, whatever rate stands beside it",
      { currency: 'EUR', exchangeRate: new Big('2') },
      ['EUR', '100.00', 'EUR', '100.00', '1.00000000000', 'same_currency'],
    ],
  ])('is converted %s', async (_, more, expected) => {
    const { state, entries } = await importOf(journal('a', more));
    expect(state.tenant).toEqual(['active', null]);
    expect(
      entries.map((it) => [
        ...[it.transactionCurrency, it.transactionAmount, it.reportingCurrency],
        ...[it.reportingAmount, it.exchangeRate, it.exchangeRateSource],
      ]),
    ).toEqual([expected]);
  });

  test('that cannot stand in the ledger is set aside, and the others are recorded', async () => {
    const { state, refusedJournals } = await importOf(
      journal('a'),
      journal('no rate', { currency: 'USD' }),
      unbalanced('unbalanced'),
      journal('no date', { date: '2026-02-30' }),
      journal('no lines', { lines: [] }),
      journal('b'),
    );
    expect(state).toEqual({
      tenant: ['import_failed', 'journals_refused'],
      import: ['failed', 'journals_refused'],
      counts: [2, 2, 4],
      accounts: ['1', '2'],
      journals: [
        ['IJ-20260320-0001', 'a'],
        ['IJ-20260320-0002', 'b'],
      ],
    });
    expect(refusedJournals).toEqual([
      { reference: 'no rate', reason: 'exchange_rate_missing' },
      { reference: 'unbalanced', reason: 'debits_must_equal_credits' },
      { reference: 'no date', reason: 'date_not_valid' },
      { reference: 'no lines', reason: 'too_few_lines' },
    ]);
  });

  test('that is set aside is counted, but only the first 20 are kept', async () => {
    const wrong = Array.from({ length: 30 }, (_, number) => unbalanced(`wrong ${number}`));
    const { state, refusedJournals } = await importOf(...wrong);
    expect(state.counts).toEqual([2, 0, 30]);
    expect(refusedJournals?.map(({ reference }) => reference)).toEqual(
      wrong.slice(0, 20).map(({ reference }) => reference),
    );
  });

  test('that a page lists twice is recorded once', async () => {
    const { state } = await importOf(journal('a'), journal('b'), journal('a'));
    expect(state.tenant).toEqual(['active', null]);
    expect(state.counts).toEqual([2, 2, 0]);
    expect(state.journals.map(([, reference]) => reference)).toEqual(['a', 'b']);
  });

  test('is one of many that are recorded in groups, with numbers that have no gaps', async () => {
    const many = Array.from({ length: 230 }, (_, number) => journal(`j${number}`));
    const { state } = await importOf(...many);
    expect(state.counts).toEqual([2, 230, 0]);
    expect(state.journals).toEqual(
      many.map(({ reference }, index) => [
        `IJ-20260320-${String(index + 1).padStart(4, '0')}`,
        reference,
      ]),
    );
  });
});

describe('an account that a journal names and the chart lacks', () => {
  test('is found where it came after the chart was read, which is read again', async () => {
    const company = await connectCompany({
      journalPages: [[journal('a')], [journal('b'), journal('c', { accounts: ['1', '3'] })]],
    });
    company.fake.plan('journalPage', () => {
      company.fake.books.accountPages = [...accountPages, [account('3')]];
    });
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual({
      tenant: ['active', null],
      import: ['complete', null],
      counts: [3, 3, 0],
      accounts: ['1', '2', '3'],
      journals: [
        ['IJ-20260320-0001', 'a'],
        ['IJ-20260320-0002', 'b'],
        ['IJ-20260320-0003', 'c'],
      ],
    });
    expect(company.fake.calls.filter((call) => call.endsWith('Page'))).toEqual([
      ...['accountPage', 'journalPage', 'journalPage'],
      ...['accountPage', 'accountPage', 'journalPage'],
    ]);
  });

  test('and the platform too has its journal set aside, and reading goes on', async () => {
    const company = await connectCompany({
      journalPages: [[journal('a'), journal('b', { accounts: ['1', 'gone'] })], [journal('c')]],
    });
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'journals_refused'],
      counts: [2, 2, 1],
      journals: [
        ['IJ-20260320-0001', 'a'],
        ['IJ-20260320-0002', 'c'],
      ],
    });
    expect((await open.imports.find(company.name))?.checkpoint.refusedJournals).toEqual([
      { reference: 'b', reason: 'account_not_found' },
    ]);
    expect(company.fake.calls.filter((call) => call.endsWith('Page'))).toEqual([
      ...['accountPage', 'journalPage'],
      ...['accountPage', 'journalPage', 'journalPage'],
    ]);
  });

  test('on page after page has the chart read ten times more, and not more often', async () => {
    const company = await connectCompany({
      journalPages: Array.from({ length: 13 }, (_, page) => [
        journal(`wrong ${page}`, { accounts: ['1', `gone ${page}`] }),
        journal(`right ${page}`),
      ]),
    });
    await company.deliver();
    expect((await company.state()).counts).toEqual([2, 13, 13]);
    expect(company.fake.calls.filter((call) => call === 'accountPage')).toHaveLength(11);
  });
});

describe('a platform that gives a page again', () => {
  const stuck = ['failed', 'page_did_not_advance'];

  test('is found out in its accounts', async () => {
    const company = await connectCompany({
      accountPages: [[account('1'), account('2')], [account('1'), account('2')], [account('3')]],
    });
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'page_did_not_advance'],
      import: stuck,
      counts: [2, 0, 0],
      accounts: ['1', '2'],
    });
    expect(company.fake.calls).toEqual(['company', 'accountPage', 'accountPage']);
  });

  test('is found out in its journals', async () => {
    const page = [journal('a'), journal('b')];
    const company = await connectCompany({ journalPages: [page, page, [journal('c')]] });
    await company.deliver();
    expect(await company.state()).toMatchObject({ import: stuck, counts: [2, 2, 0] });
  });

  test('is found out by a run that comes to the page first', async () => {
    const page = [journal('a'), journal('b')];
    const company = await connectCompany({ journalPages: [page, page] });
    const { fake } = company;
    await company.deliver({ remaining: () => (fake.calls.length < 5 ? 300_000 : 0) });
    expect((await company.state()).import).toEqual(['requested', null]);
    await company.deliver();
    expect(await company.state()).toMatchObject({ import: stuck, counts: [2, 2, 0] });
  });

  test.each<[string, Partial<Platform>]>([
    ['accounts', { accountPage: async () => ({ accounts: [], next: '7' }) }],
    ['journals', { journalPage: async () => ({ journals: [], next: '7' }) }],
  ])('is found out in its %s where the page is empty, too', async (_, pages) => {
    const company = await connectCompany();
    const platform = { ...company.fake.platform, ...pages };
    await company.deliver({ platforms: { get: async () => platform } });
    expect(await company.state()).toMatchObject({ import: stuck });
  });
});
