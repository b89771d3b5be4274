import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero.ts';
import { startFakeServer } from '../../support/servers/fake-server.ts';

const uuid = (number: number): string =>
  `99cb8353-ce73-4a5d-8e0d-${String(number).padStart(12, '0')}`;
const [wages, bank, sales, tax] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const access = { companyId: uuid(0), dataCenter: null, accessToken: 'Secret-Access' };

let server: Awaited<ReturnType<typeof startFakeServer>>;
let platform: Platform;

beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
  const client = { clientId: 'ledger', clientSecret: 'Secret-Client' };
  platform = createXero({ ...client, baseUrlOverride: server.url, timeoutMilliseconds: 2_000 });
});

/** Each request gets the next of these bodies. */
const replyInTurn = (...bodies: unknown[]): void => {
  const left = bodies.map((body) => (typeof body === 'string' ? body : JSON.stringify(body)));
  server.reply = {
    get body() {
      return left.shift() ?? '';
    },
  };
};

/** The resource of the Accounting API that was asked for, and how. */
const asked = () =>
  server.requests.map(({ method, path = '', headers }) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const resource = pathname.replace('/api.xero.com/api.xro/2.0/', '');
    const tenant = headers['xero-tenant-id'];
    return { call: `${method} ${resource}`, query: Object.fromEntries(searchParams), tenant };
  });

const reasonOf = async (failing: Promise<unknown>): Promise<string> => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error('no PlatformFailure');
  return error.reason;
};

describe('a chart of accounts', () => {
  const account = { AccountID: bank, Name: 'Bank', Type: 'BANK', Class: 'ASSET', Status: 'ACTIVE' };

  test('comes at once, with types by class and without what was deleted', async () => {
    replyInTurn({
      Accounts: [
        { ...account, AccountID: bank.toUpperCase(), Code: ' 090 ', Name: ' Bank ' },
        { ...account, Type: 'CURRLIAB', Class: 'LIABILITY', Code: null, SystemAccount: 'GST' },
        { ...account, Type: 'EQUITY', Class: 'EQUITY', Code: '  ' },
        { ...account, Type: 'SALES', Class: 'REVENUE', Code: '9'.repeat(65) },
        { ...account, Class: 'EXPENSE', Status: 'ARCHIVED', Name: '\u{1f4b6}'.repeat(160) },
        { ...account, Status: 'DELETED' },
      ],
    });
    const common = { accountId: bank, name: 'Bank', status: 'active' };
    expect(await platform.accountPage(access, null)).toEqual({
      accounts: [
        { ...common, code: '090', type: 'asset' },
        { ...common, code: null, type: 'liability' },
        { ...common, code: null, type: 'equity' },
        { ...common, code: null, type: 'revenue' },
        {
          ...common,
          code: null,
          type: 'expense',
          status: 'archived',
          name: '\u{1f4b6}'.repeat(150),
        },
      ],
      next: null,
    });
    expect(asked()).toEqual([{ call: 'GET Accounts', query: {}, tenant: uuid(0) }]);
  });

  test.each<[string, object]>([
    ['no class', { Class: undefined }],
    ['a class that is new', { Class: 'OTHER' }],
    ['an id that is none', { AccountID: 'bank' }],
    ['a status that is new', { Status: 'HIDDEN' }],
  ])('with %s is not understood', async (_title, change) => {
    replyInTurn({ Accounts: [{ ...account, ...change }] });
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

/** The journals of a page whose list is this one, with amounts as text. */
const readJournals = async (list: unknown[], ...more: unknown[]) => {
  replyInTurn({ ManualJournals: list }, ...more);
  const { journals } = await platform.journalPage(access, null);
  return Promise.all(
    journals.map(async ({ reference, read }) => {
      const whole = await read(access);
      if (whole === null) throw new Error('a posted journal was listed');
      const { lines, ...rest } = whole;
      expect(rest.reference).toBe(reference);
      return {
        ...rest,
        lines: lines.map(({ accountId, description, debit, credit }) => [
          accountId,
          description,
          debit.toFixed(),
          credit.toFixed(),
        ]),
      };
    }),
  );
};

/** The lines of one journal of this kind, whose tax goes to the account for it. */
const linesOf = async (LineAmountTypes: string, JournalLines: object[]) => {
  const [read] = await readJournals([{ ...journal, LineAmountTypes, JournalLines }], gstReply);
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
    expect(server.requests).toHaveLength(1);
  });

  test('counts when it is posted, put out of sight or not, and else does not', async () => {
    const statuses = ['DRAFT', 'POSTED', 'DELETED', 'VOIDED', 'ARCHIVED'];
    const list = statuses.map((Status, index) => ({
      ...(index % 2 === 0 && Status !== 'ARCHIVED' ? {} : journal),
      ManualJournalID: uuid(20 + index),
      Status,
    }));
    const read = await readJournals(list);
    expect(read.map(({ reference }) => reference)).toEqual([uuid(21), uuid(24)]);
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
    const text = JSON.stringify({ ManualJournals: [journal] }).replaceAll('100.1', amount);
    replyInTurn(text);
    const { journals } = await platform.journalPage(access, null);
    const read = await journals[0]?.read(access);
    expect(read?.lines[0]?.debit.toFixed()).toBe(amount);
  });

  test('without words is called by its id', async () => {
    expect(await readJournals([{ ...journal, Narration: '' }])).toMatchObject([
      { memo: `Manual journal ${uuid(7)}` },
    ]);
  });
});

describe('the tax of a manual journal', () => {
  test('is added to amounts without it', async () => {
    const lines = [
      { AccountID: sales, LineAmount: -100, TaxAmount: -15, Description: 'Sales' },
      { AccountID: bank, LineAmount: 115, TaxAmount: 0, Description: 'Bank' },
    ];
    expect(await linesOf('Exclusive', lines)).toEqual([
      [sales, 'Sales', '0', '100'],
      [tax, 'Sales', '0', '15'],
      [bank, 'Bank', '115', '0'],
    ]);
    expect(asked()[1]).toEqual({
      call: 'GET Accounts',
      query: { where: 'SystemAccount=="GST"' },
      tenant: uuid(0),
    });
  });

  test('is taken out of amounts with it', async () => {
    const lines = [
      { AccountID: wages, LineAmount: 115.5, TaxAmount: 15.05 },
      { AccountID: bank, LineAmount: -115.5, TaxAmount: 0 },
    ];
    expect(await linesOf('Inclusive', lines)).toEqual([
      [wages, '', '100.45', '0'],
      [tax, '', '15.05', '0'],
      [bank, '', '0', '115.5'],
    ]);
  });

  test('is nothing in a journal without tax, whatever its lines say', async () => {
    const JournalLines = [{ AccountID: sales, LineAmount: -100, TaxAmount: -15 }];
    expect(await linesOf('NoTax', JournalLines)).toEqual([[sales, '', '0', '100']]);
    expect(server.requests).toHaveLength(1);
  });

  test('is not looked for where the journal has none', async () => {
    await readJournals([
      { ...journal, LineAmountTypes: 'Exclusive' },
      { ...journal, Status: 'DRAFT', JournalLines: [{ LineAmount: 1, TaxAmount: 1 }] },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  test('is looked for once a company', async () => {
    const JournalLines = journal.JournalLines.map((line) => ({ ...line, TaxAmount: 1 }));
    const taxed = { ...journal, LineAmountTypes: 'Inclusive', JournalLines };
    await readJournals([taxed, journal, taxed], gstReply);
    await readJournals([taxed]);
    expect(asked().map(({ call }) => call)).toEqual([
      'GET ManualJournals',
      'GET Accounts',
      'GET ManualJournals',
    ]);
  });

  test.each<[string, unknown]>([
    ['no account', { Accounts: [] }],
    ['another account', { Accounts: [{ AccountID: bank, SystemAccount: '' }, { AccountID: tax }] }],
  ])('goes to an account that no chart has where Xero has %s for it', async (_title, reply) => {
    const JournalLines = [{ AccountID: sales, LineAmount: 1, TaxAmount: 1 }];
    const taxed = { ...journal, LineAmountTypes: 'Exclusive', JournalLines };
    const [read] = await readJournals([taxed], reply);
    expect(read?.lines.map(([accountId]) => accountId)).toEqual([sales, 'gst']);
  });
});

describe('a page of manual journals', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    ...journal,
    ManualJournalID: uuid(100 + index),
  }));
  const pagination = { page: 2, pageSize: 100, pageCount: 3, itemCount: 201 };

  test('is asked for in an order that nothing disturbs', async () => {
    replyInTurn({ ManualJournals: [] });
    expect(await platform.journalPage(access, null)).toEqual({ journals: [], next: null });
    expect(asked()).toEqual([
      {
        call: 'GET ManualJournals',
        query: { page: '1', pageSize: '100', order: 'ManualJournalID ASC' },
        tenant: uuid(0),
      },
    ]);
  });

  test.each<[string, object, string | null]>([
    ['is followed by the next', { pagination, ManualJournals: [journal] }, '3'],
    [
      'is the last',
      { pagination: { ...pagination, pageCount: 2 }, ManualJournals: [journal] },
      null,
    ],
    [
      'is beyond the last',
      { pagination: { ...pagination, pageCount: 1 }, ManualJournals: [] },
      null,
    ],
    ['does not say, and is full', { ManualJournals: hundred }, '3'],
    ['does not say, and is not full', { ManualJournals: hundred.slice(1) }, null],
  ])('%s', async (_title, reply, next) => {
    replyInTurn(reply);
    expect(await platform.journalPage(access, '2')).toMatchObject({ next });
    expect(asked()[0]?.query).toMatchObject({ page: '2' });
  });

  test.each<[string, object]>([
    ['is another', { pagination: { ...pagination, page: 1 }, ManualJournals: [journal] }],
    ['is empty, with more to follow', { pagination, ManualJournals: [] }],
  ])('that %s does not advance', async (_title, reply) => {
    replyInTurn(reply);
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
