// The results as people read them: tables and which targets are met.

import type { Results } from './results.ts';
import type { Spread } from './statistics.ts';
import { verdictsOf } from './targets.ts';

export type Table = { columns: readonly string[]; rows: readonly (readonly string[])[] };

const milliseconds = (value: number): string => value.toFixed(value < 100 ? 2 : 0);
const ratio = (value: number): string => value.toFixed(2);
const withExtremes = (it: { ratio: number; lowest: number; highest: number }): string =>
  `${ratio(it.ratio)} (${ratio(it.lowest)} to ${ratio(it.highest)})`;
const both = ({ p50, p99, samples }: Spread): string =>
  samples === 0 ? '-' : `${milliseconds(p50)} / ${milliseconds(p99)}`;

const operationsTable = ({ operations }: Results): Table => ({
  columns: [
    'operation',
    'calls',
    'units read / written',
    'handler',
    'of that its own',
    'bare calls',
    'handler over bare, p50',
    'p99',
    'samples',
  ],
  rows: operations.map((it) => [
    it.title,
    String(it.sequentialCalls),
    `${it.readUnits} / ${it.writeUnits}`,
    both(it.handler),
    both(it.own),
    both(it.bare),
    withExtremes(it.overBare),
    ratio(it.handler.p99 / it.bare.p99),
    String(it.handler.samples),
  ]),
});

const throughputTable = ({ throughput }: Results): Table => ({
  columns: [
    'clients',
    'entries/s over HTTP',
    'bare calls/s, as entries',
    'HTTP over bare',
    'HTTP latency',
    'blocks of entries',
  ],
  rows: throughput.map((it) => [
    String(it.clients),
    it.entriesPerSecond.toFixed(0),
    it.barePerSecond.toFixed(0),
    withExtremes(it.overBare),
    both(it.latency),
    `${it.blocks} of ${it.entriesPerBlock}`,
  ]),
});

const growthTable = ({ growth }: Results): Table => ({
  columns: ['what grows', 'to', 'handler', 'of that its own', 'over the first', 'samples'],
  rows: growth.map((it) => [
    it.group,
    it.title,
    both(it.handler),
    both(it.own),
    withExtremes(it.overFirst),
    String(it.handler.samples),
  ]),
});

/** The stretches of the long run, each with what to call it. */
const stretchesOf = ({ first, early, last, rested, restarted }: Results['longRun']) =>
  [first, early, last, rested, restarted].map((stretch) => ({
    ...stretch,
    title:
      `posts ${(stretch.from + 1).toLocaleString('en')} to ` +
      `${(stretch.from + stretch.posts).toLocaleString('en')}` +
      `${stretch === rested ? ', after ten minutes of rest' : ''}` +
      `${stretch === restarted ? ', after a restart' : ''}`,
  }));

const longRunTable = ({ longRun }: Results): Table => ({
  columns: ['long run', 'engine', 'over the first', 'service', 'HTTP latency'],
  rows: stretchesOf(longRun).map((it) => [
    it.title,
    milliseconds(it.engineMilliseconds),
    ratio(it.engineMilliseconds / longRun.first.engineMilliseconds),
    milliseconds(it.serviceMilliseconds),
    both(it.latency),
  ]),
});

const refusalsOf = (refused: Record<string, number>): string => {
  const words = Object.entries(refused).map(([code, count]) => `${count} ${code}`);
  return words.join(', ') || '0';
};

const fairnessTable = ({ fairness }: Results): Table => {
  const { profile, recorded, refused } = fairness;
  const { recorded: posts = 0, ...refusals } = fairness.outcomes;
  return {
    columns: ['request', 'count', 'HTTP latency'],
    rows: [
      ['posts that were recorded', `${posts}`, both(recorded)],
      ['posts that were refused', refusalsOf(refusals), both(refused)],
      ["another's profile, idle", String(profile.idle.samples), both(profile.idle)],
      ["another's profile, meanwhile", String(profile.underLoad.samples), both(profile.underLoad)],
    ],
  };
};

const neighboursTable = ({ neighbours: { loads } }: Results): Table => ({
  columns: [
    'an application',
    'posts',
    'refused',
    'reads',
    'refused',
    'until all due entries were posted',
    'the hostile one: answered of sent',
    'refused',
    'read units',
    'write units',
    'calls that the table turned away',
  ],
  rows: loads.map(({ title, posts, reads, scheduled, hostile, table }) => [
    title,
    both(posts.latency),
    refusalsOf(posts.refused),
    both(reads.latency),
    refusalsOf(reads.refused),
    `${scheduled.seconds.toFixed(1)} s${scheduled.left > 0 ? `, ${scheduled.left} LEFT` : ''}`,
    `${hostile.answered} of ${hostile.sent}`,
    refusalsOf(hostile.refused),
    ...[table.read, table.write, table.throttled].map((it) => it.toLocaleString('en')),
  ]),
});

const reportsTable = ({ reports: { reports } }: Results): Table => ({
  columns: [
    'report',
    'entries',
    'days × accounts',
    'calls',
    'in sequence',
    'units read',
    'HTTP latency',
    'handler',
    'of that its own',
    'samples',
  ],
  rows: reports.map((it) => [
    it.title,
    it.size.entries.toLocaleString('en'),
    `${it.size.days.toLocaleString('en')} × ${it.size.accounts}`,
    String(it.calls),
    String(it.sequentialCalls),
    String(it.readUnits),
    both(it.latency),
    both(it.handler),
    both(it.own),
    String(it.handler.samples),
  ]),
});

const batchesTable = ({ batches: { loads } }: Results): Table => ({
  columns: [
    'clients in batches',
    'clients of single posts',
    'entries/s',
    'HTTP latency',
    'refused',
    'of a client in batches, fewest to most',
    'of a client of single posts',
    'numbers',
  ],
  rows: loads.map(({ batches, singles, fewest, most, ...it }) => [
    String(batches),
    String(singles),
    it.entriesPerSecond.toFixed(0),
    both(it.latency),
    String(it.refused),
    batches === 0 ? '-' : `${fewest.batches} to ${most.batches}`,
    singles === 0 ? '-' : `${fewest.singles} to ${most.singles}`,
    it.isWithoutGaps ? 'without gaps' : 'WITH GAPS',
  ]),
});

const importsTable = ({ imports }: Results): Table => ({
  columns: ['bundle', 'kB', 'kB gzip', 'import', 'empty handler', 'difference'],
  rows: imports.map((it) => [
    it.name,
    (it.bytes / 1000).toFixed(0),
    (it.gzipBytes / 1000).toFixed(0),
    it.milliseconds.toFixed(0),
    it.emptyMilliseconds.toFixed(0),
    (it.milliseconds - it.emptyMilliseconds).toFixed(0),
  ]),
});

const verdictsTable = (results: Results): Table => ({
  columns: ['target', 'found', 'met'],
  rows: verdictsOf(results).map(({ target, found, isMet }) => [
    target,
    found,
    isMet ? 'yes' : 'NO',
  ]),
});

/** A table that reads well as text and as Markdown: its columns are aligned. */
export const tableText = ({ columns, rows }: Table): string => {
  const widths = columns.map((column, place) =>
    Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
};

const introduction = ({
  date,
  command,
  seconds,
  machine,
  contention,
  fairness,
  longRun,
  reports,
  batches,
  neighbours,
}: Results): string => `\
Measured ${date} in ${Math.round(seconds)} s by \`${command}\` on ${machine.cores} cores of
${machine.processor}, ${machine.memoryGigabytes} GB, Node ${machine.node.slice(1)}, load before
the start ${machine.loadBefore}. Times are milliseconds, p50 / p99. The table is on the embedded
DynamoDB, in memory, which makes the calls as quick and the demands on our share as hard as can be;
on AWS a call takes longer, and the handler's own time stays.

Bare calls are the very commands that the operation sends, prepared beforehand and sent by the SDK
alone, in turns with the operation. Handlers write their logs and metrics. Ratios are of medians;
in brackets are the extremes of five blocks of the same run. A new user's own time is its
password's hash, argon2id, which is meant to take long. Over HTTP, the gateway of this machine and
the bundled functions are one process, the clients another, and the engine a third.

The long run is ${longRun.clients} clients through \`npm start\`, a tenant each, on a new data
folder; its engine and service are processor time a post. At every transaction the engine goes
through those of the last ten minutes, as long as their tokens hold: what that costs depends on the
pace, not on the size of the books, as the posts after a rest and after a restart show.

${contention.clients} clients into one tenant and date, where each entry needs the next number:
${contention.entriesPerSecond.toFixed(0)} entries/s, ${contention.recorded} recorded,
${contention.refused} refused as contention, latency ${both(contention.latency)} ms, numbers
${contention.isWithoutGaps ? 'without gaps' : 'WITH GAPS'}.

One application's load beside another is ${fairness.postsPerSecond} posts a second into one tenant
and date, answered or not, for ${fairness.seconds} s through \`npm start\`, whose stage sets aside
so many executions for posts: what comes beyond them is refused at once.

Reports were measured ${reports.date} in ${Math.round(reports.seconds)} s, as by
\`npm run bench -- --reports\`, through \`npm start\` on a new data folder, and by their handlers in
a process beside it. They are of the last year of the books, whose items were made in bulk; those of
the largest books are sheets alone, without the entries, which no trial balance reads.

Batches of 25, and single posts in turns with them, each into a tenant and date of their own, were
measured ${batches.date} in ${Math.round(batches.seconds)} s, as by
\`npm run bench -- --batches\`, through \`npm start\`. All entries have an external_id. A client
that is refused as contention waits for as long as it is told to, and up to as long again.

A hostile application beside another was measured ${neighbours.date} in
${Math.round(neighbours.seconds)} s, as by \`npm run bench -- --neighbours\`, load before the start
${neighbours.loadBefore}. The hostile application asks for trial balances of five years of
books at the rate that production permits; the other one posts and reads twice a second each. Rates,
budget and table are a tenth of production's: the table gives
${neighbours.throughput.readUnits.toLocaleString('en')} read and
${neighbours.throughput.writeUnits.toLocaleString('en')} write units a second, the budget is
${neighbours.budget.readUnits.toLocaleString('en')} and
${neighbours.budget.writeUnits.toLocaleString('en')} a minute. The embedded engine is slower than
DynamoDB at such reports, so the figures include its processor time.`;

const sections = (results: Results): [string, Table][] => [
  ['Targets', verdictsTable(results)],
  ['Operations', operationsTable(results)],
  ['Throughput', throughputTable(results)],
  ["One application's load beside another", fairnessTable(results)],
  ['Growth', growthTable(results)],
  ['Long run', longRunTable(results)],
  ['Reports', reportsTable(results)],
  ['Batches into one date', batchesTable(results)],
  ['A hostile application beside another', neighboursTable(results)],
  ['Start', importsTable(results)],
];

export const markdownOf = (results: Results): string =>
  [
    '# What the service costs',
    introduction(results),
    ...sections(results).flatMap(([title, table]) => [`## ${title}`, tableText(table)]),
  ]
    .join('\n\n')
    .concat('\n');

export const terminalTextOf = (results: Results): string =>
  sections(results)
    .flatMap(([title, table]) => [title, tableText(table)])
    .join('\n\n');
