import { expect, test } from 'vitest';
import { costOf } from '../support/dynamodb/costs.ts';
import { callsOf, openTenantCalls } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';

const { ledger, time, domain_url } = await openTenantCalls();
const instance = openInstance({ table: ledger.table, clock: () => new Date(time.now) });
const { send } = callsOf(instance);
await ledger.exchangeRates.record([
  { date: '2026-03-13', rates: { USD: '1.15', RUB: '90' } },
  { date: '2026-03-16', rates: { USD: '1.16' } },
]);

type Query = { date: string; from: string; to: string };

/** A dry run of an entry with the same currencies and date. */
const tryEntry = ({ date, from, to }: Query) =>
  send('createEntry', {
    domain_url,
    date,
    memo: 'The same currencies and date',
    transactionCurrency: from,
    reportingCurrency: to,
    entries: [
      { account: '1010', debit: '1' },
      { account: '4010', credit: '1' },
    ],
    dry_run: true,
  });

test.each<[string, string, string, string, string]>([
  ['USD EUR', '2026-03-23', '0.86236633322', '2026-03-23', 'ecb_derived'],
  ['EUR USD', '2026-03-23', '1.15960000000', '2026-03-23', 'ecb_published'],
  ['USD JPY', '2026-03-22', '158.77109476417', '2026-03-20', 'ecb_derived'],
  ['KES KES', '2026-03-22', '1.00000000000', '2026-03-22', 'same_currency'],
])('%s on %s is %s of %s (%s), as for an entry', async (currencies, date, rate, of, source) => {
  const [from = '', to = ''] = currencies.split(' ');
  const expected = {
    exchange_rate: rate,
    exchange_rate_date: of,
    exchange_rate_source: source,
  };
  const reply = await send('getRate', { date, from, to });
  expect(reply.body.data).toEqual({ from, to, date, ...expected });
  const eur = from === 'KES' ? { ...reply } : await tryEntry({ date, from, to });
  expect(eur.body.data).toMatchObject(expected);
});

const pointers: Record<string, string> = {
  '/transactionCurrency': '/from',
  '/reportingCurrency': '/to',
};

test.each<[string, string, string]>([
  ['a currency without rates', 'KES EUR', '2026-03-23'],
  ['two currencies without rates', 'KES NGN', '2026-03-23'],
  ['a currency that ended', 'EUR RUB', '2026-03-24'],
  ['a date before all rates', 'USD EUR', '2020-01-01'],
  ['a withdrawn currency', 'BGN EUR', '2026-01-01'],
  ['a code that never was a currency', 'XXA EUR', '2026-03-23'],
  ['a malformed date', 'USD EUR', '2026-02-30'],
])('%s is refused as for an entry: %s on %s', async (_, currencies, date) => {
  const [from = '', to = ''] = currencies.split(' ');
  const { status, body } = await send('getRate', { date, from, to });
  const entry = await tryEntry({ date, from, to });
  expect(status).toBe(422);
  expect(body.error.details).not.toEqual([]);
  expect(body.error.details).toEqual(
    entry.body.error.details.map((it: { pointer: string }) => ({
      ...it,
      pointer: pointers[it.pointer] ?? it.pointer,
    })),
  );
});

test.each<[string, Query, number]>([
  ['a rate', { date: '2026-03-23', from: 'USD', to: 'EUR' }, 1],
  ['a currency that ended', { date: '2026-03-20', from: 'USD', to: 'RUB' }, 2],
  ['no rate', { date: '2026-03-23', from: 'KES', to: 'EUR' }, 9],
])('%s costs a few units', async (_, query, read) => {
  const { units } = await costOf(() => send('getRate', query));
  expect(units).toEqual({ read, write: 0 });
});
