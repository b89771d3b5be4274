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
  const readChart = () => platform.accountPage(access, pageOf());
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
    expect(await readChart()).toEqual({
      accounts: [
        { ...common, code: '090', type: 'asset' },
        { ...common, type: 'liability' },
        { ...common, type: 'equity' },
        { ...common, type: 'revenue' },
        { ...common, type: 'expense', status: 'archived', name: long.repeat(150) },
      ].map((account) => expect.objectContaining(account)),
      refused: [],
      unused: [uuid(2)],
      assumptions: [],
      next: null,
    });
    expect(resources()).toEqual([['GET Accounts', {}]]);
  });

  test.each<[string, object, string]>([
    ['its type', { Class: 'OTHER', Type: 'TERMLIAB' }, 'liability'],
    ['its type, where it has no class', { Class: undefined, Type: 'DIRECTCOSTS' }, 'expense'],
    ['its reporting code', { Class: null, Type: 'NEW', ReportingCode: 'EQU.RET.DIV' }, 'equity'],
    ['its reporting code alone', { Class: '', Type: '', ReportingCode: 'REV' }, 'revenue'],
  ])('takes an account of no known class by %s, and says so', async (_title, change, type) => {
    replyWith(json({ Accounts: [{ ...account, ...change }] }));
    const assumed = { kind: 'account', reference: bank, assumption: 'account_type_assumed' };
    expect(await readChart()).toMatchObject({
      accounts: [{ accountId: bank, type }],
      assumptions: [{ ...assumed, field: 'Class' }],
    });
  });

  test.each<[string, object, string, string]>([
    ['no class that anything tells', { Class: 'NEW', Type: 'NEW' }, bank, 'Class'],
    ['an id that is none', { AccountID: 'bank' }, 'bank', 'AccountID'],
    ['no id', { AccountID: undefined }, 'record 1', 'AccountID'],
    ['no name', { Name: undefined }, bank, 'Name'],
    ['a status that is new', { Status: 'HIDDEN' }, bank, 'Status'],
  ])('refuses an account with %s, and takes the others', async (_title, change, ...said) => {
    const other = { ...account, AccountID: wages, Status: undefined };
    replyWith(json({ Accounts: [{ ...account, ...change }, other] }));
    const [reference, field] = said;
    expect(await readChart()).toMatchObject({
      accounts: [{ accountId: wages, status: 'active' }],
      refused: [{ kind: 'account', reference, reason: 'record_not_understood', field }],
    });
  });

  test('is of what has changed since a moment, to the second', async () => {
    replyWith(json({ Accounts: [] }));
    const modifiedSince = new Date('2026-02-06T12:17:43.999Z');
    await platform.accountPage(access, pageOf({ modifiedSince }));
    await platform.journalPage(access, pageOf({ modifiedSince })).catch(() => undefined);
    expect(asked().map(({ since }) => since)).toEqual(Array(2).fill('2026-02-06T12:17:43Z'));
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

/** A page whose list is this one; `amount` is written for each 100.1. */
const readPage = (list: unknown[], taxReply: unknown = gstReply, amount = '100.1') => {
  const body = JSON.stringify({ ManualJournals: list }).replaceAll('100.1', amount);
  replyWith({ body }, json(taxReply));
  return platform.journalPage(access, pageOf());
};

/** The journals of such a page, all of which are posted. */
const readJournals = async (...page: Parameters<typeof readPage>) => {
  const { journals } = await readPage(...page);
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

  test.each([
    ['POSTED', 'posted'],
    ['ARCHIVED', 'posted'],
    ['DRAFT', 'not_posted'],
    ['VOIDED', 'voided'],
    ['DELETED', 'voided'],
  ])('of the status %s is %s', async (Status, state) => {
    const { journals } = await readPage([{ ...journal, Status }]);
    const [listed] = journals;
    expect(listed).toMatchObject({ reference: uuid(7), isWhole: true });
    expect(listed && (await readListed(listed, access))).toMatchObject({ state });
  });

  test.each<[string, object, string]>([
    ['a line without an account', lineOf({ AccountID: undefined }), 'JournalLines.0.AccountID'],
    ['a line without an amount', lineOf({ LineAmount: null }), 'JournalLines.0.LineAmount'],
    ['an amount that is none', lineOf({ LineAmount: '1,0' }), 'JournalLines.0.LineAmount'],
    ['no lines', { JournalLines: undefined }, 'JournalLines'],
    ['an id that is none', { ManualJournalID: '7' }, 'ManualJournalID'],
    ['a status that is new', { Status: 'PENDING' }, 'Status'],
    ['amounts of a new kind', { LineAmountTypes: 'Other' }, 'LineAmountTypes'],
    ['no date', { Date: undefined }, 'Date'],
    ['a date that is none', { Date: '2019-02-29' }, 'Date'],
    ['a date in words', { Date: 'today' }, 'Date'],
  ])('with %s is refused, and the others are read', async (_title, change, field) => {
    const { journals, refused } = await readPage([journal, { ...journal, ...change }]);
    expect(refused).toEqual([]);
    const read = await Promise.all(journals.map((listed) => readListed(listed, access)));
    const refusal = { state: 'refused', reason: 'record_not_understood', field };
    expect(read).toMatchObject([{ state: 'posted' }, refusal]);
  });

  test('without an id is refused by its place in the list', async () => {
    const { journals, refused } = await readPage([journal, { ...journal, ManualJournalID: null }]);
    expect(journals).toHaveLength(1);
    const [reason, field] = ['record_not_understood', 'ManualJournalID'];
    expect(refused).toEqual([{ kind: 'journal', reference: 'record 2', reason, field }]);
  });

  test('names an account by its code where it has no id of it', async () => {
    const byCode = { AccountID: undefined, AccountCode: ' 720 ' };
    const [read] = await readJournals([{ ...journal, ...lineOf(byCode) }]);
    expect(read?.lines).toEqual([['#720', '', '100.1', '0']]);
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
      { IsBlank: true },
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
    await readPage([
      { ...journal, LineAmountTypes: 'Exclusive' },
      { ...journal, Status: 'DRAFT', JournalLines: [{ LineAmount: 1, TaxAmount: 1 }] },
    ]);
    expect(asked()).toHaveLength(1);
  });

  test('is looked for once for a token', async () => {
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
  ])('is said to be tax where Xero has %s for it', async (_title, reply) => {
    const lines = await linesOf('Exclusive', [taxedSale], reply);
    expect(lines?.map(([account]) => account)).toEqual([sales, 'tax']);
  });
});
