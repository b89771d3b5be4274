// Pages of a query with a filter. A page reads the items that it returns and a limited amount of
// other items, so a filter without matches does not read a tenant's whole history.

import { type Key, keyOfItem } from './keys.ts';
import type { Item, QueryInput, Table } from './table.ts';

/**
 * The maximum of items that a page leaves out, and of bytes that it reads. Then it ends, even if it
 * is short or empty. The first call reads as many items as the page can return. The sizes of later
 * calls are estimates, so the last call can exceed the bytes by up to a megabyte.
 */
export type PageBounds = { items: number; bytes: number };

/** A call reads at most this many times the items that were examined before it. */
const maximumGrowth = 8;

/** The size of a strongly consistent read unit (DynamoDB Developer Guide, "Read capacity"). */
export const bytesPerReadUnit = 4_096;

/**
 * The result of a call. `matching` and `leftOut` can be less than `items` together: the last items
 * of a call may be the beginning of an entry that the next call completes.
 */
type CallSummary = { items: number; units: number; matching: number; leftOut: number };

export type PageBudget = ReturnType<typeof openPageBudget>;

/** Decides how many items the calls of a page read, from the results of the earlier calls. */
export const openPageBudget = (bounds: PageBounds) => {
  let { items: itemsLeft, bytes: bytesLeft } = bounds;
  let [examined, decided, matching, bytes] = [0, 0, 0, 0];
  /** A page without a filter reads what it returns. */
  let isFiltered = false;
  const isUsedUp = (): boolean => itemsLeft <= 0 || (isFiltered && bytesLeft <= 0);
  return {
    isUsedUp,

    /**
     * The number of items that the next call reads; 0 if the page ends here.
     * @param missing the number of items that the page can still return
     */
    nextLimit: (missing: number): number => {
      // One more item shows whether there is another page.
      const wanted = missing + 1;
      if (examined === 0) return wanted;
      if (decided > 0 && isUsedUp()) return 0;
      const affordable = isFiltered
        ? Math.max(1, Math.ceil((bytesLeft * examined) / bytes))
        : Number.POSITIVE_INFINITY;
      const untilFull = matching === 0 ? Number.POSITIVE_INFINITY : wanted * (decided / matching);
      const most = Math.min(affordable, wanted + itemsLeft, maximumGrowth * examined);
      return Math.min(Math.ceil(untilFull), most);
    },

    count: ({ items, units, leftOut, ...call }: CallSummary): void => {
      examined += items;
      matching += call.matching;
      decided += call.matching + leftOut;
      bytes += units * bytesPerReadUnit;
      itemsLeft -= leftOut;
      isFiltered ||= leftOut > 0;
      // Otherwise a page could end before it has decided about its first, long entry.
      const share = items === 0 ? 0 : Math.min(1, (call.matching + leftOut) / items);
      bytesLeft -= units * bytesPerReadUnit * share;
    },

    /** Counts a call that finds out which items to read. */
    spend: (units: number): void => {
      isFiltered = true;
      bytesLeft -= units * bytesPerReadUnit;
    },

    /** The read units that the page has left. */
    unitsLeft: (): number => bytesLeft / bytesPerReadUnit,
  };
};

/** A query of the table itself. An index has other keys. */
type TableQuery = Omit<QueryInput, 'IndexName' | 'ExclusiveStartKey' | 'Limit'>;

export type PageOfItems = { items: Item[]; next: Key | undefined };

/**
 * Reads up to `limit` items of a query. `next` is the key to continue after. A page with a `next`
 * can be short or empty.
 *
 * @param options.after the key that the page continues after, within the query's range
 * @param options.wanted the filter; by default all items match
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
      items: page.items.length,
      units: page.units,
      matching: matching.length,
      leftOut: page.items.length - matching.length,
    });
  }
};

/** Counts the items of a query. It uses as many read units as reading them. */
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

const keyOf = (item: Item | undefined): Key | undefined => item && keyOfItem(item);
