// The running costs of a stage like production, from measured figures and list prices. `npm run
// costs` prints them, and operations.md shows them.

import { backupRules } from './backup-rules.ts';
import { secretNames } from './function-row.ts';
import { functionsOfKind } from './manifest.ts';
import { otherPrices, requestPrices, storagePrices, unitPrices } from './prices.ts';

type Units = { readUnits: number; writeUnits: number };

/** A request: its units, the bytes of its log lines, and its time in a function (assumed). */
type Request = Units & { logBytes: number; seconds: number; megabytes: number };

/** tests/infra/manifest/costs.test.ts measures them on the embedded engine. */
export const measured = {
  requests: {
    /** An entry of two lines across currencies, with an `external_id`. */
    post: { readUnits: 6, writeUnits: 6, logBytes: 995, seconds: 0.02, megabytes: 1_024 },
    /** An entry by its id. */
    read: { readUnits: 2, writeUnits: 0, logBytes: 950, seconds: 0.01, megabytes: 512 },
    /** A trial balance of a year with 60 accounts on each day, from carried totals. */
    report: { readUnits: 11, writeUnits: 0, logBytes: 950, seconds: 0.15, megabytes: 1_769 },
  },
  /** Background runs for events. A round has up to ten events, whose endpoint replies in 0.1 s. */
  events: {
    record1: { readUnits: 3, writeUnits: 2, logBytes: 463, seconds: 0.03, megabytes: 512 },
    record100: { readUnits: 3, writeUnits: 29, logBytes: 471, seconds: 0.2, megabytes: 512 },
    deliver1: { readUnits: 5, writeUnits: 2, logBytes: 529, seconds: 0.15, megabytes: 512 },
    deliver10: { readUnits: 5, writeUnits: 2, logBytes: 532, seconds: 0.15, megabytes: 512 },
    /** A page of 200, at the gateway. */
    read200: { readUnits: 22, writeUnits: 0, logBytes: 917, seconds: 0.03, megabytes: 512 },
  },
  /** To the internet, with 800 bytes of headers for each reply or delivery. */
  sentBytes: {
    post: 2_400,
    read: 2_380,
    report: 16_470,
    deliver1: 1_150,
    deliver10: 11_530,
    read200: 72_000,
  },
  /** With its `external_id`, and its part of a day sheet with ten entries. */
  bytesOfEntry: 1_420,
  /** With 60 accounts. */
  bytesOfTenant: 35_100,
  /** The most expensive background run that finds nothing to do. */
  idleRun: { readUnits: 8, writeUnits: 0, logBytes: 600, seconds: 0.1, megabytes: 512 },
  alarmMetrics: 427,
  /** The metrics of functions that occur in a quiet month. */
  metrics: 20,
  /** Of the stage and of its alarms. */
  keys: 2,
} as const satisfies {
  requests: Record<string, Request>;
  events: Record<string, Request>;
  idleRun: Request;
  [figure: string]: unknown;
};

const million = 1_000_000;
const billion = 1_000_000_000;
const minutesOfMonth = 30 * 24 * 60;
const daysOfMonth = 365 / 12;

const tableCost = ({ readUnits, writeUnits }: Units): number =>
  readUnits * unitPrices.readUnits + writeUnits * unitPrices.writeUnits;

const lambdaCost = ({ seconds, megabytes }: Request): number =>
  requestPrices.lambda + seconds * (megabytes / 1_024) * requestPrices.lambdaGigabyteSeconds;

const logCost = ({ logBytes }: Request): number =>
  (logBytes * million * otherPrices.logs) / billion;

const transferCost = (sentBytes: number): number =>
  (sentBytes * million * otherPrices.sent) / billion;

/** The parts of the costs of a million requests. */
const costsOfMillion = (request: Request, sentBytes: number): number[] => [
  tableCost(request),
  requestPrices.gateway,
  lambdaCost(request),
  logCost(request),
  requestPrices.firewall,
  transferCost(sentBytes),
];

/** The costs of a million events. Each run or request has `count` of them. */
const costsOfEvents = (
  run: Request,
  {
    count,
    isRequest = false,
    sentBytes = 0,
  }: { count: number; isRequest?: boolean; sentBytes?: number },
): number[] => {
  const atGateway = isRequest ? requestPrices.gateway + requestPrices.firewall : 0;
  const parts = [tableCost(run), atGateway, lambdaCost(run), logCost(run), transferCost(sentBytes)];
  return parts.map((it) => it / count);
};

/** The gigabytes of backups for each gigabyte of the table, when the oldest ones are deleted. */
const backupsOfGigabyte = () => {
  const copies = Object.values(backupRules).map((rule) => {
    const everyDays = 'weekDay' in rule.schedule ? 7 : daysOfMonth;
    const cold = 'coldAfterDays' in rule ? rule.deleteAfterDays - rule.coldAfterDays : 0;
    return {
      warm: (rule.deleteAfterDays - cold) / everyDays,
      cold: cold / everyDays,
      made: daysOfMonth / everyDays,
    };
  });
  const sumOf = (name: 'warm' | 'cold' | 'made') => copies.reduce((sum, it) => sum + it[name], 0);
  const kept = sumOf('warm') * storagePrices.backup + sumOf('cold') * storagePrices.coldBackup;
  return { kept, copied: kept + sumOf('made') * storagePrices.copied };
};

/** The parts of the costs of bytes in the table, for a month. */
const costsOfBytes = (bytes: number): number[] => {
  const { kept, copied } = backupsOfGigabyte();
  const prices = [storagePrices.table, storagePrices.recovery, kept, copied];
  return prices.map((price) => (price * bytes) / billion);
};

/** What a stage costs in a month without requests. */
const fixedCosts = (): [what: string, dollars: number][] => {
  const runs = functionsOfKind('schedule').reduce(
    (sum, { trigger }) => sum + minutesOfMonth / trigger.everyMinutes,
    0,
  );
  const { idleRun, alarmMetrics, metrics, keys } = measured;
  const ofRuns = tableCost(idleRun) + lambdaCost(idleRun) + logCost(idleRun);
  return [
    [`the ${alarmMetrics} metrics of alarms`, (alarmMetrics - 10) * otherPrices.alarmMetric],
    ['the firewall', otherPrices.firewall],
    [`${metrics} metrics of functions`, metrics * otherPrices.metric],
    ['the dashboard', otherPrices.dashboard],
    ['the keys and the secrets', keys * otherPrices.key + secretNames.length * otherPrices.secret],
    [`${runs.toLocaleString('en-US')} background runs`, (runs / million) * ofRuns],
  ];
};

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

const rowOf = (what: string, parts: readonly number[]): string =>
  [what, ...parts.map(dollars), dollars(parts.reduce((sum, it) => sum + it, 0))].join(' | ');

const tableOf = (heads: readonly string[], rows: readonly string[]): string =>
  [heads.join(' | '), heads.map(() => '---').join(' | '), ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');

/** The costs as Markdown. */
export const renderCosts = (): string => {
  const { requests, events, sentBytes, bytesOfEntry, bytesOfTenant } = measured;
  const fixed = fixedCosts();
  return [
    tableOf(
      ['', 'table', 'gateway', 'functions', 'logs', 'firewall', 'transfer', 'sum'],
      [
        rowOf('a million posts', costsOfMillion(requests.post, sentBytes.post)),
        rowOf('a million reads', costsOfMillion(requests.read, sentBytes.read)),
        rowOf('a million reports', costsOfMillion(requests.report, sentBytes.report)),
      ],
    ),
    tableOf(
      ['a million events', 'table', 'gateway and firewall', 'functions', 'logs', 'transfer', 'sum'],
      [
        rowOf('recorded, each alone', costsOfEvents(events.record1, { count: 1 })),
        rowOf('recorded, 100 at a time', costsOfEvents(events.record100, { count: 100 })),
        rowOf(
          'delivered to a webhook, each alone',
          costsOfEvents(events.deliver1, { count: 1, sentBytes: sentBytes.deliver1 }),
        ),
        rowOf(
          'delivered to a webhook, ten at a time',
          costsOfEvents(events.deliver10, { count: 10, sentBytes: sentBytes.deliver10 }),
        ),
        rowOf(
          'read, 200 at a time',
          costsOfEvents(events.read200, {
            count: 200,
            isRequest: true,
            sentBytes: sentBytes.read200,
          }),
        ),
      ],
    ),
    tableOf(
      ['kept for a month', 'table', 'recovery', 'backups', 'their copies', 'sum'],
      [
        rowOf('a million entries', costsOfBytes(bytesOfEntry * million)),
        rowOf('a thousand idle tenants', costsOfBytes(bytesOfTenant * 1_000)),
      ],
    ),
    tableOf(
      ['a stage without requests, for a month', 'dollars'],
      [
        ...fixed.map(([what, amount]) => `${what} | ${dollars(amount)}`),
        `sum | ${dollars(fixed.reduce((sum, [, amount]) => sum + amount, 0))}`,
      ],
    ),
  ].join('\n\n');
};

if (import.meta.main) console.log(renderCosts());
