// The years of books that were worked by hand, kept on a test table.

import { workedYear } from '#infra/docs/worked-year.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import type { KeyIssuing } from '#shared/applications/issue-api-key.service.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { Table } from '#shared/table/table.ts';
import { callsOf, type Endpoint } from '../harnesses/calls.ts';
import { openInstance } from '../harnesses/instances.ts';
import { tableBelow } from '../readers/worked-page.ts';
import { openBooks } from './books.ts';

const endpoints: Record<string, Endpoint> = {
  'accounts/create': 'createAccount',
  'journal_entries/cancel': 'cancelEntry',
  'journal_entries/create_many': 'createEntries',
  'journal_entries/reverse': 'reverseEntry',
  'tenants/update': 'updateTenant',
};

const pathIn = (pathAndQuery: string): string =>
  pathAndQuery.replace('/external/v1/', '').replace(/\/$/, '');

/** Sends all that the year posts, on a day after it. */
export const keepWorkedBooks = async (
  { table, issuing }: { table: Table; issuing: Omit<KeyIssuing, 'pepper'> },
  { prefix }: { prefix: string },
) => {
  const { name } = await openBooks({ table, issuing }, { prefix, chart: [...defaultChart] });
  const clock = () => new Date('2026-03-23T09:30:00.000Z');
  const published = tableBelow('The dollar').slice(0, 2);
  await openExchangeRates(table, { maximumAgeDays: 7 }).record(
    published.map(([, date = '', USD = '']) => ({ date, rates: { USD } })),
  );
  const { applicationId } = name;
  const calls = callsOf(openInstance({ table, clock }), { applicationId, domain_url: prefix });
  // The tenant exists already.
  const requests = workedYear.steps.flatMap((step) => step.requests).filter(({ keep }) => !keep);
  for (const { method, pathAndQuery, body } of requests) {
    if (method !== 'POST') continue;
    const endpoint = endpoints[pathIn(pathAndQuery)];
    if (endpoint === undefined) throw new Error(`no endpoint is known at ${pathAndQuery}`);
    await calls.call(endpoint, { ...Object(body), domain_url: prefix });
  }
  return { ...calls, name, prefix, yearStart: '01-01' };
};

/** The page of the second year. */
export const secondYear = 'second-worked-year.md';

/** The accounts that the default chart lacks. */
const accounts = [
  { code: '1015', name: 'Dollar Account', type: 'asset', subtype: 'cash', cash_flow: 'cash' },
  { code: '1540', name: 'Right-of-use Assets', type: 'asset', subtype: 'fixed_asset' },
  {
    code: '2020',
    name: 'Payables for Equipment',
    type: 'liability',
    subtype: 'payable',
    cash_flow: 'investing',
  },
  {
    code: '2460',
    name: 'Withholding Tax on Dividends',
    type: 'liability',
    subtype: 'dividends_payable',
  },
];

/** A line of the page, for example `2200 -1,000.00`. */
const lineOf = (text: string) => {
  const [account, amount = ''] = text.split(' ');
  const digits = amount.replaceAll(',', '');
  return digits.startsWith('-') ? { account, credit: digits.slice(1) } : { account, debit: digits };
};

const entryOf = ([number, date, memo, lines = '', currency = '']: string[]) => {
  const [, exchange_rate] = currency.split(' at ');
  return {
    date,
    memo,
    transactionCurrency: exchange_rate === undefined ? 'EUR' : 'USD',
    reportingCurrency: 'EUR',
    ...(exchange_rate !== undefined && { exchange_rate }),
    external_id: `tidewater-${number}`,
    entries: lines.split('; ').map(lineOf),
  };
};

/** Posts the journal of the page and the revaluation, on a day after the year. */
export const keepSecondYear = async (
  { table, issuing }: { table: Table; issuing: Omit<KeyIssuing, 'pepper'> },
  { prefix }: { prefix: string },
) => {
  const { name } = await openBooks({ table, issuing }, { prefix, chart: [...defaultChart] });
  await openExchangeRates(table, { maximumAgeDays: 7 }).record([
    { date: '2025-12-31', rates: { USD: '1.175' } },
  ]);
  const clock = () => new Date('2026-03-23T09:30:00.000Z');
  const { applicationId } = name;
  const calls = callsOf(openInstance({ table, clock }), { applicationId, domain_url: prefix });
  for (const account of accounts) await calls.call('createAccount', account);
  const entries = tableBelow('The journal', secondYear).map(entryOf);
  for (let first = 0; first < entries.length; first += 25) {
    const journal_entries = entries.slice(first, first + 25);
    await calls.call('createEntries', { journal_entries });
  }
  await calls.call('postRevaluation', { as_of: '2025-12-31' });
  return { ...calls, name, prefix, yearStart: '01-01' };
};
