import { expect, test } from 'vitest';
import { groups } from './growth-groups.ts';
import { quantile, ratioOfMedians, timeWithin } from './statistics.ts';
import { type Measured, verdictsOf } from './targets.ts';

const evenly = { ratio: 1, lowest: 1, highest: 1 };
const longRun = {
  first: { from: 0, engineMilliseconds: 1 },
  early: { from: 4_000, engineMilliseconds: 1 },
  last: { from: 19_000, engineMilliseconds: 1 },
  rested: { from: 20_000, engineMilliseconds: 1 },
  restarted: { from: 21_000, engineMilliseconds: 1 },
};

const reportSize = { entries: 1_000, maximumReadUnits: 18 };
const balance = { title: 'trial balance', own: { p50: 250 }, readUnits: 18, size: reportSize };

const batchLoad = {
  batches: 4,
  singles: 0,
  entriesPerSecond: 500,
  isWithoutGaps: true,
  fewest: { batches: 1, singles: 0 },
};

/** An application alone, then under attack without and with a budget. */
const neighbourLoads = [2, 100, 10].map((p50) => ({
  posts: { latency: { p50 } },
  scheduled: { seconds: 1, left: 0 },
}));
const [alone, unbudgeted, budgeted] = neighbourLoads;

/** Only the fields that the verdicts read. */
const good = {
  operations: [{ title: 'post an entry of two lines', sequentialCalls: 2, overBare: evenly }],
  throughput: [{ clients: 16, overBare: { ratio: 0.9, lowest: 0.8, highest: 1 } }],
  contention: { refused: 0, recorded: 10, isWithoutGaps: true },
  growth: ['few', 'many'].map((title) => ({ group: groups.chart, title, overFirst: evenly })),
  longRun,
  reports: {
    reports: [
      { title: 'trial balance', own: { p50: 100 }, readUnits: 18, size: reportSize },
      { title: 'account ledger', own: { p50: 900 }, readUnits: 900, size: reportSize },
    ],
  },
  fairness: {
    posts: 10,
    recorded: { samples: 8 },
    refused: { samples: 2 },
    refusedWithoutRetryAfter: 0,
    longestMilliseconds: 3_100,
    isWithoutGaps: true,
    profile: { idle: { p50: 2 }, underLoad: { p50: 3 } },
  },
  batches: { loads: [{ ...batchLoad, batches: 8, entriesPerSecond: 9 }, batchLoad] },
  neighbours: { loads: neighbourLoads },
  imports: [{ name: 'authorizer', milliseconds: 99, emptyMilliseconds: 40 }],
} as unknown as Measured;

/** The same results with one figure changed. */
const changed = (part: keyof Measured, changes: object): Measured => {
  const original = good[part];
  const change = Array.isArray(original)
    ? original.map((each, place) =>
        place === original.length - 1 ? { ...each, ...changes } : each,
      )
    : { ...original, ...changes };
  return { ...good, [part]: change };
};

const missed = (results: Measured): string[] =>
  verdictsOf(results)
    .filter(({ isMet }) => !isMet)
    .map(({ target }) => target);

test('good figures meet all targets', () => {
  expect(missed(good)).toEqual([]);
  expect(verdictsOf(good)).toHaveLength(17);
});

test.each<[string, Measured]>([
  ['sequential calls', changed('operations', { sequentialCalls: 3 })],
  ["its bare calls' time", changed('operations', { overBare: { ...evenly, ratio: 1.26 } })],
  ['16 clients', changed('throughput', { overBare: { ...evenly, ratio: 0.74 } })],
  ['16 clients', { ...good, throughput: [] }],
  ['accounts in the chart', changed('growth', { overFirst: { ...evenly, ratio: 1.11 } })],
  ['without a pause', changed('longRun', { last: { engineMilliseconds: 1.11 } })],
  ['own time', changed('reports', { reports: [{ ...balance, own: { p50: 251 } }] })],
  ['own time', changed('reports', { reports: [balance, { ...balance, own: {} }] })],
  [
    'trial balances read',
    changed('reports', { reports: [{ ...balance, readUnits: 19 }, balance] }),
  ],
  ['and a rest', changed('longRun', { rested: { engineMilliseconds: 1.11, from: 20_000 } })],
  [
    'without a pause',
    changed('longRun', {
      early: { ...longRun.early, engineMilliseconds: 1.3 },
      last: { engineMilliseconds: 1.41 },
    }),
  ],
  ['and a restart', changed('longRun', { restarted: { engineMilliseconds: 1.11, from: 20_000 } })],
  ['importing a bundle', changed('imports', { milliseconds: 101 })],
  ['importing a bundle', { ...good, imports: [] }],
  ['gaps under contention', changed('contention', { isWithoutGaps: false })],
  ['idle time', changed('fairness', { profile: { idle: { p50: 2 }, underLoad: { p50: 4.1 } } })],
  ['are recorded', changed('fairness', { recorded: { samples: 4 } })],
  ['without gaps', changed('fairness', { isWithoutGaps: false })],
  ['none takes longer', changed('fairness', { longestMilliseconds: 3_501 })],
  ['in batches', changed('batches', { loads: [{ ...batchLoad, entriesPerSecond: 499 }] })],
  ['starves', changed('batches', { loads: [batchLoad, { ...batchLoad, singles: 1 }] })],
  ['starves', changed('batches', { loads: [{ ...batchLoad, isWithoutGaps: false }] })],
  [
    'hostile application',
    changed('neighbours', {
      loads: [alone, unbudgeted, { ...budgeted, posts: { latency: { p50: 11 } } }],
    }),
  ],
  [
    'hostile application',
    changed('neighbours', {
      loads: [alone, unbudgeted, { ...budgeted, scheduled: { seconds: 60, left: 1 } }],
    }),
  ],
  ['has a Retry-After', changed('fairness', { refusedWithoutRetryAfter: 1 })],
])('one bad figure misses exactly one target: %s', (words, results) => {
  expect(missed(results)).toEqual([expect.stringContaining(words)]);
});

test.each<[number, Partial<Measured>]>([
  [1, { operations: [] }],
  [1, { growth: [] }],
])('%i targets are missed without measurements: %o', (count, nothing) => {
  expect(missed({ ...good, ...nothing })).toHaveLength(count);
});

test('quantiles are measured values, and overlapping calls count once', () => {
  const values = Array.from({ length: 200 }, (_, place) => 200 - place);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile([], 0.5)]).toEqual([
    100,
    198,
    Number.NaN,
  ]);
  const over = [2, 2, 2, 2, 4, 4, 2, 2, 2, 2];
  const under = Array<number>(10).fill(1);
  expect(ratioOfMedians(over, under)).toEqual({ ratio: 2, lowest: 2, highest: 4 });
  const spans = [
    { startedAt: 10, endedAt: 20 },
    { startedAt: 0, endedAt: 5 },
    { startedAt: 12, endedAt: 15 },
    { startedAt: 18, endedAt: 25 },
  ];
  expect(timeWithin(spans)).toBe(20);
});
