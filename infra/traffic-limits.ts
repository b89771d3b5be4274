// How the limits of a stage's traffic relate to each other: its throttles, its firewall, and the
// executions that it sets aside.

import { type CostBudget, freeUnits } from '#shared/cost-budget.ts';
import { postingBudgetSeconds } from '#shared/store/journal-entries.ts';
import type { FunctionName } from './manifest.ts';
import { reservedInAll } from './sharing.ts';
import type { DeployedStage, Throttle } from './stages.ts';

export type Relation = {
  /** Where the same holds for several functions, which one this is about. */
  of?: FunctionName;
  unit: 'bytes' | 'executions' | 'requests' | 'requests/s' | 's' | 'units' | 'units/s';
  /** What must not be more. */
  lesser: { what: string; value: number };
  /** Than what. */
  greater: { what: string; value: number };
};

/**
 * What AWS sets for an account in a region, of which some newer regions have a quarter
 * ("Account-level quotas", API Gateway Developer Guide).
 */
const gateway = { ratePerSecond: 10_000, burst: 5_000 };

/**
 * Executions of an account that cannot be reserved (AWS Lambda Developer Guide, "Configuring
 * reserved concurrency"). A new account has ten in all, and so can reserve none.
 */
export const keptUnreserved = 100;

const windowSeconds = 5 * 60;

const throttleRelations = ({ settings, deployment }: DeployedStage): Relation[] => {
  const { application, longRead, batch, reversal, method } = settings.throttling;
  const rates = (lesser: Relation['lesser'], greater: Relation['greater']): Relation => ({
    unit: 'requests/s',
    lesser,
    greater,
  });
  const bursts = (lesser: Relation['lesser'], greater: Relation['greater']): Relation => ({
    unit: 'requests',
    lesser,
    greater,
  });
  const ofMethod = 'of a method';
  const address = deployment.webApplicationFirewall?.requestsPerFiveMinutesPerAddress;
  return [
    rates(
      { what: "rate of an application's reads that take long", value: longRead.ratePerSecond },
      { what: 'rate of an application', value: application.ratePerSecond },
    ),
    bursts(
      { what: "burst of an application's reads that take long", value: longRead.burst },
      { what: 'burst of an application', value: application.burst },
    ),
    rates(
      { what: "rate of an application's batches", value: batch.ratePerSecond },
      { what: 'rate of an application', value: application.ratePerSecond },
    ),
    bursts(
      { what: "burst of an application's batches", value: batch.burst },
      { what: 'burst of an application', value: application.burst },
    ),
    rates(
      { what: "rate of an application's reversals", value: reversal.ratePerSecond },
      { what: 'rate of an application', value: application.ratePerSecond },
    ),
    bursts(
      { what: "burst of an application's reversals", value: reversal.burst },
      { what: 'burst of an application', value: application.burst },
    ),
    rates(
      { what: 'rate of an application', value: application.ratePerSecond },
      { what: `rate ${ofMethod}`, value: method.ratePerSecond },
    ),
    bursts(
      { what: 'burst of an application', value: application.burst },
      { what: `burst ${ofMethod}`, value: method.burst },
    ),
    rates(
      { what: `rate ${ofMethod}`, value: method.ratePerSecond },
      { what: "the gateway's rate for an account", value: gateway.ratePerSecond },
    ),
    bursts(
      { what: `burst ${ofMethod}`, value: method.burst },
      { what: "the gateway's burst for an account", value: gateway.burst },
    ),
    // An address is often a whole application, and no address may take what all share.
    ...(address === undefined
      ? []
      : [
          bursts(
            {
              what: 'an application in five minutes, its burst included',
              value: application.ratePerSecond * windowSeconds + application.burst,
            },
            { what: "the firewall's for an address in five minutes", value: address },
          ),
          bursts(
            { what: "the firewall's for an address in five minutes", value: address },
            { what: 'a method in five minutes', value: method.ratePerSecond * windowSeconds },
          ),
        ]),
  ];
};

/**
 * How long a read of the largest books takes. Measured on one machine: 0.14 s for a trial balance
 * of 10,000,000 entries, 0.18 s for the first page of an account's ledger (tests/bench/results.md).
 * Estimated for AWS: 0.3 s for the most that one may read, eight pages of a megabyte. Where reads
 * take longer, one application may take all executions of one kind of report, and of nothing else.
 */
const longReadSeconds = 0.5;

/** What one application may have under way, and one more for somebody else. */
const underWay = ({ burst, ratePerSecond }: Throttle, lastingSeconds: number): number =>
  burst + ratePerSecond * lastingSeconds + 1;

const concurrencyRelations = ({ settings, deployment }: DeployedStage): Relation[] => {
  const { reservedConcurrency, throttling } = settings;
  if (reservedConcurrency === undefined) return [];
  const ofOneApplication = [
    // All that it may send within the longest wait, each of which waits that long.
    {
      what: 'posts of one application that all wait as long as they may, and one more',
      value: underWay(throttling.application, postingBudgetSeconds),
      reserved: reservedConcurrency['create-journal-entry'],
      reservedFor: 'posting',
    },
    {
      what: 'batches of one application that all wait as long as they may, and one more',
      value: underWay(throttling.batch, postingBudgetSeconds),
      reserved: reservedConcurrency['create-journal-entries'],
      reservedFor: 'batches',
    },
    {
      what: 'reversals of one application that all wait as long as they may, and one more',
      value: underWay(throttling.reversal, postingBudgetSeconds),
      reserved: reservedConcurrency['reverse-journal-entry'],
      reservedFor: 'reversals',
    },
    {
      what: 'long reads of one application, all of the largest books, and one more',
      value: underWay(throttling.longRead, longReadSeconds),
      reserved: reservedConcurrency.eachLongRead,
      reservedFor: 'each kind of long read',
    },
  ];
  return [
    {
      unit: 'executions',
      lesser: {
        what: `reserved, and the ${keptUnreserved} that AWS keeps unreserved`,
        value: reservedInAll(reservedConcurrency) + keptUnreserved,
      },
      greater: { what: "the account's", value: deployment.accountConcurrency },
    },
    ...ofOneApplication.flatMap(({ what, value, reserved, reservedFor }): Relation[] =>
      reserved === undefined
        ? []
        : [
            {
              unit: 'executions',
              lesser: { what, value },
              greater: { what: `reserved for ${reservedFor}`, value: reserved },
            },
          ],
    ),
  ];
};

/**
 * What a request of ordinary traffic uses, its charges included. A batch has 25 entries of two
 * lines, each with its `external_id`, of one date: 102 write units (tests/posting-costs.test.ts),
 * and two charges. A long read is a report of a year, on each day of which 100 accounts moved: a
 * read unit for 200 rows of its sheets (tests/costs-reports.test.ts), and the chart.
 */
const ordinaryUnits = { batch: 104, longRead: 190 };

/** An application may use one part in so many of what the table gives. */
const applicationsAtOnce = 3;

const minuteSeconds = 60;

const inAMinute = ({ ratePerSecond, burst }: Throttle): number =>
  ratePerSecond * minuteSeconds + burst;

const budgetRelations = ({ settings, deployment }: DeployedStage): Relation[] => {
  const { costBudget, throttling } = settings;
  const { tableThroughput } = deployment;
  const ofBoth = ['readUnits', 'writeUnits'] as const satisfies (keyof CostBudget)[];
  const words = { readUnits: 'read units', writeUnits: 'write units' };
  const budgetOf = (kind: keyof CostBudget) => ({
    what: `the budget of an application of ${words[kind]} in a minute`,
    value: costBudget[kind],
  });
  return [
    {
      unit: 'units',
      lesser: {
        what: 'batches of 25 entries that an application may send in a minute',
        value: inAMinute(throttling.batch) * ordinaryUnits.batch,
      },
      greater: budgetOf('writeUnits'),
    },
    {
      unit: 'units',
      lesser: {
        what: 'reports that an application may ask for in a minute',
        value: inAMinute(throttling.longRead) * ordinaryUnits.longRead,
      },
      greater: budgetOf('readUnits'),
    },
    ...ofBoth.flatMap((kind): Relation[] => [
      {
        unit: 'units',
        lesser: budgetOf(kind),
        greater: {
          what: `a third of the ${words[kind]} that the table gives in a minute`,
          value: Math.floor((tableThroughput[kind] * minuteSeconds) / applicationsAtOnce),
        },
      },
      {
        unit: 'units/s',
        lesser: {
          what: `the ${words[kind]} of an application: its budget, and requests that are free`,
          value: Math.ceil(
            throttling.application.ratePerSecond * freeUnits + costBudget[kind] / minuteSeconds,
          ),
        },
        greater: { what: `the ${words[kind]} that the table gives`, value: tableThroughput[kind] },
      },
    ]),
  ];
};

/** Every relation between the limits of a stage's traffic. */
export const trafficRelations = (stage: DeployedStage): Relation[] => [
  ...throttleRelations(stage),
  ...budgetRelations(stage),
  ...concurrencyRelations(stage),
];
