import { beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/create-journal-entry/handler.ts';
import { openEntryReader } from '#shared/entries/entry-reader.store.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { entryKey } from '#shared/table/keys.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { tenantToolsOf } from '../../support/harnesses/tenant-tools.ts';

const ledger = await openTestLedger();
const { prefix, schemaName } = await ledger.createTenant('Acme');

const openPoster = (maximumAgeDays?: number) => {
  const handler = createHandler({
    posting: openPosting({
      ...ledger,
      exchangeRates: openExchangeRates(ledger.table, { maximumAgeDays }),
      clock: () => new Date('2026-04-08T12:00:00Z'),
    }),
    ...tenantToolsOf(ledger.table),
  });
  return async (pair: string, date: string) => {
    const [transactionCurrency, reportingCurrency] = pair.split(' ');
    const sides = [
      { account: '1010', debit: '100' },
      { account: '4010', credit: '100' },
    ];
    const body = { domain_url: prefix, date, memo: 'Consulting', entries: sides };
    const asked = { ...body, transactionCurrency, reportingCurrency };
    return readResult(await handler(apiEvent({ body: asked }), lambdaContext())).body;
  };
};

describe('a rate that arrives is used from the next post on', () => {
  // Another process than the one that posts.
  const operator = openExchangeRates(ledger.table, { maximumAgeDays: undefined });
  const date = '2026-03-24';
  const post = openPoster();
  const rateNow = async () => {
    const { data } = await post('EUR USD', date);
    return [data.exchange_rate, data.exchange_rate_date, data.exchange_rate_source];
  };
  const friday = ['1.15960000000', '2026-03-23', 'ecb_published'];

  test('whether it is that of a new day or a corrected one', async () => {
    // The first post of a process makes the day known, the second finds it.
    expect([await rateNow(), await rateNow()]).toEqual([friday, friday]);
    await operator.record([{ date, rates: { USD: '1.1601' } }]);
    expect([await rateNow(), await rateNow()]).toEqual(
      Array.from({ length: 2 }, () => ['1.16010000000', date, 'ecb_published']),
    );
    const correction = { date, currency: 'USD', rate: '1.1611', reason: 'a slip' };
    const author = { correctedBy: 'grace', correctedAt: '2026-04-08T12:00:00Z' };
    await operator.correct({ ...correction, ...author });
    expect(await rateNow()).toEqual(['1.16110000000', date, 'operator_corrected']);
    // Completed later, the day still knows whose rate it has.
    await operator.record([{ date, rates: { USD: '1.1601', JPY: '184.02' } }]);
    expect(await rateNow()).toEqual(['1.16110000000', date, 'operator_corrected']);
    const inYen = await post('EUR JPY', date);
    expect(inYen.data.exchange_rate_source).toBe('ecb_published');
  });

  test('and an entry that was posted keeps the one that it has', async () => {
    const name = { applicationId: 'app1', schemaName };
    const reader = openEntryReader(ledger.table);
    const rates = [1, 2, 3, 4, 5].map(async (sequence) => {
      const key = entryKey(name, { series: 'MJ', date, sequence });
      return (await reader.get(key)).exchangeRate;
    });
    const before = ['1.15960000000', '1.15960000000', '1.16010000000', '1.16010000000'];
    expect(await Promise.all(rates)).toEqual([...before, '1.16110000000']);
  });
});

describe('where there is no rate, the refusal points to', () => {
  const post = openPoster(7);
  beforeAll(() =>
    // The ruble ends with the first of them.
    ledger.exchangeRates.record([
      { date: '2026-03-16', rates: { USD: '1.15', HUF: '390', RUB: '90' } },
      { date: '2026-04-07', rates: { USD: '1.16', HUF: '391', JPY: '184', GBP: '0.87' } },
    ]),
  );

  test.each([
    ['the date, before all rates', 'EUR USD', '2026-03-13', ['/date'], '2026-03-16'],
    ['the date, before all rates', 'USD JPY', '1990-01-01', ['/date'], '2026-03-20'],
    ['the date, before those of one currency', 'USD JPY', '2026-03-19', ['/date'], '2026-03-20'],
    ['the date, long after the last', 'EUR USD', '2026-04-06', ['/date'], '2026-03-16'],
    ['a currency that never had one', 'EUR KES', '2026-04-08', ['/reportingCurrency'], undefined],
    [
      'both currencies that never had one',
      'NGN KES',
      '2026-03-13',
      ['/transactionCurrency', '/reportingCurrency'],
      undefined,
    ],
    [
      'a currency that has one no more',
      'RUB USD',
      '2026-04-08',
      ['/transactionCurrency'],
      '2026-03-16',
    ],
  ])('%s: %s on %s', async (_, pair, date, pointers, firstDate) => {
    const [transaction = '', reporting = ''] = pair.split(' ');
    const { error } = await post(pair, date);
    const params = { transaction, reporting, date, ...(firstDate && { first_date: firstDate }) };
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
