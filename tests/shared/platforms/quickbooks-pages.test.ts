import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Platform, PlatformFailure, PlatformJournal } from '#shared/platforms/platform.ts';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks.ts';
import { readPosted } from '../../support/readers/posted-journals.ts';
import { startFakeServer } from '../../support/servers/fake-server.ts';

const access = { companyId: '9341452913580264', dataCenter: null, accessToken: 'Access' };

let server: Awaited<ReturnType<typeof startFakeServer>>;
let platform: Platform;

beforeAll(async () => {
  server = await startFakeServer();
  const options = { clientId: 'ledger', clientSecret: 'secret', baseUrlOverride: server.url };
  platform = createQuickBooks(options, quickBooksHosts.production);
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

/** Answers every query with this page, as JSON that is written by hand where numbers matter. */
const answerWith = (page: object | string): void => {
  const text = typeof page === 'string' ? page : JSON.stringify(page);
  server.reply = { body: `{"QueryResponse":${text},"time":"2026-04-01T10:00:00.000-07:00"}` };
};

const queries = () =>
  server.requests.map(({ path = '' }) => {
    const { pathname, searchParams } = new URL(path, server.url);
    return [pathname, Object.fromEntries(searchParams)];
  });

const query = (text: string) => [
  `/quickbooks.api.intuit.com/v3/company/${access.companyId}/query`,
  { query: text, minorversion: '75' },
];

const reasonOf = (failing: Promise<unknown>) =>
  failing.then(
    () => 'no failure',
    (error: PlatformFailure) => error.reason,
  );

const account = (more: object = {}) => ({
  domain: 'QBO',
  sparse: false,
  Id: '35',
  Name: 'Checking',
  SubAccount: false,
  FullyQualifiedName: 'Checking',
  Active: true,
  Classification: 'Asset',
  AccountType: 'Bank',
  AccountSubType: 'Checking',
  CurrentBalance: 1201,
  CurrencyRef: { value: 'USD', name: 'United States Dollar' },
  ...more,
});

const accountsOf = async (...rows: object[]) => {
  answerWith({ Account: rows, startPosition: 1, maxResults: rows.length });
  return (await platform.accountPage(access, null)).accounts;
};

const kindOf = async (kind: object) => (await accountsOf(account(kind)))[0]?.type;

describe('accounts', () => {
  test('come with their place in the chart, the archived ones too', async () => {
    answerWith({
      Account: [
        account(),
        account({
          Id: '65',
          FullyQualifiedName: 'Job Expenses:Job Materials:Fountain and Garden Lighting',
          AcctNum: ' 5400 ',
          Active: false,
          Classification: 'Expense',
          AccountType: 'Cost of Goods Sold',
        }),
      ],
      startPosition: 1,
      maxResults: 2,
    });
    expect(await platform.accountPage(access, null)).toEqual({
      accounts: [
        { accountId: '35', code: null, name: 'Checking', type: 'asset', status: 'active' },
        {
          accountId: '65',
          code: '5400',
          name: 'Job Expenses:Job Materials:Fountain and Garden Lighting',
          type: 'expense',
          status: 'archived',
        },
      ],
      next: null,
    });
    expect(queries()).toEqual([
      query(
        'select * from Account where Active in (true,false) ' +
          'orderby Id startposition 1 maxresults 1000',
      ),
    ]);
  });

  test.each([
    ['Asset', 'asset'],
    ['Liability', 'liability'],
    ['Equity', 'equity'],
    ['Revenue', 'revenue'],
    ['Expense', 'expense'],
  ])('are classified as %s, whatever their own type', async (Classification, type) => {
    expect(await kindOf({ Classification, AccountType: 'New Kind' })).toBe(type);
  });

  test.each([
    ['Bank', 'asset'],
    ['Accounts Receivable', 'asset'],
    ['Other Current Asset', 'asset'],
    ['Fixed Asset', 'asset'],
    ['Other Asset', 'asset'],
    ['Accounts Payable', 'liability'],
    ['Credit Card', 'liability'],
    ['Other Current Liability', 'liability'],
    ['Long Term Liability', 'liability'],
    ['Equity', 'equity'],
    ['Income', 'revenue'],
    ['Other Income', 'revenue'],
    ['Cost of Goods Sold', 'expense'],
    ['Expense', 'expense'],
    ['Other Expense', 'expense'],
  ])('of type %s need no classification', async (AccountType, type) => {
    expect(await kindOf({ Classification: undefined, AccountType })).toBe(type);
    expect(await kindOf({ Classification: null, AccountType })).toBe(type);
  });

  test('that nothing can be posted to are left out', async () => {
    const nonPosting = { Id: '90', AccountType: 'Non-Posting', Classification: undefined };
    const found = await accountsOf(account(nonPosting), account());
    expect(found.map(({ accountId }) => accountId)).toEqual(['35']);
  });

  test('have names cut in whole characters, and no code where it is too long', async () => {
    const [long] = await accountsOf(
      account({ FullyQualifiedName: ` ${'\u{1f4b6}'.repeat(160)}`, AcctNum: '9'.repeat(65) }),
    );
    expect(long).toMatchObject({ name: '\u{1f4b6}'.repeat(150), code: null });
    const codes = await accountsOf(account({ AcctNum: '9'.repeat(64) }), account({ AcctNum: ' ' }));
    expect(codes.map(({ code }) => code)).toEqual(['9'.repeat(64), null]);
  });
});

const line = (PostingType: string, more: object = {}) => ({
  Id: '0',
  Description: 'nov portion of rider insurance',
  Amount: 100,
  DetailType: 'JournalEntryLineDetail',
  JournalEntryLineDetail: { PostingType, AccountRef: { value: '65', name: 'Lighting' } },
  ...more,
});

const entry = (more: object = {}) => ({
  Adjustment: false,
  domain: 'QBO',
  sparse: false,
  Id: '227',
  SyncToken: '0',
  TxnDate: '2026-03-31',
  CurrencyRef: { value: 'USD', name: 'United States Dollar' },
  PrivateNote: 'Insurance',
  Line: [line('Debit'), line('Credit')],
  TxnTaxDetail: {},
  ...more,
});

/** The journals of a page, read; amounts and rates as text. */
const journalsOf = async (...rows: (object | string)[]) => {
  const texts = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  answerWith(`{"JournalEntry":[${texts}],"startPosition":1,"maxResults":${rows.length}}`);
  const { journals } = await platform.journalPage(access, null);
  const read = await readPosted(journals, access);
  expect(server.requests).toHaveLength(1);
  server.requests.length = 0;
  expect(journals.map(({ reference }) => reference)).toEqual(read.map((it) => it.reference));
  return read.map((journal: PlatformJournal) => ({
    ...journal,
    exchangeRate: journal.exchangeRate?.toFixed() ?? null,
    lines: journal.lines.map(({ debit, credit, ...rest }) => ({
      ...rest,
      debit: debit.toFixed(),
      credit: credit.toFixed(),
    })),
  }));
};

const journalOf = async (row: object | string) => (await journalsOf(row))[0];

describe('journals', () => {
  test('come with their lines, in the currency that they name', async () => {
    const about = { accountId: '65', description: 'nov portion of rider insurance' };
    expect(await journalsOf(entry())).toEqual([
      {
        reference: '227',
        date: '2026-03-31',
        memo: 'Insurance',
        currency: 'USD',
        exchangeRate: null,
        lines: [
          { ...about, debit: '100', credit: '0' },
          { ...about, debit: '0', credit: '100' },
        ],
      },
    ]);
    await platform.journalPage(access, null);
    expect(queries()).toEqual([
      query('select * from JournalEntry orderby Id startposition 1 maxresults 100'),
    ]);
  });

  test.each<[string, object, { currency: string | null; exchangeRate: string | null }]>([
    [
      'foreign',
      { CurrencyRef: { value: 'EUR' }, ExchangeRate: 1.0825 },
      { currency: 'EUR', exchangeRate: '1.0825' },
    ],
    ['of no name', { CurrencyRef: undefined }, { currency: null, exchangeRate: null }],
    ['at no rate', { CurrencyRef: { value: 'EUR' } }, { currency: 'EUR', exchangeRate: null }],
    [
      'at a rate of nothing',
      { CurrencyRef: { value: 'EUR' }, ExchangeRate: 0 },
      { currency: 'EUR', exchangeRate: null },
    ],
    [
      'adjusted',
      { CurrencyRef: { value: 'EUR' }, ExchangeRate: 1.1, HomeCurrencyAdjustment: true },
      { currency: null, exchangeRate: null },
    ],
    [
      'entered as at home',
      { CurrencyRef: { value: 'EUR' }, ExchangeRate: 1.1, EnteredInHomeCurrency: true },
      { currency: null, exchangeRate: null },
    ],
  ])('have money that is %s', async (_title, more, expected) => {
    expect(await journalOf(entry(more))).toMatchObject(expected);
  });

  test('keep every digit of an amount and a rate', async () => {
    const text = JSON.stringify(
      entry({ Line: [line('Debit', { Amount: 'AMOUNT' })], ExchangeRate: 'RATE' }),
    )
      .replace('"AMOUNT"', '900719925474099.37')
      .replace('"RATE"', '0.12345678901234567890');
    const journal = await journalOf(text);
    expect(journal?.lines[0]?.debit).toBe('900719925474099.37');
    expect(journal?.exchangeRate).toBe('0.1234567890123456789');
  });

  test.each<[string, object, string]>([
    ['the note', { PrivateNote: ' Wages ', DocNumber: 'JE-7' }, 'Wages'],
    ['the number, where there is no note', { PrivateNote: undefined, DocNumber: 'JE-7' }, 'JE-7'],
    ['the number, where the note is blank', { PrivateNote: ' ', DocNumber: 'JE-7' }, 'JE-7'],
    ['the id, where there is neither', { PrivateNote: undefined }, 'Journal entry 227'],
    ['the id, where both are blank', { PrivateNote: ' ', DocNumber: ' ' }, 'Journal entry 227'],
  ])('have as their memo %s', async (_title, more, memo) => {
    expect((await journalOf(entry(more)))?.memo).toBe(memo);
  });

  test.each<[string, object, string[][]]>([
    ['a debit', line('Debit'), [['100', '0']]],
    ['a credit', line('Credit'), [['0', '100']]],
    ['a debit of nothing', line('Debit', { Amount: 0 }), [['0', '0']]],
    ['a debit below zero', line('Debit', { Amount: -5.5 }), [['0', '5.5']]],
    ['a credit below zero', line('Credit', { Amount: -5.5 }), [['5.5', '0']]],
    ['nothing without an amount', line('Debit', { Amount: undefined }), []],
    ['nothing but words', { Id: '2', Description: 'Note', DetailType: 'DescriptionOnly' }, []],
    [
      'nothing of another kind',
      { Amount: 5, DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
      [],
    ],
  ])('have lines that are %s', async (_title, row, sides) => {
    const journal = await journalOf(entry({ Line: [row] }));
    expect(journal?.lines.map(({ debit, credit }) => [debit, credit])).toEqual(sides);
  });

  test('with taxes keep the lines as they are, which do not balance then', async () => {
    const taxed = line('Debit', {
      JournalEntryLineDetail: {
        PostingType: 'Debit',
        AccountRef: { value: '65' },
        TaxCodeRef: { value: '5' },
        TaxApplicableOn: 'Purchase',
        TaxAmount: 20,
      },
    });
    const credit = line('Credit', { Amount: 120, Description: undefined });
    const tax = { TotalTax: 20, TaxLine: [{ Amount: 20, DetailType: 'TaxLineDetail' }] };
    const journal = await journalOf(entry({ Line: [taxed, credit], TxnTaxDetail: tax }));
    expect(journal?.lines).toEqual([
      {
        accountId: '65',
        description: 'nov portion of rider insurance',
        debit: '100',
        credit: '0',
      },
      { accountId: '65', description: '', debit: '0', credit: '120' },
    ]);
  });
});

const many = (count: number, row: object) => Array.from({ length: count }, () => row);

const pages = {
  Account: (from: string | null) => platform.accountPage(access, from),
  JournalEntry: (from: string | null) => platform.journalPage(access, from),
};

describe.each([
  { entity: 'Account' as const, row: account(), full: 1000 },
  { entity: 'JournalEntry' as const, row: entry(), full: 100 },
])('pages of $entity', ({ entity, row, full }) => {
  const read = pages[entity];
  const pageOf = (count: number, startPosition: number | undefined) =>
    answerWith({ [entity]: many(count, row), startPosition, maxResults: count });

  test('lead on while they are full', async () => {
    pageOf(full, 1);
    expect((await read(null)).next).toBe(String(full + 1));
    pageOf(full, full + 1);
    expect((await read(String(full + 1))).next).toBe(String(2 * full + 1));
    const statements = server.requests.map(({ path = '' }) =>
      new URL(path, server.url).searchParams.get('query')?.replace(/^.*startposition/, ''),
    );
    expect(statements).toEqual([` 1 maxresults ${full}`, ` ${full + 1} maxresults ${full}`]);
  });

  test('end with one that is not', async () => {
    pageOf(full - 1, full + 1);
    expect((await read(String(full + 1))).next).toBeNull();
  });

  test('end with one that has nothing', async () => {
    for (const empty of [{}, { totalCount: 0 }, { startPosition: 1, maxResults: 0 }]) {
      answerWith(empty);
      expect(Object.values(await read(String(full + 1)))).toEqual([[], null]);
    }
  });

  test.each([1, full, full + 2, undefined])(
    'must begin where they should: not at %s',
    async (at) => {
      pageOf(1, at);
      expect(await reasonOf(read(String(full + 1)))).toBe('page_did_not_advance');
    },
  );

  test('are not understood where they are a fault with a status of 200', async () => {
    for (const code of ['4001', 'words']) {
      answerWith({ Fault: { Error: [{ code }], type: 'Validation' } });
      expect(await reasonOf(read(null))).toBe('reply_not_understood');
    }
  });
});

describe('a reply', () => {
  const first = { startPosition: 1, maxResults: 1 };

  test.each<[string, keyof typeof pages, object]>([
    [
      'an account of no known type',
      'Account',
      account({ Classification: 'New', AccountType: 'New' }),
    ],
    ['an account without an id', 'Account', account({ Id: '' })],
    ['an account that may be active', 'Account', account({ Active: undefined })],
    ['a journal of no day', 'JournalEntry', entry({ TxnDate: '2026-02-30' })],
    ['a journal without an id', 'JournalEntry', entry({ Id: undefined })],
    ['a line on no side', 'JournalEntry', entry({ Line: [line('Both')] })],
    [
      'a line of no account',
      'JournalEntry',
      entry({ Line: [line('Debit', { JournalEntryLineDetail: { PostingType: 'Debit' } })] }),
    ],
    ['an amount in words', 'JournalEntry', entry({ Line: [line('Debit', { Amount: 'ten' })] })],
  ])('with %s is not understood', async (_title, entity, row) => {
    answerWith({ [entity]: [row], ...first });
    expect(await reasonOf(pages[entity](null))).toBe('reply_not_understood');
  });
});
