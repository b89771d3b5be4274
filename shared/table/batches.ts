// Divides lists and streams of items into batches.

/** Batches of at most `maximum` items, in order. */
export const batchesOf = <Work>(all: readonly Work[], maximum: number): Work[][] =>
  Array.from({ length: Math.ceil(all.length / maximum) }, (_, batch) =>
    all.slice(batch * maximum, (batch + 1) * maximum),
  );

/**
 * Collects items and checks them in batches, since the table reads many items at once. Call `flush`
 * at the end.
 */
export const inBatches = <Item>(size: number, check: (items: Item[]) => Promise<void>) => {
  let waiting: Item[] = [];
  const flush = async (): Promise<void> => {
    const items = waiting;
    waiting = [];
    if (items.length > 0) await check(items);
  };
  return {
    flush,
    add: async (item: Item): Promise<void> => {
      waiting.push(item);
      if (waiting.length === size) await flush();
    },
  };
};
