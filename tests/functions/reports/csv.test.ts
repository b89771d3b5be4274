import { beforeAll, describe, expect, test } from 'vitest';
import type { Data as CashFlow } from '#functions/get-cash-flow/schema.ts';
import type { Move } from '../../support/builders/moves.ts';
import { quarter } from '../../support/builders/quarter.ts';
import { type Endpoint, openTenantCalls } from '../../support/harnesses/calls.ts';
import { asWritten, readCsv } from '../../support/readers/csv.ts';
import { csvHeaders } from '../../support/readers/replies.ts';

const { ledger, send, post } = await openTenantCalls();
const period = { from: '2026-03-01', to: '2026-03-31' };
const formula = '=HYPERLINK("https://evil.example","10,00")';

let ids: Record<'dollars' | 'out', string | null>;
let digest: string;
let entriesDigest: string;
beforeAll(async () => {
  const idOf = async (asked: Move) => (await post(asked)).journal_entry_id;
  await idOf({ date: '2025-12-30', amount: '250.00' });
  const payment = { amount: '362.50', from: '1010', to: '4010', memo: formula };
  ids = {
    dollars: await idOf({ date: '2026-03-23', amount: '115.96', currency: 'USD' }),
    out: await idOf({ date: '2026-03-24', ...payment }),
  };
  const { data } = (await send('getTrialBalance', { as_of: period.to })).body;
  [digest, entriesDigest] = [data.digest, data.entries_digest];
});

const askCsv = async (report: Endpoint, query: object) => {
  const reply = await send(report, query, { headers: { Accept: 'text/csv' } });
  return { ...reply, body: reply.body as string };
};

/** The written rows, each with the same start and end. */
const rowsOf = (start: string, rows: readonly string[], end: string): string =>
  rows.map((row) => asWritten(`${start},${row},${end}\r\n`)).join('');

describe('a trial balance', () => {
  test('has a row for each account, each of its currencies, and the totals', async () => {
    const { status, headers, body } = await askCsv('getTrialBalance', {
      ...period,
      by_currency: 'true',
    });
    expect([status, headers]).toEqual([200, csvHeaders]);
    const head =
      'tenant_domain_url,company_name,made_at,coverage,from,to,as_of,row_type,account,' +
      'account_name,account_type,' +
      'currency,opening_debit,opening_credit,movement_debit,movement_credit,closing_debit,' +
      'closing_credit,digest\r\n';
    const bank = '1010,Bank Current Account,asset';
    const revenue = '4010,Service Revenue,revenue';
    const rows = [
      `account,${bank},EUR,250.00,0.00,100.00,362.50,0.00,12.50`,
      `account_in_currency,${bank},USD,0.00,0.00,115.96,0.00,115.96,0.00`,
      `account,${revenue},EUR,0.00,250.00,362.50,100.00,12.50,0.00`,
      `account_in_currency,${revenue},USD,0.00,0.00,0.00,115.96,0.00,115.96`,
      'total,,,,EUR,250.00,250.00,462.50,462.50,12.50,12.50',
    ];
    const start = 'acme-k7m2xq,Acme,2026-03-24T12:00:00.000Z,all_entries,2026-03-01,2026-03-31,';
    expect(body).toBe(asWritten(head) + rowsOf(start, rows, digest));
  });

  test.each<[string, Record<string, string>]>([
    ['a period', period],
    ['a period by currency', { ...period, by_currency: 'true' }],
    ['a date', { as_of: '2026-03-23' }],
    ['an account', { account: '1010', as_of: '2026-03-24' }],
    ['nothing', { as_of: '2025-12-29' }],
  ])('of %s has the same figures as JSON', async (_, query) => {
    const { data } = (await send('getTrialBalance', query)).body;
    const of = ({ opening, movement, closing }: typeof data.totals) => ({
      opening_debit: opening.debit,
      opening_credit: opening.credit,
      movement_debit: movement.debit,
      movement_credit: movement.credit,
      closing_debit: closing.debit,
      closing_credit: closing.credit,
    });
    const { rows, totals, entries_digest: _digest, ...rest } = data;
    const { covered_from, covered_to, checked_at, ...books } = rest;
    expect([covered_from, covered_to, checked_at]).toEqual([null, null, null]);
    const told = { ...books, from: data.from ?? '', to: data.to ?? '', as_of: data.as_of ?? '' };
    const expected = rows.flatMap(
      ({ account, account_name, account_type, ...row }: typeof data) => {
        const named = { ...told, account, account_name, account_type };
        return [
          { ...named, row_type: 'account', ...of(row) },
          ...(row.currencies ?? []).map(({ currency, ...figures }: typeof data) => ({
            ...named,
            row_type: 'account_in_currency',
            currency,
            ...of(figures),
          })),
        ];
      },
    );
    const total = { ...told, account: '', account_name: '', account_type: '', ...of(totals) };
    const read = readCsv((await askCsv('getTrialBalance', query)).body);
    expect(read).toEqual([...expected, { ...total, row_type: 'total' }]);
  });
});

describe('the ledger of an account', () => {
  const query = { account: '1010', ...period };
  const start =
    'acme-k7m2xq,Acme,2026-03-24T12:00:00.000Z,all_entries,2026-03-01,2026-03-31,' +
    '1010,Bank Current Account,asset';
  const head =
    'tenant_domain_url,company_name,made_at,coverage,from,to,account,account_name,' +
    'account_type,row_type,' +
    'posting_date,journal_number,journal_entry_id,line_number,memo,description,currency,' +
    'debit,credit,balance,balance_currency,transaction_currency,transaction_debit,' +
    'transaction_credit,digest\r\n';

  const lines = () => [
    'opening_balance,,,,,,,EUR,,,250.00,EUR,,,',
    `line,2026-03-23,MJ-20260323-0001,${ids.dollars},1,A post,"",EUR,` +
      '100.00,0.00,350.00,EUR,USD,115.96,0.00',
    `line,2026-03-24,MJ-20260324-0001,${ids.out},2,` +
      `"'=HYPERLINK(""https://evil.example"",""10,00"")","",EUR,` +
      '0.00,362.50,-12.50,EUR,EUR,0.00,362.50',
    'closing_balance,,,,,,,EUR,,,-12.50,EUR,,,',
  ];

  test('begins and ends with a balance; a memo is no formula, and an amount a number', async () => {
    const { status, headers, body } = await askCsv('getAccountLedger', query);
    expect([status, headers]).toEqual([200, csvHeaders]);
    expect(body).toBe(asWritten(head) + rowsOf(start, lines(), entriesDigest));
    const written = readCsv(body).map(({ memo, balance }) => [memo, balance]);
    expect(written.slice(2)).toEqual([
      [`'${formula}`, '-12.50'],
      ['', '-12.50'],
    ]);
  });

  test('has pages, each with the cursor of the next, that add up to the whole', async () => {
    const first = await askCsv('getAccountLedger', { ...query, limit: '1' });
    const { 'Next-Cursor': cursor = '', ...headers } = first.headers as Record<string, string>;
    expect(headers).toEqual(csvHeaders);
    const inJson = await send('getAccountLedger', { ...query, limit: '1' });
    expect(inJson.body.data.next_cursor).toBe(cursor);
    const last = await askCsv('getAccountLedger', { ...query, limit: '1', cursor });
    expect(last.headers).toEqual(csvHeaders);
    const [opening = '', line = '', ...others] = lines();
    expect(first.body).toBe(asWritten(head) + rowsOf(start, [opening, line], entriesDigest));
    expect(last.body).toBe(asWritten(head) + rowsOf(start, others, entriesDigest));
  });
});

type Row = [section: string, subtype: string, type: string, code: string, name: string, of: string];
type Named = { account: string; account_name: string; amount: string };
type Section = { subtype: string | null; accounts: Named[]; total: string };

const isAmount = (value: unknown): boolean => /^-?\d+\.\d\d$/.test(String(value));

const accountRows = (accounts: Named[], [name, subtype]: [string, string]): Row[] =>
  accounts.map(
    ({ account, account_name, amount }): Row => [
      ...([name, subtype, 'account', account, account_name, amount] as const),
    ],
  );

/** The figures of a report: accounts, totals and others. */
const rowsIn = (part: object, name = ''): Row[] =>
  Object.entries(part).flatMap(([key, value]): Row[] => {
    const inner = [name, key].filter(Boolean).join('.');
    if (key === 'accounts') return accountRows(value, [name, '']);
    if (key === 'total') return [[name, '', 'total', '', '', value]];
    if (key === 'sections') {
      return value.flatMap(({ subtype, accounts, total }: Section): Row[] => [
        ...accountRows(accounts, [name, subtype ?? '']),
        [name, subtype ?? '', 'subtype_total', '', '', total],
      ]);
    }
    if (typeof value === 'object' && value !== null) return rowsIn(value, inner);
    return isAmount(value) ? [[inner, '', 'figure', '', '', value]] : [];
  });

const sorted = (row: object) => Object.entries(row).sort();

/** In CSV, the cash accounts are sections of the opening and the closing cash. */
const withCashSections = ({ opening_cash, closing_cash, cash_accounts, ...report }: CashFlow) => {
  const sideOf = (side: 'opening' | 'closing', total: string) => ({
    accounts: cash_accounts.map((account) => ({ ...account, amount: account[side] })),
    total,
  });
  return {
    ...report,
    opening_cash: sideOf('opening', opening_cash),
    closing_cash: sideOf('closing', closing_cash),
  };
};

describe('a statement in CSV has the same figures as in JSON:', () => {
  let tenant: string;
  beforeAll(async () => {
    tenant = (await ledger.createTenant('Quarter')).prefix;
    for (const asked of quarter) await post({ domain_url: tenant, ...asked });
  });

  const dates = { from: '2026-01-01', to: '2026-03-31' };
  test.each<[string, Endpoint, Record<string, string>, Record<string, string>]>([
    [
      'a balance sheet',
      'getBalanceSheet',
      { as_of: dates.to },
      { as_of: dates.to, fiscal_year_start: dates.from },
    ],
    ['a profit and loss', 'getProfitAndLoss', dates, dates],
    ...['direct', 'indirect'].map((method): [string, Endpoint, typeof dates, typeof dates] => {
      const asked = { ...dates, method };
      return [`cash flows by the ${method} method`, 'getCashFlow', asked, asked];
    }),
  ])('%s', async (_, report, query, told) => {
    const asked = { domain_url: tenant, ...query };
    const { data } = (await send(report, asked)).body;
    const { status, headers, body } = await askCsv(report, asked);
    expect([status, headers]).toEqual([200, csvHeaders]);
    const { tenant_domain_url, company_name, made_at, coverage, currency, digest } = data;
    const ofBooks = { tenant_domain_url, company_name, made_at, coverage, currency, digest };
    const shared = { ...ofBooks, ...told };
    const named = 'cash_accounts' in data ? withCashSections(data) : data;
    const expected = [...rowsIn(named)].map(
      ([section, subtype, row_type, account, account_name, amount]) => ({
        ...shared,
        section,
        row_type,
        account,
        account_name,
        amount,
        ...(report === 'getBalanceSheet' && { subtype }),
      }),
    );
    const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(sorted(row))).sort();
    expect(inOrder(readCsv(body))).toEqual(inOrder(expected));
  });
});

test('a refusal is JSON', async () => {
  const { status, headers, body } = await askCsv('getTrialBalance', { as_of: 'today' });
  expect([status, headers['Content-Type']]).toEqual([422, 'application/json']);
  expect(JSON.parse(JSON.stringify(body)).error.code).toBe('validation_failed');
});
