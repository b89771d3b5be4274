// What it costs at the table to reverse an entry and to cancel one: calls, and consumed capacity.

import { expect, test } from 'vitest';
import { costOf } from './support/dynamodb/costs.ts';
import { openCorrectionCalls } from './support/harnesses/corrections.ts';
import { linesOf } from './support/harnesses/entry-reading.ts';

const { create, reverse, cancel } = await openCorrectionCalls();
const date = '2026-03-24';
const accrual_date = '2026-04-30';

const inTwoCalls = (read: number, write: number) => ({
  ...{ sequentialCalls: 2, operations: ['BatchGetItem', 'TransactWriteItems'] },
  units: { read, write },
});

test('a reversal costs one batch read and one transaction, and its replay a query', async () => {
  const { journal_entry_id } = await create();
  const asked = { journal_entry_id, date };
  expect(await costOf(() => reverse(asked))).toEqual(inTwoCalls(3, 6));
  expect(await costOf(() => reverse(asked))).toEqual({
    ...{ sequentialCalls: 2, operations: ['BatchGetItem', 'Query'] },
    units: { read: 4, write: 0 },
  });
});

test('by an external_id, or of more than a hundred lines, it costs a query more', async () => {
  const operations = ['BatchGetItem', 'Query', 'TransactWriteItems'];
  await create({ external_id: 'invoice-1' });
  const named = { original_external_id: 'invoice-1', date };
  expect(await costOf(() => reverse(named))).toEqual({
    ...{ sequentialCalls: 3, operations, units: { read: 4, write: 6 } },
  });
  const { journal_entry_id } = await create({ entries: linesOf(150) });
  expect(await costOf(() => reverse({ journal_entry_id, date }))).toMatchObject({ operations });
});

test('to cancel costs one batch read and one transaction', async () => {
  const { journal_number } = await create({ accrual_date });
  expect(await costOf(() => cancel({ journal_number }))).toEqual(inTwoCalls(2, 4));
  expect(await costOf(() => cancel({ journal_number }))).toEqual({
    ...{ sequentialCalls: 1, operations: ['BatchGetItem'], units: { read: 2, write: 0 } },
  });
  const original = await create();
  const { journal_entry_id } = original;
  const scheduled = await reverse({ journal_entry_id, date, accrual_date });
  const named = { journal_entry_id: scheduled.journal_entry_id };
  expect(await costOf(() => cancel(named))).toEqual(inTwoCalls(2, 6));
});
