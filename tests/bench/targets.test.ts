import { describe, expect, test } from 'vitest';
import { groups } from './growth-groups.ts';
import { quantile, ratioOfMedians, timeWithin } from './statistics.ts';
import { type Measured, verdictsOf } from './targets.ts';

const spread = { p50: 1, p99: 2, samples: 100 };
const stretch = {
  from: 0,
  posts: 1_000,
  engineMilliseconds: 1,
  serviceMilliseconds: 1,
  latency: spread,
};
const evenly = { ratio: 1, lowest: 1, highest: 1 };

const good: Measured = {
  operations: [
    {
      title: 'post an entry of two lines',
      sequentialCalls: 2,
      readUnits: 4,
      writeUnits: 4,
      handler: spread,
      own: spread,
      bare: spread,
      overBare: evenly,
    },
  ],
  throughput: [
    {
      clients: 16,
      entriesPerSecond: 90,
      barePerSecond: 100,
      overBare: { ratio: 0.9, lowest: 0.8, highest: 1 },
      blocks: 5,
      entriesPerBlock: 10,
      latency: spread,
    },
  ],
  contention: {
    clients: 64,
    seconds: 1,
    entriesPerSecond: 10,
    refused: 0,
    recorded: 10,
    isWithoutGaps: true,
    latency: spread,
  },
  growth: ['few', 'many'].map((title) => ({
    group: groups.chart,
    title,
    handler: spread,
    own: spread,
    overFirst: evenly,
  })),
  longRun: {
    clients: 4,
    first: stretch,
    early: { ...stretch, from: 4_000 },
    last: { ...stretch, from: 19_000 },
    restarted: { ...stretch, from: 20_000 },
  },
  imports: [
    { name: 'authorizer', bytes: 1, gzipBytes: 1, milliseconds: 99, emptyMilliseconds: 40 },
  ],
};

/** The same results with one figure changed. */
const changed = <Part extends keyof Measured>(part: Part, changes: object): Measured => {
  const found = good[part];
  const change = Array.isArray(found)
    ? found.map((each, place) => (place === found.length - 1 ? { ...each, ...changes } : each))
    : { ...found, ...changes };
  return { ...good, [part]: change };
};

const missed = (results: Measured): string[] =>
  verdictsOf(results)
    .filter(({ isMet }) => !isMet)
    .map(({ target }) => target);

describe('the targets', () => {
  test('are all met by good figures', () => {
    expect(missed(good)).toEqual([]);
    expect(verdictsOf(good)).toHaveLength(8);
  });

  test.each<[string, Measured]>([
    ['calls in sequence', changed('operations', { sequentialCalls: 3 })],
    ["its bare calls' time", changed('operations', { overBare: { ...evenly, ratio: 1.26 } })],
    ['16 clients', changed('throughput', { overBare: { ...evenly, ratio: 0.74 } })],
    ['accounts in the chart', changed('growth', { overFirst: { ...evenly, ratio: 1.11 } })],
    ['after 4,000', changed('longRun', { last: { ...stretch, engineMilliseconds: 1.11 } })],
    [
      'of the first',
      changed('longRun', {
        early: { ...stretch, engineMilliseconds: 1.3 },
        last: { ...stretch, engineMilliseconds: 1.41 },
      }),
    ],
    ['and a restart', changed('longRun', { restarted: { ...stretch, engineMilliseconds: 1.11 } })],
    ['importing a bundle', changed('imports', { milliseconds: 101 })],
    ['have no gaps', changed('contention', { isWithoutGaps: false })],
  ])('miss exactly what is not as it should be: %s', (words, results) => {
    expect(missed(results)).toEqual([expect.stringContaining(words)]);
  });

  test.each<[string, Measured, number]>([
    ['operations', { ...good, operations: [] }, 1],
    ['throughput', { ...good, throughput: [] }, 1],
    ['growth', { ...good, growth: [] }, 1],
    ['imports', { ...good, imports: [] }, 1],
  ])('are missed where nothing was measured: %s', (_part, results, count) => {
    expect(missed(results).length).toBeGreaterThanOrEqual(count);
  });
});

describe('the statistics', () => {
  test('take quantiles that were measured', () => {
    const values = Array.from({ length: 200 }, (_, place) => 200 - place);
    expect([quantile(values, 0.5), quantile(values, 0.99)]).toEqual([100, 198]);
    expect(quantile([], 0.5)).toBeNaN();
  });

  test('say between which ratios the blocks of a run lie', () => {
    const over = [2, 2, 2, 2, 4, 4, 2, 2, 2, 2];
    const under = Array<number>(10).fill(1);
    expect(ratioOfMedians(over, under)).toEqual({ ratio: 2, lowest: 2, highest: 4 });
  });

  test('count time once in which calls overlap', () => {
    const spans = [
      { startedAt: 10, endedAt: 20 },
      { startedAt: 0, endedAt: 5 },
      { startedAt: 12, endedAt: 15 },
      { startedAt: 18, endedAt: 25 },
    ];
    expect(timeWithin(spans)).toBe(20);
  });
});
