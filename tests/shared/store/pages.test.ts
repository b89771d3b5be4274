import { describe, expect, test } from 'vitest';
import { type PageOfItems, readPage } from '#shared/store/pages.ts';
import type { Item } from '#shared/store/table.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();

const numbersIn = (pk: string, count: number): Item[] =>
  Array.from({ length: count }, (_, number) => ({ pk, sk: `${number}`.padStart(4, '0'), number }));
const inPartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** The numbers of each page of a query, to its end. */
const pagesOf = async (
  input: Parameters<typeof readPage>[1],
  options: Pick<Parameters<typeof readPage>[2], 'limit' | 'wanted'>,
): Promise<unknown[][]> => {
  const pages: unknown[][] = [];
  let next: PageOfItems['next'];
  do {
    const page = await readPage(database.table, input, { ...options, after: next });
    pages.push(page.items.map(({ number }) => number));
    next = page.next;
  } while (next !== undefined);
  return pages;
};

describe('pages of a query', () => {
  const five = numbersIn('five', 5);
  test.each([
    ['are as long as was asked for', {}, 2, undefined, [[0, 1], [2, 3], [4]]],
    ['run backwards', { ScanIndexForward: false }, 2, undefined, [[4, 3], [2, 1], [0]]],
    ['end where the query ends, without an empty one', {}, 5, undefined, [[0, 1, 2, 3, 4]]],
    ['have only what is wanted', {}, 1, (it: Item) => Number(it.number) % 3 === 1, [[1], [4]]],
    ['may be one, and empty', {}, 2, () => false, [[]]],
  ])('%s', async (_title, input, limit, wanted, pages) => {
    await database.seed(...five);
    const options = { limit, ...(wanted && { wanted }) };
    expect(await pagesOf({ ...inPartition('five'), ...input }, options)).toEqual(pages);
  });

  test('cost one call of one item more, where all is wanted', async () => {
    await database.seed(...numbersIn('many', 20));
    const cost = await costOf(async () => {
      await readPage(database.table, inPartition('many'), { limit: 7 });
    });
    expect(cost).toMatchObject({ operations: ['Query'], sequentialCalls: 1 });
  });

  test('read eight megabytes at most, and go on from there', async () => {
    const text = 'x'.repeat(390_000);
    const large = numbersIn('large', 26).map((item) => ({ ...item, text }));
    await database.seed(...large);
    const wanted = ({ number }: Item) => number === 0 || number === 25;
    expect(await pagesOf(inPartition('large'), { limit: 1, wanted })).toEqual([[0], [25]]);
    const cost = await costOf(async () => {
      const page = await readPage(database.table, inPartition('large'), {
        limit: 1,
        wanted: () => false,
      });
      expect(page).toEqual({ items: [], next: { pk: 'large', sk: '0015' } });
    });
    expect(cost.operations).toHaveLength(8);
  });
});
