// Enforces the permissions of the manifest, as IAM does on AWS: a function that exceeds its row
// fails. So every test of the whole service also tests the permissions.

import { dueIndex } from '#shared/table/due-keys.ts';
import { type CallObserver, meterUsage } from '#shared/table/metering.ts';
import { type PartitionKind, partitionPatterns } from '#shared/table/partitions.ts';
import {
  charging,
  type FunctionRow,
  isCharged,
  writingActions,
} from '../../manifest/function-row.ts';
import { type FunctionName, functions, functionsInvokedBy } from '../../manifest/manifest.ts';
import { functionNameOf } from '../../manifest/names.ts';
import { iamPattern } from './policies.ts';
import { remember } from './remember.ts';

/** A function used the table or invoked a function without permission. */
export class AccessDenied extends Error {}

const toInvoke = (functionName: string): string => `to invoke ${functionName}`;

/** The permissions of a function's row, in the form of `requiredPermissions`. */
export const permissionsOf = (name: FunctionName): string[] => {
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

/** The permissions that a function has in addition to its row. */
const sharedPermissionsOf = (name: FunctionName): string[] =>
  isCharged(functions[name])
    ? [...charging.table, ...charging.writes.map((kind) => `to write ${kind}`)]
    : [];

const permissionSets = remember((name: FunctionName) => ({
  row: new Set(permissionsOf(name)),
  shared: new Set(sharedPermissionsOf(name)),
}));

const kinds = Object.keys(partitionPatterns) as PartitionKind[];
const expressions = kinds.map((kind) => [kind, iamPattern(partitionPatterns[kind])] as const);

/** The kind of a partition, or its key if the kind is unknown. */
const kindOf = remember(
  (partition: string): string =>
    expressions.find(([, expression]) => expression.test(partition))?.[0] ?? partition,
);

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

/** The partition of a query. Conditions start with it. */
const queriedPartition = ({ KeyConditionExpression, ExpressionAttributeValues }: CallInput) => {
  const [, name = ''] = /^\w+ = (:\w+)/.exec(KeyConditionExpression ?? '') ?? [];
  return ExpressionAttributeValues?.[name];
};

/** The leading keys of a call or of a part of a transaction, which are its partitions. */
const leadingKeysOf = (input: CallInput): string[] => {
  const keyed = Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys);
  return [...keyed, input.Key, input.Item]
    .map((it) => it?.pk)
    .concat(queriedPartition(input))
    .flatMap((value) => (typeof value === 'object' ? value.S : (value ?? [])));
};

const permissionsFor = (action: string, input: CallInput): string[] => {
  const access = writingActions.some((writing) => writing === action) ? 'write' : 'read';
  const index = input.IndexName === undefined ? '' : ` index/${input.IndexName}`;
  const partitions = leadingKeysOf(input).map((key) => `to ${access} ${kindOf(key)}`);
  return [`${action}${index}`, ...partitions];
};

/**
 * The permissions that a call needs: its action and its partitions. IAM authorizes each part of a
 * transaction as a single write, and an index separately from its table.
 */
export const requiredPermissions = ({
  operation,
  input,
}: Parameters<CallObserver>[0]): string[] => {
  const { TransactItems = [], ...single } = input as CallInput;
  if (operation !== 'TransactWriteItems') {
    return permissionsFor(operation, single);
  }
  return TransactItems.flatMap(Object.entries<Part>).flatMap(([part, action]) =>
    permissionsFor(actionByPart[part] ?? part, action),
  );
};

/** Runs `work` and collects the permissions that it needs from the function's row. */
export const meterPermissions = async <Result>(
  name: FunctionName,
  work: () => Promise<Result>,
): Promise<{ result: PromiseSettledResult<Result>; required: Set<string> }> => {
  const required = new Set<string>();
  const { shared } = permissionSets(name);
  const { result, usage } = await meterUsage(
    () => Promise.allSettled([work()]),
    (call) => {
      const permissions = requiredPermissions(call);
      if (permissions.every((permission) => shared.has(permission))) return;
      for (const permission of permissions) required.add(permission);
    },
  );
  for (const invoked of usage.invocations) required.add(toInvoke(invoked));
  return { result: result[0], required };
};

/** Runs a function within its permissions. IAM stops a call before it runs; this fails after it. */
export const withinPermissions = async <Result>(
  name: FunctionName,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { result, required } = await meterPermissions(name, work);
  const { row } = permissionSets(name);
  const denied = [...required].filter((it) => !row.has(it));
  if (denied.length > 0) {
    throw new AccessDenied(
      `${name} lacks the permissions ${denied.join(', ')}; add them to its row of the manifest`,
    );
  }
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};
