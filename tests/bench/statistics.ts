// Robust statistics of measured times: quantiles, and ratios with their spread.

/** The nearest-rank quantile: always one of the values. */
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

export const withExtremes = (ratio: number, ratios: readonly number[]) => ({
  ratio,
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios),
});

const blocks = 5;

/** The ratio of two medians, with the extremes of five blocks to show its variation. */
export const ratioOfMedians = (over: readonly number[], under: readonly number[]) => {
  const blockOf = (values: readonly number[], block: number) =>
    values.slice((values.length * block) / blocks, (values.length * (block + 1)) / blocks);
  const ratios = Array.from(
    { length: blocks },
    (_, block) => medianOf(blockOf(over, block)) / medianOf(blockOf(under, block)),
  ).filter(Number.isFinite);
  return withExtremes(medianOf(over) / medianOf(under), ratios);
};

/** The time that at least one of the spans covers. */
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
