import { describe, expect, test } from 'vitest';
import { connectTenant } from '../support/builders/platforms/platform-charts.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const { ledger, send, pages } = await openTenantCalls();
const { chartCodes } = ledger;

/** The codes of each page of a list. */
const pagesOf = async (query: object, between?: () => unknown): Promise<string[][]> =>
  (await pages('listAccounts', query, between)).map(({ accounts }) =>
    accounts.map(({ code }: { code: string }) => code),
  );

describe('a chart', () => {
  test('is listed with all fields of each account', async () => {
    const { domain_url } = await connectTenant(ledger, 'whole');
    await send('createAccount', { domain_url, code: '5', name: 'Ours', type: 'equity' });
    const bank = {
      code: '090',
      name: 'Account bank',
      type: 'asset',
      subtype: 'cash',
      normal_balance: 'debit',
      cash_flow: 'cash',
      status: 'active',
      platform_account_id: 'bank',
    };
    const ours = {
      code: '5',
      name: 'Ours',
      type: 'equity',
      subtype: null,
      normal_balance: 'credit',
      cash_flow: 'financing',
      status: 'active',
      platform_account_id: null,
    };
    const loan = {
      code: '900',
      name: 'Account loan',
      type: 'liability',
      subtype: 'non_current_liability',
      normal_balance: 'credit',
      cash_flow: 'financing',
      status: 'active',
      platform_account_id: 'loan',
    };
    const reply = success({ accounts: [bank, ours, loan], next_cursor: null });
    expect(await send('listAccounts', { domain_url })).toEqual(reply);
  });

  test('is in the order of its codes, in pages of 50 or of the requested length', async () => {
    expect(await pagesOf({})).toEqual([chartCodes.slice(0, 50), chartCodes.slice(50)]);
    expect(await pagesOf({ limit: '200' })).toEqual([chartCodes]);
    const sevens = await pagesOf({ limit: '7' });
    expect(sevens.flat()).toEqual(chartCodes);
    expect(sevens.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });

  test('is complete and without repetition while accounts are added', async () => {
    const { prefix } = await ledger.createTenant('Busy');
    let added = 0;
    const between = async () => {
      added += 1;
      const account = { name: 'New', type: 'asset', domain_url: prefix };
      await send('createAccount', { ...account, code: `0${added}` });
      await send('createAccount', { ...account, code: `9${added}` });
    };
    const codes = (await pagesOf({ domain_url: prefix, limit: '11' }, between)).flat();
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.filter((code) => chartCodes.includes(code))).toEqual(chartCodes);
  });

  test.each<[string, object, (code: string) => boolean]>([
    ['type', { type: 'equity' }, (code) => code.startsWith('3')],
    ['status', { status: 'archived' }, (code) => code === '1020'],
    ['type and status', { type: 'asset', status: 'active' }, (it) => /^1(?!020)/.test(it)],
    ['code', { code: '1020' }, (code) => code === '1020'],
    ['code and its type', { code: '1020', type: 'asset' }, (code) => code === '1020'],
    ['code and another type', { code: '1020', type: 'equity' }, () => false],
    ['an unknown code', { code: '1021' }, () => false],
    ['a code in another case', { code: 'ID-1' }, () => false],
  ])('is listed by %s', async (_, query, isWanted) => {
    await send('updateAccount', { code: '1020', status: 'archived' });
    const expected = chartCodes.filter(isWanted);
    expect((await pagesOf({ ...query, limit: '3' })).flat()).toEqual(expected);
  });
});

describe('a list is refused', () => {
  test('for all problems at once', async () => {
    const query = { status: 'closed', type: '', code: ' ', limit: '0', page: '2' };
    const reply = await send('listAccounts', query);
    const problems = [
      'not_an_allowed_value /status /type',
      'must_not_be_blank /code',
      'out_of_range /limit',
      'unknown_field /page',
    ];
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('for the cursor of another query', async () => {
    const { body } = await send('listAccounts', { limit: '2' });
    const cursor = body.data.next_cursor;
    const reply = await send('listAccounts', { type: 'asset', cursor });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['cursor_not_valid /cursor']]);
  });
});

describe('the balances of a chart', () => {
  const balancesOf = async (domain_url: string, query: object = {}) => {
    const { body } = await send('listAccounts', { domain_url, balances: 'true', ...query });
    return body.data;
  };

  test('are those of a trial balance as of today, right after each change', async () => {
    const { prefix: domain_url } = await ledger.createTenant('Balances');
    const post = (changes: object = {}) =>
      send('createEntry', { domain_url, ...euroEntry(), ...changes });
    const closing = async () => {
      const { body } = await send('getTrialBalance', { domain_url });
      const rows: { account: string; closing: Record<'debit' | 'credit', string> }[] =
        body.data.rows;
      return rows.map(({ account, closing: { debit, credit } }) => [
        account,
        credit === '0.00' ? debit : `-${credit}`,
      ]);
    };
    const moved = async () => {
      const { accounts } = await balancesOf(domain_url, { limit: '200' });
      expect(accounts.map(({ code }: { code: string }) => code)).toEqual(chartCodes);
      return accounts
        .filter(({ balance }: { balance: string }) => balance !== '0.00')
        .map(({ code, balance }: { code: string; balance: string }) => [code, balance]);
    };
    expect(await moved()).toEqual([]);
    await post();
    expect(await moved()).toHaveLength(2);
    await post({ date: '2025-11-30' });
    await post({ accrual_date: '2026-12-31' });
    expect(await moved()).toEqual(await closing());
  });

  test('come with the filtered pages of the chart, and with its latest state', async () => {
    const { prefix: domain_url } = await ledger.createTenant('Balanced Pages');
    await send('createEntry', { domain_url, ...euroEntry() });
    const filters = [
      {},
      { type: 'asset' },
      { status: 'archived' },
      { code: '1010' },
      { code: 'X' },
    ];
    for (const filter of filters) {
      const query = { domain_url, ...filter, limit: '9' };
      const plain = await pagesOf(query);
      expect(await pagesOf({ ...query, balances: 'true' })).toEqual(plain);
    }
    await send('updateAccount', { domain_url, code: '1010', name: 'Renamed' });
    const [account] = (await balancesOf(domain_url, { code: '1010' })).accounts;
    expect(account.name).toBe('Renamed');
    expect((await balancesOf(domain_url)).balances_as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('are refused for a tenant that does not exist', async () => {
    const reply = await send('listAccounts', { domain_url: 'nobody-k7m2xq', balances: 'true' });
    expect([reply.status, reply.body.status_code]).toEqual([404, 404]);
  });
});
