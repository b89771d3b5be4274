// Rows of earlier versions, which lack the book balances of other currencies.

import { expect, test } from 'vitest';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { tenantKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import { someRates } from '../../../support/builders/ledger.ts';
import { openVerification, rowsOf } from '../../../support/harnesses/books-verification.ts';
import { callsOf } from '../../../support/harnesses/calls.ts';
import { openInstance } from '../../../support/harnesses/instances.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';

const operator = useOperator();
const { verifyTenant, harm } = openVerification(operator);

test('a repair adds the book balances that earlier versions did not record', async () => {
  const { name, post } = await openBooks(operator.ledger, { prefix: 'earlier' });
  const lines = [
    ['1010', '1340'],
    ['4010', '-1340'],
  ] as const;
  await openExchangeRates(operator.ledger.table, { maximumAgeDays: 7 }).record(someRates);
  await post({ lines, currency: 'USD' });
  const clock = () => new Date('2026-03-23T12:00:00.000Z');
  const instance = openInstance({ table: operator.ledger.table, clock });
  const { send } = callsOf(instance, {
    applicationId: name.applicationId,
    domain_url: 'earlier',
  });
  const booked = async () => {
    const { status, body } = await send('getRevaluation', { as_of: '2026-03-20' });
    return status === 200 ? body.data.rows[0].book_balance : body.error.code;
  };
  const before = await booked();
  await harm(
    { pk: tenantKey(name).pk, sk: 'SEQUENCE#2026-03-20#MJ' },
    rowsOf((rows) => rows.replaceAll(/\tUSD\t.*/g, '\tUSD')),
  );
  expect(await booked()).toBe('book_amounts_unknown');
  expect(await verifyTenant('earlier')).toMatchObject({ difference_count: 0, repaired: [] });
  const repair = await verifyTenant('earlier', { repair: true });
  expect(repair.repaired).toMatchObject([
    { what: 'row 1010 USD', found: expect.stringMatching(/booked unknown$/) },
    { what: 'row 4010 USD', found: expect.stringMatching(/booked unknown$/) },
  ]);
  expect(await booked()).toBe(before);
  expect(await verifyTenant('earlier', { repair: true })).toMatchObject({ repaired: [] });
});
