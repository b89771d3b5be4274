// The program of the reference computes the hashes and digests of replies.

import { expect, test } from 'vitest';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { loadVerificationProgram } from '../../support/readers/verification-program.ts';

test('hashes and digests can be recomputed from replies, as the reference says', async () => {
  const { hashOf, digestOf, reportDigestOf } = await loadVerificationProgram();
  const { post, call } = await openTenantCalls();
  const date = '2026-03-20';
  const first = await post({ date, amount: '11.55', currency: 'USD' });
  const second = await post({ date: '2026-03-19', accrual_date: date, amount: '1.00' });
  const later = await post({ date: '2026-03-23', amount: '2.00' });
  const zeros = '0'.repeat(64);
  const total = (Number(first.book_amount) + 3).toFixed(2);
  expect(first.hash).toBe(hashOf(first, zeros));
  expect(second.hash).toBe(hashOf(second, first.hash ?? ''));
  expect(later.hash).toBe(hashOf(later, zeros));
  const chains = [
    [date, 'MJ', 2, second.hash],
    ['2026-03-23', 'MJ', 1, later.hash],
  ];
  const { digest, entries_digest } = await call('getTrialBalance');
  expect(entries_digest).toBe(digestOf(chains));
  const bank = ['1010', 'asset', 'cash', 'cash'];
  const revenue = ['4010', 'revenue', 'operating_revenue', 'operating'];
  const rows = [
    [...bank, '', total, '0.00'],
    [...bank, 'USD', '11.55', '0.00'],
    [...revenue, '', '0.00', total],
    [...revenue, 'USD', '0.00', '11.55'],
  ];
  expect(digest).toBe(reportDigestOf(entries_digest, rows));
});
