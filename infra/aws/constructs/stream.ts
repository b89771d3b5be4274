// The `stream` trigger: records of the table's stream that pass the manifest's filter.

import * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';
import type { StageData } from './stage-data.ts';

/** Lambda reads the stream with the function's role. */
const readingActions = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

export const addStream = (
  triggered: LedgerFunction,
  { newImage, batchSize, maximumRetries }: Extract<Trigger, { kind: 'stream' }>,
  { table, failureQueue }: StageData,
): void => {
  const { tableStreamArn } = table;
  if (tableStreamArn === undefined) throw new Error('the table has no stream');
  const pattern = Object.fromEntries(
    Object.entries(newImage).map(([attribute, value]) => [attribute, { S: [value] }]),
  );
  const mapping = new lambda.EventSourceMapping(triggered, 'stream', {
    target: triggered.live,
    eventSourceArn: tableStreamArn,
    // The first deployment also handles earlier records.
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    filters: [lambda.FilterCriteria.filter({ dynamodb: { NewImage: pattern } })],
    batchSize,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: maximumRetries,
    onFailure: new SqsDlq(failureQueue),
  });
  triggered.allow({ actions: readingActions, resources: [tableStreamArn] });
  // Lambda checks the role's permissions when it creates the mapping.
  mapping.node.addDependency(triggered.role);
};
