import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isWithoutGaps, quantile, ratioOfMedians, timeWithin } from './part.ts';
import { markdownOf, parts } from './report.ts';
import { timesWithin } from './rows/profile.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const saved = JSON.parse(read('results.json'));

const evenly = { ratio: 1, lowest: 1, highest: 1 };
const post = { title: 'post an entry', sequentialCalls: 2, overBare: evenly };
const balance = {
  title: 'trial balance',
  own: { p50: 250 },
  readUnits: 18,
  size: { entries: 1_000, maximumReadUnits: 18 },
};
const load = {
  batches: 4,
  singles: 0,
  entriesPerSecond: 500,
  isWithoutGaps: true,
  fewest: { batches: 1, singles: 0 },
};
const posts = {
  clients: 8,
  entriesPerSecond: 150,
  longestMilliseconds: 3_500,
  refused: {},
  fewest: 1,
  most: 3,
  isWithoutGaps: true,
};
const innocent = (p50: number, left = 0) => ({ posts: { latency: { p50 } }, scheduled: { left } });

/** Rows of a part, and the words of the targets that they miss. */
const cases: [part: string, rows: object[], ...missed: string[]][] = [
  ['operations', [post]],
  ['operations', [{ ...post, sequentialCalls: 3 }], 'sequential calls'],
  ['operations', [{ ...post, overBare: { ...evenly, ratio: 1.26 } }], "its bare calls' time"],
  ['operations', [], "its bare calls' time"],
  ['throughput', [{ clients: 16, overBare: { ...evenly, ratio: 0.75 } }]],
  ['throughput', [{ clients: 16, overBare: { ...evenly, ratio: 0.74 } }], '16 clients'],
  ['throughput', [], '16 clients'],
  ['reports', [balance, { ...balance, title: 'account ledger', readUnits: 900 }]],
  ['reports', [{ ...balance, own: { p50: 251 } }], 'own time'],
  ['reports', [balance, { ...balance, own: {} }], 'own time'],
  ['reports', [{ ...balance, readUnits: 19 }, balance], 'trial balances read'],
  ['batches', [load, { ...load, batches: 8, entriesPerSecond: 9 }]],
  ['batches', [{ ...load, entriesPerSecond: 499 }], 'in batches'],
  ['batches', [load, { ...load, singles: 1 }], 'starves'],
  ['batches', [{ ...load, isWithoutGaps: false }], 'starves'],
  ['one-date', [posts, { ...posts, clients: 1, entriesPerSecond: 9 }]],
  ['one-date', [posts, { ...posts, entriesPerSecond: 149 }], 'entries/s'],
  ['one-date', [{ ...posts, longestMilliseconds: 3_501 }], 'no client'],
  ['one-date', [{ ...posts, refused: { contention: 1 } }], 'no client'],
  ['one-date', [{ ...posts, most: 4 }], 'no client'],
  ['one-date', [{ ...posts, isWithoutGaps: false }], 'no client'],
  ['one-date', [], 'entries/s'],
  ['neighbours', [innocent(2), innocent(100), innocent(10)]],
  ['neighbours', [innocent(2), innocent(100), innocent(11)], 'hostile application'],
  ['neighbours', [innocent(2), innocent(100), innocent(10, 1)], 'hostile application'],
  ['neighbours', [], 'hostile application'],
];

test.each(cases)('the targets of %s, with the rows %o', (name, rows, ...missed) => {
  const found = parts[name]?.targets(rows).filter(({ isMet }) => !isMet) ?? [];
  expect(found.map(({ target }) => target)).toEqual(
    missed.map((words) => expect.stringContaining(words)),
  );
});

test('results.md shows the saved results', () => {
  expect(markdownOf(saved)).toBe(read('results.md'));
});

test('the statistics', () => {
  const values = Array.from({ length: 200 }, (_, place) => 200 - place);
  expect([0.5, 0.99].map((part) => quantile(values, part))).toEqual([100, 198]);
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
  expect([isWithoutGaps([3, 1, 2]), isWithoutGaps([1, 3])]).toEqual([true, false]);
});

test('the samples of a profile within the measured time', () => {
  const [work, idle] = ['work', '(idle)'].map((functionName) => ({
    functionName,
    url: '',
    lineNumber: 0,
  })) as [{ functionName: string; url: string; lineNumber: number }, never];
  const nodes = [work, idle].map((callFrame, id) => ({ id, callFrame }));
  // Samples at 110, 130, 160 and 200 microseconds.
  const profile = { nodes, startTime: 100, samples: [0, 0, 1, 0], timeDeltas: [10, 20, 30, 40] };
  const within = (from: bigint, to: bigint) =>
    timesWithin(profile, [{ from: from * 1_000n, to: to * 1_000n }]);
  expect(within(120n, 200n)).toEqual([
    [work, 20],
    [work, 40],
  ]);
  expect(within(140n, 190n)).toEqual([]);
});
