import { beforeEach, describe, expect, test } from 'vitest';
import type { Platform } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero.ts';
import { json, openAdapter, readJournal, reasonOf } from '../../support/harnesses/adapters.ts';

const uuid = (number: number): string =>
  `99cb8353-ce73-4a5d-8e0d-${String(number).padStart(12, '0')}`;
const [wages, bank, sales, tax] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const access = { companyId: uuid(0), dataCenter: null, accessToken: 'Secret-Access' };

const { openAnother, replyWith, asked } = await openAdapter(createXero);

/** Remembers a company's account for tax. */
let platform: Platform;
beforeEach(() => {
  platform = openAnother();
});

/** The resources of the Accounting API that were asked for, and how. */
const resources = () =>
  asked().map(({ call, query = {}, tenant }) => {
    expect(tenant).toBe(uuid(0));
    return [call.replace('/api.xero.com/api.xro/2.0/', ''), query];
  });

describe('a chart of accounts', () => {
  const account = { AccountID: bank, Name: 'Bank', Type: 'BANK', Class: 'ASSET', Status: 'ACTIVE' };
  const long = '\u{1f4b6}';
  test('comes at once, with types by class and without what was deleted', async () => {
    replyWith(
      json({
        Accounts: [
          { ...account, AccountID: bank.toUpperCase(), Code: ' 090 ', Name: ' Bank ' },
          { ...account, Type: 'CURRLIAB', Class: 'LIABILITY', Code: null, SystemAccount: 'GST' },
          { ...account, Type: 'EQUITY', Class: 'EQUITY', Code: '  ' },
          { ...account, Type: 'SALES', Class: 'REVENUE', Code: '9'.repeat(65) },
          { ...account, Class: 'EXPENSE', Status: 'ARCHIVED', Name: long.repeat(160) },
          { ...account, Status: 'DELETED' },
        ],
      }),
    );
    const common = { accountId: bank, name: 'Bank', status: 'active', code: null };
    expect(await platform.accountPage(access, null)).toEqual({
      accounts: [
        { ...common, code: '090', type: 'asset' },
        { ...common, type: 'liability' },
        { ...common, type: 'equity' },
        { ...common, type: 'revenue' },
        { ...common, type: 'expense', status: 'archived', name: long.repeat(150) },
      ],
      next: null,
    });
    expect(resources()).toEqual([['GET Accounts', {}]]);
  });

  test.each<[string, object]>([
    ['no class', { Class: undefined }],
    ['a class that is new', { Class: 'OTHER' }],
    ['an id that is none', { AccountID: 'bank' }],
    ['a status that is new', { Status: 'HIDDEN' }],
  ])('with %s is not understood', async (_title, change) => {
    replyWith(json({ Accounts: [{ ...account, ...change }] }));
    expect(await reasonOf(platform.accountPage(access, null))).toBe('reply_not_understood');
  });
});

const journal = {
  ManualJournalID: uuid(7),
  Date: '/Date(1553126400000+0000)/',
  Status: 'POSTED',
  LineAmountTypes: 'NoTax',
  Narration: ' Wages of March ',
  JournalLines: [
    { AccountID: wages, LineAmount: 100.1, TaxAmount: 0, Description: ' Wages ', IsBlank: false },
    { AccountID: bank, LineAmount: -100.1, TaxAmount: 0 },
  ],
};
const gstReply = { Accounts: [{ AccountID: tax.toUpperCase(), SystemAccount: 'GST' }] };

/** The journals of a page whose list is this one; `amount` is written for each 100.1. */
const readJournals = async (list: unknown[], taxReply: unknown = gstReply, amount = '100.1') => {
  const body = JSON.stringify({ ManualJournals: list }).replaceAll('100.1', amount);
  replyWith({ body }, json(taxReply));
  const { journals } = await platform.journalPage(access, null);
  return Promise.all(journals.map((listed) => readJournal(listed, access)));
};

/** The lines of one journal of this kind, whose tax goes to the account for it. */
const linesOf = async (LineAmountTypes: string, JournalLines: object[], taxReply?: unknown) => {
  const [read] = await readJournals([{ ...journal, LineAmountTypes, JournalLines }], taxReply);
  return read?.lines;
};

describe('a manual journal', () => {
  test('is read with debits from positive and credits from negative amounts', async () => {
    expect(await readJournals([journal])).toEqual([
      {
        reference: uuid(7),
        date: '2019-03-21',
        memo: 'Wages of March',
        currency: null,
        exchangeRate: null,
        lines: [
          [wages, 'Wages', '100.1', '0'],
          [bank, '', '0', '100.1'],
        ],
      },
    ]);
    expect(asked()).toHaveLength(1);
  });

  test('counts when it is posted, put out of sight or not, and else does not', async () => {
    const posted = { ...journal, ManualJournalID: uuid(21) };
    const archived = { ...journal, ManualJournalID: uuid(24), Status: 'ARCHIVED' };
    const others = [{ Status: 'DRAFT' }, { Status: 'DELETED' }, { ...journal, Status: 'VOIDED' }];
    const read = await readJournals([posted, ...others, archived]);
    expect(read.map((it) => it?.reference)).toEqual([uuid(21), uuid(24)]);
  });

  test.each<[string, string, string]>([
    ['a moment of .NET', '/Date(1553126400000+0000)/', '2019-03-21'],
    ['one without an offset', '/Date(1553126400000)/', '2019-03-21'],
    ['one whose day began before that of UTC', '/Date(1553079600000+1300)/', '2019-03-21'],
    ['one whose day began after that of UTC', '/Date(1553140800000-0500)/', '2019-03-20'],
    ['one before 1970', '/Date(-86400000+0000)/', '1969-12-31'],
    ['a date of ISO 8601', '2019-03-21', '2019-03-21'],
    ['a date and time of ISO 8601', '2019-03-21T00:00:00', '2019-03-21'],
  ])('has a date from %s', async (_title, text, date) => {
    expect(await readJournals([{ ...journal, Date: text }])).toMatchObject([{ date }]);
  });

  test('keeps a line of nothing, and leaves out one that nobody filled in', async () => {
    const lines = [
      { AccountID: wages, LineAmount: 0, Description: 'Nothing' },
      { LineAmount: 0, IsBlank: true },
    ];
    expect(await linesOf('NoTax', lines)).toEqual([[wages, 'Nothing', '0', '0']]);
  });

  test('keeps every digit of an amount', async () => {
    const amount = '90071992547409.93';
    const [read] = await readJournals([journal], gstReply, amount);
    expect(read?.lines[0]?.[2]).toBe(amount);
  });

  test('without words is called by its id', async () => {
    const memo = `Manual journal ${uuid(7)}`;
    expect(await readJournals([{ ...journal, Narration: '' }])).toMatchObject([{ memo }]);
  });
});

describe('the tax of a manual journal', () => {
  const taxedSale = { AccountID: sales, LineAmount: -100, TaxAmount: -15, Description: 'Sales' };

  test.each<[string, string, object[], string[][]]>([
    [
      'is added to amounts without it',
      'Exclusive',
      [taxedSale, { AccountID: bank, LineAmount: 115, TaxAmount: 0, Description: 'Bank' }],
      [
        [sales, 'Sales', '0', '100'],
        [tax, 'Sales', '0', '15'],
        [bank, 'Bank', '115', '0'],
      ],
    ],
    [
      'is taken out of amounts with it',
      'Inclusive',
      [
        { AccountID: wages, LineAmount: 115.5, TaxAmount: 15.05 },
        { AccountID: bank, LineAmount: -115.5, TaxAmount: 0 },
      ],
      [
        [wages, '', '100.45', '0'],
        [tax, '', '15.05', '0'],
        [bank, '', '0', '115.5'],
      ],
    ],
  ])('%s', async (_title, kind, lines, expected) => {
    expect(await linesOf(kind, lines)).toEqual(expected);
    const query = { where: 'SystemAccount=="GST"' };
    expect(resources().slice(1)).toEqual([['GET Accounts', query]]);
  });

  test('is nothing in a journal without tax, whatever its lines say', async () => {
    expect(await linesOf('NoTax', [taxedSale])).toEqual([[sales, 'Sales', '0', '100']]);
    expect(asked()).toHaveLength(1);
  });

  test('is not looked for where the journal has none', async () => {
    await readJournals([
      { ...journal, LineAmountTypes: 'Exclusive' },
      { ...journal, Status: 'DRAFT', JournalLines: [{ LineAmount: 1, TaxAmount: 1 }] },
    ]);
    expect(asked()).toHaveLength(1);
  });

  test('is looked for once a company', async () => {
    const taxed = { ...journal, LineAmountTypes: 'Exclusive', JournalLines: [taxedSale] };
    await readJournals([taxed, journal, taxed]);
    await readJournals([taxed]);
    const called = resources().map(([call]) => call);
    expect(called).toEqual(['GET ManualJournals', 'GET Accounts', 'GET ManualJournals']);
  });

  test.each<[string, unknown]>([
    ['no account', { Accounts: [] }],
    ['another account', { Accounts: [{ AccountID: bank, SystemAccount: '' }, { AccountID: tax }] }],
  ])('goes to an account that no chart has where Xero has %s for it', async (_title, reply) => {
    const lines = await linesOf('Exclusive', [taxedSale], reply);
    expect(lines?.map(([accountId]) => accountId)).toEqual([sales, 'gst']);
  });
});

describe('a page of manual journals', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    ...journal,
    ManualJournalID: uuid(100 + index),
  }));
  const page = (more: object, ManualJournals: object[] = [journal]) => ({
    pagination: { page: 2, pageSize: 100, pageCount: 3, itemCount: 201, ...more },
    ManualJournals,
  });

  test('is asked for in an order that nothing disturbs', async () => {
    replyWith(json({ ManualJournals: [] }));
    expect(await platform.journalPage(access, null)).toEqual({ journals: [], next: null });
    const query = { page: '1', pageSize: '100', order: 'ManualJournalID ASC' };
    expect(resources()).toEqual([['GET ManualJournals', query]]);
  });

  test.each<[string, object, string | null]>([
    ['is followed by the next', page({}), '3'],
    ['is the last', page({ pageCount: 2 }), null],
    ['is beyond the last', page({ pageCount: 1 }, []), null],
    ['does not say, and is full', { ManualJournals: hundred }, '3'],
    ['does not say, and is not full', { ManualJournals: hundred.slice(1) }, null],
  ])('%s', async (_title, reply, next) => {
    replyWith(json(reply));
    expect(await platform.journalPage(access, '2')).toMatchObject({ next });
    expect(asked()[0]?.query).toMatchObject({ page: '2' });
  });

  test.each<[string, object]>([
    ['is another', page({ page: 1 })],
    ['is empty, with more to follow', page({}, [])],
  ])('that %s does not advance', async (_title, reply) => {
    replyWith(json(reply));
    expect(await reasonOf(platform.journalPage(access, '2'))).toBe('page_did_not_advance');
  });

  test.each<[string, object]>([
    ['a line without an account', { JournalLines: [{ AccountCode: '200', LineAmount: 1 }] }],
    ['a line without an amount', { JournalLines: [{ AccountID: bank }] }],
    ['an amount that is none', { JournalLines: [{ AccountID: bank, LineAmount: '1,0' }] }],
    ['no lines', { JournalLines: undefined }],
    ['an id that is none', { ManualJournalID: '7' }],
    ['a status that is new', { Status: 'PENDING' }],
    ['amounts of a new kind', { LineAmountTypes: 'Other' }],
    ['no date', { Date: undefined }],
    ['a date that is none', { Date: '2019-02-29' }],
    ['a date in words', { Date: 'today' }],
  ])('with %s is not understood', async (_title, change) => {
    expect(await reasonOf(readJournals([{ ...journal, ...change }]))).toBe('reply_not_understood');
  });
});
