// Amounts with three decimals, from the request to every report.

import { beforeAll, describe, expect, test } from 'vitest';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const { ledger, send, call, pages } = await openTenantCalls();
const { prefix: domain_url } = await ledger.createTenant('Gulf', { currency: 'KWD' });
const { prefix: inEuro } = await ledger.createTenant('Rhine');

/** On 2026-03-23 a dinar is 11.27 zloty and a euro 4.27. */
await openExchangeRates(ledger.table, { maximumAgeDays: 7 }).record(
  [{ date: '2026-03-23', rates: { KWD: '11.27', EUR: '4.27' } }],
  { publisher: 'nbp' },
);

const entryOf = (lines: [account: string, debit: string | number, credit?: string][]) => ({
  domain_url,
  date: '2026-03-23',
  memo: 'Sale',
  transactionCurrency: 'KWD',
  reportingCurrency: 'KWD',
  entries: lines.map(([account, debit, credit]) => ({ account, debit, credit })),
});

beforeAll(async () => {
  await call('createEntry', {
    ...entryOf([
      ['1010', '1.005'],
      ['1010', 0.995],
      ['4010', '', '2'],
    ]),
  });
  await call('createEntry', {
    ...entryOf([
      ['1010', '0.001'],
      ['4010', '', '0.001'],
    ]),
    date: '2026-03-24',
  });
  await call('createEntry', {
    ...entryOf([
      ['1010', '10.005'],
      ['4010', '', '10.005'],
    ]),
    domain_url: inEuro,
    reportingCurrency: 'EUR',
  });
});

describe('dinars', () => {
  test('of an entry keep their decimals in every amount', async () => {
    const { journal_entries: entries } = await call('listEntries', { domain_url });
    const [{ transaction_amount, reporting_amount, book_amount, transactions }] =
      entries.toReversed();
    expect([transaction_amount, reporting_amount, book_amount]).toEqual([
      '2.000',
      '2.000',
      '2.000',
    ]);
    expect(transactions.map((it: Record<string, string>) => [it.debit, it.credit])).toEqual([
      ['1.005', '0.000'],
      ['0.995', '0.000'],
      ['0.000', '2.000'],
    ]);
  });

  test('are converted to the decimals of the other currency', async () => {
    const { journal_entries: entries } = await call('listEntries', { domain_url: inEuro });
    const [{ transaction_amount, reporting_amount, exchange_rate }] = entries;
    // 10.005 * 11.27 / 4.27 = 26.4067...
    expect([transaction_amount, reporting_amount, exchange_rate]).toEqual([
      ...['10.005', '26.41'],
      '2.63934426230',
    ]);
  });

  test('with a fourth decimal are refused', async () => {
    const reply = await send('createEntry', {
      ...entryOf([
        ['1010', '1.0005'],
        ['4010', '', '1.0005'],
      ]),
    });
    expect(problemsOf(reply)).toEqual(['amount_not_valid /entries/0/debit /entries/1/credit']);
  });

  test('are those of the trial balance and of the statements', async () => {
    const sides = (debit: string, credit: string) => ({ debit, credit });
    const { rows, totals } = await call('getTrialBalance', { domain_url, as_of: '2026-03-24' });
    expect(rows.map((row: Record<string, unknown>) => row.closing)).toEqual([
      sides('2.001', '0.000'),
      sides('0.000', '2.001'),
    ]);
    expect(totals.movement).toEqual(sides('2.001', '2.001'));
    const period = { domain_url, from: '2026-01-01', to: '2026-03-24' };
    const profitAndLoss = await call('getProfitAndLoss', period);
    const cashFlow = await call('getCashFlow', period);
    const balanceSheet = await call('getBalanceSheet', { domain_url, as_of: '2026-03-24' });
    expect([
      profitAndLoss.profit,
      cashFlow.closing_cash,
      balanceSheet.assets.total,
      balanceSheet.total_liabilities_and_equity,
    ]).toEqual(['2.001', '2.001', '2.001', '2.001']);
    const { accounts } = await call('listAccounts', { domain_url, code: '1010', balances: 'true' });
    expect(accounts.map((it: Record<string, string>) => it.balance)).toEqual(['2.001']);
  });

  test('have a running balance, page by page', async () => {
    const query = { domain_url, account: '1010', from: '2026-03-23', to: '2026-03-24', limit: '1' };
    const read = await pages('getAccountLedger', query);
    expect(
      read.flatMap(({ lines }) => lines.map((it: Record<string, string>) => it.balance)),
    ).toEqual(['1.005', '2.000', '2.001']);
    expect(read[0]).toMatchObject({ opening_balance: '0.000', closing_balance: '2.001' });
  });

  test('stand beside the euros of the books', async () => {
    const by = await call('getTrialBalance', {
      domain_url: inEuro,
      account: '1010',
      by_currency: 'true',
    });
    expect(by.rows[0]).toMatchObject({
      closing: { debit: '26.41', credit: '0.00' },
      currencies: [{ currency: 'KWD', closing: { debit: '10.005', credit: '0.000' } }],
    });
    const query = { domain_url: inEuro, account: '1010', from: '2026-03-23', to: '2026-03-24' };
    const ledgerOf = (currency: string) => call('getAccountLedger', { ...query, currency });
    expect(await ledgerOf('KWD')).toMatchObject({
      closing_balance: '10.005',
      lines: [{ debit: '26.41', transaction_debit: '10.005', balance: '10.005' }],
    });
    expect(await ledgerOf('EUR')).toMatchObject({ closing_balance: '26.41' });
  });
});
