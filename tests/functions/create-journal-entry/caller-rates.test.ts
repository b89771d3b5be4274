// Entries with an exchange rate of the caller's own.

import { describe, expect, test } from 'vitest';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf } from '../../support/readers/replies.ts';

// Today is 2026-03-24. On 2026-03-23 a dollar is 0.86236633322 euro. There are no rates for KES.
const { ledger, send, call } = await openTenantCalls();
const dollars = await ledger.createTenant('Books in dollars', { currency: 'USD' });

const bodyOf = (currencies: string, fields: object = {}) => {
  const [transactionCurrency, reportingCurrency] = currencies.split(' ');
  return {
    date: '2026-03-23',
    memo: 'Consulting',
    transactionCurrency,
    reportingCurrency,
    entries: [
      { account: '1010', debit: '100' },
      { account: '4010', credit: '33.33' },
      { account: '4010', credit: '66.67' },
    ],
    ...fields,
  };
};
const create = (currencies: string, fields: object = {}) =>
  send('createEntry', bodyOf(currencies, fields));

const known = '0.86236633322';

test('the rate of the request is used in the report and the books, and kept', async () => {
  const { body } = await create('USD EUR', { exchange_rate: '0.9', external_id: 'own' });
  expect(body.data).toMatchObject({
    exchange_rate: '0.90000000000',
    exchange_rate_date: '2026-03-23',
    exchange_rate_source: 'caller',
    known_exchange_rate: known,
    reporting_amount: '90.00',
    book_amount: '90.00',
    book_exchange_rate: '0.90000000000',
  });
  const { journal_entry_id } = body.data;
  const { replayed: _, ...entry } = body.data;
  expect(await call('getEntry', { external_id: 'own' })).toEqual(entry);
  const reversal = await call('reverseEntry', { journal_entry_id });
  expect(reversal).toMatchObject({
    exchange_rate: '0.90000000000',
    exchange_rate_source: 'caller',
    known_exchange_rate: known,
    book_amount: '90.00',
  });
});

test('an entry without a rate of its own does not have the field', async () => {
  const { body } = await create('USD EUR');
  expect(body.data).not.toHaveProperty('known_exchange_rate');
});

test.each<[string, string, object]>([
  ['currencies without rates', 'KES EUR', {}],
  ['a date without rates', 'USD EUR', { date: '2026-01-05' }],
])('without a known rate, for %s, it is accepted and says so', async (_, currencies, fields) => {
  const { body } = await create(currencies, { exchange_rate: '0.00712345678', ...fields });
  expect(body.data).toMatchObject({
    exchange_rate: '0.00712345678',
    exchange_rate_source: 'caller',
    known_exchange_rate: null,
  });
});

test('a date after today is posted', async () => {
  const { body } = await create('USD EUR', { date: '2026-03-25', exchange_rate: '0.9' });
  expect(body.data).toMatchObject({ status: 'posted', exchange_rate: '0.90000000000' });
});

describe('beside a third book currency', () => {
  const inDollars = (currencies: string, fields: object) =>
    create(currencies, { domain_url: dollars.prefix, ...fields });

  test('the books have the rate of the service', async () => {
    const { body } = await inDollars('EUR GBP', { exchange_rate: '0.9' });
    expect(body.data).toMatchObject({
      exchange_rate: '0.90000000000',
      reporting_amount: '90.00',
      book_exchange_rate: '1.15960000000',
      book_amount: '115.96',
    });
  });

  test.each<[string, string, object, string]>([
    ['has no rate', 'KES GBP', {}, 'exchange_rate_unavailable /transactionCurrency'],
    ['has none yet', 'EUR GBP', { date: '2026-03-25' }, 'no_rate_after_today /date'],
  ])('an entry whose book currency %s is refused', async (_, currencies, fields, problem) => {
    const reply = await inDollars(currencies, { exchange_rate: '0.9', ...fields });
    expect(problemsOf(reply)).toEqual([problem]);
  });
});

describe('a rate far from the known rate', () => {
  test.each<[string, string]>([
    ['exactly twice', '1.72473266644'],
    ['exactly half', '0.43118316661'],
  ])('is accepted up to %s', async (_, exchange_rate) => {
    expect((await create('USD EUR', { exchange_rate })).status).toBe(200);
  });

  test.each<[string, string]>([
    ['above', '1.72473266645'],
    ['below', '0.4311831666'],
  ])('is refused just %s, and accepted if the request says so', async (_, exchange_rate) => {
    for (const accept_rate of [undefined, false]) {
      const { body } = await create('USD EUR', { exchange_rate, accept_rate });
      expect(body.error.details).toMatchObject([
        {
          code: 'exchange_rate_differs',
          pointer: '/exchange_rate',
          params: {
            known_exchange_rate: known,
            known_exchange_rate_date: '2026-03-23',
            known_exchange_rate_source: 'ecb_derived',
          },
        },
      ]);
    }
    const { body } = await create('USD EUR', { exchange_rate, accept_rate: true });
    expect(body.data).toMatchObject({ exchange_rate_source: 'caller', known_exchange_rate: known });
  });

  test('is named by its place in a list', async () => {
    const journal_entries = [bodyOf('USD EUR'), bodyOf('USD EUR', { exchange_rate: '9' })];
    expect(problemsOf(await send('createEntries', { journal_entries }))).toEqual([
      'exchange_rate_differs /journal_entries/1/exchange_rate',
    ]);
  });
});

test.each<[string, unknown, string]>([
  ['zero', '0', 'exchange_rate_not_valid'],
  ['twelve decimals', '1.123456789012', 'exchange_rate_not_valid'],
  ['thirteen digits', '1234567890123', 'exchange_rate_not_valid'],
  ['a sign', '-1', 'exchange_rate_not_valid'],
  ['an exponent', '1e2', 'exchange_rate_not_valid'],
  ['nothing', '', 'exchange_rate_not_valid'],
  ['a number', 1.5, 'wrong_type'],
])('%s is not a rate', async (_, exchange_rate, code) => {
  // The entry has no known rate either, which is not a problem before its own can be read.
  const reply = await create('KES EUR', { exchange_rate });
  expect(problemsOf(reply)).toEqual([`${code} /exchange_rate`]);
});

test('between equal currencies, the rate can only be 1', async () => {
  expect(problemsOf(await create('EUR EUR', { exchange_rate: '1.1' }))).toEqual([
    'exchange_rate_not_one /exchange_rate',
  ]);
  const { body } = await create('EUR EUR', { exchange_rate: '1.0' });
  expect(body.data.exchange_rate_source).toBe('same_currency');
});

describe('a repeat', () => {
  test.each<[string, string, string | undefined, string | undefined, boolean]>([
    ['with the same rate', 'USD EUR', '0.9', '0.900', true],
    ['with another rate', 'USD EUR', '0.9', '0.91', false],
    ['without the rate', 'USD EUR', '0.9', undefined, false],
    ['with a rate, of an entry without', 'USD EUR', undefined, known, false],
    ['with a far rate', 'USD EUR', undefined, '9', false],
    ['with a rate of 1, of an entry without', 'EUR EUR', undefined, '1', true],
  ])('%s returns the entry', async (title, currencies, first, second, isSame) => {
    const external_id = title;
    const { body } = await create(currencies, { external_id, exchange_rate: first });
    const again = await create(currencies, { external_id, exchange_rate: second });
    expect(again.body.data).toEqual({ ...body.data, replayed: true });
    expect(again.headers['Idempotency-Mismatch']).toBe(isSame ? undefined : '/exchange_rate');
  });
});

test('a dry run shows the entry with its rate', async () => {
  const { body } = await create('USD EUR', { exchange_rate: '0.9', dry_run: true });
  expect(body.data).toMatchObject({ reporting_amount: '90.00', known_exchange_rate: known });
});
