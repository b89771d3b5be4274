// The results of the measurement of imports as people read them.

import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import type { ImportsAtOnceResult } from './measure-imports-at-once.ts';
import { heapMegabytesBeyondBase, type LargeImportResult } from './measure-large-import.ts';
import { type Table, tableText } from './report.ts';
import type { machineNow } from './results.ts';

/** Each part has the machine that it was measured on, since they are measured one by one. */
type Measured<Part> = Part & { machine: ReturnType<typeof machineNow> };

export type ImportResults = {
  large: Partial<Record<Slot, Measured<LargeImportResult>>>;
  atOnce?: Measured<ImportsAtOnceResult>;
};

/**
 * The fewest calls in which a platform gives its journals, by its documents: Xero's `pageSize` and
 * QuickBooks' `maxresults` are 1,000 at most; Zoho lists 200 a page and gives lines one journal
 * at a time, which a draft does not need: 1,005 calls for a thousand journals without drafts.
 */
const leastCalls: Record<Slot, { journalsListed: number; callsForJournal: 0 | 1 }> = {
  platform_a: { journalsListed: 1_000, callsForJournal: 0 },
  platform_b: { journalsListed: 1_000, callsForJournal: 0 },
  platform_c: { journalsListed: 200, callsForJournal: 1 },
};

const leastCallsPerThousand = ({ slot, journalsAtPlatform, ...it }: LargeImportResult): string => {
  const { journalsListed, callsForJournal } = leastCalls[slot];
  const postedShare = (it.journalsImported + it.journalsRefused) / journalsAtPlatform;
  return it.isWhole
    ? (1_000 / journalsListed + callsForJournal * 1_000 * postedShare).toFixed(2)
    : '-';
};

const callsPerThousand = ({
  journalCalls,
  journalsAtPlatform,
  ...it
}: LargeImportResult): string =>
  it.isWhole ? (journalCalls / (journalsAtPlatform / 1_000)).toFixed(2) : '-';

const largeTable = ({ large }: ImportResults): Table => {
  const all = slotNames.flatMap((slot) => large[slot] ?? []);
  const row = (title: string, cell: (it: LargeImportResult) => string | number): string[] => [
    title,
    ...all.map((it) => String(cell(it))),
  ];
  const rounded = (value: number): string => Math.round(value).toLocaleString('en');
  return {
    columns: ['one large company', ...all.map(({ slot }) => slot)],
    rows: [
      row('ended as', ({ status, reason }) => [status, reason ?? ''].join(' ').trim()),
      row('accounts imported', (it) => rounded(it.accountsImported)),
      row('journals at the platform', (it) => rounded(it.journalsAtPlatform)),
      row('journals imported', (it) => rounded(it.journalsImported)),
      row('journals refused', (it) => rounded(it.journalsRefused)),
      row('seconds', (it) => rounded(it.seconds)),
      row('runs', (it) => it.runs),
      row('longest run, seconds', (it) => rounded(it.longestRunSeconds)),
      row('calls for journals', (it) => rounded(it.journalCalls)),
      row('calls per 1,000 journals', callsPerThousand),
      row('the least there can be', leastCallsPerThousand),
      row('calls for accounts', (it) => rounded(it.accountCalls)),
      row('other calls', (it) => rounded(it.otherCalls)),
      row('heap at rest, MB', (it) => rounded(it.baseMegabytes)),
      row('heap at most, MB', (it) => rounded(it.peakHeapMegabytes)),
      row('its limit, MB', (it) => rounded(it.heapMegabytes)),
      row('all memory at most, MB', (it) => rounded(it.peakResidentMegabytes)),
      row('measured', ({ date }) => date),
    ],
  };
};

const atOnceTable = ({ small }: ImportsAtOnceResult): Table => ({
  columns: ['small company', 'accounts', 'journals', 'alone', 'beside', 'until it began'],
  rows: small.map(({ slot, accounts, journals, alone, beside }) => [
    slot,
    String(accounts),
    String(journals),
    `${alone?.seconds.toFixed(1)} s`,
    `${beside?.seconds.toFixed(1)} s`,
    `${beside?.secondsUntilBegun.toFixed(1)} s`,
  ]),
});

const largeText = `\
A company of each platform, imported through \`npm start\` from the sandbox with its limits off, in
one process whose heap has ${heapMegabytesBeyondBase} MB beside what it takes at rest; the sandbox
is in that process too. A tenth of the journals are drafts, which are not imported. A run ends after
300 seconds and goes on in another.`;

const atOnceText = ({ date, largeCount, stillRunning }: ImportsAtOnceResult): string => `\
${largeCount} large imports first, then two small ones, ${date}; ${stillRunning} of the large ones
were still at work when the small ones had ended. From the request until the tenant is active;
\`until it began\` is how long it waited for its run. Here all of them share the processor of one
process and of one engine; deployed, each has an execution of its own.`;

const machinesOf = ({ large, atOnce }: ImportResults): string => {
  const machines = [...Object.values(large), ...(atOnce ? [atOnce] : [])].map(
    ({ machine: { cores, processor, memoryGigabytes, node } }) =>
      `${cores} cores of ${processor}, ${memoryGigabytes} GB, Node ${node.slice(1)}`,
  );
  return `Measured by \`npm run bench:import\` on ${[...new Set(machines)].join('; ')}.`;
};

export const importsMarkdownOf = (results: ImportResults): string =>
  [
    '# What imports take',
    machinesOf(results),
    ...(Object.keys(results.large).length > 0
      ? ['## To the end', largeText, tableText(largeTable(results))]
      : []),
    ...(results.atOnce
      ? ['## Twelve at once', atOnceText(results.atOnce), tableText(atOnceTable(results.atOnce))]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
