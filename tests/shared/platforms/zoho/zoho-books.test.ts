import { describe, expect, test } from 'vitest';
import type { PageRequest, PlatformJournal, ReadJournal } from '#shared/platforms/platform.ts';
import { createZoho } from '#shared/platforms/zoho/zoho.ts';
import { json, openAdapter, reasonOf, status } from '../../../support/harnesses/adapters.ts';
import type { FakeReply } from '../../../support/servers/fake-server.ts';

const access = { companyId: '60001234567', dataCenter: 'eu', accessToken: 'Secret-Access' };

const { platform, openAnother, replyWith, sentRequests } = await openAdapter(createZoho);

const request = (path: string, query: object = {}, token = 'Secret-Access') => ({
  call: `GET /www.zohoapis.eu/books/v3/${path}`,
  query: { organization_id: '60001234567', ...query },
  authorization: `Zoho-oauthtoken ${token}`,
});
const firstPage = { page: '1', per_page: '200' };
const at = (cursor: string | null, rows = 200): PageRequest => ({
  cursor,
  rows,
  modifiedSince: null,
  timeoutMilliseconds: 2_000,
});

const account = {
  account_id: '460000000000361',
  account_name: 'Petty Cash',
  account_code: '1000',
  account_type: 'cash',
  is_active: true,
};
const onePage = { page: 1, has_more_page: false };
const listOf = (node: 'chartofaccounts' | 'journals', rows: unknown[], context: object = onePage) =>
  json({ code: 0, message: 'success', [node]: rows, page_context: { per_page: 200, ...context } });

const chartOf = (...rows: unknown[]) => {
  replyWith(listOf('chartofaccounts', rows));
  return platform.accountPage(access, at(null));
};

describe('accounts', () => {
  test.each([
    [undefined, 'active'],
    ['false', 'archived'],
  ])('with is_active %j are %s', async (is_active, status) => {
    expect((await chartOf({ ...account, is_active })).accounts).toMatchObject([{ status }]);
  });

  const parent = { ...account, account_id: '7', account_type: 'other_income' };
  test.each<[string, object, string]>([
    ['its group', { account_type: 'goodwill', account_group: 'asset' }, 'asset'],
    ['its group before its name', { account_type: 'x_asset', account_group: 'income' }, 'revenue'],
    ['the last word of its type', { account_type: 'deferred_income_liability' }, 'liability'],
    ['its formatted type', { account_type_formatted: 'Sundry Expenses' }, 'expense'],
    ['its parent', { account_type: 'mystery', parent_account_id: '7' }, 'revenue'],
  ])('of an unknown type are assumed from %s', async (_title, changes, type) => {
    const odd = { ...account, account_id: '8', account_type: undefined, ...changes };
    const { accounts, assumptions, refused } = await chartOf(odd, parent);
    expect(accounts.map((it) => it.type)).toEqual([type, 'revenue']);
    const assumption = { assumption: 'account_type_assumed', field: 'account_type' };
    expect(assumptions).toEqual([{ kind: 'account', reference: '8', ...assumption }]);
    expect(refused).toEqual([]);
  });

  const named = { account_name: 'Cash', parent_account_id: '9' };
  test.each<[string, unknown, string, string]>([
    ['an unknown type', { account_type: 'mystery', ...named }, '8', 'account_type'],
    ['the name of an object method', { account_type: 'toString' }, '8', 'account_type'],
    ['an invalid id', { account_id: 'x' }, 'x', 'account_id'],
    ['no id', { account_id: undefined }, 'record 2', 'account_id'],
    ['no name', { account_name: ' ' }, '8', 'account_name'],
    ['a list as a name', { account_name: [] }, '8', 'account_name'],
  ])('with %s are refused', async (_title, changes, reference, field) => {
    const odd = { ...account, account_id: '8', ...(changes as object) };
    const { accounts, refused } = await chartOf(account, odd, parent);
    expect(accounts.map(({ accountId }) => accountId)).toEqual([account.account_id, '7']);
    const reason = 'record_not_understood';
    expect(refused).toEqual([{ kind: 'account', reference, reason, field }]);
  });

  test('of an import of changes are the whole chart', async () => {
    replyWith(listOf('chartofaccounts', [account]));
    const changes = { ...at(null), modifiedSince: new Date(0) };
    expect((await platform.accountPage(access, changes)).accounts).toHaveLength(1);
  });
});

const head = { journal_id: '460000000038001', journal_date: '2026-03-31', total: 5000 };
const states = (read: ReadJournal) => read.state;

describe('a list of journals', () => {
  test('shows which journals are not published', async () => {
    const statuses = ['published', 'draft', 'pending_approval', null, undefined, 7];
    const heads = statuses.map((it, place) => ({ ...head, journal_id: `${place}`, status: it }));
    replyWith(listOf('journals', heads));
    const { journals } = await platform.journalPage(access, at(null));
    expect(journals.map(({ isWhole }) => isWhole)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
    const drafts = journals.filter(({ isWhole }) => isWhole);
    const reads = await Promise.all(drafts.map(({ read }) => read(access, at(null))));
    expect(reads.map(states)).toEqual(['not_posted', 'not_posted']);
    expect(sentRequests()).toEqual([request('journals', firstPage)]);
  });

  test('refuses journals without a Zoho id', async () => {
    replyWith(listOf('journals', [{ ...head, journal_id: '../organizations' }, head, {}]));
    const { journals, refused } = await platform.journalPage(access, at(null));
    expect(journals.map(({ reference }) => reference)).toEqual([head.journal_id]);
    expect(refused.map(({ reference, field }) => [reference, field])).toEqual([
      ['../organizations', 'journal_id'],
      ['record 3', 'journal_id'],
    ]);
  });

  const since = new Date('2026-06-09T17:16:09.500Z');
  const changedAt = (journal_id: string, last_modified_time?: unknown) => ({
    ...head,
    journal_id,
    last_modified_time,
  });
  const later = changedAt('3', '2026-06-09T13:17:18-0400');
  const then = changedAt('2', '2026-06-09T22:46:09+0530');
  const before = changedAt('1', '2026-06-09T17:16:08+0000');
  const changesOf = (rows: object[], context = {}) => {
    const page = { page: 1, has_more_page: true, sort_column: 'last_modified_time', ...context };
    replyWith(listOf('journals', rows, page));
    return platform.journalPage(access, { ...at(null), modifiedSince: since });
  };

  test.each<[string, object[], string[], string | null]>([
    ['ends before older journals', [later, then, before], ['3', '2'], null],
    ['continues while journals are new enough', [later, then], ['3', '2'], '200'],
    ['can be empty', [before], [], null],
  ])('of changes %s', async (_title, rows, references, next) => {
    const page = await changesOf(rows);
    expect(page.journals.map(({ reference }) => reference)).toEqual(references);
    expect(page.next).toBe(next);
    const order = { sort_column: 'last_modified_time', sort_order: 'D' };
    expect(sentRequests()).toEqual([request('journals', { ...firstPage, ...order })]);
  });

  test.each<[string, object[], object?]>([
    ['in another order', [then, later]],
    ['by another column', [later, then], { sort_column: 'journal_date' }],
    ['without a time', [later, changedAt('2')]],
    ['with an invalid time', [later, changedAt('2', 'yesterday')]],
    ['with a time without a time zone', [later, changedAt('2', '2026-06-09T13:16:08')]],
  ])('a list %s is not a list of changes', async (_title, rows, context) => {
    expect(await reasonOf(changesOf(rows, context))).toBe('changes_incomplete');
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

const fresh = { ...access, accessToken: 'Secret-Fresh' };

/** Reads the journal of a list. The fake platform sends these replies after the list. */
const readWith = async (...replies: FakeReply[]): Promise<ReadJournal> => {
  replyWith(listOf('journals', [head]), ...replies);
  const another = openAnother();
  const [listed] = (await another.journalPage(access, at(null))).journals;
  if (listed === undefined) throw new Error('no journal was listed');
  return listed.read(fresh, { timeoutMilliseconds: 2_000 });
};

const replyOf = (changes: object = {}) => json({ code: 0, journal: { ...journal, ...changes } });

/** A journal with amounts as text. */
const plain = ({ exchangeRate, lines, ...rest }: PlatformJournal) => ({
  ...rest,
  exchangeRate: exchangeRate?.toFixed() ?? null,
  lines: lines.map(({ account: of, description, debit, credit, reportingAmount }) =>
    [
      typeof of === 'string' ? of : Object.values(of)[0],
      description,
      debit.toFixed(),
      credit.toFixed(),
      reportingAmount?.toFixed() ?? '',
    ].join(' | '),
  ),
});

const journalOf = async (reply: FakeReply, ...more: FakeReply[]) => {
  const read = await readWith(reply, ...more);
  if (read.state !== 'posted') throw new Error(`the journal is ${read.state}`);
  return plain(read.journal);
};

describe('a journal', () => {
  test('is read by its id with the current access token', async () => {
    expect(await journalOf(replyOf())).toEqual({
      reference: '460000000038001',
      date: '2026-03-31',
      memo: 'Postage',
      currency: 'GBP',
      exchangeRate: '1.1534',
      lines: ['460000000000361 | Stamps | 12.5 | 0 | ', '460000000000361 |  | 0 | 12.5 | '],
    });
    expect(sentRequests()[1]).toEqual(request('journals/460000000038001', {}, 'Secret-Fresh'));
    expect(sentRequests()).toHaveLength(2);
  });

  const none = { notes: undefined, reference_number: undefined, entry_number: undefined };
  const noMoney = { currency_code: null, exchange_rate: null };
  const lineWith = (changes: object) => ({ line_items: [{ ...line, ...changes }] });
  const read = (debit: string, credit: string, inBase = '') => ({
    lines: [`460000000000361 | Stamps | ${debit} | ${credit} | ${inBase}`],
  });

  test.each<[string, object, object]>([
    ['its reference number as its memo', { notes: ' ' }, { memo: 'R-1' }],
    ['its number as its memo', { notes: null, reference_number: '' }, { memo: '7' }],
    ['its id as its memo', none, { memo: 'Journal 460000000038001' }],
    ['no currency and no rate', noMoney, { currency: null, exchangeRate: null }],
    ['a rate of zero', { exchange_rate: 0 }, { exchangeRate: null }],
    ['a rate as text', { exchange_rate: '1.15' }, { exchangeRate: '1.15' }],
    ['no lines', { line_items: [] }, { lines: [] }],
    ['an amount of zero', lineWith({ amount: 0 }), read('0', '0')],
    ['a negative amount', lineWith({ amount: -3.2 }), read('0', '3.2')],
    [
      'its amount in the base currency',
      lineWith({ bcy_amount: 14.42 }),
      read('12.5', '0', '14.42'),
    ],
    ['a negative base amount', lineWith({ amount: -3, bcy_amount: -4 }), read('0', '3', '4')],
    ['an unreadable base amount', lineWith({ bcy_amount: '' }), read('12.5', '0')],
    ['unreadable taxes', { taxes: 'x', ...lineWith({ tax_id: 7 }) }, read('12.5', '0')],
  ])('can have %s', async (_title, changes, expected) => {
    expect(await journalOf(replyOf(changes))).toMatchObject(expected);
  });

  test.each<[string, FakeReply, ReadJournal['state']]>([
    ['a draft after all', replyOf({ status: 'draft' }), 'not_posted'],
    ['deleted', status(404, { code: 1002, message: 'Journal does not exist.' }), 'voided'],
    ['deleted, by the error code', status(400, { code: 1002 }), 'voided'],
  ])('can turn out to be %s', async (_title, reply, state) => {
    expect((await readWith(reply)).state).toBe(state);
  });

  test('does not count as deleted because of a reply by a proxy', async () => {
    const notFound = { status: 404, body: '<html>Not found</html>' };
    expect(await reasonOf(readWith(notFound))).toBe('reply_not_understood');
  });

  test.each<[string, object, string]>([
    ['without a status', { status: undefined }, 'status'],
    ['with another id', { journal_id: '9' }, 'journal_id'],
    ['with a day that does not exist', { journal_date: '2026-02-30' }, 'journal_date'],
    ['with a rate in words', { exchange_rate: 'one' }, 'exchange_rate'],
    ['with an unknown side', lineWith({ debit_or_credit: 'both' }), 'line_items.0.debit_or_credit'],
    ['without an account', lineWith({ account_id: '' }), 'line_items.0.account_id'],
    ['without an amount', lineWith({ amount: '' }), 'line_items.0.amount'],
    ['without lines', { line_items: undefined }, 'line_items'],
  ])('is refused %s', async (_title, changes, field) => {
    const refused = { state: 'refused', reason: 'record_not_understood', field };
    expect(await readWith(replyOf(changes))).toEqual(refused);
  });
});

describe('a taxed journal', () => {
  const taxed = (tax_name: string) => ({
    line_items: [
      { ...line, amount: 100, tax_id: '11', tax_name, tax_percentage: '5' },
      { ...line, debit_or_credit: 'credit', amount: 105 },
    ],
    taxes: [{ tax_name, tax_amount: 5, debit_or_credit: 'debit', tax_account: true }],
  });
  const taxesReply = (...taxes: unknown[]) =>
    json({ code: 0, taxes, page_context: { page: 1, has_more_page: false } });
  const vat = { tax_id: '11', tax_name: 'VAT', tax_account_id: '901', tax_percentage: 5 };

  test.each<[string, FakeReply, string]>([
    ['of the tax', taxesReply(vat), '901'],
    ['of the tax on purchases', taxesReply({ ...vat, purchase_tax_account_id: '902' }), '902'],
    ['`tax` if Zoho names none', taxesReply({ ...vat, tax_account_id: '' }, null), 'tax'],
    ['`tax` if the user cannot see taxes', status(401, { code: 57 }), 'tax'],
  ])('has a tax line with the account %s', async (_title, taxes, of) => {
    const { lines } = await journalOf(replyOf(taxed('VAT')), taxes);
    expect(lines[2]).toBe(`${of} | VAT | 5 | 0 | `);
    expect(sentRequests()[2]).toEqual(request('settings/taxes', firstPage, 'Secret-Fresh'));
  });

  test('requests the taxes once, page by page', async () => {
    const page = (number: number, has_more_page: boolean, ...taxes: object[]) =>
      json({ code: 0, taxes, page_context: { page: number, has_more_page } });
    const list = listOf('journals', [head, { ...head, journal_id: '2' }]);
    const second = replyOf({ ...taxed('VAT'), journal_id: '2' });
    replyWith(list, replyOf(taxed('VAT')), page(1, true), page(2, false, vat), second);
    const { journals } = await openAnother().journalPage(access, at(null));
    for (const { read } of journals) await read(fresh, at(null));
    const [, ...calls] = sentRequests().map(({ call }) => call.split('v3/')[1]);
    const [first, taxes] = [`journals/${head.journal_id}`, 'settings/taxes'];
    expect(calls).toEqual([first, taxes, taxes, 'journals/2']);
  });

  test('waits if the platform limits requests for taxes', async () => {
    const failing = readWith(replyOf(taxed('VAT')), status(429, { code: 44 }));
    expect(await reasonOf(failing)).toBe('rate_limited 60');
  });
});
