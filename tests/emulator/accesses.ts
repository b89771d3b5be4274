// What IAM is asked about a call of AWS: actions on resources, with the partitions of the table
// that they touch.

import type { AwsCall } from './aws-calls.ts';
import type { Access } from './policies.ts';

const account = '000000000000';

/** Secrets are asked for by name, and granted by ARN, which has six characters more. */
export type Place = { region: string; secretArns: ReadonlyMap<string, string> };

type Value = { S: string };
type Part = { Key?: { pk: Value }; Item?: { pk: Value }; TableName: string };

/** The actions of a transaction's parts (DynamoDB Developer Guide, "IAM for transactions"). */
const actionByPart: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** The partition of a query, which is the first of its key conditions. */
const queriedPartition = (input: AwsCall['input']): Value[] => {
  const [, name = '', value = ''] =
    /^(#?\w+) = (:\w+)/.exec(input.KeyConditionExpression ?? '') ?? [];
  return name === '' ? [] : [input.ExpressionAttributeValues[value]];
};

const onTable = (
  region: string,
  { action, table, index, keys }: { action: string; table: string; index?: string; keys: Value[] },
): Access => ({
  action: `dynamodb:${action}`,
  resource: [
    `arn:aws:dynamodb:${region}:${account}:table/${table}`,
    ...(index === undefined ? [] : [`index/${index}`]),
  ].join('/'),
  context: { 'dynamodb:LeadingKeys': keys.map(({ S }) => S) },
});

const ofTable = ({ operation, input }: AwsCall, { region }: Place): Access[] => {
  if (/^Transact/.test(operation)) {
    const parts = (input.TransactItems as Record<string, Part>[]).flatMap((it) =>
      Object.entries(it),
    );
    return parts.map(([name, { Key, Item, TableName }]) => {
      const keys = [Key ?? Item].flatMap((it) => (it ? [it.pk] : []));
      return onTable(region, { action: actionByPart[name] ?? name, table: TableName, keys });
    });
  }
  if (operation === 'BatchGetItem') {
    const tables = Object.entries(input.RequestItems as Record<string, { Keys: { pk: Value }[] }>);
    return tables.map(([table, { Keys }]) =>
      onTable(region, { action: operation, table, keys: Keys.map(({ pk }) => pk) }),
    );
  }
  const { TableName: table, IndexName: index, Key, Item } = input;
  const keys = [...[Key, Item].flatMap((it) => (it ? [it.pk] : [])), ...queriedPartition(input)];
  return [onTable(region, { action: operation, table, ...(index && { index }), keys })];
};

const ofSecrets = ({ operation, input }: AwsCall, { secretArns }: Place): Access[] => [
  {
    action: `secretsmanager:${operation}`,
    resource: secretArns.get(input.SecretId) ?? input.SecretId,
    context: {},
  },
];

const ofLambda = ({ path }: AwsCall, { region }: Place): Access[] => {
  const [, name = ''] = /\/functions\/([^/]+)\//.exec(path) ?? [];
  const given = decodeURIComponent(name);
  const resource = given.startsWith('arn:')
    ? given
    : `arn:aws:lambda:${region}:${account}:function:${given}`;
  return [{ action: 'lambda:InvokeFunction', resource, context: {} }];
};

const byService: Record<string, (call: AwsCall, place: Place) => Access[]> = {
  dynamodb: ofTable,
  secretsmanager: ofSecrets,
  lambda: ofLambda,
};

/** @throws where nobody has said yet what IAM makes of calls of that service */
export const accessesOf = (call: AwsCall, place: Place): Access[] => {
  const read = byService[call.service];
  if (read === undefined) throw new Error(`${call.functionName} calls ${call.service}`);
  return read(call, place);
};
