import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Platform, PlatformJournal } from '#shared/platforms/platform.ts';
import {
  account,
  done,
  imported,
  journal,
  line,
  openTenantImports,
  type TenantImports,
} from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();

/** A company whose journals stand on these pages. */
const connectCompany = async (
  journalPages: PlatformJournal[][],
  options: Parameters<TenantImports['connectCompany']>[0] = {},
) => {
  const company = await open.connectCompany({ journalPages, ...options });
  /** The records that were refused, each with the reason. */
  const refusals = async () =>
    (await open.imports.find(company.name))?.checkpoint.refused.map(
      ({ kind, reference, reason, field }) => [kind, reference, reason, field],
    );
  const assumptions = async () => (await open.imports.find(company.name))?.checkpoint.assumptions;
  const pageCalls = () => company.fake.calls.filter((call) => call.endsWith('Page'));
  return { ...company, refusals, assumptions, pageCalls };
};

/** Pages of journals by their references, which are letters. */
const pagesOf = (...pages: string[]): PlatformJournal[][] =>
  pages.map((references) => [...references].map((reference) => journal(reference)));

const unbalanced = (reference: string): PlatformJournal => {
  const { lines, ...rest } = journal(reference);
  return { ...rest, lines: lines.map((line) => ({ ...line, credit: new Big(1) })) };
};

describe('a journal', () => {
  test('becomes a posted entry, over the accounts that it names by id', async () => {
    const company = await connectCompany(
      [[journal('a'), journal('b', { currency: 'USD', exchangeRate: new Big('0.86543') })]],
      { accountPages: [[account('1', { code: '1010' }), account('2', { code: null })]] },
    );
    await company.deliver();
    const entries = (await open.scan()).filter(
      ({ pk, kind }) => String(pk).endsWith(`#${company.name.schemaName}`) && kind === 'entry',
    );
    const common = {
      entryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'posted',
      createdAt: company.clock().toISOString(),
      lines: [
        { account: '1010', accountName: 'Account 1', description: 'From', debit: '100.00' },
        { account: 'ID-2', accountName: 'Account 2', description: 'To', credit: '100.00' },
      ],
    };
    expect(entries).toMatchObject([
      { ...common, platformReference: 'a', transactionCurrency: 'EUR', reportingAmount: '100.00' },
      { ...common, platformReference: 'b', transactionCurrency: 'USD', reportingAmount: '86.54' },
    ]);
  });

  test('that the ledger refuses is set aside, and the others are recorded', async () => {
    const company = await connectCompany([
      [
        journal('a'),
        journal('no rate', { currency: 'USD' }),
        unbalanced('unbalanced'),
        journal('no date', { date: '2026-02-30' }),
        journal('no lines', { lines: [] }),
        journal('b'),
      ],
    ]);
    await company.deliver();
    expect(await company.state()).toEqual({
      ...imported(['1', '2'], ['a', 'b']),
      tenant: ['active', 'records_refused'],
      import: ['complete', 'records_refused'],
      counts: [2, 2, 4],
    });
    expect(await company.refusals()).toEqual([
      ['journal', 'no rate', 'exchange_rate_missing', null],
      ['journal', 'unbalanced', 'debits_must_equal_credits', null],
      ['journal', 'no date', 'date_not_valid', null],
      ['journal', 'no lines', 'too_few_lines', null],
    ]);
    expect(company.metrics.events).toContainEqual(['recordsRefused', 4]);
    expect(company.metrics.events).not.toContainEqual(['importFailed']);
  });

  test('that a page lists twice is recorded once', async () => {
    const company = await connectCompany(pagesOf('aba'));
    await company.deliver();
    expect(await company.state()).toEqual(imported(['1', '2'], ['a', 'b']));
  });

  test('is one of many that are recorded in groups, with numbers that have no gaps', async () => {
    const references = Array.from({ length: 230 }, (_, number) => `j${number}`);
    const company = await connectCompany([references.map((reference) => journal(reference))]);
    await company.deliver();
    expect(await company.state()).toEqual(imported(['1', '2'], references));
  });

  test.each(['not_posted', 'voided'] as const)(
    'that turns out to be %s is neither imported nor counted',
    async (state) => {
      const company = await connectCompany(pagesOf('ab'));
      company.fake.books.states.a = { state };
      await company.deliver();
      expect(await company.state()).toEqual(imported(['1', '2'], ['b']));
    },
  );
});

describe('an odd record', () => {
  test('is left out and named, and the others are there', async () => {
    const company = await connectCompany(pagesOf('ab', 'c'));
    const { books } = company.fake;
    const odd = (kind: 'account' | 'journal', reference: string) =>
      ({ kind, reference, reason: 'record_not_understood', field: 'name' }) as const;
    books.refused = [odd('account', '9'), odd('journal', 'record 3')];
    books.states.b = { state: 'refused', reason: 'record_not_understood', field: 'lines.0' };
    await company.deliver();
    expect(await company.state()).toMatchObject({
      ...imported(['1', '2'], ['a', 'c']),
      tenant: ['active', 'records_refused'],
      import: ['complete', 'records_refused'],
      counts: [2, 2, 2],
    });
    expect(await company.refusals()).toEqual([
      ['account', '9', 'record_not_understood', 'name'],
      ['journal', 'record 3', 'record_not_understood', 'name'],
      ['journal', 'b', 'record_not_understood', 'lines.0'],
    ]);
  });

  test('of which something was assumed is there, and the report says so', async () => {
    const company = await connectCompany(pagesOf('a'));
    const { books } = company.fake;
    books.assumptions = [
      { kind: 'account', reference: '1', assumption: 'account_type_assumed', field: 'type' },
    ];
    await company.deliver();
    expect((await company.state()).tenant).toEqual(['active', null]);
    expect(await company.assumptions()).toEqual(books.assumptions);
  });
});

describe('a line', () => {
  test('names its account by a code, too, or is tax that goes to an account of ours', async () => {
    const lines = [
      line('1', { debit: '105' }),
      line({ code: '2020' }, { credit: '100' }),
      line('tax', { credit: '5' }),
    ];
    const company = await connectCompany([[journal('a', { lines })], [journal('b', { lines })]], {
      accountPages: [[account('1'), account('2', { code: '2020' })]],
    });
    await company.deliver();
    expect(await company.state()).toEqual({
      ...imported(['1', '2020', 'tax_clearing'], ['a', 'b']),
      counts: [2, 2, 0],
    });
    const entries = (await open.scan()).filter(
      ({ pk, kind }) => String(pk).endsWith(`#${company.name.schemaName}`) && kind === 'entry',
    );
    expect(entries[0]?.lines).toMatchObject([
      { account: '1', debit: '105.00' },
      { account: '2020', accountName: 'Account 2', credit: '100.00' },
      { account: 'tax_clearing', accountName: 'Tax clearing', credit: '5.00' },
    ]);
    const used = { kind: 'journal', assumption: 'tax_clearing_used', field: null };
    const assumed = ['a', 'b'].map((reference) => ({ ...used, reference }));
    expect(await company.assumptions()).toEqual(assumed);
    // Another complete import finds the same assumptions, though it reads no journal.
    await open.imports.request(company.name, {
      importId: 'import-2',
      requestedAt: company.clock().toISOString(),
    });
    await company.deliver();
    expect(await company.assumptions()).toEqual(assumed);
  });

  test.each([
    ['in the chart when it is read again', [account('9')], ['1', '2', '9'], []],
    ['not in the chart', [], ['1', '2', 'tax_clearing'], ['a']],
  ])('of tax goes to an account that is %s', async (_, later, chart, references) => {
    const lines = [
      line('1', { debit: '105' }),
      line('2', { credit: '100' }),
      line({ id: '9', isTax: true }, { credit: '5' }),
    ];
    const company = await connectCompany([[journal('a', { lines })]]);
    company.fake.plan('journalPage', () => void company.fake.books.accountPages.push(later));
    await company.deliver();
    expect(await company.state()).toMatchObject({
      ...{ tenant: ['active', null], accounts: chart },
      journals: [['IJ-20260320-0001', 'a']],
    });
    expect((await company.assumptions())?.map(({ reference }) => reference)).toEqual(references);
  });

  test('by a code that the chart lacks has its journal refused', async () => {
    const lines = [line({ code: '9' }, { debit: '1' }), line('2', { credit: '1' })];
    const company = await connectCompany([[journal('a', { lines })]]);
    await company.deliver();
    expect(await company.refusals()).toEqual([['journal', 'a', 'account_not_found', null]]);
  });
});

describe('an account that a journal names and the chart lacks', () => {
  test('is found where it came after the chart was read, which is read again', async () => {
    const company = await connectCompany([
      [journal('a')],
      [journal('b'), journal('c', { accounts: ['1', '3'] })],
    ]);
    company.fake.plan('journalPage', () => {
      company.fake.books.accountPages.push([account('3')]);
    });
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toEqual(imported(['1', '2', '3'], ['a', 'b', 'c']));
    expect(company.pageCalls()).toEqual([
      ...['accountPage', 'journalPage', 'journalPage'],
      ...['accountPage', 'accountPage', 'journalPage'],
    ]);
  });

  test('and the platform too has its journal set aside, and reading goes on', async () => {
    const company = await connectCompany([
      [journal('a'), journal('b', { accounts: ['1', 'gone'] })],
      [journal('c')],
    ]);
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['active', 'records_refused'],
      counts: [2, 2, 1],
      journals: imported([], ['a', 'c']).journals,
    });
    expect(await company.refusals()).toEqual([['journal', 'b', 'account_not_found', null]]);
    expect(company.pageCalls()).toEqual([
      ...['accountPage', 'journalPage'],
      ...['accountPage', 'journalPage', 'journalPage'],
    ]);
  });
});

describe('a platform that gives a page again ends the import', () => {
  const accounts = [account('1'), account('2')];

  test.each<[string, Parameters<TenantImports['newCompany']>[0], number[]]>([
    ['of its accounts', { accountPages: [accounts, accounts, [account('3')]] }, [2, 0, 0]],
    ['of its journals', { journalPages: pagesOf('ab', 'ab', 'c') }, [2, 2, 0]],
  ])('%s', async (_, books, counts) => {
    const company = await connectCompany([], books);
    expect(await company.deliver()).toEqual(done);
    expect(await company.state()).toMatchObject({
      tenant: ['import_failed', 'page_did_not_advance'],
      import: ['failed', 'page_did_not_advance'],
      counts,
    });
  });

  test('in a run that comes to the page first', async () => {
    const { fake, ...company } = await connectCompany(pagesOf('ab', 'ab'));
    await company.deliver({ remaining: () => (fake.calls.length < 5 ? 300_000 : 0) });
    expect((await company.state()).import).toEqual(['requested', null]);
    await company.deliver();
    expect((await company.state()).import).toEqual(['failed', 'page_did_not_advance']);
  });
});

test('a platform that lists all anew, in an order that shifts, is followed', async () => {
  const { fake, ...company } = await connectCompany(pagesOf('ab', 'ab', 'cd'));
  const journalPage: Platform['journalPage'] = async (access, request) => ({
    ...(await fake.platform.journalPage(access, request)),
    ...(request.cursor !== null && { pagesShift: true }),
  });
  await company.deliver({ platforms: { get: async () => ({ ...fake.platform, journalPage }) } });
  expect(await company.state()).toEqual(imported(['1', '2'], [...'abcd']));
  expect(company.pageCalls()).toHaveLength(1 + 2 * 3);
});

describe('a platform whose pages shift', () => {
  test('loses no journal where one that was read is deleted meanwhile', async () => {
    const { fake, ...company } = await connectCompany(pagesOf('ab', 'cd', 'ef'), {
      pagesShift: true,
    });
    fake.plan('journalPage', () => {
      fake.books.journalPages = pagesOf('bc', 'de', 'f');
    });
    await company.deliver();
    expect(await company.state()).toEqual(imported(['1', '2'], [...'abdefc']));
    // Once, once more that brings c, and a last time that brings nothing.
    expect(fake.calls.filter((call) => call === 'journalPage')).toHaveLength(9);
    expect(fake.calls.filter((call) => call === 'readJournal')).toHaveLength(6);
  });

  test('has a journal that is refused in each pass counted once', async () => {
    const pages = [[journal('a'), unbalanced('x')], [journal('b')]];
    const company = await connectCompany(pages, { pagesShift: true });
    await company.deliver();
    expect(await company.state()).toMatchObject({
      import: ['complete', 'records_refused'],
      counts: [2, 2, 1],
    });
  });
});
