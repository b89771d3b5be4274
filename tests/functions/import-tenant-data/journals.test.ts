// The journals and accounts of a platform as entries and accounts of the ledger.

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

/** A company with these pages of journals. */
const connectCompany = async (
  journalPages: PlatformJournal[][],
  options: Parameters<TenantImports['connectCompany']>[0] = {},
) => {
  const company = await open.connectCompany({ journalPages, ...options });
  const checkpoint = async () => (await open.imports.find(company.name))?.checkpoint;
  const refusals = async () =>
    (await checkpoint())?.refused.map((it) => [it.kind, it.reference, it.reason, it.field]);
  const assumptions = async () => (await checkpoint())?.assumptions;
  const entries = async () =>
    (await open.scan()).filter(
      ({ pk, kind }) => String(pk).endsWith(`#${company.name.schemaName}`) && kind === 'entry',
    );
  const pageCalls = () => company.fake.calls.filter((call) => call.endsWith('Page'));
  return { ...company, refusals, assumptions, entries, pageCalls };
};

/** Pages of journals. Each letter is a reference. */
const pagesOf = (...pages: string[]): PlatformJournal[][] =>
  pages.map((references) => [...references].map((reference) => journal(reference)));

const unbalanced = (reference: string): PlatformJournal => {
  const { lines, ...rest } = journal(reference);
  return { ...rest, lines: lines.map((line) => ({ ...line, credit: new Big(1) })) };
};

describe('a journal', () => {
  test('becomes a posted entry of the accounts with its ids', async () => {
    const company = await connectCompany(
      [[journal('a'), journal('b', { currency: 'USD', exchangeRate: new Big('0.86543') })]],
      { accountPages: [[account('1', { code: '1010' }), account('2', { code: null })]] },
    );
    await company.deliver();
    const common = {
      entryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'posted',
      createdAt: company.clock().toISOString(),
      lines: [
        { account: '1010', accountName: 'Account 1', description: 'From', debit: '100.00' },
        { account: 'ID-2', accountName: 'Account 2', description: 'To', credit: '100.00' },
      ],
    };
    expect(await company.entries()).toMatchObject([
      { ...common, platformReference: 'a', transactionCurrency: 'EUR', reportingAmount: '100.00' },
      { ...common, platformReference: 'b', transactionCurrency: 'USD', reportingAmount: '86.54' },
    ]);
  });

  test('that is not valid is reported, and the others are recorded', async () => {
    const company = await connectCompany([
      [
        journal('a'),
        unbalanced('unbalanced'),
        journal('no code', {
          lines: [line({ code: '9' }, { debit: '1' }), line('2', { credit: '1' })],
        }),
        journal('odd'),
        journal('b'),
      ],
    ]);
    const { books } = company.fake;
    const odd = (kind: 'account' | 'journal', reference: string) =>
      ({ kind, reference, reason: 'record_not_understood', field: 'name' }) as const;
    books.refused = [odd('account', '9'), odd('journal', 'record 3')];
    books.states.odd = { state: 'refused', reason: 'record_not_understood', field: 'lines.0' };
    await company.deliver();
    expect(await company.state()).toEqual({
      ...imported(['1', '2'], ['a', 'b']),
      tenant: ['active', 'records_refused'],
      import: ['complete', 'records_refused'],
      counts: [2, 2, 4],
    });
    expect(await company.refusals()).toEqual([
      ['account', '9', 'record_not_understood', 'name'],
      ['journal', 'record 3', 'record_not_understood', 'name'],
      ['journal', 'odd', 'record_not_understood', 'lines.0'],
      ['journal', 'unbalanced', 'debits_must_equal_credits', null],
      ['journal', 'no code', 'account_not_found', null],
    ]);
    expect(company.metrics.events).toContainEqual(['recordsRefused', 5]);
    expect(company.metrics.events).not.toContainEqual(['importFailed']);
  });

  test.each<[string, PlatformJournal[][], string[]]>([
    ['that a page lists twice is recorded once', pagesOf('xyx'), ['x', 'y']],
    [
      'is one of several groups whose numbers have no gap',
      [Array.from({ length: 230 }, (_, number) => journal(`j${number}`))],
      Array.from({ length: 230 }, (_, number) => `j${number}`),
    ],
    ['that is a draft or was voided is not recorded or counted', pagesOf('abc'), ['c']],
  ])('%s', async (_, pages, references) => {
    const company = await connectCompany(pages);
    company.fake.books.states = { a: { state: 'not_posted' }, b: { state: 'voided' } };
    await company.deliver();
    expect(await company.state()).toEqual(imported(['1', '2'], references));
  });
});

describe('a line', () => {
  test('can name its account by code, or is tax without an account', async () => {
    const lines = [
      line('1', { debit: '105' }),
      line({ code: '2020' }, { credit: '100' }),
      line('tax', { credit: '5' }),
    ];
    const company = await connectCompany([[journal('a', { lines })], [journal('b', { lines })]], {
      accountPages: [[account('1'), account('2', { code: '2020' })]],
    });
    const { books } = company.fake;
    books.assumptions = [
      { kind: 'account', reference: '1', assumption: 'account_type_assumed', field: 'type' },
    ];
    await company.deliver();
    expect(await company.state()).toEqual({
      ...imported(['1', '2020', 'tax_clearing'], ['a', 'b']),
      counts: [2, 2, 0],
    });
    expect((await company.entries())[0]?.lines).toMatchObject([
      { account: '1', debit: '105.00' },
      { account: '2020', accountName: 'Account 2', credit: '100.00' },
      { account: 'tax_clearing', accountName: 'Tax clearing', credit: '5.00' },
    ]);
    const taxClearing = { kind: 'journal', assumption: 'tax_clearing_used', field: null };
    const assumed = ['a', 'b'].map((reference) => ({ ...taxClearing, reference }));
    expect(await company.assumptions()).toEqual([...books.assumptions, ...assumed]);
    // Another complete import reports the same assumptions but reads no journal.
    const requestedAt = company.clock().toISOString();
    await open.imports.request(company.name, { importId: 'import-2', requestedAt });
    await company.deliver();
    expect(await company.assumptions()).toEqual([...books.assumptions, ...assumed]);
  });

  test.each([
    ['its account if the chart has it when read again', [account('9')], ['1', '2', '9'], []],
    ['the clearing account if not', [], ['1', '2', 'tax_clearing'], ['a']],
  ])('of tax is posted to %s', async (_, later, chart, references) => {
    const lines = [
      line('1', { debit: '105' }),
      line('2', { credit: '100' }),
      line({ id: '9', isTax: true }, { credit: '5' }),
    ];
    const company = await connectCompany([[journal('a', { lines })]]);
    company.fake.plan('journalPage', () => void company.fake.books.accountPages.push(later));
    await company.deliver();
    expect(await company.state()).toMatchObject({
      tenant: ['active', null],
      accounts: chart,
      journals: [['IJ-20260320-0001', 'a']],
    });
    expect((await company.assumptions())?.map(({ reference }) => reference)).toEqual(references);
  });
});

test.each<[string, later: string[], references: string, refused: string[]]>([
  ['recorded if the chart has it when read again', ['3'], 'abc', []],
  ['refused if not, and the others are recorded', [], 'ac', ['b']],
])('a journal with an unknown account is %s', async (_, later, references, refused) => {
  const company = await connectCompany([
    [journal('a'), journal('b', { accounts: ['1', '3'] })],
    [journal('c')],
  ]);
  company.fake.plan('journalPage', () => {
    if (later.length > 0) company.fake.books.accountPages.push(later.map((id) => account(id)));
  });
  expect(await company.deliver()).toEqual(done);
  expect(await company.state()).toMatchObject({
    tenant: ['active', refused.length > 0 ? 'records_refused' : null],
    counts: [2 + later.length, references.length, refused.length],
    journals: imported([], [...references]).journals,
  });
  expect(await company.refusals()).toEqual(
    refused.map((reference) => ['journal', reference, 'account_not_found', null]),
  );
  expect(company.pageCalls()).toEqual([
    ...['accountPage', 'journalPage', 'accountPage', ...later.map(() => 'accountPage')],
    ...['journalPage', 'journalPage'],
  ]);
});

test.each<[string, Parameters<TenantImports['newCompany']>[0], calls: number, number[]]>([
  ['journals', { journalPages: pagesOf('ab', 'ab', 'c') }, 99, [2, 2, 0]],
  ['journals in another run', { journalPages: pagesOf('ab', 'ab') }, 5, [2, 2, 0]],
])('a platform that repeats a page ends the import: %s', async (_, books, calls, counts) => {
  const { fake, ...company } = await connectCompany([], books);
  await company.deliver({ remaining: () => (fake.calls.length < calls ? 300_000 : 0) });
  await company.runToEnd();
  expect(await company.state()).toMatchObject({
    tenant: ['import_failed', 'page_did_not_advance'],
    import: ['failed', 'page_did_not_advance'],
    counts,
  });
});

describe('pages that shift', () => {
  test('can begin in the middle of a list', async () => {
    const { fake, ...company } = await connectCompany(pagesOf('ab', 'ab', 'cd'));
    const journalPage: Platform['journalPage'] = async (access, request) => ({
      ...(await fake.platform.journalPage(access, request)),
      ...(request.cursor !== null && { pagesShift: true }),
    });
    await company.deliver({ platforms: { get: async () => ({ ...fake.platform, journalPage }) } });
    expect(await company.state()).toEqual(imported(['1', '2'], [...'abcd']));
    expect(company.pageCalls()).toHaveLength(1 + 2 * 3);
  });

  test('are read until a pass finds nothing; a refused journal counts once', async () => {
    const withRefused = ([first = [], ...others]: PlatformJournal[][]) => [
      [...first, unbalanced('x')],
      ...others,
    ];
    const { fake, ...company } = await connectCompany(withRefused(pagesOf('ab', 'cd', 'ef')), {
      pagesShift: true,
    });
    fake.plan('journalPage', () => {
      fake.books.journalPages = withRefused(pagesOf('bc', 'de', 'f'));
    });
    await company.deliver();
    expect(await company.state()).toMatchObject({
      import: ['complete', 'records_refused'],
      counts: [2, 6, 1],
      journals: imported([], [...'abdefc']).journals,
    });
    expect(fake.calls.filter((call) => call === 'journalPage')).toHaveLength(9);
  });
});
