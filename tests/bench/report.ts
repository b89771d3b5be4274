// Renders the results as Markdown and terminal text: tables, and which targets are met.

import type { Results } from './results.ts';
import type { Spread } from './statistics.ts';
import { verdictsOf } from './targets.ts';

export type Table = { columns: readonly string[]; rows: readonly (readonly string[])[] };

const milliseconds = (value: number): string => value.toFixed(value < 100 ? 2 : 0);
const ratio = (value: number): string => value.toFixed(2);
const withExtremes = (it: { ratio: number; lowest: number; highest: number }): string =>
  `${ratio(it.ratio)} (${ratio(it.lowest)} to ${ratio(it.highest)})`;
const quantiles = ({ p50, p99, samples }: Spread): string =>
  samples === 0 ? '-' : `${milliseconds(p50)} / ${milliseconds(p99)}`;

const operationsTable = ({ operations }: Results): Table => ({
  columns: [
    'operation',
    'calls',
    'units read / written',
    'handler',
    'own time',
    'bare calls',
    'handler / bare, p50',
    'p99',
    'samples',
  ],
  rows: operations.map((it) => [
    it.title,
    String(it.sequentialCalls),
    `${it.readUnits} / ${it.writeUnits}`,
    quantiles(it.handler),
    quantiles(it.own),
    quantiles(it.bare),
    withExtremes(it.overBare),
    ratio(it.handler.p99 / it.bare.p99),
    String(it.handler.samples),
  ]),
});

const throughputTable = ({ throughput }: Results): Table => ({
  columns: [
    'clients',
    'entries/s over HTTP',
    'entries/s bare',
    'HTTP / bare',
    'HTTP latency',
    'blocks',
  ],
  rows: throughput.map((it) => [
    String(it.clients),
    it.entriesPerSecond.toFixed(0),
    it.barePerSecond.toFixed(0),
    withExtremes(it.overBare),
    quantiles(it.latency),
    `${it.blocks} of ${it.entriesPerBlock} entries`,
  ]),
});

const growthTable = ({ growth }: Results): Table => ({
  columns: ['quantity', 'size', 'handler', 'own time', 'ratio to first', 'samples'],
  rows: growth.map((it) => [
    it.group,
    it.title,
    quantiles(it.handler),
    quantiles(it.own),
    withExtremes(it.overFirst),
    String(it.handler.samples),
  ]),
});

/** The stretches of the long run with their titles. */
const stretchesOf = ({ first, early, last, rested, restarted }: Results['longRun']) =>
  [first, early, last, rested, restarted].map((stretch) => ({
    ...stretch,
    title:
      `posts ${(stretch.from + 1).toLocaleString('en')} to ` +
      `${(stretch.from + stretch.posts).toLocaleString('en')}` +
      `${stretch === rested ? ', after a rest of ten minutes' : ''}` +
      `${stretch === restarted ? ', after a restart' : ''}`,
  }));

const longRunTable = ({ longRun }: Results): Table => ({
  columns: ['stretch', 'engine CPU', 'ratio to first', 'service CPU', 'HTTP latency'],
  rows: stretchesOf(longRun).map((it) => [
    it.title,
    milliseconds(it.engineMilliseconds),
    ratio(it.engineMilliseconds / longRun.first.engineMilliseconds),
    milliseconds(it.serviceMilliseconds),
    quantiles(it.latency),
  ]),
});

const refusalsOf = (refused: Record<string, number>): string => {
  const counts = Object.entries(refused).map(([code, count]) => `${count} ${code}`);
  return counts.join(', ') || '0';
};

const fairnessTable = ({ fairness }: Results): Table => {
  const { profile, recorded, refused } = fairness;
  const { recorded: posts = 0, ...refusals } = fairness.outcomes;
  return {
    columns: ['request', 'count', 'HTTP latency'],
    rows: [
      ['recorded posts', `${posts}`, quantiles(recorded)],
      ['refused posts', refusalsOf(refusals), quantiles(refused)],
      ['profile, idle', String(profile.idle.samples), quantiles(profile.idle)],
      ['profile, under load', String(profile.underLoad.samples), quantiles(profile.underLoad)],
    ],
  };
};

const neighboursTable = ({ neighbours: { loads } }: Results): Table => ({
  columns: [
    'innocent application',
    'posts',
    'refused',
    'reads',
    'refused',
    'all due entries posted after',
    'hostile: successful of sent',
    'refused',
    'read units',
    'write units',
    'throttled calls',
  ],
  rows: loads.map(({ title, posts, reads, scheduled, hostile, table }) => [
    title,
    quantiles(posts.latency),
    refusalsOf(posts.refused),
    quantiles(reads.latency),
    refusalsOf(reads.refused),
    `${scheduled.seconds.toFixed(1)} s` +
      `${scheduled.left > 0 ? `, ${scheduled.left} NOT POSTED` : ''}`,
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
    'sequential calls',
    'read units',
    'HTTP latency',
    'handler',
    'own time',
    'samples',
  ],
  rows: reports.map((it) => [
    it.title,
    it.size.entries.toLocaleString('en'),
    `${it.size.days.toLocaleString('en')} × ${it.size.accounts}`,
    String(it.calls),
    String(it.sequentialCalls),
    String(it.readUnits),
    quantiles(it.latency),
    quantiles(it.handler),
    quantiles(it.own),
    String(it.handler.samples),
  ]),
});

const batchesTable = ({ batches: { loads } }: Results): Table => ({
  columns: [
    'batch clients',
    'single clients',
    'entries/s',
    'HTTP latency',
    'refused',
    'entries per batch client',
    'entries per single client',
    'journal numbers',
  ],
  rows: loads.map(({ batches, singles, fewest, most, ...it }) => [
    String(batches),
    String(singles),
    it.entriesPerSecond.toFixed(0),
    quantiles(it.latency),
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
  columns: ['target', 'result', 'met'],
  rows: verdictsOf(results).map(({ target, found, isMet }) => [
    target,
    found,
    isMet ? 'yes' : 'NO',
  ]),
});

/** A Markdown table with aligned columns, readable in a terminal as well. */
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
the start ${machine.loadBefore}. Times are milliseconds, p50 / p99. The table is in the embedded
DynamoDB, in memory, where calls are fast and the service's own share of the time is large. On AWS,
calls take longer and the own time stays the same.

Bare calls are the commands that an operation sends, prepared in advance and sent with the SDK
alone. They alternate with the operation. Handlers write their logs and metrics. Ratios are of
medians, with the extremes of five blocks of the run in parentheses. Own time is the handler's time
outside its calls to the table. For a new user it is mostly the password hash (argon2id), which is
slow by design. Over HTTP, the local gateway and the bundled functions are one process, the clients
another, and the engine a third.

The long run uses ${longRun.clients} clients through \`npm start\`, one tenant each, on a new data
folder. Engine and service times are CPU time per post. The engine stores transaction tokens for
ten minutes and searches them at every transaction. That cost depends on the rate of posts, not on
the size of the books, as the posts after a rest and after a restart show.

With ${contention.clients} clients posting into one tenant and date, each entry needs the next
journal number: ${contention.entriesPerSecond.toFixed(0)} entries/s,
${contention.recorded} recorded, ${contention.refused} refused with \`contention\`, latency
${quantiles(contention.latency)} ms, journal numbers
${contention.isWithoutGaps ? 'without gaps' : 'WITH GAPS'}.

For the effect of load on another application, one application posts
${fairness.postsPerSecond} entries per second into one tenant and date for ${fairness.seconds} s
through \`npm start\`, whether or not replies arrive. The stage reserves concurrency for posts and
refuses posts beyond it immediately. The other application reads a profile.

Reports were measured ${reports.date} in ${Math.round(reports.seconds)} s
(\`npm run bench -- --reports\`), over HTTP through \`npm start\` on a new data folder, and in their
handlers in a separate process. They cover the last year of the books, which were created in bulk.
The largest books have only day sheets: trial balances do not read entries.

Batches of 25 and single posts were measured ${batches.date} in ${Math.round(batches.seconds)} s
(\`npm run bench -- --batches\`) through \`npm start\`, each load into one date of a new tenant. All
entries have an external_id. After a refusal with \`contention\`, a client waits for one to two
times the Retry-After.

The effect of a hostile application was measured ${neighbours.date} in
${Math.round(neighbours.seconds)} s (\`npm run bench -- --neighbours\`), load before the start
${neighbours.loadBefore}. The hostile application requests trial balances of five years of books at
the maximum rate. The innocent one posts and reads, each twice per second. Rates, budget and
throughput are a tenth of production's: the table has
${neighbours.throughput.readUnits.toLocaleString('en')} read and
${neighbours.throughput.writeUnits.toLocaleString('en')} write units per second, the budget is
${neighbours.budget.readUnits.toLocaleString('en')} and
${neighbours.budget.writeUnits.toLocaleString('en')} per minute. The embedded engine is slower than
DynamoDB for such reports, so the figures include its CPU time.`;

const sections = (results: Results): [string, Table][] => [
  ['Targets', verdictsTable(results)],
  ['Operations', operationsTable(results)],
  ['Throughput', throughputTable(results)],
  ['Load of another application', fairnessTable(results)],
  ['Growth', growthTable(results)],
  ['Long run', longRunTable(results)],
  ['Reports', reportsTable(results)],
  ['Batches into one date', batchesTable(results)],
  ['A hostile application', neighboursTable(results)],
  ['Start', importsTable(results)],
];

export const markdownOf = (results: Results): string =>
  [
    '# Benchmarks',
    introduction(results),
    ...sections(results).flatMap(([title, table]) => [`## ${title}`, tableText(table)]),
  ]
    .join('\n\n')
    .concat('\n');

export const terminalTextOf = (results: Results): string =>
  sections(results)
    .flatMap(([title, table]) => [title, tableText(table)])
    .join('\n\n');
