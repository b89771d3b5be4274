import { describe, expect, test } from 'vitest';
import { createZoho } from '#shared/platforms/zoho.ts';
import { json, openAdapter, readJournal, reasonOf } from '../../support/harnesses/adapters.ts';

const access = { companyId: '60001234567', dataCenter: 'eu', accessToken: 'Secret-Access' };

const { platform, replyWith, asked } = await openAdapter(createZoho);

const request = (path: string, query: object = {}, token = 'Secret-Access') => ({
  call: `GET /www.zohoapis.eu/books/v3/${path}`,
  query: { organization_id: '60001234567', ...query },
  authorization: `Zoho-oauthtoken ${token}`,
});
const firstPage = { page: '1', per_page: '200' };

const account = {
  account_id: '460000000000361',
  account_name: 'Petty Cash',
  account_code: '1000',
  account_type: 'cash',
  is_active: true,
};
const onePage = { page: 1, has_more_page: false };
const listOf = (node: 'chartofaccounts' | 'journals', rows: object[], context: object = onePage) =>
  json({ code: 0, message: 'success', [node]: rows, page_context: { per_page: 200, ...context } });

const accountsOf = async (...rows: object[]) => {
  replyWith(listOf('chartofaccounts', rows));
  return (await platform.accountPage(access, null)).accounts;
};

const typesByClass = {
  asset:
    'other_asset other_current_asset intangible_asset right_to_use_asset financial_asset ' +
    'contingent_asset contract_asset cash bank fixed_asset accounts_receivable stock ' +
    'payment_clearing input_tax long_term_asset deferred_tax_asset capital_work_in_progress ' +
    'intangible_assets_under_development',
  liability:
    'other_current_liability contract_liability refund_liability credit_card ' +
    'long_term_liability loans_and_borrowing lease_liability employee_benefit_liability ' +
    'contingent_liability financial_liability other_liability accounts_payable output_tax ' +
    'overseas_tax_payable deferred_tax_liability',
  equity: 'equity',
  revenue: 'income finance_income other_comprehensive_income other_income',
  expense:
    'expense manufacturing_expense impairment_expense depreciation_expense ' +
    'employee_benefit_expense lease_expense finance_expense tax_expense cost_of_goods_sold ' +
    'other_expense',
};

describe('accounts', () => {
  test('are asked for with those that are not active, and read as they stand', async () => {
    const read = { code: '1000', name: 'Petty Cash', type: 'asset' };
    expect(await accountsOf(account, { ...account, account_id: '2', is_active: false })).toEqual([
      { ...read, accountId: '460000000000361', status: 'active' },
      { ...read, accountId: '2', status: 'archived' },
    ]);
    const query = { filter_by: 'AccountType.All', ...firstPage };
    expect(asked()).toEqual([request('chartofaccounts', query)]);
  });

  test.each(Object.entries(typesByClass))('are of the type %s', async (type, names) => {
    const zohoTypes = names.split(' ');
    const accounts = await accountsOf(
      ...zohoTypes.map((account_type) => ({ ...account, account_type })),
    );
    expect(accounts.map((it) => it.type)).toEqual(zohoTypes.map(() => type));
  });

  test.each<[string, object, object]>([
    ['no code', { account_code: undefined }, { code: null }],
    ['an empty code', { account_code: ' ' }, { code: null }],
    ['a code between blanks', { account_code: ' 10-A ' }, { code: '10-A' }],
    ['a code of 64 characters', { account_code: '9'.repeat(64) }, { code: '9'.repeat(64) }],
    ['a code of 65 characters', { account_code: '9'.repeat(65) }, { code: null }],
    ['a name between blanks', { account_name: ' Bank ' }, { name: 'Bank' }],
    ['a long name', { account_name: '\u{1f4b6}'.repeat(160) }, { name: '\u{1f4b6}'.repeat(150) }],
  ])('can have %s', async (_title, changes, expected) => {
    expect(await accountsOf({ ...account, ...changes })).toMatchObject([expected]);
  });

  test.each<[string, object]>([
    ['a type that nobody knows', { account_type: 'mystery' }],
    ['a type that every object has', { account_type: 'toString' }],
    ['an id that is none', { account_id: 'x' }],
    ['no name', { account_name: '' }],
    ['nothing that says whether they are active', { is_active: undefined }],
  ])('are not understood with %s', async (_title, changes) => {
    expect(await reasonOf(accountsOf({ ...account, ...changes }))).toBe('reply_not_understood');
  });
});

describe.each([
  ['chartofaccounts', platform.accountPage],
  ['journals', platform.journalPage],
] as const)('a page of %s', (node, read) => {
  const open = (context: object, from: string | null) => {
    replyWith(listOf(node, [], context));
    return read(access, from);
  };

  test('leads on to the next', async () => {
    const more = await open({ page: 1, has_more_page: true }, null);
    const last = await open({ page: 2, has_more_page: false }, more.next);
    expect([more.next, last.next]).toEqual(['2', null]);
    expect(asked().map(({ query }) => query)).toMatchObject([
      firstPage,
      { ...firstPage, page: '2' },
    ]);
  });

  test('must be the one asked for, and say where it stands', async () => {
    const another = open({ page: 1, has_more_page: true }, '2');
    expect(await reasonOf(another)).toBe('page_did_not_advance');
    expect(await reasonOf(open({ page: 1 }, null))).toBe('reply_not_understood');
  });
});

const head = { journal_id: '460000000038001', journal_date: '2026-03-31', total: 5000 };

describe('a list of journals', () => {
  test('leaves out what is not published, where it says so', async () => {
    const statuses = ['published', 'draft', 'pending_approval', null, undefined];
    const heads = statuses.map((status, place) => ({ ...head, journal_id: `${place}`, status }));
    replyWith(listOf('journals', heads));
    const { journals } = await platform.journalPage(access, null);
    expect(journals.map(({ reference }) => reference)).toEqual(['0', '3', '4']);
    expect(asked()).toEqual([request('journals', firstPage)]);
  });

  test('is not understood with an id that is none', async () => {
    replyWith(listOf('journals', [{ ...head, journal_id: '../organizations' }]));
    expect(await reasonOf(platform.journalPage(access, null))).toBe('reply_not_understood');
  });
});

const line = {
  line_id: '460000000038005',
  account_id: '460000000000361',
  account_name: 'Petty Cash',
  description: ' Stamps ',
  debit_or_credit: 'debit',
  amount: 12.5,
};
const journal = {
  ...head,
  entry_number: '7',
  reference_number: 'R-1',
  notes: ' Postage ',
  currency_code: 'GBP',
  exchange_rate: 1.1534,
  status: 'published',
  line_items: [line, { ...line, debit_or_credit: 'credit', description: '' }],
};

/** What reading the listed journal gives; `edit` writes numbers as no float holds them. */
const journalOf = async (changes: object = {}, edit = (text: string) => text) => {
  const body = edit(JSON.stringify({ code: 0, journal: { ...journal, ...changes } }));
  replyWith(listOf('journals', [head]), { body });
  const [listed] = (await platform.journalPage(access, null)).journals;
  if (listed === undefined) throw new Error('no journal was listed');
  return readJournal(listed, { ...access, accessToken: 'Secret-Fresh' });
};

describe('a journal', () => {
  test('is read by its id, with the access given then', async () => {
    expect(await journalOf()).toEqual({
      reference: '460000000038001',
      date: '2026-03-31',
      memo: 'Postage',
      currency: 'GBP',
      exchangeRate: '1.1534',
      lines: [
        ['460000000000361', 'Stamps', '12.5', '0'],
        ['460000000000361', '', '0', '12.5'],
      ],
    });
    expect(asked()[1]).toEqual(request('journals/460000000038001', {}, 'Secret-Fresh'));
  });

  const none = { notes: undefined, reference_number: undefined, entry_number: undefined };
  const noMoney = { currency_code: null, exchange_rate: null };
  const amountOf = (amount: unknown) => ({ line_items: [{ ...line, amount }] });
  const sides = (debit: string, credit: string) => ({
    lines: [['460000000000361', 'Stamps', debit, credit]],
  });

  test.each<[string, object, object]>([
    ['its reference number as its memo', { notes: ' ' }, { memo: 'R-1' }],
    ['its number as its memo', { notes: null, reference_number: '' }, { memo: '7' }],
    ['its id as its memo', none, { memo: 'Journal 460000000038001' }],
    ['no currency and no rate', noMoney, { currency: null, exchangeRate: null }],
    ['a rate of zero', { exchange_rate: 0 }, { exchangeRate: null }],
    ['a rate as text', { exchange_rate: '1.15' }, { exchangeRate: '1.15' }],
    ['no lines', { line_items: [] }, { lines: [] }],
    ['an amount of zero', amountOf(0), sides('0', '0')],
    ['an amount below zero', amountOf(-3.2), sides('0', '3.2')],
  ])('can have %s', async (_title, changes, expected) => {
    expect(await journalOf(changes)).toMatchObject(expected);
  });

  test('keeps amounts and rates that no float holds', async () => {
    const read = await journalOf({}, (text) =>
      text
        .replace('"amount":12.5', '"amount":9007199254740993.07')
        .replace('1.1534', '0.012345678901234567890'),
    );
    expect(read?.exchangeRate).toBe('0.01234567890123456789');
    expect(read?.lines[0]?.[2]).toBe('9007199254740993.07');
  });

  test('is none when it is a draft after all', async () => {
    expect(await journalOf({ status: 'draft' })).toBeNull();
  });

  test.each<[string, object]>([
    ['without a status', { status: undefined }],
    ['another one', { journal_id: '9' }],
    ['of a day that does not exist', { journal_date: '2026-02-30' }],
    ['with a line on no side', { line_items: [{ ...line, debit_or_credit: 'both' }] }],
    ['with a line without an amount', amountOf('')],
    ['without lines to count', { line_items: undefined }],
  ])('is not understood when it is %s', async (_title, changes) => {
    expect(await reasonOf(journalOf(changes))).toBe('reply_not_understood');
  });
});
