import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { type Command, recordCommands, repetitionOf } from './bare-calls.ts';
import { entryRenewal } from './requests.ts';

test('records what work sends to the table, and no more once it is done', async () => {
  const { table, endpoint, tableName } = await openTestTable();
  const key = { pk: 'a', sk: 'b' };
  const commands = await recordCommands(() => table.get(key));
  expect(commands.map(({ input }) => input)).toEqual([
    { TableName: tableName, Key: key, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' },
  ]);
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  await documents.send(new GetCommand({ TableName: tableName, Key: key }));
  expect(commands).toHaveLength(1);
});

test("makes of an entry's calls those of the next entry of another tenant", () => {
  const inTenant = (schemaName: string, sk: string) => ({ pk: `APP#1#TENANT#${schemaName}`, sk });
  const writeOf = (schemaName: string, [last, next, padded, number]: string[]) =>
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName: 'table',
            Key: inTenant(schemaName, 'SEQUENCE#2026-03-23#MJ'),
            UpdateExpression: 'SET lastSequence = :next',
            ExpressionAttributeValues: { ':next': Number(next), ':last': Number(last) },
          },
        },
        {
          Put: {
            TableName: 'table',
            Item: {
              ...inTenant(schemaName, `ENTRY#2026-03-23#MJ#${padded}`),
              journalNumber: `MJ-20260323-${number}`,
              lineCount: 2,
            },
          },
        },
      ],
    });
  const recorded = writeOf('from', ['1', '2', '000000002', '0002']);
  const renewal = entryRenewal({ from: { schemaName: 'from' }, to: { schemaName: 'to' } }, 17);
  const [repeated] = repetitionOf([recorded as Command], renewal);
  expect(repeated).toBeInstanceOf(TransactWriteCommand);
  expect(repeated?.input).toEqual(writeOf('to', ['16', '17', '000000017', '0017']).input);
});
