// The limits of time and size, one row each: what must end within a function, within the gateway
// and within AWS's own quotas. They are the same in every stage.

import { recordingMilliseconds } from '#functions/authorizer/handler.ts';
import { reserveMilliseconds } from '#functions/import-tenant-data/platform-retry.ts';
import {
  heartbeatMilliseconds,
  renewalMilliseconds,
} from '#functions/import-tenant-data/run-lease.ts';
import { callLimits, invocationLimits, longestCallMilliseconds } from '#shared/aws-call-limits.ts';
import { timeoutEarlyInMillis } from '#shared/endpoint/api.ts';
import { maximumBodyBytes } from '#shared/endpoint/json-body.ts';
import { postingBudgetSeconds } from '#shared/entries/journal-entries.store.ts';
import { leaseMilliseconds } from '#shared/imports/import-timing.ts';
import { defaultTimeoutMilliseconds } from '#shared/platforms/http.ts';
import { pageTimeoutMilliseconds } from '#shared/platforms/quickbooks/quickbooks-pages.ts';
import { chargeMilliseconds } from '#shared/table/cost-budget.ts';
import { patientMilliseconds } from '#shared/table/retry.ts';
import { lockDelaySeconds } from '#shared/tenants/period-lock.ts';
import type { FunctionRow } from './function-row.ts';
import { type FunctionName, functions, functionsInvokedBy, functionsOfKind } from './manifest.ts';

export type Limit = [what: string, value: number];

/** `lesser` must not be more than `greater`, for one function or for all. */
export type LimitRow = { unit: string; lesser: Limit; greater: Limit; of?: FunctionName };

/**
 * Quotas of AWS: for the gateway "Quotas for configuring and running a REST API" (API Gateway
 * Developer Guide), for a payload "Lambda quotas" (AWS Lambda Developer Guide).
 */
const aws = {
  gatewayBodyBytes: 10 * 1024 * 1024,
  gatewayTimeoutSeconds: 29,
  functionPayloadBytes: 6 * 1024 * 1024,
};

/** A body is a string in the JSON of an event, and each of its bytes may become `\u0000`. */
const longestEscape = 6;

const seconds = (milliseconds: number): number => milliseconds / 1_000;
const tableCallSeconds = seconds(longestCallMilliseconds(callLimits.standard.table));

const invocationSecondsOf = (name: FunctionName): number =>
  functionsInvokedBy(name).length * seconds(longestCallMilliseconds(invocationLimits));

const awsCallSecondsOf = (name: FunctionName, { trigger, secrets }: FunctionRow): number => {
  const isAuthorizer = trigger.kind === 'authorizer';
  const limits = callLimits[isAuthorizer ? 'short' : 'standard'];
  const secretsMilliseconds = secrets.length * longestCallMilliseconds(limits.secrets);
  const milliseconds = longestCallMilliseconds(limits.table) + secretsMilliseconds;
  return (
    seconds(milliseconds + (isAuthorizer ? recordingMilliseconds : 0)) + invocationSecondsOf(name)
  );
};

/** What must end within the timeout of each function, by the name of the function. */
const timeoutRows = (): LimitRow[] => {
  const within = (of: FunctionName, what: string, value: number): LimitRow => ({
    of,
    unit: 's',
    lesser: [what, value],
    greater: ['the timeout of its function', functions[of].timeoutSeconds],
  });
  return (Object.entries(functions) as [FunctionName, FunctionRow][]).flatMap(([name, row]) => {
    const { platformCallsInSequence: calls, trigger, timeoutSeconds } = row;
    const waits =
      name === 'create-journal-entry' || ['batch', 'reversal'].includes(row.throttle ?? '');
    return [
      within(
        name,
        'a call to the table, to each secret and to each function it invokes, with all tries',
        awsCallSecondsOf(name, row),
      ),
      ...(calls === undefined
        ? []
        : [
            within(
              name,
              'the longest sequence of calls to a platform, one try at the table, and the reply',
              seconds(
                calls * defaultTimeoutMilliseconds +
                  callLimits.standard.table.attemptMilliseconds +
                  timeoutEarlyInMillis,
              ),
            ),
          ]),
      ...(waits
        ? [
            within(
              name,
              'the wait of a post for others, and a call to the table with all tries',
              postingBudgetSeconds + tableCallSeconds,
            ),
          ]
        : []),
      ...(trigger.kind === 'stream'
        ? [
            within(
              name,
              'a batch of the stream, each record invoked with all tries',
              trigger.batchSize * invocationSecondsOf(name),
            ),
          ]
        : []),
      ...(name === 'import-tenant-data'
        ? [
            within(
              name,
              "the slowest platform's page, and what a run reserves for its end",
              seconds(pageTimeoutMilliseconds + reserveMilliseconds),
            ),
          ]
        : []),
      ...(trigger.kind === 'schedule'
        ? [
            {
              of: name,
              unit: 's',
              lesser: ['the timeout of a scheduled run', timeoutSeconds] as Limit,
              greater: ['the time until its next run', trigger.everyMinutes * 60] as Limit,
            },
          ]
        : []),
    ];
  });
};

const fixedRows: LimitRow[] = [
  {
    unit: 'bytes',
    lesser: ['the longest body of a request', maximumBodyBytes],
    greater: ['the longest body at the gateway', aws.gatewayBodyBytes],
  },
  {
    unit: 'bytes',
    lesser: ['that body in its event', maximumBodyBytes * longestEscape],
    greater: ['the longest event at Lambda', aws.functionPayloadBytes],
  },
  ...functionsOfKind('api').flatMap(({ name, row }): LimitRow[] => [
    {
      of: name,
      unit: 's',
      lesser: ['the timeout of an endpoint', row.timeoutSeconds],
      greater: ['the timeout of the gateway', aws.gatewayTimeoutSeconds],
    },
    {
      of: name,
      unit: 's',
      lesser: [
        'a call to the table with all tries, and the timeout of an endpoint',
        tableCallSeconds + row.timeoutSeconds,
      ],
      greater: ['the time until a lock is in force', lockDelaySeconds],
    },
  ]),
  {
    unit: 's',
    lesser: [
      'two calls to the table with all tries, and the tries to import a batch',
      seconds(patientMilliseconds) + 2 * tableCallSeconds,
    ],
    greater: ['the time until a lock is in force', lockDelaySeconds],
  },
  {
    unit: 's',
    lesser: ['the wait for a charge', seconds(chargeMilliseconds)],
    greater: ['the time left to a request that timed out', seconds(timeoutEarlyInMillis)],
  },
  {
    unit: 's',
    lesser: [
      'the time between two renewals of a lease, and a call to the table with all tries',
      seconds(renewalMilliseconds + heartbeatMilliseconds) + tableCallSeconds,
    ],
    greater: ['the lease of an import', seconds(leaseMilliseconds)],
  },
];

/** Every row of time and size. */
export const timeLimits: readonly LimitRow[] = [...fixedRows, ...timeoutRows()];
