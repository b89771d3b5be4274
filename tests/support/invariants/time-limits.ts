// The relations between limits of time and size: between constants, and between constants and the
// row of a function.

import { maximumRecordingMilliseconds } from '#functions/authorizer/handler.ts';
import { reserveMilliseconds } from '#functions/import-tenant-data/platform-retry.ts';
import {
  heartbeatMilliseconds,
  renewalMilliseconds,
} from '#functions/import-tenant-data/run-lease.ts';
import type { FunctionRow } from '#infra/manifest/function-row.ts';
import type { Relation } from '#infra/manifest/limits.ts';
import { type FunctionName, functions, functionsInvokedBy } from '#infra/manifest/manifest.ts';
import {
  callLimits,
  contentionSeconds,
  invocationLimits,
  maximumCallMilliseconds,
} from '#shared/aws-call-limits.ts';
import { timeoutEarlyInMillis } from '#shared/endpoint/api.ts';
import { maximumBodyBytes } from '#shared/endpoint/json-body.ts';
import { queueSeconds } from '#shared/entries/posting-budget.ts';
import { resolveMilliseconds, sendMilliseconds } from '#shared/events/webhooks.ts';
import { leaseMilliseconds } from '#shared/imports/import-timing.ts';
import { defaultTimeoutMilliseconds } from '#shared/platforms/http.ts';
import { pageTimeoutMilliseconds } from '#shared/platforms/quickbooks/quickbooks-pages.ts';
import { chargeMilliseconds } from '#shared/table/cost-budget.ts';
import { patientMilliseconds } from '#shared/table/retry.ts';
import { lockDelaySeconds } from '#shared/tenants/period-lock.ts';

/**
 * Quotas of AWS: for the gateway "Quotas for configuring and running a REST API" (API Gateway
 * Developer Guide), for a payload "Lambda quotas" (AWS Lambda Developer Guide).
 */
const aws = {
  gatewayBodyBytes: 10 * 1024 * 1024,
  gatewayTimeoutSeconds: 29,
  functionPayloadBytes: 6 * 1024 * 1024,
};

/** Each byte of a body can become `\u0000` in the JSON of an event. */
const longestEscape = 6;

const seconds = (milliseconds: number): number => milliseconds / 1_000;
const tableCall = seconds(maximumCallMilliseconds(callLimits.standard.table));
const lockDelay: [string, number] = ['the time until a lock takes effect', lockDelaySeconds];

/** The relations between constants, the same in every stage. */
export const constantRelations: Relation[] = [
  [
    'bytes',
    'the longest body of a request',
    maximumBodyBytes,
    'the longest body at the gateway',
    aws.gatewayBodyBytes,
  ],
  [
    'bytes',
    'that body in its event',
    maximumBodyBytes * longestEscape,
    'the longest event at Lambda',
    aws.functionPayloadBytes,
  ],
  [
    's',
    'two calls to the table with all tries, and the tries to import a batch',
    seconds(patientMilliseconds) + 2 * tableCall,
    ...lockDelay,
  ],
  [
    's',
    'the wait of a post for other processes',
    contentionSeconds,
    'its wait with the queue of its own process',
    queueSeconds,
  ],
  [
    's',
    'the wait for a charge',
    seconds(chargeMilliseconds),
    'the time left to a request that timed out',
    seconds(timeoutEarlyInMillis),
  ],
  [
    's',
    'the time between two renewals of a lease, and a call to the table with all tries',
    seconds(renewalMilliseconds + heartbeatMilliseconds) + tableCall,
    'the lease of an import',
    seconds(leaseMilliseconds),
  ],
];

/** The relations between the row of a function and constants. */
export const relationsOfFunction = (name: FunctionName): Relation[] => {
  const row: FunctionRow = functions[name];
  const { trigger, timeoutSeconds, platformCallsInSequence: platformCalls } = row;
  const isAuthorizer = trigger.kind === 'authorizer';
  const { table, secrets } = callLimits[isAuthorizer ? 'short' : 'standard'];
  const calls =
    maximumCallMilliseconds(table) +
    row.secrets.length * maximumCallMilliseconds(secrets) +
    (isAuthorizer ? maximumRecordingMilliseconds : 0);
  const invocations = functionsInvokedBy(name).length * maximumCallMilliseconds(invocationLimits);
  const waitsForPosts =
    name === 'create-journal-entry' || row.throttle === 'batch' || row.throttle === 'reversal';
  const inTime = (what: string, value: number): Relation => [
    's',
    what,
    value,
    'the timeout of its function',
    timeoutSeconds,
  ];
  const relations = [
    inTime(
      'a call to the table, to each secret and to each function it invokes, with all tries',
      seconds(calls + invocations),
    ),
  ];
  if (trigger.kind === 'api') {
    const { gatewayTimeoutSeconds } = aws;
    relations.push(
      [
        's',
        'the timeout of an endpoint',
        timeoutSeconds,
        'the timeout of the gateway',
        gatewayTimeoutSeconds,
      ],
      [
        's',
        'a call to the table with all tries, and the timeout of an endpoint',
        tableCall + timeoutSeconds,
        ...lockDelay,
      ],
    );
  }
  if (platformCalls !== undefined) {
    relations.push(
      inTime(
        'the longest sequence of calls to a platform, one try at the table, and the reply',
        seconds(
          platformCalls * defaultTimeoutMilliseconds +
            callLimits.standard.table.attemptMilliseconds +
            timeoutEarlyInMillis,
        ),
      ),
    );
  }
  if (row.throttle === 'webhookTest') {
    relations.push(
      inTime(
        'the longest request to the endpoint of a webhook, one try at the table, and the reply',
        seconds(
          resolveMilliseconds +
            sendMilliseconds +
            callLimits.standard.table.attemptMilliseconds +
            timeoutEarlyInMillis,
        ),
      ),
    );
  }
  if (waitsForPosts) {
    relations.push(
      inTime(
        'the wait of a post for others, and a call to the table with all tries',
        contentionSeconds + tableCall,
      ),
    );
  }
  // record-events invokes at once what it invokes.
  if (name === 'start-imports' && trigger.kind === 'stream') {
    relations.push(
      inTime(
        'a batch of the stream, each record invoked with all tries',
        trigger.batchSize * seconds(invocations),
      ),
    );
  }
  if (trigger.kind === 'schedule') {
    relations.push([
      's',
      'the timeout of a scheduled run',
      timeoutSeconds,
      'the time until its next run',
      trigger.everyMinutes * 60,
    ]);
  }
  if (name === 'import-tenant-data') {
    relations.push(
      inTime(
        "the slowest platform's page, and the time that a run reserves for its end",
        seconds(pageTimeoutMilliseconds + reserveMilliseconds),
      ),
    );
  }
  return relations;
};
