// How the limits of a stage relate to each other: what must not be more than what. `npm run synth`
// and a deployment refuse a stage that breaks one of these; operations.md has the table.

import { recordingMilliseconds } from '#functions/authorizer/key-use.ts';
import { reserveMilliseconds } from '#functions/import-tenant-data/platform-retry.ts';
import {
  heartbeatMilliseconds,
  renewalMilliseconds,
} from '#functions/import-tenant-data/run-lease.ts';
import { callLimits, invocationLimits, longestCallMilliseconds } from '#shared/call-limits.ts';
import { chargeMilliseconds } from '#shared/cost-budget.ts';
import { leaseMilliseconds } from '#shared/domain/import-timing.ts';
import { lockDelaySeconds } from '#shared/domain/period-lock.ts';
import { defaultTimeoutMilliseconds } from '#shared/platforms/http.ts';
import { pageTimeoutMilliseconds } from '#shared/platforms/quickbooks-pages.ts';
import { postingBudgetSeconds } from '#shared/store/journal-entries.ts';
import { patientMilliseconds } from '#shared/store/retry.ts';
import { timeoutEarlyInMillis } from '#shared/triggers/api.ts';
import { maximumBodyBytes } from '#shared/triggers/json-body.ts';
import type { FunctionRow } from './function-row.ts';
import {
  batches,
  type FunctionName,
  functions,
  functionsInvokedBy,
  functionsOfKind,
  reversals,
} from './manifest.ts';
import type { DeployedStage } from './stages.ts';
import { type Relation, trafficRelations } from './traffic-limits.ts';

/**
 * What AWS sets: for the gateway "Quotas for configuring and running a REST API" (API Gateway
 * Developer Guide), for a function's payload "Lambda quotas" (AWS Lambda Developer Guide).
 */
const aws = {
  gatewayBodyBytes: 10 * 1024 * 1024,
  gatewayTimeoutSeconds: 29,
  functionPayloadBytes: 6 * 1024 * 1024,
};

/** A body is a string in the JSON of an event, whose every byte may become `\u0000`. */
const longestEscape = 6;

const bodyRelations: Relation[] = [
  {
    unit: 'bytes',
    lesser: { what: 'a body that functions take', value: maximumBodyBytes },
    greater: { what: 'a body that the gateway takes', value: aws.gatewayBodyBytes },
  },
  {
    unit: 'bytes',
    lesser: { what: 'such a body in its event', value: maximumBodyBytes * longestEscape },
    greater: { what: 'an event that Lambda takes', value: aws.functionPayloadBytes },
  },
];

/**
 * How many calls to a platform follow each other in a function that somebody waits for, where the
 * platform answers each as late as it may and refuses none. What a refusal adds, a refresh and the
 * call again, is left to the function's own deadline, which answers `request_timed_out`.
 */
const platformCallsInSequence: Partial<Record<FunctionName, number>> = {
  // The company; then new tokens, and the company with them.
  'create-tenant': 3,
  // At Xero: new tokens, the list of connections, the deletion of one.
  'disconnect-tenant': 3,
  // At Xero: the tokens, the connections of the consent, all of them, the company.
  'oauth-callback': 4,
};

const seconds = (milliseconds: number): number => milliseconds / 1_000;

/** What a function's entry point opens its clients with. */
const clientLimitsOf = ({ trigger }: FunctionRow) =>
  callLimits[trigger.kind === 'authorizer' ? 'short' : 'standard'];

/** Asking Lambda for every function that one may, one after the other. */
const invocationSecondsOf = (name: FunctionName): number =>
  functionsInvokedBy(name).length * seconds(longestCallMilliseconds(invocationLimits));

const awsCallsOf = (name: FunctionName, row: FunctionRow): number => {
  const { table, secrets } = clientLimitsOf(row);
  return (
    seconds(
      longestCallMilliseconds(table) +
        row.secrets.length * longestCallMilliseconds(secrets) +
        (row.trigger.kind === 'authorizer' ? recordingMilliseconds : 0),
    ) + invocationSecondsOf(name)
  );
};

/** What has to end before the function does. */
const withinFunction = (of: FunctionName, what: string, value: number): Relation => ({
  of,
  unit: 's',
  lesser: { what, value },
  greater: { what: 'the time of its function', value: functions[of].timeoutSeconds },
});

/** The calls of a function. */
const callRelations = (name: FunctionName, row: FunctionRow): Relation[] => {
  const calls = platformCallsInSequence[name];
  const platformMilliseconds = (calls ?? 0) * defaultTimeoutMilliseconds;
  const { attemptMilliseconds } = clientLimitsOf(row).table;
  return [
    withinFunction(
      name,
      'a call to the table, to each of its secrets and to whom it invokes, with all attempts',
      awsCallsOf(name, row),
    ),
    ...(calls === undefined
      ? []
      : [
          withinFunction(
            name,
            'calls to a platform, one after the other, one to the table, and the answer',
            seconds(platformMilliseconds + attemptMilliseconds + timeoutEarlyInMillis),
          ),
        ]),
  ];
};

const rows = Object.entries(functions) as [FunctionName, FunctionRow][];

const timeRelations: Relation[] = [
  ...functionsOfKind('api').map(
    ({ name, row }): Relation => ({
      of: name,
      unit: 's',
      lesser: { what: 'the time of an endpoint', value: row.timeoutSeconds },
      greater: { what: 'that of the gateway', value: aws.gatewayTimeoutSeconds },
    }),
  ),
  ...functionsOfKind('api').map(
    ({ name, row }): Relation => ({
      of: name,
      unit: 's',
      lesser: {
        what: 'a call to the table with all attempts, and the time of an endpoint',
        value: seconds(longestCallMilliseconds(callLimits.standard.table)) + row.timeoutSeconds,
      },
      greater: { what: 'the time until a lock is in force', value: lockDelaySeconds },
    }),
  ),
  {
    unit: 's',
    lesser: {
      what: 'two calls to the table with all attempts, and the tries to import a batch',
      value: seconds(patientMilliseconds + 2 * longestCallMilliseconds(callLimits.standard.table)),
    },
    greater: { what: 'the time until a lock is in force', value: lockDelaySeconds },
  },
  {
    unit: 's',
    lesser: { what: 'the wait for a charge', value: seconds(chargeMilliseconds) },
    greater: {
      what: 'the time that is left to a request which ran out of time',
      value: seconds(timeoutEarlyInMillis),
    },
  },
  ...rows.flatMap(([name, row]) => callRelations(name, row)),
  ...(['create-journal-entry', ...[...batches, ...reversals].map(({ name }) => name)] as const).map(
    (name) =>
      withinFunction(
        name,
        'the wait of a post for others, and a call to the table with all attempts',
        postingBudgetSeconds + seconds(longestCallMilliseconds(callLimits.standard.table)),
      ),
  ),
  withinFunction(
    'import-tenant-data',
    "the slowest platform's page, and what a run keeps for its end",
    seconds(pageTimeoutMilliseconds + reserveMilliseconds),
  ),
  {
    of: 'import-tenant-data',
    unit: 's',
    lesser: {
      what: 'the time between two renewals of a lease, and a call to the table with all attempts',
      value: seconds(
        renewalMilliseconds +
          heartbeatMilliseconds +
          longestCallMilliseconds(callLimits.standard.table),
      ),
    },
    greater: { what: 'the time for which an import is leased', value: seconds(leaseMilliseconds) },
  },
  ...functionsOfKind('stream').map(({ name, trigger }) =>
    withinFunction(
      name,
      'a batch of the stream, each record of which is passed on with all attempts',
      trigger.batchSize * invocationSecondsOf(name),
    ),
  ),
  ...functionsOfKind('schedule').map(
    ({ name, row, trigger }): Relation => ({
      of: name,
      unit: 's',
      lesser: { what: 'the time of a run on a schedule', value: row.timeoutSeconds },
      greater: { what: 'the time until its next run', value: trigger.everyMinutes * 60 },
    }),
  ),
];

/** Every relation between limits that a stage has. */
export const relationsOf = (stage: DeployedStage): Relation[] => [
  ...trafficRelations(stage),
  ...bodyRelations,
  ...timeRelations,
];

const figureOf = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US')} ${unit}`;

/** What is wrong with a stage's limits, a sentence each. */
export const brokenRelations = (stage: DeployedStage): string[] =>
  relationsOf(stage)
    .filter(({ lesser, greater }) => lesser.value > greater.value)
    .map(
      ({ of, unit, lesser, greater }) =>
        `The limits of ${stage.name} do not agree: ${of ? `for ${of}, ` : ''}${lesser.what} ` +
        `(${figureOf(lesser.value, unit)}) must not be more than ${greater.what} ` +
        `(${figureOf(greater.value, unit)}).`,
    );

/** Of relations that differ by their function only, the one with the least to spare. */
const tightest = (relations: Relation[]): Relation[] => {
  const alike = Map.groupBy(relations, ({ lesser, greater }) => lesser.what + greater.what);
  const spare = ({ lesser, greater }: Relation): number => greater.value / lesser.value;
  return [...alike.values()].map((group) =>
    group.reduce((least, it) => (spare(it) < spare(least) ? it : least)),
  );
};

/** The relations as a table in Markdown, which operations.md has for production. */
export const relationsTable = (stage: DeployedStage): string[] => [
  '| this | | is not more than | | least to spare |',
  '|---|---|---|---|---|',
  ...tightest(relationsOf(stage)).map(({ of, unit, lesser, greater }) => {
    const cells = [
      ...[lesser.what, figureOf(lesser.value, unit)],
      ...[greater.what, figureOf(greater.value, unit)],
      of === undefined ? '' : `\`${of}\``,
    ];
    return `| ${cells.join(' | ')} |`;
  }),
];
