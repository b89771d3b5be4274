// Exchange rates, amounts in the reporting currency and in the currency of the books.

import { beforeAll, describe, expect, test } from 'vitest';
import { openEntryReader } from '#shared/entries/entry-reader.store.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { entryKey } from '#shared/table/keys.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';

const { ledger, time, send } = await openTenantCalls();
const tenants = {
  EUR: await ledger.createTenant('Books in EUR'),
  JPY: await ledger.createTenant('Books in JPY', { currency: 'JPY' }),
  KES: await ledger.createTenant('Books in KES', { currency: 'KES' }),
  BGN: await ledger.createTenant('Books in BGN', { currency: 'BGN' }),
};

type Fields = { amounts?: string[]; date?: string };

/** @param currencies `USD GBP EUR`: transaction, reporting and book currency */
const post = async (
  currencies: string,
  { amounts = ['100.00'], date = '2026-03-23' }: Fields = {},
) => {
  const [transactionCurrency, reportingCurrency, book = 'EUR'] = currencies.split(' ');
  const total = amounts.reduce((sum, it) => sum + BigInt(it.replace('.', '')), 0n);
  const reply = await send('createEntry', {
    domain_url: tenants[book as keyof typeof tenants].prefix,
    date,
    memo: 'Consulting',
    transactionCurrency,
    reportingCurrency,
    entries: [
      ...amounts.map((debit) => ({ account: '1010', debit })),
      { account: '4010', credit: `${total / 100n}.${String(total % 100n).padStart(2, '0')}` },
    ],
  });
  return reply.body;
};

const largest = '999999999999999.99';
const unavailable = (pointer: string, transaction: string, params: object) => [
  'exchange_rate_unavailable',
  pointer,
  { transaction, date: '2026-03-23', ...params },
];

// On 2026-03-23 a euro is 1.1596 dollars, 183.86 yen or 0.86420 pounds.
test.each<[string, string, string, string]>([
  ['are the reporting amounts if both currencies are the same', 'USD EUR EUR', '86.24', '86.24'],
  ['have a rate of their own beside a third currency', 'USD GBP EUR', '74.53', '86.24'],
  ['are converted even if nothing else is', 'USD USD EUR', '100.00', '86.24'],
  [
    'are the transaction amounts if both currencies are the same',
    'EUR USD EUR',
    '115.96',
    '100.00',
  ],
  ['are whole yen', 'USD EUR JPY', '86.24', '15855.00'],
  ['need no rate without a conversion', 'KES KES KES', '100.00', '100.00'],
])('book amounts %s: %s', async (_, currencies, reported, booked) => {
  const [transaction, , currency] = currencies.split(' ');
  const { data } = await post(currencies, { amounts: ['33.33', '66.67'] });
  expect([data.reporting_amount, data.book_amount]).toEqual([reported, booked]);
  expect(data.book_currency).toBe(currency);
  if (transaction === currency) expect(data.book_exchange_rate).toBe('1.00000000000');
  const sumOf = (field: string) =>
    data.transactions
      .map((line: Record<string, string>) => Number(line[field]?.replace('.', '')))
      .reduce((sum: number, it: number) => sum + it, 0);
  const total = Number(booked.replace('.', ''));
  expect([sumOf('book_debit'), sumOf('book_credit')]).toEqual([total, total]);
});

test.each<[string, string, string, boolean]>([
  ['JPY EUR', '1.00', '0.01', false],
  ['EUR JPY', '0.01', '2.00', false],
  ['IDR USD', '0.01', '0.00', true],
  ['EUR EUR', largest, largest, false],
])('%s: an amount of %s becomes %s, rounded to zero: %s', async (...row) => {
  const [currencies, amount, shown, isZero] = row;
  const { data } = await post(currencies, { amounts: [amount] });
  expect([data.reporting_amount, data.reporting_amount_rounded_to_zero]).toEqual([shown, isZero]);
});

test('a withdrawn currency can be used until its last day', async () => {
  expect((await post('BGN BGN BGN', { date: '2025-12-31' })).status).toBe('success');
});

test.each<[string, string, Fields, unknown[]]>([
  [
    'a book currency without rates',
    'USD EUR KES',
    {},
    unavailable('/transactionCurrency', 'USD', { book: 'KES' }),
  ],
  [
    'a book currency without rates, as the only conversion',
    'EUR EUR KES',
    {},
    unavailable('/transactionCurrency', 'EUR', { book: 'KES' }),
  ],
  [
    'a transaction currency without rates',
    'KES KES EUR',
    {},
    unavailable('/transactionCurrency', 'KES', { book: 'EUR' }),
  ],
  [
    'a date without rates, for the books only',
    'USD USD EUR',
    { date: '2026-03-19' },
    unavailable('/date', 'USD', { book: 'EUR', date: '2026-03-19', first_date: '2026-03-20' }),
  ],
  [
    'a date without rates, named once for both conversions',
    'USD GBP EUR',
    { date: '2026-03-19' },
    unavailable('/date', 'USD', { reporting: 'GBP', date: '2026-03-19', first_date: '2026-03-20' }),
  ],
  [
    'a total that is too large in the reporting currency only',
    'EUR USD EUR',
    { amounts: ['900000000000000.00'] },
    ['amount_too_large', '/entries', expect.objectContaining({ currency: 'USD' })],
  ],
  [
    'a total that is too large in the books only',
    'EUR EUR JPY',
    { amounts: ['6000000000000.00'] },
    [
      'amount_too_large',
      '/entries',
      { total: '1103160000000000.00', maximum: largest, currency: 'JPY' },
    ],
  ],
  [
    'a withdrawn currency, even without a rate',
    'BGN EUR EUR',
    { date: '2026-01-01' },
    [
      'currency_not_in_use',
      '/transactionCurrency',
      { currency: 'BGN', last_day: '2025-12-31', date: '2026-01-01' },
    ],
  ],
])('refused: %s', async (_, currencies, fields, [code, pointer, params]) => {
  const { details } = (await post(currencies, fields)).error;
  expect(details).toMatchObject([{ code, pointer }]);
  expect(details[0].params).toEqual(params);
});

describe('the rates of another day', () => {
  const now = '2026-04-08T12:00:00Z';
  const date = '2026-03-24';
  beforeAll(() => {
    time.now = now;
  });

  test('are used from the next post on, and corrections too; older entries stay', async () => {
    const operator = openExchangeRates(ledger.table, { maximumAgeDays: undefined });
    const rateNow = async (currencies = 'EUR USD') => {
      const { data } = await post(currencies, { date });
      return [data.exchange_rate, data.exchange_rate_date, data.exchange_rate_source];
    };
    const friday = ['1.15960000000', '2026-03-23', 'ecb_published'];
    const published = ['1.16010000000', date, 'ecb_published'];
    const corrected = ['1.16110000000', date, 'operator_corrected'];
    // The second post of each pair uses the cached day.
    expect([await rateNow(), await rateNow()]).toEqual([friday, friday]);
    await operator.record([{ date, rates: { USD: '1.1601' } }]);
    expect([await rateNow(), await rateNow()]).toEqual([published, published]);
    await operator.correct({
      date,
      currency: 'USD',
      rate: '1.1611',
      reason: 'a slip',
      correctedBy: 'grace',
      correctedAt: now,
    });
    expect(await rateNow()).toEqual(corrected);
    await operator.record([{ date, rates: { USD: '1.1601', JPY: '184.02' } }]);
    expect(await rateNow()).toEqual(corrected);
    expect((await rateNow('EUR JPY'))[2]).toBe('ecb_published');
    const reader = openEntryReader(ledger.table);
    const stored = [1, 2, 3, 4, 5].map(async (sequence) => {
      const key = entryKey(tenants.EUR, { series: 'MJ', date, sequence });
      return (await reader.get(key)).exchangeRate;
    });
    const expected = [friday, friday, published, published, corrected].map(([rate]) => rate);
    expect(await Promise.all(stored)).toEqual(expected);
  });

  describe('if there is none, the problem points to', () => {
    beforeAll(() =>
      // RUB ends on the first of these days.
      ledger.exchangeRates.record([
        { date: '2026-03-16', rates: { USD: '1.15', HUF: '390', RUB: '90' } },
        { date: '2026-04-07', rates: { USD: '1.16', HUF: '391', JPY: '184', GBP: '0.87' } },
      ]),
    );
    const [transaction, reporting] = ['/transactionCurrency', '/reportingCurrency'];

    test.each<[string, string, string, string[], first_date?: string]>([
      ['the date, before all rates', 'EUR USD', '2026-03-13', ['/date'], '2026-03-16'],
      ['the date, before all rates', 'USD JPY', '1990-01-01', ['/date'], '2026-03-20'],
      ['the date, before those of one currency', 'USD JPY', '2026-03-19', ['/date'], '2026-03-20'],
      ['the date, long after the last rate', 'EUR USD', '2026-04-06', ['/date'], '2026-03-16'],
      ['a currency without rates', 'EUR KES', '2026-04-08', [reporting]],
      ['both currencies without rates', 'NGN KES', '2026-03-13', [transaction, reporting]],
      ['a currency that ended', 'RUB USD', '2026-04-08', [transaction], '2026-03-16'],
    ])('%s: %s on %s', async (_, currencies, date, pointers, first_date) => {
      const [transaction = '', reporting = ''] = currencies.split(' ');
      const { error } = await post(currencies, { date });
      const params = { transaction, reporting, date, ...(first_date && { first_date }) };
      expect(error.details).toEqual(
        pointers.map((pointer) => ({
          code: 'exchange_rate_unavailable',
          pointer,
          message: 'There is no exchange rate for these currencies on this date.',
          params,
        })),
      );
    });
  });
});
