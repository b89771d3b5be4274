// How the limits of a stage relate to each other, one row each. `npm run synth` and a deployment
// reject a stage that breaks a row; operations.md shows the rows for production.

import { postingBudgetSeconds } from '#shared/entries/journal-entries.store.ts';
import { freeUnits } from '#shared/table/cost-budget.ts';
import { reservedInAll } from './reserved-executions.ts';
import type { DeployedStage, Throttle } from './stages.ts';
import { type Limit, type LimitRow, timeLimits } from './time-limits.ts';

/**
 * The quotas of an account in a region ("Account-level quotas", API Gateway Developer Guide). Some
 * newer regions have a quarter of them.
 */
const gateway: Throttle = { ratePerSecond: 10_000, burst: 5_000 };

/**
 * Executions of an account that cannot be reserved (AWS Lambda Developer Guide, "Configuring
 * reserved concurrency"). A new account has ten in all, and so can reserve none.
 */
export const keptUnreserved = 100;

const [minuteSeconds, windowSeconds] = [60, 5 * 60];

/**
 * How long a read of the largest books takes. Measured on one machine: 0.14 s for a trial balance
 * of 10,000,000 entries, 0.18 s for the first page of an account ledger (tests/bench/results.md).
 * Estimated for AWS: 0.3 s for the longest read, eight pages of a megabyte.
 */
const longReadSeconds = 0.5;

/**
 * The units of an ordinary request with its charges. A batch has 25 entries of two lines, each with
 * an `external_id`, on one date: 102 write units (tests/posting-costs.test.ts) and two charges. A
 * long read is a report of a year with 100 accounts a day: a read unit for 200 rows of the sheets
 * (tests/costs-reports.test.ts), and the chart.
 */
const ordinaryUnits = { batch: 104, longRead: 190 };

/** An application may use one third of what the table gives. */
const applicationsAtOnce = 3;

const inAMinute = ({ ratePerSecond, burst }: Throttle): number =>
  ratePerSecond * minuteSeconds + burst;

/** The requests of one application that may be under way, and one of another. */
const underWay = ({ burst, ratePerSecond }: Throttle, lastingSeconds: number): number =>
  burst + ratePerSecond * lastingSeconds + 1;

const throttleRows = ({ settings, deployment }: DeployedStage): LimitRow[] => {
  const { application, longRead, batch, reversal, method } = settings.throttling;
  const pairs: [what: string, lesser: Throttle, than: string, greater: Throttle][] = [
    ["an application's long reads", longRead, 'an application', application],
    ["an application's batches", batch, 'an application', application],
    ["an application's reversals", reversal, 'an application', application],
    ['an application', application, 'a method', method],
    ['a method', method, 'the gateway for an account', gateway],
  ];
  const address = deployment.webApplicationFirewall?.requestsPerFiveMinutesPerAddress;
  const inWindow = application.ratePerSecond * windowSeconds + application.burst;
  return [
    ...pairs.flatMap(([what, lesser, than, greater]): LimitRow[] => [
      {
        unit: 'requests/s',
        lesser: [`rate of ${what}`, lesser.ratePerSecond],
        greater: [`rate of ${than}`, greater.ratePerSecond],
      },
      {
        unit: 'requests',
        lesser: [`burst of ${what}`, lesser.burst],
        greater: [`burst of ${than}`, greater.burst],
      },
    ]),
    // An address is often a whole application, and no address may take what all share.
    ...(address === undefined
      ? []
      : [
          {
            unit: 'requests',
            lesser: ['an application in five minutes, with its burst', inWindow] as Limit,
            greater: ['the firewall for an address in five minutes', address] as Limit,
          },
          {
            unit: 'requests',
            lesser: ['the firewall for an address in five minutes', address] as Limit,
            greater: ['a method in five minutes', method.ratePerSecond * windowSeconds] as Limit,
          },
        ]),
  ];
};

const budgetRows = ({ settings, deployment }: DeployedStage): LimitRow[] => {
  const { costBudget, throttling } = settings;
  const { tableThroughput } = deployment;
  const words = { readUnits: 'read units', writeUnits: 'write units' };
  const budgetOf = (kind: 'readUnits' | 'writeUnits'): Limit => [
    `the ${words[kind]} of an application's budget in a minute`,
    costBudget[kind],
  ];
  const { batch, longRead, application } = throttling;
  return [
    {
      unit: 'units',
      lesser: [
        'batches of 25 entries that an application may send in a minute',
        inAMinute(batch) * ordinaryUnits.batch,
      ],
      greater: budgetOf('writeUnits'),
    },
    {
      unit: 'units',
      lesser: [
        'reports that an application may request in a minute',
        inAMinute(longRead) * ordinaryUnits.longRead,
      ],
      greater: budgetOf('readUnits'),
    },
    ...(['readUnits', 'writeUnits'] as const).flatMap((kind): LimitRow[] => [
      {
        unit: 'units',
        lesser: budgetOf(kind),
        greater: [
          `a third of the table's ${words[kind]} in a minute`,
          Math.floor((tableThroughput[kind] * minuteSeconds) / applicationsAtOnce),
        ],
      },
      {
        unit: 'units/s',
        lesser: [
          `the ${words[kind]} of an application: its budget and its free requests`,
          Math.ceil(application.ratePerSecond * freeUnits + costBudget[kind] / minuteSeconds),
        ],
        greater: [`the table's ${words[kind]}`, tableThroughput[kind]],
      },
    ]),
  ];
};

const executionRows = ({ settings, deployment }: DeployedStage): LimitRow[] => {
  const { reservedConcurrency: reserved, throttling } = settings;
  if (reserved === undefined) return [];
  const waiting: [
    what: string,
    throttle: Throttle,
    seconds: number,
    reserved: number | undefined,
  ][] = [
    ['posts', throttling.application, postingBudgetSeconds, reserved['create-journal-entry']],
    ['batches', throttling.batch, postingBudgetSeconds, reserved['create-journal-entries']],
    ['reversals', throttling.reversal, postingBudgetSeconds, reserved['reverse-journal-entry']],
    ['reads of each long kind', throttling.longRead, longReadSeconds, reserved.eachLongRead],
  ];
  return [
    {
      unit: 'executions',
      lesser: [
        `reserved, with the ${keptUnreserved} that AWS keeps unreserved`,
        reservedInAll(reserved) + keptUnreserved,
      ],
      greater: ['those of the account', deployment.accountConcurrency],
    },
    ...waiting.flatMap(([what, throttle, lastingSeconds, greater]): LimitRow[] =>
      greater === undefined
        ? []
        : [
            {
              unit: 'executions',
              lesser: [
                `all ${what} that one application may have under way, and one more`,
                underWay(throttle, lastingSeconds),
              ],
              greater: [`reserved for ${what}`, greater],
            },
          ],
    ),
  ];
};

const rowsOf = (stage: DeployedStage): LimitRow[] => [
  ...throttleRows(stage),
  ...budgetRows(stage),
  ...executionRows(stage),
  ...timeLimits,
];

const figureOf = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US')} ${unit}`;

/** The rows that a stage breaks, a sentence each. */
export const brokenLimits = (stage: DeployedStage): string[] =>
  rowsOf(stage)
    .filter(({ lesser, greater }) => lesser[1] > greater[1])
    .map(
      ({ of, unit, lesser, greater }) =>
        `The limits of ${stage.name} do not agree: ${of ? `for ${of}, ` : ''}${lesser[0]} ` +
        `(${figureOf(lesser[1], unit)}) must not be more than ${greater[0]} ` +
        `(${figureOf(greater[1], unit)}).`,
    );

/** The rows as a table in Markdown. Of rows for several functions, it shows the tightest. */
export const limitsTable = (stage: DeployedStage): string[] => {
  const alike = Map.groupBy(rowsOf(stage), ({ lesser, greater }) => lesser[0] + greater[0]);
  const spare = ({ lesser, greater }: LimitRow): number => greater[1] / lesser[1];
  return [
    '| this | | is not more than | | tightest for |',
    '|---|---|---|---|---|',
    ...[...alike.values()]
      .map((rows) => rows.reduce((least, row) => (spare(row) < spare(least) ? row : least)))
      .map(
        ({ of, unit, lesser, greater }) =>
          `| ${lesser[0]} | ${figureOf(lesser[1], unit)} | ${greater[0]} ` +
          `| ${figureOf(greater[1], unit)} | ${of === undefined ? '' : `\`${of}\``} |`,
      ),
  ];
};
