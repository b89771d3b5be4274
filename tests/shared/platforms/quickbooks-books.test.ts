import { describe, expect, test } from 'vitest';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks.ts';
import { json, openAdapter, readJournal, reasonOf } from '../../support/harnesses/adapters.ts';

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

const accountsOf = async (...rows: object[]) => {
  answerWith({ Account: rows, startPosition: 1, maxResults: rows.length });
  return (await platform.accountPage(access, null)).accounts;
};

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
    expect(accounts).toEqual([
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
    const accounts = await accountsOf(
      account({ Classification, AccountType: 'New Kind' }),
      ...ownTypes.map((AccountType) => account({ Classification: undefined, AccountType })),
      ...ownTypes.map((AccountType) => account({ Classification: null, AccountType })),
    );
    expect(accounts.map((it) => it.type)).toEqual(Array(1 + 2 * ownTypes.length).fill(type));
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

/** The journal of a page, read; `edit` writes numbers as no float holds them. */
const journalOf = async (row: object, edit = (text: string) => text) => {
  const page = { JournalEntry: [row], startPosition: 1, maxResults: 1 };
  replyWith({ body: edit(JSON.stringify({ QueryResponse: page })) });
  const { journals } = await platform.journalPage(access, null);
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
    const text = 'select * from JournalEntry orderby Id startposition 1 maxresults 100';
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

  test('with taxes keep the lines as they are, which do not balance then', async () => {
    const JournalEntryLineDetail = {
      PostingType: 'Debit',
      AccountRef: { value: '65' },
      TaxCodeRef: { value: '5' },
      TaxApplicableOn: 'Purchase',
      TaxAmount: 20,
    };
    const credit = line('Credit', { Amount: 120, Description: undefined });
    const tax = { TotalTax: 20, TaxLine: [{ Amount: 20, DetailType: 'TaxLineDetail' }] };
    const Line = [line('Debit', { JournalEntryLineDetail }), credit];
    expect((await journalOf(entry({ Line, TxnTaxDetail: tax })))?.lines).toEqual([
      ['65', words, '100', '0'],
      ['65', '', '0', '120'],
    ]);
  });
});

const pages = {
  Account: (from: string | null) => platform.accountPage(access, from),
  JournalEntry: (from: string | null) => platform.journalPage(access, from),
};

describe.each([
  { entity: 'Account' as const, row: account(), full: 1000 },
  { entity: 'JournalEntry' as const, row: entry(), full: 100 },
])('pages of $entity', ({ entity, row, full }) => {
  const read = pages[entity];
  const second = String(full + 1);
  const pageOf = (count: number, startPosition: number | undefined) =>
    answerWith({ [entity]: Array(count).fill(row), startPosition, maxResults: count });

  test('lead on while they are full, and end with one that is not', async () => {
    pageOf(full, 1);
    expect((await read(null)).next).toBe(second);
    pageOf(full, full + 1);
    expect((await read(second)).next).toBe(String(2 * full + 1));
    pageOf(full - 1, full + 1);
    expect((await read(second)).next).toBeNull();
    const statements = asked().map((it) => it.query?.query?.replace(/^.*startposition/, ''));
    expect(statements.slice(0, 2)).toEqual([
      ` 1 maxresults ${full}`,
      ` ${second} maxresults ${full}`,
    ]);
  });

  test('end with one that has nothing', async () => {
    for (const empty of [{}, { totalCount: 0 }, { startPosition: 1, maxResults: 0 }]) {
      answerWith(empty);
      expect(Object.values(await read(second))).toEqual([[], null]);
    }
  });

  test.each([1, full, full + 2, undefined])(
    'must begin where they should: not at %s',
    async (at) => {
      pageOf(1, at);
      expect(await reasonOf(read(second))).toBe('page_did_not_advance');
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
  const noAccount = { JournalEntryLineDetail: { PostingType: 'Debit' } };

  test.each<[string, keyof typeof pages, object]>([
    ['no known type', 'Account', account({ Classification: 'New', AccountType: 'New' })],
    ['no id of an account', 'Account', account({ Id: '' })],
    ['an account that may be active', 'Account', account({ Active: undefined })],
    ['a journal of no day', 'JournalEntry', entry({ TxnDate: '2026-02-30' })],
    ['a journal without an id', 'JournalEntry', entry({ Id: undefined })],
    ['a line on no side', 'JournalEntry', entry({ Line: [line('Both')] })],
    ['a line of no account', 'JournalEntry', entry({ Line: [line('Debit', noAccount)] })],
    ['an amount in words', 'JournalEntry', entry({ Line: [line('Debit', { Amount: 'ten' })] })],
  ])('with %s is not understood', async (_title, entity, row) => {
    answerWith({ [entity]: [row], startPosition: 1, maxResults: 1 });
    expect(await reasonOf(pages[entity](null))).toBe('reply_not_understood');
  });
});
