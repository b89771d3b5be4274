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

const { platform, replyWith, sentRequests } = await openAdapter((options) =>
  createQuickBooks(options, quickBooksHosts.production),
);

const answerWith = (QueryResponse: object): void =>
  replyWith(json({ QueryResponse, time: '2026-04-01T10:00:00.000-07:00' }));

const account = (more: object = {}) => ({
  Id: '35',
  Name: 'Checking',
  FullyQualifiedName: 'Bank:Checking',
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
  test.each([
    ['liability', 'Liability', 'New', null],
    ['asset', undefined, 'Bank', null],
    ['asset', 'New', 'Bank', 'Classification'],
    ['equity', undefined, 'New', 'AccountType', 'RetainedEarnings'],
    ['revenue', 'New', 'New', 'AccountType', 'ServiceFeeIncome'],
    ['expense', undefined, undefined, 'AccountType', 'SuppliesMaterialsCogs'],
  ])('have the type %s with the class %s and the type %s, assumed without %s', async (...row) => {
    const [type, Classification, AccountType, field, AccountSubType] = row;
    const chart = await chartOf(account({ Classification, AccountType, AccountSubType }));
    const assumption = { kind: 'account', reference: '35', assumption: 'account_type_assumed' };
    expect(chart).toMatchObject({
      accounts: [{ accountId: '35', type }],
      assumptions: field === null ? [] : [{ ...assumption, field }],
    });
  });

  test.each<[string, object, string, string]>([
    ['of no known type', { Classification: 'New', AccountType: 'New' }, '35', 'AccountType'],
    ['without an id', { Id: undefined }, 'record 1', 'Id'],
    ['with another id', { Id: 'x' }, 'x', 'Id'],
    ['without a name', { FullyQualifiedName: ' ', Name: '' }, '35', 'FullyQualifiedName'],
    ['that may be active', { Active: 'no' }, '35', 'Active'],
  ])('%s are refused', async (_title, more, reference, field) => {
    const other = account({ Id: '36', FullyQualifiedName: undefined, Active: undefined });
    expect(await chartOf(account(more), other)).toMatchObject({
      accounts: [{ accountId: '36', name: 'Checking', status: 'active' }],
      refused: [{ kind: 'account', reference, reason: 'record_not_understood', field }],
    });
  });

  test('that are non-posting are dropped', async () => {
    const nonPosting = { Id: '90', AccountType: 'Non-Posting', Classification: undefined };
    const found = await accountsOf(account(nonPosting), account());
    expect(found).toMatchObject([{ accountId: '35', name: 'Bank:Checking' }]);
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

const journalsOf = (rows: object[]) => {
  answerWith({ JournalEntry: rows, startPosition: 1, maxResults: 1 });
  return platform.journalPage(access, pageOf());
};

const journalOf = async (row: object) => {
  const { journals } = await journalsOf([row]);
  const [journal] = await Promise.all(journals.map((listed) => readJournal(listed, access)));
  expect(sentRequests()).toHaveLength(1);
  return journal;
};

describe('journals', () => {
  const CurrencyRef = { value: 'EUR' };
  test.each<[string, object, [currency: string | null, exchangeRate: string | null]]>([
    ['foreign', { CurrencyRef, ExchangeRate: 1.0825 }, ['EUR', '1.0825']],
    ['of no name', { CurrencyRef: undefined }, [null, null]],
    ['at no rate', { CurrencyRef }, ['EUR', null]],
    ['at a rate of nothing', { CurrencyRef, ExchangeRate: 0 }, ['EUR', null]],
    ['adjusted', { CurrencyRef, ExchangeRate: 1.1, HomeCurrencyAdjustment: true }, [null, null]],
    ['at home', { CurrencyRef, ExchangeRate: 1.1, EnteredInHomeCurrency: true }, [null, null]],
  ])(
    'have the currency and rate of an entry %s',
    async (_title, more, [currency, exchangeRate]) => {
      expect(await journalOf(entry(more))).toMatchObject({ currency, exchangeRate });
    },
  );

  test.each<[string, object, string]>([
    ['the note', { PrivateNote: ' Wages ', DocNumber: 'JE-7' }, 'Wages'],
    ['the number without a note', { PrivateNote: ' ', DocNumber: 'JE-7' }, 'JE-7'],
    ['the id without both', { PrivateNote: undefined }, 'Journal entry 227'],
    ['the id if both are blank', { PrivateNote: ' ', DocNumber: ' ' }, 'Journal entry 227'],
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
  ])('can have %s', async (_title, row, sides) => {
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
  ])('%s are refused', async (_title, more, field) => {
    const { journals, refused } = await journalsOf([entry(more), entry()]);
    expect(refused).toEqual([]);
    const read = await Promise.all(journals.map((listed) => readListed(listed, access)));
    const refusal = { state: 'refused', reason: 'record_not_understood', field };
    expect(read).toMatchObject([refusal, { state: 'posted' }]);
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
    ['a full page with a next page', null, 100, 100, '100'],
    ['a shorter page, always the last', '100', 99, 100, null],
    ['one of fewer rows from the same place', '100', 20, 20, '120'],
    ['one that is longer than was asked for', '100', 101, 100, '201'],
  ])('are %s', async (_title, cursor, count, rows, next) => {
    const first = Number(cursor) + 1;
    give(count, first);
    expect((await read({ cursor, rows })).next).toBe(next);
    const [statement] = sentRequests().map((it) => it.query?.query ?? '');
    expect(statement).toContain(` orderby Id startposition ${first} maxresults ${rows}`);
  });

  test('end with an empty page', async () => {
    for (const empty of [{}, { totalCount: 0 }, { startPosition: 1, maxResults: 0 }]) {
      answerWith(empty);
      expect(await read({ cursor: '1000' })).toMatchObject({ refused: [], next: null });
    }
  });

  test.each([1, 100, 102, undefined])('cannot start at the position %s', async (at) => {
    give(1, at);
    expect(await reasonOf(read({ cursor: '100' }))).toBe('page_did_not_advance');
  });

  test('are not understood if they contain a fault with status 200', async () => {
    for (const code of ['4001', 'words']) {
      answerWith({ Fault: { Error: [{ code }], type: 'Validation' } });
      expect(await reasonOf(read())).toBe('reply_not_understood');
    }
  });
});

test.each([
  ['posted', { JournalEntry: [entry()], startPosition: 1, maxResults: 1 }],
  ['voided', {}],
])('a journal that a list lacks is %s if the reply is %j', async (state, reply) => {
  answerWith(reply);
  const request = { reference: '227', timeoutMilliseconds: 2_000 };
  expect(await platform.readJournal?.(access, request)).toMatchObject({ state });
  expect(sentRequests().map(({ query }) => query?.query)).toEqual([
    "select * from JournalEntry where Id = '227'",
  ]);
});

describe('a list of changes', () => {
  const modifiedSince = new Date('2026-03-30T10:00:00.500Z');
  const changes = (...lists: object[]) =>
    json({ CDCResponse: [{ QueryResponse: lists }], time: '2026-04-01T10:00:00.000-07:00' });
  const gone = (Id: string, state = 'Deleted') => ({ domain: 'QBO', status: state, Id });

  test('is for one entity and includes deletions', async () => {
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
    expect(sentRequests().map((it) => [it.call.split('/').at(-1), it.query])).toEqual([
      ['cdc', { entities: 'Account', ...since }],
      ['cdc', { entities: 'JournalEntry', ...since }],
    ]);
  });

  test('can be incomplete if it has the maximum length', async () => {
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
