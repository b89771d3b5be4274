// Pages of a query: as many items as are asked for, of those that are wanted.

import type { Key } from './keys.ts';
import type { Item, QueryInput, Table } from './table.ts';

/**
 * A call of a query reads a megabyte at most (DynamoDB API Reference, "Query"), so a page reads no
 * more than eight, whatever it leaves out.
 */
const maximumCalls = 8;

/** How many times the items of a call the next one reads, since few of the first were wanted. */
const growth = 4;

/** Without the names of keys: an index has other keys than the table. */
type TableQuery = Omit<QueryInput, 'IndexName' | 'ExclusiveStartKey' | 'Limit'>;

export type PageOfItems = { items: Item[]; next: Key | undefined };

/**
 * Reads the items of a query that are wanted, `limit` of them at most. `next` is the key after
 * which the next page begins; while it is there, a page may be short or even empty.
 *
 * @param options.after the key after which the page begins, which must lie in the query's range
 * @param options.wanted which of the items count; all where it is left out
 */
export const readPage = async (
  table: Pick<Table, 'queryPage'>,
  input: TableQuery,
  options: { limit: number; after?: Key | undefined; wanted?: (item: Item) => boolean },
): Promise<PageOfItems> => {
  const { limit, wanted = () => true } = options;
  const items: Item[] = [];
  let after: Key | undefined = options.after;
  for (let call = 0; call < maximumCalls; call += 1) {
    // One more than is asked for shows whether there is another page.
    const page = await table.queryPage({ ...input, Limit: (limit + 1) * growth ** call }, after);
    for (const item of page.items.filter(wanted)) {
      if (items.length === limit) return { items, next: keyOf(items.at(-1)) };
      items.push(item);
    }
    after = keyOf(page.next);
    if (after === undefined) break;
  }
  return { items, next: after };
};

const keyOf = (item: Item | undefined): Key | undefined =>
  item && { pk: String(item.pk), sk: String(item.sk) };
