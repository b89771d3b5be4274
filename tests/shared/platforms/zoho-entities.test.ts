import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Platform,
  PlatformFailure,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';
import { createZoho } from '#shared/platforms/zoho.ts';
import { startFakeServer } from '../../support/servers/fake-server.ts';

const access = { companyId: '60001234567', dataCenter: 'eu', accessToken: '1000.Secret' };

let server: Awaited<ReturnType<typeof startFakeServer>>;
let platform: Platform;

beforeAll(async () => {
  server = await startFakeServer();
  const client = { clientId: '1000.Client', clientSecret: 'Secret' };
  platform = createZoho({ ...client, baseUrlOverride: server.url, timeoutMilliseconds: 2_000 });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

/** Text as it stands, so that numbers can be written as no float holds them. */
const replyWith = (body: unknown): void => {
  server.reply = { body: typeof body === 'string' ? body : JSON.stringify(body) };
};

const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);

const reasonOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'none',
    (thrown: unknown) => (thrown instanceof PlatformFailure ? thrown.reason : String(thrown)),
  );

const account = {
  account_id: '460000000000361',
  account_name: 'Petty Cash',
  account_code: '1000',
  account_type: 'cash',
  is_active: true,
};
const accountsReply = (
  accounts: object[],
  context: object = { page: 1, has_more_page: false },
) => ({
  code: 0,
  message: 'success',
  chartofaccounts: accounts,
  page_context: { per_page: 200, ...context },
});

/** The account that a reply's account means. */
const accountFor = async (changes: object) => {
  replyWith(accountsReply([{ ...account, ...changes }]));
  return (await platform.accountPage(access, null)).accounts[0];
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
    replyWith(accountsReply([account, { ...account, account_id: '2', is_active: false }]));
    const read = {
      accountId: '460000000000361',
      code: '1000',
      name: 'Petty Cash',
      type: 'asset',
      status: 'active',
    };
    expect(await platform.accountPage(access, null)).toEqual({
      accounts: [read, { ...read, accountId: '2', status: 'archived' }],
      next: null,
    });
    expect(asked()).toEqual([
      'GET /www.zohoapis.eu/books/v3/chartofaccounts?organization_id=60001234567' +
        '&filter_by=AccountType.All&page=1&per_page=200',
    ]);
  });

  test.each(Object.entries(typesByClass))('are of the type %s', async (type, names) => {
    const zohoTypes = names.split(' ');
    replyWith(accountsReply(zohoTypes.map((account_type) => ({ ...account, account_type }))));
    const { accounts } = await platform.accountPage(access, null);
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
    expect(await accountFor(changes)).toMatchObject(expected);
  });

  test.each<[string, object]>([
    ['a type that nobody knows', { account_type: 'mystery' }],
    ['a type that every object has', { account_type: 'toString' }],
    ['an id that is none', { account_id: 'x' }],
    ['no name', { account_name: '' }],
    ['nothing that says whether they are active', { is_active: undefined }],
  ])('are not understood with %s', async (_title, changes) => {
    expect(await reasonOf(accountFor(changes))).toBe('reply_not_understood');
  });
});

const head = { journal_id: '460000000038001', journal_date: '2026-03-31', total: 5000 };
const journalsReply = (
  journals: object[],
  context: object = { page: 1, has_more_page: false },
) => ({
  code: 0,
  message: 'success',
  journals,
  page_context: { per_page: 200, ...context },
});

describe('a page', () => {
  const lists = {
    accounts: (context: object) => {
      replyWith(accountsReply([], context));
      return (from: string | null) => platform.accountPage(access, from);
    },
    journals: (context: object) => {
      replyWith(journalsReply([], context));
      return (from: string | null) => platform.journalPage(access, from);
    },
  };

  test.each(Object.entries(lists))('of %s leads on to the next', async (_of, open) => {
    const more = await open({ page: 1, has_more_page: true })(null);
    const last = await open({ page: 2, has_more_page: false })(more.next);
    expect([more.next, last.next]).toEqual(['2', null]);
    expect(asked().map((call) => /&page=\d+&per_page=200$/.exec(call)?.[0])).toEqual([
      '&page=1&per_page=200',
      '&page=2&per_page=200',
    ]);
  });

  test.each(Object.entries(lists))('of %s must be the one asked for', async (_of, open) => {
    const reason = await reasonOf(open({ page: 1, has_more_page: true })('2'));
    expect(reason).toBe('page_did_not_advance');
  });

  test.each(Object.entries(lists))('of %s must say where it stands', async (_of, open) => {
    expect(await reasonOf(open({ page: 1 })(null))).toBe('reply_not_understood');
  });
});

describe('a list of journals', () => {
  test('leaves out what is not published, where it says so', async () => {
    const statuses = ['published', 'draft', 'pending_approval', null, undefined];
    replyWith(
      journalsReply(statuses.map((status, place) => ({ ...head, journal_id: `${place}`, status }))),
    );
    const { journals } = await platform.journalPage(access, null);
    expect(journals.map(({ reference }) => reference)).toEqual(['0', '3', '4']);
    expect(asked()).toEqual([
      'GET /www.zohoapis.eu/books/v3/journals?organization_id=60001234567&page=1&per_page=200',
    ]);
  });

  test('is not understood with an id that is none', async () => {
    replyWith(journalsReply([{ ...head, journal_id: '../organizations' }]));
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

/** What reading the listed journal gives, for a reply with this journal or with this text. */
const readJournal = async (reply: object | string): Promise<PlatformJournal | null> => {
  replyWith(journalsReply([head]));
  const { journals } = await platform.journalPage(access, null);
  replyWith(typeof reply === 'string' ? reply : { code: 0, journal: reply });
  const [listed] = journals;
  if (listed === undefined) throw new Error('no journal was listed');
  return listed.read({ ...access, accessToken: '1000.Fresh' });
};

/** Amounts as text, so that whole journals can be compared. */
const plain = (journal: PlatformJournal | null) => {
  if (journal === null) throw new Error('the journal is not posted');
  const { exchangeRate, lines, ...rest } = journal;
  return {
    ...rest,
    exchangeRate: exchangeRate?.toFixed() ?? null,
    lines: lines.map(({ debit, credit, ...it }) => ({
      ...it,
      debit: debit.toFixed(),
      credit: credit.toFixed(),
    })),
  };
};

describe('a journal', () => {
  test('is read by its id, with the access given then', async () => {
    expect(plain(await readJournal(journal))).toEqual({
      reference: '460000000038001',
      date: '2026-03-31',
      memo: 'Postage',
      currency: 'GBP',
      exchangeRate: '1.1534',
      lines: [
        { accountId: '460000000000361', description: 'Stamps', debit: '12.5', credit: '0' },
        { accountId: '460000000000361', description: '', debit: '0', credit: '12.5' },
      ],
    });
    expect(server.requests[1]).toMatchObject({
      method: 'GET',
      path: '/www.zohoapis.eu/books/v3/journals/460000000038001?organization_id=60001234567',
      headers: { authorization: 'Zoho-oauthtoken 1000.Fresh' },
    });
  });

  test.each<[string, object, object]>([
    ['its reference number', { notes: ' ' }, { memo: 'R-1' }],
    ['its number', { notes: null, reference_number: '' }, { memo: '7' }],
    [
      'its id',
      { notes: undefined, reference_number: undefined, entry_number: undefined },
      { memo: 'Journal 460000000038001' },
    ],
  ])('is called by %s where it has no other words', async (_title, changes, expected) => {
    expect(await readJournal({ ...journal, ...changes })).toMatchObject(expected);
  });

  test.each<[string, object, object]>([
    [
      'no currency and no rate',
      { currency_code: null, exchange_rate: null },
      {
        currency: null,
        exchangeRate: null,
      },
    ],
    ['a rate of zero', { exchange_rate: 0 }, { exchangeRate: null }],
    ['a rate as text', { exchange_rate: '1.15' }, { exchangeRate: '1.15' }],
    ['no lines', { line_items: [] }, { lines: [] }],
    [
      'an amount of zero',
      { line_items: [{ ...line, amount: 0 }] },
      {
        lines: [{ debit: '0', credit: '0' }],
      },
    ],
    [
      'an amount below zero',
      { line_items: [{ ...line, amount: -3.2 }] },
      {
        lines: [{ debit: '0', credit: '3.2' }],
      },
    ],
  ])('can have %s', async (_title, changes, expected) => {
    expect(plain(await readJournal({ ...journal, ...changes }))).toMatchObject(expected);
  });

  test('keeps amounts and rates that no float holds', async () => {
    const text = JSON.stringify({ code: 0, journal })
      .replace('"amount":12.5', '"amount":9007199254740993.07')
      .replace('1.1534', '0.012345678901234567890');
    const { exchangeRate, lines } = plain(await readJournal(text));
    expect([exchangeRate, lines[0]?.debit]).toEqual([
      '0.01234567890123456789',
      '9007199254740993.07',
    ]);
  });

  test('is none when it is a draft after all', async () => {
    expect(await readJournal({ ...journal, status: 'draft' })).toBeNull();
  });

  test.each<[string, object]>([
    ['without a status', { status: undefined }],
    ['of a day that does not exist', { journal_date: '2026-02-30' }],
    ['with a line on no side', { line_items: [{ ...line, debit_or_credit: 'both' }] }],
    ['with a line without an amount', { line_items: [{ ...line, amount: '' }] }],
    ['without lines to count', { line_items: undefined }],
  ])('is not understood when it is %s', async (_title, changes) => {
    const reason = await reasonOf(readJournal({ ...journal, ...changes }));
    expect(reason).toBe('reply_not_understood');
  });
});
