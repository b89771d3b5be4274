// Trial balances of the three platforms: recorded ones, and those that an adapter must refuse.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import { createQuickBooks, quickBooksHosts } from '#shared/platforms/quickbooks/quickbooks.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { createZoho } from '#shared/platforms/zoho/zoho.ts';
import {
  json,
  openAdapter,
  reasonOf,
  refusalOf,
  status,
} from '../../support/harnesses/adapters.ts';

const recorded = (file: string) =>
  JSON.parse(readFileSync(`tests/data/recorded/${file}.json`, 'utf8'));

const xero = await openAdapter(createXero);
const quickBooks = await openAdapter((options) =>
  createQuickBooks(options, quickBooksHosts.production),
);
const zoho = await openAdapter(createZoho);

const accessOf = (companyId: string, dataCenter: string | null = null) => ({
  companyId,
  dataCenter,
  accessToken: 'Secret-Access',
});
const xeroAccess = accessOf('7f5fabdd-9565-416a-9b62-d53d852bb2a3');
const quickBooksAccess = accessOf('123146096291789');
const zohoAccess = accessOf('10234695', 'us');

const request = { date: '2016-03-14', fiscalYearStart: '2016-01-01', timeoutMilliseconds: 2_000 };

const plain = ({ rows, total, profitSince }: TrialBalance) => ({
  rows: rows.map(({ accountId, name, type, balance }) =>
    [accountId.slice(-6), name, type, balance.toFixed(2)].join(' | '),
  ),
  total: total.toFixed(2),
  profitSince,
});

describe('the trial balance of Xero', () => {
  const read = (body: unknown) => {
    xero.replyWith(json(body));
    return xero.platform.trialBalance(xeroAccess, request);
  };
  const example = recorded('xero/trial-balance');
  const withRows = (change: (rows: Record<string, unknown>[]) => unknown[]) => ({
    Reports: [{ ...example.Reports[0], Rows: change(example.Reports[0].Rows) }],
  });

  test('has the balances of the YTD columns', async () => {
    const { rows, ...trialBalance } = plain(await read(example));
    expect(trialBalance).toEqual({ total: '46019.00', profitSince: 'fiscal_year' });
    expect(rows).toHaveLength(19);
    expect(rows.slice(0, 2)).toEqual([
      '99283f | Big Expense | revenue | -80.00',
      '16fd5b | Sales | revenue | -1020.22',
    ]);
    expect(xero.sentRequests()).toEqual([
      {
        call: 'GET /api.xero.com/api.xro/2.0/Reports/TrialBalance',
        query: { date: '2016-03-14', paymentsOnly: 'false' },
        authorization: 'Bearer Secret-Access',
        tenant: xeroAccess.companyId,
      },
    ]);
  });

  test.each([
    ['an unknown row', withRows((rows) => [...rows, { RowType: 'Note' }])],
    ['other columns', withRows((rows) => rows.slice(1).concat({ RowType: 'Header', Cells: [] }))],
    ['a section twice', withRows((rows) => [...rows, rows[1] as object])],
    ['a section less', withRows((rows) => rows.toSpliced(1, 1))],
  ])('is refused with %s', async (_, body) => {
    expect(await reasonOf(read(body))).toBe('report_refused');
  });

  test('needs a scope that an earlier consent does not have', async () => {
    xero.replyWith(status(401, { Title: 'Unauthorized', Detail: 'AuthorizationUnsuccessful' }));
    const failing = xero.platform.trialBalance(xeroAccess, request);
    expect(await refusalOf(failing)).toBe('reports_not_permitted: 401 AuthorizationUnsuccessful');
  });
});

describe('the trial balance of QuickBooks', () => {
  const example = recorded('quickbooks/trial-balance-shortened');
  const total = (debit: string, credit: string) => ({
    group: 'GrandTotal',
    type: 'Section',
    Summary: { ColData: [{ value: 'TOTAL' }, { value: debit }, { value: credit }] },
  });
  const row = (id: string, debit: string, credit: string) => ({
    ColData: [{ value: `Account ${id}`, id }, { value: debit }, { value: credit }],
  });
  const withRows = (...rows: unknown[]) => ({ ...example, Rows: { Row: rows } });
  const companyOf = (Country?: unknown) => json({ CompanyInfo: { CompanyName: 'Acme', Country } });
  /** Another adapter has no company in its memory. */
  const read = (body: unknown, { country = 'US' as unknown } = {}) => {
    quickBooks.replyWith(companyOf(country), json(body));
    return quickBooks.openAnother().trialBalance(quickBooksAccess, request);
  };
  const lastRequest = () => quickBooks.sentRequests().at(-1);

  test('has the rows without a type', async () => {
    const ofAccounts = example.Rows.Row.slice(0, 3);
    const whole = withRows(...ofAccounts, row('7', '', '4106.18'), total('4152.18', '4152.18'));
    expect(plain(await read(whole))).toEqual({
      rows: [
        '35 | Checking |  | 4151.74',
        '13 | Meals and Entertainment |  | -46.00',
        '93 | QuickBooks Payments Fees |  | 0.44',
        '7 | Account 7 |  | -4106.18',
      ],
      total: '4152.18',
      profitSince: 'fiscal_year',
    });
    expect(lastRequest()).toMatchObject({
      call: 'GET /quickbooks.api.intuit.com/v3/company/123146096291789/reports/TrialBalance',
      query: {
        start_date: '2016-01-01',
        end_date: '2016-03-14',
        accounting_method: 'Accrual',
        minorversion: '75',
      },
    });
  });

  test.each([
    ['FR', 'TrialBalanceFR'],
    ['France', 'TrialBalanceFR'],
    ['CA', 'TrialBalance'],
    [undefined, 'TrialBalance'],
    [{}, 'TrialBalance'],
  ])('of a company in the country %j is %s', async (country, name) => {
    await read({ ...example, Rows: {} }, { country });
    const company = '/v3/company/123146096291789';
    expect(lastRequest()?.call).toBe(`GET /quickbooks.api.intuit.com${company}/reports/${name}`);
  });

  test('reads the country once for each token', async () => {
    const platform = quickBooks.openAnother();
    quickBooks.replyWith(companyOf('FR'), json({ ...example, Rows: {} }));
    await platform.trialBalance(quickBooksAccess, request);
    await platform.trialBalance(quickBooksAccess, request);
    expect(quickBooks.sentRequests()).toHaveLength(3);
  });

  test('of a company without entries has no rows', async () => {
    const { rows } = await read({ ...example, Rows: {} });
    expect(rows).toEqual([]);
  });

  test.each([
    ['rows that do not add up to the totals', example],
    ['totals that differ', withRows(row('1', '5', ''), row('2', '', '4'), total('5', '4'))],
    ['an account twice', withRows(row('1', '5', ''), row('1', '', '5'), total('5', '5'))],
    ['a row of another type', withRows({ ...row('1', '5', '5'), type: 'Note' }, total('5', '5'))],
    ['an amount that cannot be read', withRows(row('1', 'five', '5'), total('5', '5'))],
    ['another basis', { ...example, Header: { ...example.Header, ReportBasis: 'Cash' } }],
    ['another date', { ...example, Header: { ...example.Header, EndPeriod: '2016-03-15' } }],
  ])('is refused with %s', async (_, body) => {
    expect(await reasonOf(read(body))).toBe('report_refused');
  });

  test('leaves out a row without an account that the totals do not have', async () => {
    const computed = { ColData: [{ value: 'Net income', id: '' }, { value: '' }, { value: '9' }] };
    const without = [row('1', '5', ''), row('2', '', '5'), computed, total('5', '5')];
    expect((await read(withRows(...without))).rows).toHaveLength(2);
    const within = [row('1', '9', ''), computed, total('9', '9')];
    expect(plain(await read(withRows(...within))).rows).toEqual([
      '1 | Account 1 |  | 9.00',
      'income | Net income |  | -9.00',
    ]);
  });
});

describe('the trial balance of Zoho', () => {
  const account = (id: string, debit: number | '', credit: number | '', more: object = {}) => ({
    account_id: id,
    name: `Account ${id}`,
    depth: 0,
    is_child_present: false,
    net_debit_total: debit,
    net_credit_total: credit,
    ...more,
  });
  const reportOf = (
    groups: unknown[],
    { totals = [12, 12], to = '2016-03-14' }: { totals?: [number, number]; to?: string } = {},
  ) => ({
    code: 0,
    message: 'success',
    trialbalance: [
      {
        name: 'Trial Balance',
        account_transactions: groups,
        net_debit_total: totals[0],
        net_credit_total: totals[1],
      },
    ],
    page_context: { report_basis: 'Accrual', to_date: to },
  });
  const groups = [
    {
      name: 'Assets',
      account_type: 'asset',
      net_debit_total: 12,
      net_credit_total: '',
      account_transactions: [
        account('11', 10, '', {
          is_child_present: true,
          account_transactions: [account('12', 2, '', { depth: 1 })],
        }),
      ],
    },
    { name: 'Income', account_type: 'income', account_transactions: [account('41', '', 12)] },
  ];
  const read = (body: unknown) => {
    zoho.replyWith(json(body));
    return zoho.platform.trialBalance(zohoAccess, request);
  };

  test('has the accounts of the tree, without its headers', async () => {
    expect(plain(await read(reportOf(groups)))).toEqual({
      rows: [
        '11 | Account 11 | asset | 10.00',
        '12 | Account 12 | asset | 2.00',
        '41 | Account 41 | revenue | -12.00',
      ],
      total: '12.00',
      profitSince: 'start_of_books',
    });
    expect(zoho.sentRequests().at(-1)).toMatchObject({
      call: 'GET /www.zohoapis.com/books/v3/reports/trialbalance',
      query: {
        organization_id: '10234695',
        filter_by: 'TransactionDate.CustomDate',
        from_date: '1970-01-01',
        to_date: '2016-03-14',
        cash_based: 'false',
      },
    });
  });

  test.each([
    ['totals with sub-accounts in the parent', reportOf(groups, { totals: [14, 12] })],
    ['another date', reportOf(groups, { to: '2016-03-15' })],
    ['a group less', reportOf(groups.slice(1))],
  ])('is refused with %s', async (_, body) => {
    expect(await reasonOf(read(body))).toBe('report_refused');
  });
});
