import { describe, expect, test } from 'vitest';
import { renderReport } from '#infra/ops/print.ts';

const lines = (text: string) => text.split('\n');

describe('a report', () => {
  test('shows single values in two columns', () => {
    expect(lines(renderReport({ key_id: 'k1', overdue: true, expires_at: null }))).toEqual([
      'key id      k1',
      'overdue     yes',
      'expires at  never',
    ]);
  });

  test('shows rows as a table after the single values', () => {
    const rows = [
      { currency: 'JPY', rate: '183.79', note: null },
      { currency: 'USD', rate: '1.1544', note: 'old' },
    ];
    expect(lines(renderReport({ rates: rows, date: '2026-03-23' }))).toEqual([
      'date  2026-03-23',
      'rates',
      '  currency  rate    note',
      '  JPY       183.79  -',
      '  USD       1.1544  old',
    ]);
  });

  test('shows nested values in one cell, with their names', () => {
    const urls = { redirect_urls: ['https://a', 'https://b'], left: { key_id: null } };
    expect(lines(renderReport({ changes: [{ before: {}, after: urls }] }))).toEqual([
      'changes',
      '  before  after',
      '  -       redirect urls [https://a, https://b], left [key id -]',
    ]);
  });

  test('shows one text per line, and says if there are none', () => {
    const report = { application: 'A', redirect_urls: ['https://a', 'https://b'], keys: [] };
    expect(lines(renderReport(report))).toEqual([
      'application  A',
      'redirect urls',
      '  https://a',
      '  https://b',
      'no keys',
    ]);
  });
});
