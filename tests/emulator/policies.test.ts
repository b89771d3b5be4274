import { describe, expect, test } from 'vitest';
import { accessesOf } from './accesses.ts';
import type { Statement } from './aws.ts';
import { type Access, isAllowed } from './policies.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/ledger';
const place = { region: 'us-east-1', secretArns: new Map([['pepper', 'arn:pepper-a1b2c3']]) };

const reading: Statement = {
  Effect: 'Allow',
  Action: ['dynamodb:GetItem', 'dynamodb:Query'],
  Resource: table,
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['APP#??', 'RATES'] } },
};

const access = (changes: { action?: string; resource?: string; keys?: string[] } = {}): Access => ({
  action: changes.action ?? 'dynamodb:GetItem',
  resource: changes.resource ?? table,
  context: { 'dynamodb:LeadingKeys': changes.keys ?? ['APP#12'] },
});

describe('a policy', () => {
  test.each<[string, boolean, Access, Statement[]]>([
    ['an action in a partition of its pattern', true, access(), [reading]],
    ['several such partitions', true, access({ keys: ['APP#12', 'RATES'] }), [reading]],
    ['one partition beyond', false, access({ keys: ['APP#12', 'RATES#1'] }), [reading]],
    ['another action', false, access({ action: 'dynamodb:PutItem' }), [reading]],
    ['an index', false, access({ resource: `${table}/index/due` }), [reading]],
    ['anything without a statement', false, access(), []],
    ['what is denied too', false, access(), [reading, { ...reading, Effect: 'Deny' }]],
  ])('decides on %s', (_, expected, asked, statements) => {
    expect(isAllowed(statements, asked)).toBe(expected);
  });

  test('with a condition that is not known here is an error', () => {
    const statement = { ...reading, Condition: { Bool: { 'aws:SecureTransport': 'true' } } };
    expect(() => isAllowed([statement], access())).toThrow('unknown condition Bool');
  });
});

describe('a call', () => {
  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '' } });
  const call = (service: string, operation: string, input: object, path = '/') =>
    accessesOf({ functionName: 'f', service, operation, path, input }, place);

  test.each<[string, Access[], Access[]]>([
    [
      'a transaction, part by part',
      call('dynamodb', 'TransactWriteItems', {
        TransactItems: [
          { Put: { TableName: 'ledger', Item: key('A') } },
          { ConditionCheck: { TableName: 'ledger', Key: key('B') } },
        ],
      }),
      [
        access({ action: 'dynamodb:PutItem', keys: ['A'] }),
        access({ action: 'dynamodb:ConditionCheckItem', keys: ['B'] }),
      ],
    ],
    [
      'a batch with all its partitions',
      call('dynamodb', 'BatchGetItem', {
        RequestItems: { ledger: { Keys: [key('A'), key('B')] } },
      }),
      [access({ action: 'dynamodb:BatchGetItem', keys: ['A', 'B'] })],
    ],
    [
      'a query of an index',
      call('dynamodb', 'Query', {
        TableName: 'ledger',
        IndexName: 'due',
        KeyConditionExpression: 'due_pk = :day AND due_sk < :now',
        ExpressionAttributeValues: { ':day': { S: 'DUE' } },
      }),
      [access({ action: 'dynamodb:Query', resource: `${table}/index/due`, keys: ['DUE'] })],
    ],
    [
      'a secret by its name',
      call('secretsmanager', 'GetSecretValue', { SecretId: 'pepper' }),
      [{ action: 'secretsmanager:GetSecretValue', resource: 'arn:pepper-a1b2c3', context: {} }],
    ],
    [
      'an invocation by name',
      call('lambda', 'Invoke', {}, '/2015-03-31/functions/next/invocations'),
      [
        {
          action: 'lambda:InvokeFunction',
          resource: 'arn:aws:lambda:us-east-1:000000000000:function:next',
          context: {},
        },
      ],
    ],
  ])('is read as %s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});
