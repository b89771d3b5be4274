// A part of the benchmark: how to measure it, how to print it, and its targets.

/** Nearest-rank quantiles: always one of the values. */
export type Spread = { p50: number; p99: number; samples: number };

export const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
};

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5);

export const spreadOf = (values: readonly number[]): Spread => ({
  p50: medianOf(values),
  p99: quantile(values, 0.99),
  samples: values.length,
});

export type Ratio = { ratio: number; lowest: number; highest: number };

export const withExtremes = (ratio: number, ratios: readonly number[]): Ratio => ({
  ratio,
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios),
});

const blocks = 5;

/** The ratio of two medians, with the extremes of five blocks to show its variation. */
export const ratioOfMedians = (over: readonly number[], under: readonly number[]): Ratio => {
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

/** The numbers 1, 2, 3 and so on, each once, in any order. */
export const isWithoutGaps = (numbers: readonly number[]): boolean =>
  numbers.toSorted((one, other) => one - other).every((number, place) => number === place + 1);

const milliseconds = (value: number): string => value.toFixed(value < 100 ? 2 : 0);
const ratioText = (value: number): string => value.toFixed(2);

/** How values are shown in tables. */
export const show = {
  count: (value: number): string => value.toLocaleString('en'),
  percent: (ratio: number): string => `${Math.round(ratio * 100)}%`,
  ratio: ratioText,
  extremes: ({ ratio, lowest, highest }: Ratio): string =>
    `${ratioText(ratio)} (${ratioText(lowest)} to ${ratioText(highest)})`,
  spread: ({ p50, p99, samples }: Spread): string =>
    samples === 0 ? '-' : `${milliseconds(p50)} / ${milliseconds(p99)}`,
  refusals: (refused: Record<string, number>): string =>
    Object.entries(refused)
      .map(([code, count]) => `${count} ${code}`)
      .join(', ') || '0',
};

export type Verdict = { target: string; found: string; isMet: boolean };
export type Report = (line: string) => void;

export type PartOptions = {
  /** Takes few samples, to try the measurement itself. */
  quick: boolean;
  report: Report;
  /** Only these rows of the part `rows`. None means all. */
  rows: readonly string[];
  /** Another checkout, whose blocks alternate with those of this one in the part `rows`. */
  against: string | undefined;
  /** Whether to print what the service's processor does in the part `rows`. */
  profile: boolean;
};

export type Part<Row> = {
  title: string;
  /** The columns of its table: heading and cell. */
  columns: Record<string, (row: Row) => string | number>;
  targets: (rows: readonly Row[]) => Verdict[];
  measure: (options: PartOptions) => Promise<Row[]>;
};

export const definePart = <Row>(part: Part<Row>): Part<Row> => part;
