import Big from 'big.js';
import { expect, test } from 'vitest';
import { sidesOf } from '#shared/money/sides.ts';

test.each([
  ['12.5', '12.5', '0'],
  ['-12.5', '0', '12.5'],
  ['0', '0', '0'],
  ['-0', '0', '0'],
])('%s is %s on the debit side and %s on the credit side', (amount, debit, credit) => {
  const sides = sidesOf(new Big(amount));
  expect([sides.debit.toFixed(), sides.credit.toFixed()]).toEqual([debit, credit]);
});
