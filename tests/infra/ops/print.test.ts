import { describe, expect, test } from 'vitest';
import { commands } from '#infra/ops/command-list.ts';
import { renderHelp, renderReport } from '#infra/ops/print.ts';

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

describe('the help', () => {
  const usages = (words: string) =>
    lines(renderHelp(commands, words)).filter((line) => line.startsWith('npm run ops -- '));

  test('explains one command, with its note', () => {
    expect(lines(renderHelp(commands, 'keys create'))).toEqual([
      'npm run ops -- keys create --application NAME [--read-only] ' +
        '[--expires-in-days N | --expires-at ISO_TIME | --never-expires]',
      '  Issue an API key to an application.',
      `  ${commands.get('keys create')?.note}`,
      '',
      '  --local       use the local service; LEDGER_DATA is its data folder',
      '  --stage NAME  use a deployed stage; the default is LEDGER_STAGE',
      '  --json        print one line of JSON, for errors as well',
      '  --yes         change a protected stage without confirmation',
      '  --help        explain the command and do not run it',
    ]);
  });

  test('lists the commands of one noun', () => {
    expect(usages('rates')).toEqual([
      'npm run ops -- rates load FILE [--accept-jumps]',
      'npm run ops -- rates refresh',
      'npm run ops -- rates correct --date YYYY-MM-DD --currency CODE --rate RATE --reason TEXT',
      'npm run ops -- rates show [--date YYYY-MM-DD] [--currency CODE]',
    ]);
  });

  test.each([
    ['nothing', ''],
    ['an unknown command', 'keys destroy'],
    ['part of a word', 'key'],
  ])('lists all commands for %s', (_title, words) => {
    expect(usages(words)).toHaveLength(commands.size);
  });
});
