// Divides lists into batches.

/** Batches of at most `maximum` items, in order. */
export const batchesOf = <Work>(all: readonly Work[], maximum: number): Work[][] =>
  Array.from({ length: Math.ceil(all.length / maximum) }, (_, batch) =>
    all.slice(batch * maximum, (batch + 1) * maximum),
  );
