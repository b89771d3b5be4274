// The pages of an archive of books. tests/end-to-end/archive.test.ts verifies whole archives.

import { expect, test } from 'vitest';
import { openTenantCalls } from '../../support/harnesses/calls.ts';

const date = '2026-03-20';

type Parts = { parts: { name: string; content: string }[] };

/** The lines of a file in these pages. */
const linesOf = (pages: readonly Parts[], file: string) =>
  pages
    .flatMap(({ parts }) => parts.filter(({ name }) => name === file))
    .flatMap(({ content }) => content.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line));

test('a date with many entries is divided, without later entries', async () => {
  const { call, pages, post } = await openTenantCalls();
  await post({ date: '2026-03-19', amount: '1.00' });
  const entries = ['debit', 'credit'].flatMap((side) => [
    { account: '1010', [side]: '2.00' },
    { account: '4010', [side]: '3.00' },
  ]);
  const common = { date, memo: 'Sale', transactionCurrency: 'EUR', reportingCurrency: 'EUR' };
  for (let batch = 0; batch < 24; batch += 1) {
    const journal_entries = Array.from({ length: 25 }, () => ({ ...common, entries }));
    await call('createEntries', { journal_entries });
  }
  const archive = await pages('exportBooks', {}, () => post({ date, amount: '1.00' }));
  expect(archive.length).toBeGreaterThan(1);
  const [first, ...others] = linesOf(archive, 'entries.ndjson');
  expect(first.posting_date).toBe('2026-03-19');
  expect(linesOf(archive, 'sheets.ndjson')).toMatchObject([
    { posting_date: '2026-03-19', counted: 1 },
    { posting_date: date, counted: 600, head: others.at(-1).hash },
  ]);
  const sequences = others.map(
    ({ posting_sequence }: { posting_sequence: number }) => posting_sequence,
  );
  expect(sequences).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
});

test('an archive ends with a posting date, and books without entries have one too', async () => {
  const { call, pages, post, send } = await openTenantCalls();
  const empty = await call('exportBooks');
  expect(empty.next_cursor).toBeNull();
  await post({ date, amount: '1.00' });
  await post({ date: '2026-03-21', amount: '2.00' });
  const archive = await pages('exportBooks', { to: date });
  expect(linesOf(archive, 'entries.ndjson')).toHaveLength(1);
  const { digest, entries_digest } = await call('getTrialBalance', { as_of: date });
  expect(linesOf(archive, 'digests.ndjson')).toEqual([{ as_of: date, digest, entries_digest }]);
  expect((await send('exportBooks', { domain_url: 'nobody-aaaaaa' })).status).toBe(404);
});
