// The `stream` trigger: records of the table's stream that pass the manifest's filter.

import * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { StreamFilter, Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';
import type { StageData } from './stage-data.ts';

/** Lambda reads the stream with the function's role. */
const readingActions = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

const patternOf = (filter: StreamFilter) =>
  Object.fromEntries(Object.entries(filter).map(([attribute, text]) => [attribute, { S: [text] }]));

export const addStream = (
  triggered: LedgerFunction,
  { filters, batchSize, maximumRetries }: Extract<Trigger, { kind: 'stream' }>,
  { table, failureQueue }: StageData,
): void => {
  const { tableStreamArn } = table;
  if (tableStreamArn === undefined) throw new Error('the table has no stream');
  const mapping = new lambda.EventSourceMapping(triggered, 'stream', {
    target: triggered.live,
    eventSourceArn: tableStreamArn,
    // The first deployment also handles earlier records.
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    filters: filters.map((filter) =>
      lambda.FilterCriteria.filter({ dynamodb: { NewImage: patternOf(filter) } }),
    ),
    batchSize,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    // Without a number, Lambda tries until the record expires.
    ...(maximumRetries !== 'until_expired' && { retryAttempts: maximumRetries }),
    onFailure: new SqsDlq(failureQueue),
  });
  triggered.allow({ actions: readingActions, resources: [tableStreamArn] });
  // Lambda checks the role's permissions when it creates the mapping.
  mapping.node.addDependency(triggered.role);
};
