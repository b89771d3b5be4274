// The performance targets, and whether results meet them.

import { groups } from './growth-groups.ts';
import type { Results } from './results.ts';

type Verdict = { target: string; found: string; isMet: boolean };

const maximumSequentialCalls = 2;
const maximumOverBare = 1.25;
const leastThroughput = 0.75;
const comparedClients = 16;
const maximumGrowth = 1.1;
const maximumOverEarlyPosts = 1.1;
const maximumOverFirstPosts = 1.4;
const maximumOverFirstStart = 1.1;
const maximumOverIdle = 2;
const maximumWaitMilliseconds = 3_500;
const leastRecorded = 0.5;
const maximumImportMilliseconds = 60;
const maximumReportMilliseconds = 250;
const maximumBatchClients = 4;
const leastBatchEntries = 500;
const maximumOfUnbudgeted = 0.1;

const isPosting = (title: string): boolean => /^(post|schedule)/.test(title);

const count = (value: number): string => value.toLocaleString('en');

const percent = (ratio: number): string => `${Math.round(ratio * 100)}%`;

const operationVerdicts = ({ operations }: Pick<Results, 'operations'>): Verdict[] => {
  const postings = operations.filter(({ title }) => isPosting(title));
  const calls = Math.max(...postings.map(({ sequentialCalls }) => sequentialCalls));
  const slowest = Math.max(...postings.map(({ overBare }) => overBare.ratio));
  return [
    {
      target: `posting takes at most ${maximumSequentialCalls} sequential calls`,
      found: `${calls}`,
      isMet: calls <= maximumSequentialCalls,
    },
    {
      target: `posting takes at most ${percent(maximumOverBare)} of its bare calls' time (p50)`,
      found: postings.map((it) => `${it.title}: ${percent(it.overBare.ratio)}`).join(', '),
      isMet: postings.length > 0 && slowest <= maximumOverBare,
    },
  ];
};

const throughputVerdict = ({ throughput }: Pick<Results, 'throughput'>): Verdict => {
  const compared = throughput.find(({ clients }) => clients === comparedClients);
  const over = compared?.overBare ?? { ratio: Number.NaN, lowest: Number.NaN, highest: Number.NaN };
  return {
    target: `${comparedClients} clients post at ${percent(leastThroughput)} of the bare rate`,
    found: `${percent(over.ratio)} (pairs ${percent(over.lowest)} to ${percent(over.highest)})`,
    isMet: over.ratio >= leastThroughput,
  };
};

const growthVerdict = ({ growth }: Pick<Results, 'growth'>): Verdict => {
  const cases = growth.filter(({ group }) => group === groups.chart);
  const slowest = Math.max(...cases.map(({ overFirst }) => overFirst.ratio));
  return {
    target: `posting gets at most ${percent(maximumGrowth - 1)} slower with more ${groups.chart}`,
    found: cases.map(({ title, overFirst }) => `${title}: ${percent(overFirst.ratio)}`).join(', '),
    isMet: cases.length > 1 && slowest <= maximumGrowth,
  };
};

const longRunVerdicts = ({ longRun }: Pick<Results, 'longRun'>): Verdict[] => {
  const { first, early, last, rested, restarted } = longRun;
  const over = (one: typeof first, other: typeof first): number =>
    one.engineMilliseconds / other.engineMilliseconds;
  const comparedWithBefore = (stretch: typeof first, posts: string): Verdict => ({
    target:
      `${posts} take at most ${percent(maximumOverEarlyPosts)} of the engine CPU of posts after ` +
      `${count(early.from)}, and ${percent(maximumOverFirstPosts)} of the first posts`,
    found: `${percent(over(stretch, early))} and ${percent(over(stretch, first))}`,
    isMet:
      over(stretch, early) <= maximumOverEarlyPosts &&
      over(stretch, first) <= maximumOverFirstPosts,
  });
  return [
    comparedWithBefore(last, `the last of ${count(rested.from)} posts without a pause`),
    comparedWithBefore(
      rested,
      `after ${count(rested.from)} posts and a rest of ten minutes, posts`,
    ),
    {
      target:
        `after ${count(restarted.from)} posts and a restart, posts take at most ` +
        `${percent(maximumOverFirstStart)} of the engine CPU of the first posts`,
      found: percent(over(restarted, first)),
      isMet: over(restarted, first) <= maximumOverFirstStart,
    },
  ];
};

const fairnessVerdicts = ({ fairness }: Pick<Results, 'fairness'>): Verdict[] => {
  const { posts, recorded, refused, profile } = fairness;
  const load = `${fairness.postsPerSecond} posts per second into one tenant and date`;
  const overIdle = profile.underLoad.p50 / profile.idle.p50;
  const recordedPart = recorded.samples / posts;
  return [
    {
      target:
        `during ${load}, another application's profile takes at most ` +
        `${percent(maximumOverIdle)} of its idle time (p50)`,
      found: percent(overIdle),
      isMet: overIdle <= maximumOverIdle,
    },
    {
      target: `of ${load}, at least ${percent(leastRecorded)} are recorded, without gaps`,
      found: `${percent(recordedPart)}${fairness.isWithoutGaps ? '' : ', WITH GAPS'}`,
      isMet: recordedPart >= leastRecorded && fairness.isWithoutGaps,
    },
    {
      target:
        `of ${load}, none takes longer than ${count(maximumWaitMilliseconds)} ms, and every ` +
        'refusal has a Retry-After',
      found:
        `${count(Math.round(fairness.longestMilliseconds))} ms, ` +
        `${fairness.refusedWithoutRetryAfter} of ${refused.samples} refused without Retry-After`,
      isMet:
        fairness.longestMilliseconds <= maximumWaitMilliseconds &&
        fairness.refusedWithoutRetryAfter === 0,
    },
  ];
};

const neighboursVerdict = ({ neighbours }: Pick<Results, 'neighbours'>): Verdict => {
  const [alone, withoutBudget, withBudget] = neighbours.loads;
  const left = neighbours.loads.reduce((sum, { scheduled }) => sum + scheduled.left, 0);
  const part = (withBudget?.posts.latency.p50 ?? 0) / (withoutBudget?.posts.latency.p50 ?? 0);
  return {
    target:
      'despite a hostile application, all due entries are posted; with a budget, posts take at ' +
      `most ${percent(maximumOfUnbudgeted)} of their time without one (p50)`,
    found: `${left} not posted, ${percent(part)} (alone ${alone?.posts.latency.p50.toFixed(0)} ms)`,
    isMet: left === 0 && part <= maximumOfUnbudgeted,
  };
};

const reportVerdicts = ({ reports: { reports } }: Pick<Results, 'reports'>): Verdict[] => {
  const balances = reports.filter(({ title }) => title === 'trial balance');
  const largest = balances.at(-1);
  const own = largest?.own.p50 ?? Number.NaN;
  return [
    {
      target:
        `a trial balance of ${count(largest?.size.entries ?? 0)} entries takes at most ` +
        `${maximumReportMilliseconds} ms own time (p50)`,
      found: `${own.toFixed(0)} ms`,
      isMet: own <= maximumReportMilliseconds,
    },
    {
      target: `trial balances read at most ${balances
        .map(({ size }) => `${size.maximumReadUnits} units for ${count(size.entries)} entries`)
        .join(', ')}`,
      found: balances.map(({ readUnits }) => String(readUnits)).join(', '),
      isMet:
        balances.length > 0 &&
        balances.every(({ readUnits, size }) => readUnits <= size.maximumReadUnits),
    },
  ];
};

const importVerdict = ({ imports }: Pick<Results, 'imports'>): Verdict => {
  const slow = imports
    .map(({ name, milliseconds, emptyMilliseconds }) => ({
      name,
      difference: milliseconds - emptyMilliseconds,
    }))
    .filter(({ difference }) => !(difference <= maximumImportMilliseconds));
  return {
    target:
      'importing a bundle takes at most ' +
      `${maximumImportMilliseconds} ms more than an empty one`,
    found:
      slow.length === 0
        ? 'all bundles'
        : slow.map(({ name, difference }) => `${name} ${difference.toFixed(0)} ms`).join(', '),
    isMet: imports.length > 0 && slow.length === 0,
  };
};

const contentionVerdict = ({ contention }: Pick<Results, 'contention'>): Verdict => ({
  target: 'journal numbers have no gaps under contention',
  found: `${contention.recorded} entries, ${contention.refused} refused`,
  isMet: contention.isWithoutGaps && contention.recorded > 0,
});

const batchVerdicts = ({ batches: { loads } }: Pick<Results, 'batches'>): Verdict[] => {
  const compared = loads.filter(
    ({ batches, singles }) => singles === 0 && batches <= maximumBatchClients,
  );
  const starved = loads.filter(
    ({ batches, singles, fewest }) =>
      (batches > 0 && fewest.batches === 0) || (singles > 0 && fewest.singles === 0),
  );
  return [
    {
      target:
        `up to ${maximumBatchClients} clients post ${leastBatchEntries} entries per second in ` +
        'batches into one tenant and date',
      found: compared
        .map(({ batches, entriesPerSecond: it }) => `${batches}: ${it.toFixed(0)}`)
        .join(', '),
      isMet:
        compared.length > 0 &&
        compared.every(({ entriesPerSecond: it }) => it >= leastBatchEntries),
    },
    {
      target: 'no client of batches or single posts starves, and journal numbers have no gaps',
      found: starved.length === 0 ? 'none starves' : `clients starve in ${starved.length} loads`,
      isMet: starved.length === 0 && loads.every(({ isWithoutGaps }) => isWithoutGaps),
    },
  ];
};

export type Measured = Pick<
  Results,
  | 'operations'
  | 'throughput'
  | 'growth'
  | 'longRun'
  | 'reports'
  | 'imports'
  | 'contention'
  | 'fairness'
  | 'batches'
  | 'neighbours'
>;

export const verdictsOf = (results: Measured): Verdict[] => [
  ...operationVerdicts(results),
  throughputVerdict(results),
  growthVerdict(results),
  ...longRunVerdicts(results),
  ...reportVerdicts(results),
  importVerdict(results),
  contentionVerdict(results),
  ...fairnessVerdicts(results),
  ...batchVerdicts(results),
  neighboursVerdict(results),
];
