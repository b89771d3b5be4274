// What it costs at the table to read the books: calls in sequence, and consumed capacity.

import { beforeAll, describe, expect, test } from 'vitest';
import { costOf } from './support/dynamodb/costs.ts';
import { linesOf, openEntryReading } from './support/harnesses/entry-reading.ts';

const books = await openEntryReading();
const inDollars = { transactionCurrency: 'USD', external_id: 'once' };

beforeAll(async () => {
  await books.post(inDollars);
  await books.post({ entries: linesOf(150), external_id: 'long' });
  for (let entry = 0; entry < 60; entry += 1) {
    const consulting = { memo: `Consulting of day ${entry}`, transactionCurrency: 'USD' };
    await books.post({ ...consulting, date: '2026-03-22', external_id: `invoice-${entry}` });
    await books.post({ ...consulting, date: '2026-03-21', accrual_date: '2026-04-30' });
  }
});

const costOfAsking = async (verb: 'get' | 'list', query: object) => {
  const cost = await costOf(async () => {
    expect(await books.ask(verb, query)).toMatchObject({ status: 200 });
  });
  return [cost.sequentialCalls, cost.operations.sort().join(), cost.units.read, cost.units.write];
};

describe('to read', () => {
  test.each<[string, object, unknown[]]>([
    ['by its number', { journal_number: 'MJ-20260323-0001' }, [1, 'BatchGetItem', 2, 0]],
    ['by its external_id', { external_id: 'once' }, [2, 'BatchGetItem,Query', 3, 0]],
    ['of 150 lines', { journal_number: 'MJ-20260323-0002' }, [2, 'BatchGetItem,Query', 8, 0]],
  ])('an entry %s', async (_, query, cost) => {
    expect(await costOfAsking('get', query)).toEqual(cost);
  });

  const scheduled = { status: 'scheduled', order: 'asc' };
  test.each<[string, object, unknown[]]>([
    ['the latest 50 entries', { to: '2026-03-22' }, [1, 'BatchGetItem,Query', 12, 0]],
    [
      'the latest 50 of an account',
      { to: '2026-03-22', account: '1010' },
      [2, 'BatchGetItem,Query', 13, 0],
    ],
    ['the next 50 that are scheduled', scheduled, [2, 'BatchGetItem,BatchGetItem,Query', 53, 0]],
    ['the latest 50, of which one is long', {}, [2, 'BatchGetItem,Query,Query', 16, 0]],
    ['a list without any', { to: '2025-12-31' }, [1, 'BatchGetItem,Query', 2, 0]],
  ])('%s', async (_, query, cost) => {
    expect(await costOfAsking('list', query)).toEqual(cost);
  });
});
