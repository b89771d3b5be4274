import { beforeEach, describe, expect, test } from 'vitest';
import type { Platform } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import {
  json,
  openAdapter,
  pageOf,
  readJournal,
  readListed,
} from '../../../support/harnesses/adapters.ts';

const uuid = (number: number): string =>
  `99cb8353-ce73-4a5d-8e0d-${String(number).padStart(12, '0')}`;
const [wages, bank, sales, tax] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const access = { companyId: uuid(0), dataCenter: null, accessToken: 'Secret-Access' };

const { openAnother, replyWith, sentRequests } = await openAdapter(createXero);

/** A new adapter for each test, because adapters cache the tax account. */
let platform: Platform;
beforeEach(() => {
  platform = openAnother();
});

/** The requested resources of the Accounting API with their queries. */
const resources = () =>
  sentRequests().map(({ call, query = {}, tenant }) => {
    expect(tenant).toBe(uuid(0));
    return [call.replace('/api.xero.com/api.xro/2.0/', ''), query];
  });

describe('a chart of accounts', () => {
  test('is one page without deleted accounts', async () => {
    replyWith(
      json({
        Accounts: [
          { ...account, AccountID: bank.toUpperCase(), Code: '090', Name: ' Bank ' },
          { ...account, Class: 'EXPENSE', Status: 'ARCHIVED' },
          { ...account, Status: 'DELETED' },
        ],
      }),
    );
    expect(await readChart()).toMatchObject({
      accounts: [
        { accountId: bank, name: 'Bank', code: '090', type: 'asset', status: 'active' },
        { accountId: bank, name: 'Bank', code: null, type: 'expense', status: 'archived' },
      ],
      refused: [],
      unused: [bank],
      assumptions: [],
      next: null,
    });
    expect(resources()).toEqual([['GET Accounts', {}]]);
  });

  const account = { AccountID: bank, Name: 'Bank', Type: 'BANK', Class: 'ASSET', Status: 'ACTIVE' };
  const readChart = () => platform.accountPage(access, pageOf());
  test.each<[string, object, string]>([
    ['its type', { Class: 'OTHER', Type: 'TERMLIAB' }, 'liability'],
    ['its type, without a class', { Class: undefined, Type: 'DIRECTCOSTS' }, 'expense'],
    ['its reporting code', { Class: null, Type: 'NEW', ReportingCode: 'EQU.RET.DIV' }, 'equity'],
    ['its reporting code alone', { Class: '', Type: '', ReportingCode: 'REV' }, 'revenue'],
  ])(
    'assumes the type of an account with an unknown class from %s',
    async (_title, change, type) => {
      replyWith(json({ Accounts: [{ ...account, ...change }] }));
      const assumed = { kind: 'account', reference: bank, assumption: 'account_type_assumed' };
      expect(await readChart()).toMatchObject({
        accounts: [{ accountId: bank, type }],
        assumptions: [{ ...assumed, field: 'Class' }],
      });
    },
  );

  test.each<[string, object, string, string]>([
    ['an unknown class and type', { Class: 'NEW', Type: 'NEW' }, bank, 'Class'],
    ['an invalid id', { AccountID: 'bank' }, 'bank', 'AccountID'],
    ['no id', { AccountID: undefined }, 'record 1', 'AccountID'],
    ['no name', { Name: undefined }, bank, 'Name'],
    ['an unknown status', { Status: 'HIDDEN' }, bank, 'Status'],
  ])('refuses an account with %s', async (_title, change, ...said) => {
    const other = { ...account, AccountID: wages, Status: undefined };
    replyWith(json({ Accounts: [{ ...account, ...change }, other] }));
    const [reference, field] = said;
    expect(await readChart()).toMatchObject({
      accounts: [{ accountId: wages, status: 'active' }],
      refused: [{ kind: 'account', reference, reason: 'record_not_understood', field }],
    });
  });

  test('contains only changes since a time, in whole seconds', async () => {
    replyWith(json({ Accounts: [] }));
    const modifiedSince = new Date('2026-02-06T12:17:43.999Z');
    await platform.accountPage(access, pageOf({ modifiedSince }));
    await platform.journalPage(access, pageOf({ modifiedSince })).catch(() => undefined);
    expect(sentRequests().map(({ since }) => since)).toEqual(Array(2).fill('2026-02-06T12:17:43Z'));
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
const lineOf = (more: object) => ({
  JournalLines: [{ AccountID: wages, LineAmount: 100.1, ...more }],
});
const gstReply = { Accounts: [{ AccountID: tax.toUpperCase(), SystemAccount: 'GST' }] };

const readPage = (list: unknown[], taxReply: unknown = gstReply) => {
  replyWith(json({ ManualJournals: list }), json(taxReply));
  return platform.journalPage(access, pageOf());
};

/** The posted journals of a page. */
const readJournals = async (...page: Parameters<typeof readPage>) => {
  const { journals } = await readPage(...page);
  return Promise.all(journals.map((listed) => readJournal(listed, access)));
};

/** The lines of one journal. */
const linesOf = async (LineAmountTypes: string, JournalLines: object[], taxReply?: unknown) => {
  const [read] = await readJournals([{ ...journal, LineAmountTypes, JournalLines }], taxReply);
  return read?.lines;
};

describe('a manual journal', () => {
  test.each([
    ['POSTED', 'posted'],
    ['ARCHIVED', 'posted'],
    ['DRAFT', 'not_posted'],
    ['VOIDED', 'voided'],
    ['DELETED', 'voided'],
  ])('with the status %s is %s', async (Status, state) => {
    const { journals } = await readPage([{ ...journal, Status }]);
    const [listed] = journals;
    expect(listed).toMatchObject({ reference: uuid(7), isWhole: true });
    expect(listed && (await readListed(listed, access))).toMatchObject({ state });
  });

  test.each<[string, object, string]>([
    ['a line without an account', lineOf({ AccountID: undefined }), 'JournalLines.0.AccountID'],
    ['a line without an amount', lineOf({ LineAmount: null }), 'JournalLines.0.LineAmount'],
    ['an invalid amount', lineOf({ LineAmount: '1,0' }), 'JournalLines.0.LineAmount'],
    ['no lines', { JournalLines: undefined }, 'JournalLines'],
    ['an invalid id', { ManualJournalID: '7' }, 'ManualJournalID'],
    ['an unknown status', { Status: 'PENDING' }, 'Status'],
    ['an unknown kind of amounts', { LineAmountTypes: 'Other' }, 'LineAmountTypes'],
    ['no date', { Date: undefined }, 'Date'],
    ['an impossible date', { Date: '2019-02-29' }, 'Date'],
    ['a date in words', { Date: 'today' }, 'Date'],
  ])('with %s is refused', async (_title, change, field) => {
    const { journals, refused } = await readPage([journal, { ...journal, ...change }]);
    expect(refused).toEqual([]);
    const read = await Promise.all(journals.map((listed) => readListed(listed, access)));
    const refusal = { state: 'refused', reason: 'record_not_understood', field };
    expect(read).toMatchObject([{ state: 'posted' }, refusal]);
  });

  test('names an account by its code if the id is missing', async () => {
    const byCode = { AccountID: undefined, AccountCode: ' 720 ' };
    const [read] = await readJournals([{ ...journal, ...lineOf(byCode) }]);
    expect(read?.lines).toEqual([['#720', '', '100.1', '0']]);
  });

  test.each<[string, string, string]>([
    ['a .NET timestamp', '/Date(1553126400000+0000)/', '2019-03-21'],
    ['a timestamp without an offset', '/Date(1553126400000)/', '2019-03-21'],
    ['a timestamp east of UTC', '/Date(1553079600000+1300)/', '2019-03-21'],
    ['a timestamp west of UTC', '/Date(1553140800000-0500)/', '2019-03-20'],
    ['a timestamp before 1970', '/Date(-86400000+0000)/', '1969-12-31'],
    ['an ISO 8601 date', '2019-03-21', '2019-03-21'],
    ['an ISO 8601 date and time', '2019-03-21T00:00:00', '2019-03-21'],
  ])('has a date from %s', async (_title, text, date) => {
    expect(await readJournals([{ ...journal, Date: text }])).toMatchObject([{ date }]);
  });

  test('keeps a line with zero and drops blank lines', async () => {
    const lines = [
      { AccountID: wages, LineAmount: 0, Description: 'Nothing' },
      { LineAmount: 0, IsBlank: true },
      { IsBlank: true },
    ];
    expect(await linesOf('NoTax', lines)).toEqual([[wages, 'Nothing', '0', '0']]);
  });
});

describe('the tax of a manual journal', () => {
  const taxedSale = { AccountID: sales, LineAmount: -100, TaxAmount: -15, Description: 'Sales' };

  test.each<[string, string, object[], string[][]]>([
    [
      'is added to exclusive amounts',
      'Exclusive',
      [taxedSale, { AccountID: bank, LineAmount: 115, TaxAmount: 0, Description: 'Bank' }],
      [
        [sales, 'Sales', '0', '100'],
        [tax, 'Sales', '0', '15'],
        [bank, 'Bank', '115', '0'],
      ],
    ],
    [
      'is subtracted from inclusive amounts',
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

  test('is ignored in a journal without tax', async () => {
    expect(await linesOf('NoTax', [taxedSale])).toEqual([[sales, 'Sales', '0', '100']]);
    expect(sentRequests()).toHaveLength(1);
  });

  test('is requested only for taxed journals', async () => {
    await readPage([
      { ...journal, LineAmountTypes: 'Exclusive' },
      { ...journal, Status: 'DRAFT', JournalLines: [{ LineAmount: 1, TaxAmount: 1 }] },
    ]);
    expect(sentRequests()).toHaveLength(1);
  });

  test('has an account that is requested once per access token', async () => {
    const taxed = { ...journal, LineAmountTypes: 'Exclusive', JournalLines: [taxedSale] };
    await readJournals([taxed, journal, taxed]);
    await readJournals([taxed]);
    const called = resources().map(([call]) => call);
    expect(called).toEqual(['GET ManualJournals', 'GET Accounts', 'GET ManualJournals']);
    replyWith(json({ ManualJournals: [taxed] }), json(gstReply));
    await platform.journalPage({ ...access, accessToken: 'Secret-Next' }, pageOf());
    expect(resources().at(-1)?.[0]).toBe('GET Accounts');
  });

  test.each<[string, unknown]>([
    ['no account', { Accounts: [] }],
    ['another account', { Accounts: [{ AccountID: bank, SystemAccount: '' }, { AccountID: tax }] }],
  ])('has an unknown account if Xero has %s', async (_title, reply) => {
    const lines = await linesOf('Exclusive', [taxedSale], reply);
    expect(lines?.map(([account]) => account)).toEqual([sales, 'tax']);
  });
});
