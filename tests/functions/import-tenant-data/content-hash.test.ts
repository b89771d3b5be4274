import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { contentHashOf } from '#functions/import-tenant-data/content-hash.ts';
import type { PlatformJournal } from '#shared/platforms/platform.ts';
import { journal, line } from '../../support/harnesses/tenant-imports.ts';

describe('the hash of a journal', () => {
  const same = { lines: [line('1', { debit: '100' }), line('2', { credit: '100' })] };
  const [, credit = line('2', { credit: '100' })] = same.lines;
  const withDebit = (...debit: Parameters<typeof line>) => ({ lines: [line(...debit), credit] });
  const tax = { id: '9', isTax: true } as const;
  const dollars = { ...same, currency: 'USD', exchangeRate: new Big('0.9') };
  const hashOf = (it: Partial<PlatformJournal>) =>
    contentHashOf(journal('a', { memo: '', ...it }), 'EUR');

  test.each<[string, Partial<PlatformJournal>, Partial<PlatformJournal>?]>([
    ['the order of its lines', { lines: same.lines.toReversed() }],
    ['an explicit own currency', { ...same, currency: 'EUR', exchangeRate: new Big(1) }],
    ['the decimals of amounts', withDebit('1', { debit: '100.00' })],
    [
      'the account of an unnamed tax',
      withDebit('tax', { debit: '100' }),
      withDebit(tax, { debit: '100' }),
    ],
  ])('does not depend on %s', (_, one, other = same) => {
    expect(hashOf(one)).toBe(hashOf(other));
  });

  test.each<[string, Partial<PlatformJournal>, Partial<PlatformJournal>?]>([
    ['date', { ...same, date: '2026-03-21' }],
    ['memo', { ...same, memo: 'another' }],
    ['currency', dollars],
    ['rate', dollars, { ...dollars, exchangeRate: new Big('0.91') }],
    ['number of lines', { lines: [...same.lines, ...same.lines] }],
    ['account', withDebit({ code: '1' }, { debit: '100' })],
    ['sides', { lines: [line('2', { debit: '100' }), line('1', { credit: '100' })] }],
    ['descriptions', withDebit('1', { debit: '100', description: 'x' })],
  ])('depends on its %s', (_, one, other = same) => {
    expect(hashOf(one)).not.toBe(hashOf(other));
  });
});
