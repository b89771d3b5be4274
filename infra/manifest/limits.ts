// How the limits of a stage relate to each other. `npm run synth` and a deployment reject a stage
// that breaks a relation. limits.test.ts adds the relations between constants, and operations.md
// shows all of them for production.

import { callLimits, contentionSeconds, maximumCallMilliseconds } from '#shared/aws-call-limits.ts';
import { maximumWebhooks, resolveMilliseconds, sendMilliseconds } from '#shared/events/webhooks.ts';
import { importsInTurn } from '#shared/imports/import-timing.ts';
import { freeUnits } from '#shared/table/cost-budget.ts';
import { functionsOfKind } from './manifest.ts';
import type { DeployedStage, ReservedConcurrency, Throttle } from './stages.ts';

/** The first value must not be more than the second. */
export type Relation = [unit: string, what: string, value: number, limit: string, maximum: number];

/** A relation without one of its values does not apply to the stage. */
type StageRelation = [
  unit: string,
  what: string,
  value: number | undefined,
  limit: string,
  maximum: number | undefined,
];

/**
 * The quotas of an account in a region ("Account-level quotas", API Gateway Developer Guide). In
 * some newer regions they are a quarter of these.
 */
const gateway: Throttle = { ratePerSecond: 10_000, burst: 5_000 };

/**
 * Executions of an account that cannot be reserved (AWS Lambda Developer Guide, "Configuring
 * reserved concurrency"). A new account has ten executions and can reserve none.
 */
export const keptUnreserved = 100;

const [minuteSeconds, windowSeconds] = [60, 5 * 60];

/** The longest call to the table, with all tries. */
const tableCallSeconds = maximumCallMilliseconds(callLimits.standard.table) / 1_000;

/** The longest request to the endpoint of a webhook. */
const endpointSeconds = (resolveMilliseconds + sendMilliseconds) / 1_000;

/** The time of a post that waits for nobody. Two calls to the table: 15 to 30 ms, with a margin. */
const postSeconds = 0.1;

/**
 * The part of an account's executions that nothing reserves. CloudFormation can raise reservations
 * before it lowers others, so an upgrade needs spare executions to be one deployment.
 */
const spareShare = 0.1;

/**
 * The units of an ordinary request with its charges. A batch has 25 entries of two lines, each with
 * an `external_id`, on one date: 102 write units (tests/posting-costs.test.ts) and two charges. A
 * long read is a report of a year with 100 accounts a day: a read unit for 200 rows of the sheets
 * (tests/costs.test.ts), and the chart.
 */
const ordinaryUnits = { batch: 104, longRead: 190 };

/** The table's throughput and the deliveries cover the maximum of this many applications. */
const applicationsAtOnce = 3;

/** Imports use at most one part in so many of the table's throughput. */
const importParts = 4;

const inSeconds = (seconds: number, { ratePerSecond, burst }: Throttle): number =>
  ratePerSecond * seconds + burst;

const throttlePair = (
  [what, lesser]: [string, Throttle],
  [limit, greater]: [string, Throttle],
): StageRelation[] => [
  [
    'requests/s',
    `rate of ${what}`,
    lesser.ratePerSecond,
    `rate of ${limit}`,
    greater.ratePerSecond,
  ],
  ['requests', `burst of ${what}`, lesser.burst, `burst of ${limit}`, greater.burst],
];

export const reservedInAll = (reserved: ReservedConcurrency = {}): number =>
  Object.values(reserved).reduce((sum, it) => sum + it, 0);

/** Runs that no caller waits for, and that use unreserved executions. */
const backgroundRuns = functionsOfKind('schedule').length + functionsOfKind('stream').length;

/** Posts, batches or reversals that one application may have under way if each waits for others. */
const waitingPosts = (throttle: Throttle): number => inSeconds(contentionSeconds, throttle);

const executionRelations = ({ settings, deployment }: DeployedStage): StageRelation[] => {
  const { reservedConcurrency: reserved, throttling } = settings;
  const { application, batch, reversal, webhookTest, method } = throttling;
  if (reserved === undefined) return [];
  const { accountConcurrency } = deployment;
  const inAll = reservedInAll(reserved);
  return [
    [
      'executions',
      `reserved, with the ${keptUnreserved} that AWS keeps unreserved and a spare tenth`,
      inAll + keptUnreserved + Math.ceil(accountConcurrency * spareShare),
      'executions of the account',
      accountConcurrency,
    ],
    [
      'executions',
      'all posts of one application, each waiting for others, and posts at the rate of a method',
      waitingPosts(application) + Math.ceil(method.ratePerSecond * postSeconds),
      'reserved for posts',
      reserved['create-journal-entry'],
    ],
    [
      'executions',
      'all batches of one application, each waiting for others, and one more',
      waitingPosts(batch) + 1,
      'reserved for batches',
      reserved['create-journal-entries'],
    ],
    [
      'executions',
      'all reversals of one application, each waiting for others, and one more',
      waitingPosts(reversal) + 1,
      'reserved for reversals',
      reserved['reverse-journal-entry'],
    ],
    [
      'executions',
      'all tests of webhooks of one application, each waiting for its endpoint, and one more',
      inSeconds(endpointSeconds, webhookTest) + 1,
      'reserved for tests of webhooks',
      reserved['test-webhook'],
    ],
    // A webhook has one run at a time.
    [
      'executions',
      'the webhooks of three applications, each waiting for its endpoint, and one more',
      applicationsAtOnce * maximumWebhooks + 1,
      'reserved for deliveries',
      reserved['deliver-events'],
    ],
    [
      'executions',
      'imports that take turns, and a quarter more for the first turns of new imports',
      Math.ceil(importsInTurn * 1.25),
      'reserved for imports',
      reserved['import-tenant-data'],
    ],
    [
      'executions',
      'all requests of one application, each waiting for others and for a call to the table with ' +
        'all tries, and all background runs',
      Math.ceil(inSeconds(contentionSeconds + tableCallSeconds, application)) + backgroundRuns,
      'executions that nothing reserves',
      accountConcurrency - inAll,
    ],
  ];
};

const budgetRelations = (
  kind: 'readUnits' | 'writeUnits',
  { settings: { costBudget, throttling }, deployment: { tableThroughput } }: DeployedStage,
): StageRelation[] => {
  const units = kind === 'readUnits' ? 'read units' : 'write units';
  const [requests, ordinary, what] =
    kind === 'readUnits'
      ? [throttling.longRead, ordinaryUnits.longRead, 'reports']
      : [throttling.batch, ordinaryUnits.batch, 'batches of 25 entries'];
  const perSecond =
    throttling.application.ratePerSecond * freeUnits + costBudget[kind] / minuteSeconds;
  const budget = `the ${units} of an application's budget in a minute`;
  return [
    [
      'units',
      `${what} that an application may request in a minute`,
      inSeconds(minuteSeconds, requests) * ordinary,
      budget,
      costBudget[kind],
    ],
    [
      'units',
      budget,
      costBudget[kind],
      `a third of the table's ${units} in a minute`,
      Math.floor((tableThroughput[kind] * minuteSeconds) / applicationsAtOnce),
    ],
    [
      'units/s',
      `the ${units} of an application: its budget and its free requests`,
      Math.ceil(perSecond),
      `the table's ${units}`,
      tableThroughput[kind],
    ],
  ];
};

export const relationsOf = (stage: DeployedStage): Relation[] => {
  const { settings, deployment } = stage;
  const { throttling } = settings;
  const { application, longRead, batch, reversal, webhookTest, method, smallerPlans } = throttling;
  const { small, medium } = smallerPlans;
  const address = deployment.webApplicationFirewall?.requestsPerFiveMinutesPerAddress;
  const relations: StageRelation[] = [
    ...throttlePair(["an application's long reads", longRead], ['an application', application]),
    ...throttlePair(["an application's batches", batch], ['an application', application]),
    ...throttlePair(["an application's reversals", reversal], ['an application', application]),
    ...throttlePair(
      ["an application's tests of webhooks", webhookTest],
      ['an application', application],
    ),
    ...throttlePair(['a small application', small], ['a medium application', medium]),
    ...throttlePair(['a medium application', medium], ['an application', application]),
    ...throttlePair(['an application', application], ['a method', method]),
    ...throttlePair(['a method', method], ['the gateway for an account', gateway]),
    // One address is often a whole application, and no address may use up the shared throttle.
    [
      'requests',
      'an application in five minutes, with its burst',
      inSeconds(windowSeconds, application),
      'the firewall for an address in five minutes',
      address,
    ],
    [
      'requests',
      'the firewall for an address in five minutes',
      address,
      'a method in five minutes',
      method.ratePerSecond * windowSeconds,
    ],
    ...budgetRelations('readUnits', stage),
    ...budgetRelations('writeUnits', stage),
    [
      'units',
      'the write units of all imports in a minute',
      settings.importWriteUnits,
      "a quarter of the table's write units in a minute",
      Math.floor((deployment.tableThroughput.writeUnits * minuteSeconds) / importParts),
    ],
    ...executionRelations(stage),
  ];
  return relations.filter(
    (relation): relation is Relation => relation[2] !== undefined && relation[4] !== undefined,
  );
};

/** The relations that a stage breaks, a sentence each. */
export const brokenLimits = (stage: DeployedStage): string[] =>
  relationsOf(stage).flatMap(([unit, what, value, limit, maximum]) =>
    value <= maximum
      ? []
      : [
          `The limits of ${stage.name} do not agree: ${what} (${value.toLocaleString('en-US')} ` +
            `${unit}) must not be more than ${limit} (${maximum.toLocaleString('en-US')} ${unit}).`,
        ],
  );
