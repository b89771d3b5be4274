// What an entry comes to in the books of its tenant, which have a currency of their own.

import { expect, test } from 'vitest';
import { createHandler } from '#functions/create-journal-entry/handler.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { tenantToolsOf } from '../../support/harnesses/tenant-tools.ts';

const ledger = await openTestLedger();
const prefixes = new Map<string, string>();
for (const currency of ['EUR', 'JPY', 'KES']) {
  const { prefix } = await ledger.createTenant(`Books in ${currency}`, { currency });
  prefixes.set(currency, prefix);
}
const handler = createHandler({
  posting: openPosting({
    ...ledger,
    clock: () => new Date('2026-03-24T12:00:00Z'),
  }),
  ...tenantToolsOf(ledger.table),
});

/** @param pair `USD GBP EUR`: transaction, reporting and book currency */
const post = async (pair: string, { amounts = ['100.00'], date = '2026-03-23' } = {}) => {
  const [transactionCurrency, reportingCurrency, booked = ''] = pair.split(' ');
  const total = amounts.reduce((sum, it) => sum + BigInt(it.replace('.', '')), 0n);
  const entries = [
    ...amounts.map((debit) => ({ account: '1010', debit })),
    { account: '4010', credit: `${total / 100n}.${String(total % 100n).padStart(2, '0')}` },
  ];
  const body = { domain_url: prefixes.get(booked), date, memo: 'Consulting', entries };
  const asked = { ...body, transactionCurrency, reportingCurrency };
  return readResult(await handler(apiEvent({ body: asked }), lambdaContext())).body;
};

// Of 2026-03-23: a euro is 1.1596 dollars, 183.86 yen or 0.86420 pounds.
test.each([
  ['are the reporting ones in the currency of the books', 'USD EUR EUR', '86.24', '86.24'],
  ['are at a rate of their own beside a third currency', 'USD GBP EUR', '74.53', '86.24'],
  ['are converted where nothing else is', 'USD USD EUR', '100.00', '86.24'],
  ['are as they were in the currency of the books', 'EUR USD EUR', '115.96', '100.00'],
  ['are in whole yen where the books are', 'USD EUR JPY', '86.24', '15855.00'],
  ['need no rate where nothing is exchanged', 'KES KES KES', '100.00', '100.00'],
])('book amounts %s: %s', async (_, pair, reported, booked) => {
  const [transaction = '', , currency = ''] = pair.split(' ');
  const { data } = await post(pair, { amounts: ['33.33', '66.67'] });
  expect([data.reporting_amount, data.book_amount, data.book_currency]).toEqual([
    ...[reported, booked, currency],
  ]);
  if (transaction === currency) expect(data.book_exchange_rate).toBe('1.00000000000');
  const hundredths = (field: string) =>
    data.transactions.map((line: Record<string, string>) => Number(line[field]?.replace('.', '')));
  const sumOf = (field: string) =>
    hundredths(field).reduce((sum: number, it: number) => sum + it, 0);
  const total = Number(booked.replace('.', ''));
  expect([sumOf('book_debit'), sumOf('book_credit')]).toEqual([total, total]);
});

test.each<[string, string, object, string, object]>([
  [
    'the books have a currency that never had a rate',
    'USD EUR KES',
    {},
    'exchange_rate_unavailable /transactionCurrency',
    { transaction: 'USD', book: 'KES', date: '2026-03-23' },
  ],
  [
    'nothing is exchanged but into such books',
    'EUR EUR KES',
    {},
    'exchange_rate_unavailable /transactionCurrency',
    { transaction: 'EUR', book: 'KES', date: '2026-03-23' },
  ],
  [
    'the transaction currency never had one',
    'KES KES EUR',
    {},
    'exchange_rate_unavailable /transactionCurrency',
    { transaction: 'KES', book: 'EUR', date: '2026-03-23' },
  ],
  [
    'there is none on the date, into the books alone',
    'USD USD EUR',
    { date: '2026-03-19' },
    'exchange_rate_unavailable /date',
    { transaction: 'USD', book: 'EUR', date: '2026-03-19', first_date: '2026-03-20' },
  ],
  [
    'there is none on the date, named once for both',
    'USD GBP EUR',
    { date: '2026-03-19' },
    'exchange_rate_unavailable /date',
    { transaction: 'USD', reporting: 'GBP', date: '2026-03-19', first_date: '2026-03-20' },
  ],
  [
    'the total is too large in the books alone',
    'EUR EUR JPY',
    { amounts: ['6000000000000.00'] },
    'amount_too_large /entries',
    { total: '1103160000000000.00', maximum: '999999999999999.99', currency: 'JPY' },
  ],
])('is refused where %s', async (_, pair, changes, problem, params) => {
  const { details } = (await post(pair, changes)).error;
  expect(
    details.map((it: { code: string; pointer: string }) => `${it.code} ${it.pointer}`),
  ).toEqual([problem]);
  expect(details[0].params).toEqual(params);
});
