// The schema of the table, for the local engine and for the deployment.

import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { dueIndex } from '#shared/table/due-keys.ts';

export const timeToLiveAttribute = 'expiresAt';

/** The settings of the table, without its name. */
export const tableShape = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'sk', 'due_pk', 'due_sk'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: dueIndex,
      KeySchema: [
        { AttributeName: 'due_pk', KeyType: 'HASH' },
        { AttributeName: 'due_sk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
} as const satisfies Partial<Record<keyof CreateTableCommandInput, unknown>>;

/** Creates the table if it does not exist. Returns the ARN of its stream. */
export const ensureTable = async (client: DynamoDBClient, TableName: string): Promise<string> => {
  try {
    await client.send(
      new CreateTableCommand({ TableName, ...tableShape } as unknown as CreateTableCommandInput),
    );
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`${TableName} has no stream`);
  return Table.LatestStreamArn;
};
