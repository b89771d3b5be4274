// Pages of a query. A page costs what it returns, and a bounded amount for what its filter leaves
// out: a filter that matches nothing must not read a tenant's whole history for every request.

import type { Key } from './keys.ts';
import type { Item, QueryInput, Table } from './table.ts';

/**
 * How much a page leaves out before it ends short or empty. The first call reads as many items as
 * the page may return, and the next ones are sized by the items before them. So a call whose items
 * are longer can exceed the bytes, by a megabyte at most; it is the last of its page.
 */
export type PageBounds = { items: number; bytes: number };

/** At most this many times the items that were examined so far are read by the next call. */
const growth = 8;

/** A strongly consistent read unit is of 4 KB (DynamoDB Developer Guide, "Read capacity"). */
const bytesPerUnit = 4_096;

/** What a call of a page has read. Of the items that it left undecided, a later call has more. */
type CallSummary = { items: number; units: number; found: number; leftOut: number };

/** Sizes the calls of a page, by what the calls before have found. */
export const openPageBudget = (bounds: PageBounds) => {
  let { items: itemsLeft, bytes: bytesLeft } = bounds;
  let [examined, decided, found, bytes] = [0, 0, 0, 0];
  return {
    /**
     * How many items the next call reads; 0 if the page ends here.
     * @param missing how many more items the page may return
     */
    nextLimit: (missing: number): number => {
      // One more than is missing shows whether there is another page.
      const wanted = missing + 1;
      if (examined === 0) return wanted;
      if (itemsLeft <= 0 || bytesLeft <= 0) return 0;
      const spare = Math.min(itemsLeft, Math.ceil((bytesLeft * examined) / bytes));
      const untilFull = found === 0 ? Number.POSITIVE_INFINITY : wanted * (decided / found);
      return Math.min(Math.ceil(untilFull), growth * examined, wanted + spare);
    },

    count: ({ items, units, leftOut, ...call }: CallSummary): void => {
      examined += items;
      found += call.found;
      decided += call.found + leftOut;
      bytes += units * bytesPerUnit;
      itemsLeft -= leftOut;
      bytesLeft -= items === 0 ? 0 : (units * bytesPerUnit * leftOut) / items;
    },
  };
};

/** Without the names of keys: an index has other keys than the table. */
type TableQuery = Omit<QueryInput, 'IndexName' | 'ExclusiveStartKey' | 'Limit'>;

export type PageOfItems = { items: Item[]; next: Key | undefined };

/**
 * Reads the items of a query that are wanted, `limit` of them at most. `next` is the key after
 * which the next page begins. While there is one, a page may be short or empty.
 *
 * @param options.after the key after which the page begins, which must lie in the query's range
 * @param options.wanted which of the items count; all by default
 */
export const readPage = async (
  table: Pick<Table, 'queryPage'>,
  input: TableQuery,
  options: {
    limit: number;
    bounds: PageBounds;
    after?: Key | undefined;
    wanted?: (item: Item) => boolean;
  },
): Promise<PageOfItems> => {
  const { limit, bounds, wanted = () => true } = options;
  const budget = openPageBudget(bounds);
  const items: Item[] = [];
  let after: Key | undefined = options.after;
  for (;;) {
    const Limit = budget.nextLimit(limit - items.length);
    if (Limit === 0) return { items, next: after };
    const page = await table.queryPage({ ...input, Limit }, after);
    const matching = page.items.filter(wanted);
    const taken = matching.slice(0, limit - items.length);
    items.push(...taken);
    if (taken.length < matching.length) return { items, next: keyOf(items.at(-1)) };
    after = keyOf(page.next);
    if (after === undefined || items.length === limit) return { items, next: after };
    budget.count({
      ...{ items: page.items.length, units: page.units },
      ...{ found: matching.length, leftOut: page.items.length - matching.length },
    });
  }
};

/** How many items a query finds. It costs what reading them costs, but nothing is sent. */
export const countItems = async (
  table: Pick<Table, 'queryPage'>,
  input: TableQuery,
): Promise<number> => {
  let total = 0;
  let after: Item | undefined;
  do {
    const { count, next } = await table.queryPage({ ...input, Select: 'COUNT' }, after);
    total += count;
    after = next;
  } while (after !== undefined);
  return total;
};

const keyOf = (item: Item | undefined): Key | undefined =>
  item && { pk: String(item.pk), sk: String(item.sk) };
