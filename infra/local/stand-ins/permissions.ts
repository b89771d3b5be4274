// What IAM does when deployed: a function that goes beyond its row of the manifest fails, and says
// with what. Every test that runs the whole service proves the grants too.

import { dueIndex } from '#shared/table/due-keys.ts';
import { type CallObserver, meterUsage } from '#shared/table/metering.ts';
import { type PartitionKind, partitionPatterns } from '#shared/table/partitions.ts';
import { charging, type FunctionRow, isCharged } from '../../manifest/function-row.ts';
import { type FunctionName, functions, functionsInvokedBy } from '../../manifest/manifest.ts';
import { functionNameOf } from '../../manifest/names.ts';

/** A function did what its row does not grant, to the table or by a call of another function. */
export class AccessDenied extends Error {}

const toInvoke = (functionName: string): string => `to invoke ${functionName}`;

/** All that a function's row grants it, in the words in which usage is recorded. */
export const grantsOf = (name: FunctionName): string[] => {
  const { table, reads, writes, queriesDue = [] }: FunctionRow = functions[name];
  return [
    ...table,
    ...reads.map((kind) => `to read ${kind}`),
    ...writes.map((kind) => `to write ${kind}`),
    ...(queriesDue.length > 0 ? [`Query index/${dueIndex}`] : []),
    ...queriesDue.map((kind) => `to read ${kind}`),
    ...functionsInvokedBy(name).map((it) => toInvoke(functionNameOf('local', it))),
  ];
};

/** What a function is granted beside its row, in the same words. */
const grantsBeside = (name: FunctionName): string[] =>
  isCharged(functions[name])
    ? [...charging.table, ...charging.writes.map((kind) => `to write ${kind}`)]
    : [];

/** IAM's StringLike as a regular expression, to which nothing else in these patterns is special. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`, 's');

const kinds = Object.keys(partitionPatterns) as PartitionKind[];
const expressions = kinds.map((kind) => [kind, expressionOf(partitionPatterns[kind])] as const);

/** What a partition holds, or its own key where that is not one of the table's. */
const kindOf = (partition: string): string =>
  expressions.find(([, expression]) => expression.test(partition))?.[0] ?? partition;

type Value = string | { S: string };
type Keyed = { pk: Value };
type Part = { Key?: Keyed; Item?: Keyed };
type CallInput = Part & {
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, Value>;
  RequestItems?: Record<string, { Keys: Keyed[] }>;
  TransactItems?: Record<string, Part>[];
};

const actionByPart: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const writingActions = new Set(['DeleteItem', 'PutItem', 'UpdateItem']);

/** The partition that a query asks for, whose condition starts with it. */
const queriedPartition = ({ KeyConditionExpression, ExpressionAttributeValues }: CallInput) => {
  const [, name = ''] = /^\w+ = (:\w+)/.exec(KeyConditionExpression ?? '') ?? [];
  return ExpressionAttributeValues?.[name];
};

/** The leading keys of a call, or of a part of a transaction: the partitions that it touches. */
const leadingKeysOf = (input: CallInput): string[] => {
  const keyed = Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys);
  return [...keyed, input.Key, input.Item]
    .map((it) => it?.pk)
    .concat(queriedPartition(input))
    .flatMap((value) => (typeof value === 'object' ? value.S : (value ?? [])));
};

const needsOf = (action: string, input: CallInput): string[] => {
  const access = writingActions.has(action) ? 'write' : 'read';
  const index = input.IndexName === undefined ? '' : ` index/${input.IndexName}`;
  const partitions = leadingKeysOf(input).map((key) => `to ${access} ${kindOf(key)}`);
  return [`${action}${index}`, ...partitions];
};

/**
 * What IAM must allow for a call: its action and, as its leading keys, its partitions. It
 * authorizes each part of a transaction like the same write by itself, and an index apart from its
 * table.
 */
export const iamNeedsOf = ({ operation, input }: Parameters<CallObserver>[0]): string[] => {
  const { TransactItems = [], ...single } = input as CallInput;
  if (operation !== 'TransactWriteItems') {
    return needsOf(operation, single);
  }
  return TransactItems.flatMap(Object.entries<Part>).flatMap(([part, action]) =>
    needsOf(actionByPart[part] ?? part, action),
  );
};

/**
 * Does a piece of a function's work, and says all that the function's row must allow for it,
 * whether it fails or not.
 */
export const meterNeeds = async <Result>(
  name: FunctionName,
  work: () => Promise<Result>,
): Promise<{ result: PromiseSettledResult<Result>; needs: Set<string> }> => {
  const needs = new Set<string>();
  const beside = new Set(grantsBeside(name));
  const { result, usage } = await meterUsage(
    () => Promise.allSettled([work()]),
    (call) => {
      const ofCall = iamNeedsOf(call);
      if (ofCall.every((need) => beside.has(need))) return;
      for (const need of ofCall) needs.add(need);
    },
  );
  for (const invoked of usage.invocations) needs.add(toInvoke(invoked));
  return { result: result[0], needs };
};

/** Runs a function's work within its grants. IAM would stop a call; here it is found afterwards. */
export const withinGrants = async <Result>(
  name: FunctionName,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { result, needs } = await meterNeeds(name, work);
  const granted = new Set(grantsOf(name));
  const denied = [...needs].filter((it) => !granted.has(it));
  if (denied.length > 0) {
    throw new AccessDenied(
      `${name} is not granted ${denied.join(', ')}; add it to its row of the manifest`,
    );
  }
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};
