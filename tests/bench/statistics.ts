// Robust statistics of measured times: quantiles, and ratios whose spread is known.

/** The nearest-rank quantile: a value that was really measured. */
export const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
};

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5);

export type Spread = { p50: number; p99: number; samples: number };

export const spreadOf = (values: readonly number[]): Spread => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  samples: values.length,
});

/** A ratio, and the extremes of those that it was made of. */
export const withExtremes = (ratio: number, ratios: readonly number[]) => ({
  ratio,
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios),
});

const blocks = 5;

/**
 * The ratio of two medians, and between which ratios five blocks of the same samples lie: what
 * differs within a run says how much of a ratio to believe.
 */
export const ratioOfMedians = (over: readonly number[], under: readonly number[]) => {
  const blockOf = (values: readonly number[], block: number) =>
    values.slice((values.length * block) / blocks, (values.length * (block + 1)) / blocks);
  const ratios = Array.from(
    { length: blocks },
    (_, block) => medianOf(blockOf(over, block)) / medianOf(blockOf(under, block)),
  ).filter(Number.isFinite);
  return withExtremes(medianOf(over) / medianOf(under), ratios);
};

/** The time in which at least one of these spans was under way. */
export const timeWithin = (spans: readonly { startedAt: number; endedAt: number }[]): number => {
  const byStart = spans.toSorted((one, other) => one.startedAt - other.startedAt);
  let total = 0;
  let reached = -Infinity;
  for (const { startedAt, endedAt } of byStart) {
    total += Math.max(0, endedAt - Math.max(startedAt, reached));
    reached = Math.max(reached, endedAt);
  }
  return total;
};
