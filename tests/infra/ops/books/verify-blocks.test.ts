import { expect, test } from 'vitest';
import { tenantKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import { openVerification, put } from '../../../support/harnesses/books-verification.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';

const operator = useOperator();
const { verifyTenant, differencesWith } = openVerification(operator);

test('a block that lacks an account of its entries, or is too early, is found', async () => {
  const { name, post } = await openBooks(operator.ledger, { prefix: 'many' });
  for (let entry = 1; entry <= 300; entry += 1) {
    const debit = entry === 250 ? '1020' : '1010';
    await post({
      lines: [
        [debit, '1'],
        ['4010', '-1'],
      ],
    });
  }
  expect(await verifyTenant('many')).toMatchObject({ entries: 300, difference_count: 0 });
  const block = { ...tenantKey(name), sk: 'BLOCK#2026-03-20#MJ#000000300' };
  const without = put({ accounts: '=1010\n=4010' });
  const what = 'block of entries up to MJ-20260320-0300';
  expect(await differencesWith('many', block, without)).toEqual([what]);
  const early = put({ recordedUntil: Date.parse('2026-03-01T00:00:00Z') });
  expect(await differencesWith('many', block, early)).toEqual([`time of the ${what}`]);
  expect(await differencesWith('many', block, 'removed')).toEqual([]);
});
