import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PageBounds, type PageOfItems, readPage } from '#shared/table/pages.ts';
import type { Item } from '#shared/table/table.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();
const wide: PageBounds = { items: 1_000, bytes: 1_000_000 };

const numbersIn = (pk: string, count: number): Item[] =>
  Array.from({ length: count }, (_, number) => ({ pk, sk: `${number}`.padStart(4, '0'), number }));
const inPartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** The numbers on all pages of a query. */
const pagesOf = async (
  input: Parameters<typeof readPage>[1],
  options: Pick<Parameters<typeof readPage>[2], 'limit' | 'wanted'> & { bounds?: PageBounds },
): Promise<unknown[][]> => {
  const pages: unknown[][] = [];
  let next: PageOfItems['next'];
  do {
    const paging = { bounds: wide, ...options, after: next };
    const page = await readPage(database.table, input, paging);
    pages.push(page.items.map(({ number }) => number));
    next = page.next;
  } while (next !== undefined);
  return pages;
};

describe('pages of a query', () => {
  const five = numbersIn('five', 5);
  test.each([
    ['have the requested length', {}, 2, undefined, [[0, 1], [2, 3], [4]]],
    ['run backwards', { ScanIndexForward: false }, 2, undefined, [[4, 3], [2, 1], [0]]],
    ['end with the query, without an empty page', {}, 5, undefined, [[0, 1, 2, 3, 4]]],
    ['have only matching items', {}, 1, (it: Item) => Number(it.number) % 3 === 1, [[1], [4]]],
    ['can be a single empty one', {}, 2, () => false, [[]]],
  ])('%s', async (_title, input, limit, wanted, pages) => {
    await database.seed(...five);
    const options = { limit, ...(wanted && { wanted }) };
    expect(await pagesOf({ ...inPartition('five'), ...input }, options)).toEqual(pages);
  });

  test('take one call without a filter', async () => {
    await database.seed(...numbersIn('many', 20));
    const cost = await costOf(async () => {
      await readPage(database.table, inPartition('many'), { limit: 7, bounds: wide });
    });
    expect(cost).toMatchObject({ operations: ['Query'], sequentialCalls: 1 });
  });

  test('have each matching item once, and examine no more items than the bound', async () => {
    const all = numbersIn('hundred', 100);
    await database.seed(...all);
    const drawn = fc.record({
      limit: fc.integer({ min: 1, max: 20 }),
      items: fc.integer({ min: 1, max: 60 }),
      wanted: fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 40 }),
    });
    const property = fc.asyncProperty(drawn, async ({ limit, items, ...it }) => {
      const wanted = new Set(it.wanted);
      const bounds = { items, bytes: 1_000_000 };
      const read: unknown[] = [];
      let after: PageOfItems['next'];
      do {
        let examined = 0;
        const isWanted = ({ number }: Item) => {
          examined += 1;
          return wanted.has(Number(number));
        };
        const options = { limit, bounds, after, wanted: isWanted };
        const page = await readPage(database.table, inPartition('hundred'), options);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        expect(examined).toBeLessThanOrEqual(limit + 1 + items);
        read.push(...page.items.map(({ number }) => number));
        after = page.next;
      } while (after !== undefined);
      expect(read).toEqual([...wanted].sort((one, other) => one - other));
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('end after a call that left out too many bytes', async () => {
    const text = 'x'.repeat(390_000);
    const large = numbersIn('large', 6).map((item) => ({ ...item, text }));
    await database.seed(...large);
    const bounds = { items: 100, bytes: 80_000 };
    const options = { limit: 1, bounds, wanted: ({ number }: Item) => number === 5 };
    expect(await pagesOf(inPartition('large'), options)).toEqual([[], [], [5], []]);
    const cost = await costOf(async () => {
      const page = await readPage(database.table, inPartition('large'), options);
      expect(page).toEqual({ items: [], next: { pk: 'large', sk: '0001' } });
    });
    expect(cost.operations).toHaveLength(1);
  });
});
