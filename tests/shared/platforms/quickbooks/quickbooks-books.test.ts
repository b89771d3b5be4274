import { describe, expect, test } from 'vitest';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks/quickbooks.ts';
import {
  json,
  openAdapter,
  pageOf,
  readJournal,
  readListed,
  reasonOf,
} from '../../../support/harnesses/adapters.ts';

const access = { companyId: '9341452913580264', dataCenter: null, accessToken: 'Secret-Access' };

const { platform, replyWith, asked } = await openAdapter((options) =>
  createQuickBooks(options, quickBooksHosts.production),
);

const answerWith = (QueryResponse: object): void =>
  replyWith(json({ QueryResponse, time: '2026-04-01T10:00:00.000-07:00' }));

const query = (text: string) => ({
  call: `GET /quickbooks.api.intuit.com/v3/company/${access.companyId}/query`,
  query: { query: text, minorversion: '75' },
  authorization: 'Bearer Secret-Access',
});

const account = (more: object = {}) => ({
  Id: '35',
  Name: 'Checking',
  FullyQualifiedName: 'Checking',
  Active: true,
  Classification: 'Asset',
  AccountType: 'Bank',
  CurrencyRef: { value: 'USD', name: 'United States Dollar' },
  ...more,
});

const chartOf = (...rows: object[]) => {
  answerWith({ Account: rows, startPosition: 1, maxResults: rows.length });
  return platform.accountPage(access, pageOf());
};
const accountsOf = async (...rows: object[]) => (await chartOf(...rows)).accounts;

describe('accounts', () => {
  test('come with their place in the chart, the archived ones too', async () => {
    const accounts = await accountsOf(
      account(),
      account({
        Id: '65',
        FullyQualifiedName: 'Job Expenses:Job Materials:Fountain and Garden Lighting',
        AcctNum: ' 5400 ',
        Active: false,
        Classification: 'Expense',
        AccountType: 'Cost of Goods Sold',
      }),
    );
    expect(accounts).toMatchObject([
      { accountId: '35', code: null, name: 'Checking', type: 'asset', status: 'active' },
      {
        accountId: '65',
        code: '5400',
        name: 'Job Expenses:Job Materials:Fountain and Garden Lighting',
        type: 'expense',
        status: 'archived',
      },
    ]);
    const where = 'where Active in (true,false) orderby Id startposition 1 maxresults 1000';
    expect(asked()).toEqual([query(`select * from Account ${where}`)]);
  });

  test.each([
    ['asset', 'Asset', 'Bank|Accounts Receivable|Other Current Asset|Fixed Asset|Other Asset'],
    [
      'liability',
      'Liability',
      'Accounts Payable|Credit Card|Other Current Liability|Long Term Liability',
    ],
    ['equity', 'Equity', 'Equity'],
    ['revenue', 'Revenue', 'Income|Other Income'],
    ['expense', 'Expense', 'Cost of Goods Sold|Expense|Other Expense'],
  ])('are of type %s by their classification, or else by their own type', async (...row) => {
    const [type, Classification, accountTypes] = row;
    const ownTypes = accountTypes.split('|');
    const { accounts, assumptions } = await chartOf(
      account({ Classification, AccountType: 'New Kind' }),
      ...ownTypes.map((AccountType) => account({ Classification: undefined, AccountType })),
      ...ownTypes.map((AccountType) => account({ Classification: null, AccountType })),
    );
    expect(accounts.map((it) => it.type)).toEqual(Array(1 + 2 * ownTypes.length).fill(type));
    expect(assumptions).toEqual([]);
  });

  test.each([
    ['asset', 'New', 'Bank', 'Classification'],
    ['equity', undefined, 'New', 'AccountType', 'RetainedEarnings'],
    ['revenue', 'New', 'New', 'AccountType', 'ServiceFeeIncome'],
    ['expense', undefined, undefined, 'AccountType', 'SuppliesMaterialsCogs'],
  ])('are of type %s by what is known of them, and this is said', async (...row) => {
    const [type, Classification, AccountType, field, AccountSubType] = row;
    const chart = await chartOf(account({ Classification, AccountType, AccountSubType }));
    const assumption = { kind: 'account', reference: '35', assumption: 'account_type_assumed' };
    expect(chart).toMatchObject({
      accounts: [{ accountId: '35', type }],
      assumptions: [{ ...assumption, field }],
    });
  });

  test.each<[string, object, string, string]>([
    ['of no known type', { Classification: 'New', AccountType: 'New' }, '35', 'AccountType'],
    ['without an id', { Id: undefined }, 'record 1', 'Id'],
    ['with another id', { Id: 'x' }, 'x', 'Id'],
    ['without a name', { FullyQualifiedName: ' ', Name: '' }, '35', 'FullyQualifiedName'],
    ['that may be active', { Active: 'no' }, '35', 'Active'],
  ])('%s are refused, and the others come', async (_title, more, reference, field) => {
    const other = account({ Id: '36', FullyQualifiedName: undefined, Active: undefined });
    expect(await chartOf(account(more), other)).toMatchObject({
      accounts: [{ accountId: '36', name: 'Checking', status: 'active' }],
      refused: [{ kind: 'account', reference, reason: 'record_not_understood', field }],
    });
  });

  test('that nothing can be posted to are left out', async () => {
    const nonPosting = { Id: '90', AccountType: 'Non-Posting', Classification: undefined };
    const found = await accountsOf(account(nonPosting), account());
    expect(found.map(({ accountId }) => accountId)).toEqual(['35']);
  });

  test('have names cut in whole characters, and no code where it is too long', async () => {
    const FullyQualifiedName = ` ${'\u{1f4b6}'.repeat(160)}`;
    const accounts = await accountsOf(
      account({ FullyQualifiedName, AcctNum: '9'.repeat(65) }),
      account({ AcctNum: '9'.repeat(64) }),
      account({ AcctNum: ' ' }),
    );
    expect(accounts[0]?.name).toBe('\u{1f4b6}'.repeat(150));
    expect(accounts.map(({ code }) => code)).toEqual([null, '9'.repeat(64), null]);
  });
});

const words = 'nov portion of rider insurance';
const line = (PostingType: string, more: object = {}) => ({
  Id: '0',
  Description: words,
  Amount: 100,
  DetailType: 'JournalEntryLineDetail',
  JournalEntryLineDetail: { PostingType, AccountRef: { value: '65', name: 'Lighting' } },
  ...more,
});

const entry = (more: object = {}) => ({
  Adjustment: false,
  Id: '227',
  TxnDate: '2026-03-31',
  CurrencyRef: { value: 'USD', name: 'United States Dollar' },
  PrivateNote: 'Insurance',
  Line: [line('Debit'), line('Credit')],
  TxnTaxDetail: {},
  ...more,
});

/** A page of journals; `edit` writes numbers as no float holds them. */
const journalsOf = (rows: object[], edit = (text: string) => text) => {
  const page = { JournalEntry: rows, startPosition: 1, maxResults: 1 };
  replyWith({ body: edit(JSON.stringify({ QueryResponse: page })) });
  return platform.journalPage(access, pageOf());
};

/** The journal of a page, read. */
const journalOf = async (row: object, edit?: (text: string) => string) => {
  const { journals } = await journalsOf([row], edit);
  const [journal] = await Promise.all(journals.map((listed) => readJournal(listed, access)));
  expect(asked()).toHaveLength(1);
  return journal;
};

describe('journals', () => {
  test('come with their lines, in the currency that they name', async () => {
    expect(await journalOf(entry())).toEqual({
      reference: '227',
      date: '2026-03-31',
      memo: 'Insurance',
      currency: 'USD',
      exchangeRate: null,
      lines: [
        ['65', words, '100', '0'],
        ['65', words, '0', '100'],
      ],
    });
    const text = 'select * from JournalEntry orderby Id startposition 1 maxresults 1000';
    expect(asked()).toEqual([query(text)]);
  });

  const CurrencyRef = { value: 'EUR' };
  test.each<[string, object, [currency: string | null, exchangeRate: string | null]]>([
    ['foreign', { CurrencyRef, ExchangeRate: 1.0825 }, ['EUR', '1.0825']],
    ['of no name', { CurrencyRef: undefined }, [null, null]],
    ['at no rate', { CurrencyRef }, ['EUR', null]],
    ['at a rate of nothing', { CurrencyRef, ExchangeRate: 0 }, ['EUR', null]],
    ['adjusted', { CurrencyRef, ExchangeRate: 1.1, HomeCurrencyAdjustment: true }, [null, null]],
    ['at home', { CurrencyRef, ExchangeRate: 1.1, EnteredInHomeCurrency: true }, [null, null]],
  ])('have money that is %s', async (_title, more, [currency, exchangeRate]) => {
    expect(await journalOf(entry(more))).toMatchObject({ currency, exchangeRate });
  });

  test('keep every digit of an amount and a rate', async () => {
    const row = entry({ Line: [line('Debit', { Amount: 'AMOUNT' })], ExchangeRate: 'RATE' });
    const journal = await journalOf(row, (text) =>
      text.replace('"AMOUNT"', '900719925474099.37').replace('"RATE"', '0.12345678901234567890'),
    );
    expect(journal?.lines[0]?.[2]).toBe('900719925474099.37');
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
    ['a debit of nothing', line('Debit', { Amount: 0 }), [['0', '0']]],
    ['a debit below zero', line('Debit', { Amount: -5.5 }), [['0', '5.5']]],
    ['a credit below zero', line('Credit', { Amount: -5.5 }), [['5.5', '0']]],
    ['nothing without an amount', line('Debit', { Amount: undefined }), []],
    ['nothing but words', { Id: '2', Description: 'Note', DetailType: 'DescriptionOnly' }, []],
    ['nothing of another kind', { Amount: 5, DetailType: 'SubTotalLineDetail' }, []],
  ])('have lines that are %s', async (_title, row, sides) => {
    const journal = await journalOf(entry({ Line: [row] }));
    expect(journal?.lines.map(([, , debit, credit]) => [debit, credit])).toEqual(sides);
  });

  const sides = (detail: object) => [
    line('Debit', { JournalEntryLineDetail: detail }),
    line('Credit'),
  ];
  const detail = { PostingType: 'Debit', AccountRef: { value: '65' } };
  test.each<[string, object, string]>([
    ['of no day', { TxnDate: '2026-02-30' }, 'TxnDate'],
    [
      'with a line on no side',
      { Line: [line('Both')] },
      'Line.0.JournalEntryLineDetail.PostingType',
    ],
    [
      'with a line of no account',
      { Line: sides({ ...detail, AccountRef: undefined }) },
      'Line.0.JournalEntryLineDetail.AccountRef',
    ],
    ['with an amount in words', { Line: [line('Debit', { Amount: 'ten' })] }, 'Line.0.Amount'],
    [
      'with a tax in words',
      { Line: sides({ ...detail, TaxAmount: 'ten' }) },
      'Line.0.JournalEntryLineDetail.TaxAmount',
    ],
    ['with another id', { Id: 'x' }, 'Id'],
  ])('%s are refused, and the others come', async (_title, more, field) => {
    const { journals, refused } = await journalsOf([entry(more), entry()]);
    expect(refused).toEqual([]);
    const read = await Promise.all(journals.map((listed) => readListed(listed, access)));
    const refusal = { state: 'refused', reason: 'record_not_understood', field };
    expect(read).toMatchObject([refusal, { state: 'posted' }]);
  });

  test('without an id are refused by their place in the list', async () => {
    const { journals, refused } = await journalsOf([entry(), entry({ Id: undefined })]);
    expect(journals).toHaveLength(1);
    const [reason, field] = ['record_not_understood', 'Id'];
    expect(refused).toEqual([{ kind: 'journal', reference: 'record 2', reason, field }]);
  });
});

const pages = {
  Account: (more?: Parameters<typeof pageOf>[0]) => platform.accountPage(access, pageOf(more)),
  JournalEntry: (more?: Parameters<typeof pageOf>[0]) => platform.journalPage(access, pageOf(more)),
};

describe.each([
  { entity: 'Account' as const, row: account() },
  { entity: 'JournalEntry' as const, row: entry() },
])('pages of $entity', ({ entity, row }) => {
  const read = pages[entity];
  const give = (count: number, startPosition: number | undefined) =>
    answerWith({ [entity]: Array(count).fill(row), startPosition, maxResults: count });

  test.each<[string, string | null, number, number, string | null]>([
    ['a full page, which is followed by another', null, 100, 100, '100'],
    ['one that is not full, which is the last', '100', 99, 100, null],
    ['one of fewer rows from the same place', '100', 20, 20, '120'],
    ['one that is longer than was asked for', '100', 101, 100, '201'],
  ])('are %s', async (_title, cursor, count, rows, next) => {
    const first = Number(cursor) + 1;
    give(count, first);
    expect((await read({ cursor, rows })).next).toBe(next);
    const [statement] = asked().map((it) => it.query?.query ?? '');
    expect(statement).toContain(` startposition ${first} maxresults ${rows}`);
  });

  test('end with one that has nothing', async () => {
    for (const empty of [{}, { totalCount: 0 }, { startPosition: 1, maxResults: 0 }]) {
      answerWith(empty);
      expect(await read({ cursor: '1000' })).toMatchObject({ refused: [], next: null });
    }
  });

  test.each([1, 100, 102, undefined])('must begin where they should: not at %s', async (at) => {
    give(1, at);
    expect(await reasonOf(read({ cursor: '100' }))).toBe('page_did_not_advance');
  });

  test('are not understood where they are a fault with a status of 200', async () => {
    for (const code of ['4001', 'words']) {
      answerWith({ Fault: { Error: [{ code }], type: 'Validation' } });
      expect(await reasonOf(read())).toBe('reply_not_understood');
    }
  });
});

describe('what has changed since a moment', () => {
  const modifiedSince = new Date('2026-03-30T10:00:00.500Z');
  const changes = (...lists: object[]) =>
    json({ CDCResponse: [{ QueryResponse: lists }], time: '2026-04-01T10:00:00.000-07:00' });
  const gone = (Id: string, state = 'Deleted') => ({ domain: 'QBO', status: state, Id });

  test('is asked for by entity, and has what was deleted', async () => {
    const Account = [account(), gone('36')];
    replyWith(changes({ Account, startPosition: 1, maxResults: 2 }));
    const chart = await pages.Account({ modifiedSince });
    expect(chart).toMatchObject({ accounts: [{ accountId: '35' }], refused: [], next: null });
    replyWith(changes({ JournalEntry: [gone('7'), entry(), gone('8', 'Voided')] }, {}));
    const { journals, next } = await pages.JournalEntry({ modifiedSince });
    const states = journals.map(async (listed) => {
      const { state } = await readListed(listed, access);
      return [listed.reference, state];
    });
    const expected = [
      ['227', 'posted'],
      ['7', 'voided'],
      ['8', 'voided'],
    ];
    expect(await Promise.all(states)).toEqual(expected);
    expect(next).toBeNull();
    const since = { changedSince: modifiedSince.toISOString(), minorversion: '75' };
    expect(asked().map((it) => [it.call.split('/').at(-1), it.query])).toEqual([
      ['cdc', { entities: 'Account', ...since }],
      ['cdc', { entities: 'JournalEntry', ...since }],
    ]);
  });

  test('is not complete where it is as much as a list can have', async () => {
    replyWith(changes({ JournalEntry: Array(1000).fill(entry()) }));
    expect(await reasonOf(pages.JournalEntry({ modifiedSince }))).toBe('changes_incomplete');
    replyWith(changes({ JournalEntry: [{ PrivateNote: 'x'.repeat(3_000_000) }] }));
    expect(await reasonOf(pages.JournalEntry({ modifiedSince }))).toBe('changes_incomplete');
    expect(platform.maximumChangesDays).toBeLessThan(30);
  });

  const Fault = { Error: [{ Message: 'No', Detail: 'No', code: '3200' }] };
  test.each<[string, unknown]>([
    ['of all', { CDCResponse: [{ Fault }] }],
    ['of one entity', { CDCResponse: [{ QueryResponse: [{ Fault }] }] }],
  ])('can be a fault %s with a status of 200', async (_title, body) => {
    replyWith(json(body));
    expect(await reasonOf(pages.Account({ modifiedSince }))).toBe('credentials_refused');
  });
});
