// The `stream` trigger: the records of the table's stream that the manifest's filter lets through.

import * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';
import type { StageData } from './stage-data.ts';

/** What Lambda does with the stream in the function's name. */
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
    // What was asked for before the function was there is still to be done.
    startingPosition: lambda.StartingPosition.TRIM_HORIZON,
    filters: [lambda.FilterCriteria.filter({ dynamodb: { NewImage: pattern } })],
    batchSize,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: maximumRetries,
    onFailure: new SqsDlq(failureQueue),
  });
  triggered.allow({ actions: readingActions, resources: [tableStreamArn] });
  // Lambda checks when it makes the mapping that the role can read.
  mapping.node.addDependency(triggered.role);
};
