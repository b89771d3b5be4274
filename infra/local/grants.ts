// What IAM does when deployed: a function that goes beyond its row of the manifest fails, and says
// with what. Every test that runs the whole service proves the grants too.

import { dueIndex } from '#shared/store/keys.ts';
import { meterUsage, type TableCall } from '#shared/table-metering.ts';
import { type FunctionName, type FunctionRow, functions } from '../manifest.ts';

/** A function did to the table what its row does not grant. */
export class AccessDenied extends Error {}

/** All that a row grants, in the words in which usage is recorded. */
export const grantsOf = ({ table, dueIndex: usesDueIndex }: FunctionRow): string[] => [
  ...table,
  ...(usesDueIndex ? [`Query index/${dueIndex}`] : []),
];

type TransactionInput = { TransactItems?: Record<string, unknown>[] };

const actionByPart: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/**
 * What IAM must allow for a call. It authorizes each part of a transaction like the same write by
 * itself, and an index apart from its table.
 */
export const iamActionsOf = ({ operation, input }: TableCall): string[] => {
  const { IndexName } = input as { IndexName?: string };
  if (IndexName !== undefined) return [`${operation} index/${IndexName}`];
  if (operation !== 'TransactWriteItems') return [operation];
  const { TransactItems = [] } = input as TransactionInput;
  return TransactItems.flatMap(Object.keys).map((part) => actionByPart[part] ?? part);
};

/** Runs a function's work within its grants. IAM would stop a call; here it is found afterwards. */
export const withinGrants = async <Result>(
  name: FunctionName,
  work: () => Promise<Result>,
): Promise<Result> => {
  const granted = new Set(grantsOf(functions[name]));
  const { result, usage } = await meterUsage(() => Promise.allSettled([work()]));
  const [ended] = result;
  const denied = usage.calls.flatMap(iamActionsOf).filter((it) => !granted.has(it));
  if (denied.length > 0) {
    const actions = [...new Set(denied)].join(', ');
    throw new AccessDenied(`${name} is not granted ${actions}; add it to its row of the manifest`);
  }
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
};
