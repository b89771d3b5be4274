// Renders the measurements of imports as Markdown.

import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import type { ConcurrentImportsResult } from './measure-concurrent-imports.ts';
import { heapMegabytesBeyondBase, type LargeImportResult } from './measure-large-import.ts';
import { type Table, tableText } from './report.ts';
import type { machineNow } from './results.ts';

/** Parts are measured separately, so each records its machine. */
type Measured<Part> = Part & { machine: ReturnType<typeof machineNow> };

export type ImportResults = {
  large: Partial<Record<Slot, Measured<LargeImportResult>>>;
  atOnce?: Measured<ConcurrentImportsResult>;
};

/**
 * The minimum number of calls for journals, by the platforms' documentation. Xero's `pageSize` and
 * QuickBooks' `maxresults` are at most 1,000. Zoho lists 200 per page and needs another call for
 * the lines of each journal that is not a draft: 1,005 calls for 1,000 journals without drafts.
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
      row('outcome', ({ status, reason }) => [status, reason ?? ''].join(' ').trim()),
      row('accounts imported', (it) => rounded(it.accountsImported)),
      row('journals at the platform', (it) => rounded(it.journalsAtPlatform)),
      row('journals imported', (it) => rounded(it.journalsImported)),
      row('journals refused', (it) => rounded(it.journalsRefused)),
      row('seconds', (it) => rounded(it.seconds)),
      row('runs', (it) => it.runs),
      row('longest run, seconds', (it) => rounded(it.longestRunSeconds)),
      row('calls for journals', (it) => rounded(it.journalCalls)),
      row('calls per 1,000 journals', callsPerThousand),
      row('minimum', leastCallsPerThousand),
      row('calls for accounts', (it) => rounded(it.accountCalls)),
      row('other calls', (it) => rounded(it.otherCalls)),
      row('heap at rest, MB', (it) => rounded(it.baseMegabytes)),
      row('peak heap, MB', (it) => rounded(it.peakHeapMegabytes)),
      row('heap limit, MB', (it) => rounded(it.heapMegabytes)),
      row('peak resident memory, MB', (it) => rounded(it.peakResidentMegabytes)),
      row('measured', ({ date }) => date),
    ],
  };
};

const concurrentTable = ({ small }: ConcurrentImportsResult): Table => ({
  columns: ['small company', 'accounts', 'journals', 'alone', 'with large imports', 'wait'],
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
One company per platform, imported through \`npm start\` from the sandbox without its rate limits.
Service and sandbox are one process. Its heap is limited to its size at rest plus
${heapMegabytesBeyondBase} MB. A tenth of the journals are drafts, which are not imported. A run
ends after 300 seconds; the next run continues.`;

const concurrentText = ({ date, largeCount, stillRunning }: ConcurrentImportsResult): string => `\
${largeCount} large imports, then two small ones, measured ${date}. ${stillRunning} large imports
were still running when the small ones ended. Times run from the request until the tenant is
active; \`wait\` is the time until the first run started. Here all imports share one process and one
engine. When deployed, each has its own execution.`;

const machinesOf = ({ large, atOnce }: ImportResults): string => {
  const machines = [...Object.values(large), ...(atOnce ? [atOnce] : [])].map(
    ({ machine: { cores, processor, memoryGigabytes, node } }) =>
      `${cores} cores of ${processor}, ${memoryGigabytes} GB, Node ${node.slice(1)}`,
  );
  return `Measured by \`npm run bench:import\` on ${[...new Set(machines)].join('; ')}.`;
};

export const importsMarkdownOf = (results: ImportResults): string =>
  [
    '# Import benchmarks',
    machinesOf(results),
    ...(Object.keys(results.large).length > 0
      ? ['## Large companies', largeText, tableText(largeTable(results))]
      : []),
    ...(results.atOnce
      ? [
          '## Twelve concurrent imports',
          concurrentText(results.atOnce),
          tableText(concurrentTable(results.atOnce)),
        ]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
