// Measures the usage of the table. Middleware of the SDK's client records each call with its
// consumed capacity and its time. The usage also has the functions that the work invoked.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * A call to the table, with its capacity units and its times in milliseconds. It does not have the
 * input of the call, because that would keep all journals of an import in memory.
 */
export type TableCall = {
  operation: string;
  units: number;
  /** The write units among `units`. The rest are read units. */
  writeUnits: number;
  startedAt: number;
  endedAt: number;
};

/** The calls of some work to the table, and the names of the functions that it invoked. */
export type TableUsage = {
  calls: TableCall[];
  contentionRetries: number;
  /** The number of written day sheets that exceed `largeRowsBytes`. */
  largeSheets: number;
  invocations: string[];
};

/** Gets each call when it starts. */
export type CallObserver = (call: { operation: string; input: unknown }) => void;

type Metered = { usage: TableUsage; observers: readonly CallObserver[] };

/**
 * One storage for the whole process, because each loaded bundle has its own copy of this module.
 */
const shared = globalThis as { ledgerUsage?: AsyncLocalStorage<Metered> };
shared.ledgerUsage ??= new AsyncLocalStorage();
const currentUsage = shared.ledgerUsage;

/** Runs work and measures its usage. Nested measurements also count for the outer ones. */
export const meterUsage = async <Result>(
  work: () => Promise<Result>,
  observer?: CallObserver,
): Promise<{ result: Result; usage: TableUsage }> => {
  const outer = currentUsage.getStore();
  const usage: TableUsage = { calls: [], contentionRetries: 0, largeSheets: 0, invocations: [] };
  const observers = [...(outer?.observers ?? []), ...(observer ? [observer] : [])];
  try {
    return { result: await currentUsage.run({ usage, observers }, work), usage };
  } finally {
    for (const call of usage.calls) outer?.usage.calls.push(call);
    outer?.usage.invocations.push(...usage.invocations);
    if (outer) {
      outer.usage.contentionRetries += usage.contentionRetries;
      outer.usage.largeSheets += usage.largeSheets;
    }
  }
};

export const countContentionRetry = (): void => {
  const metered = currentUsage.getStore();
  if (metered) metered.usage.contentionRetries += 1;
};

export const countLargeSheet = (): void => {
  const metered = currentUsage.getStore();
  if (metered) metered.usage.largeSheets += 1;
};

export const noteInvocation = (functionName: string): void => {
  currentUsage.getStore()?.usage.invocations.push(functionName);
};

/** The usage of the innermost measurement around the caller. */
export const currentlyMetered = (): TableUsage | undefined => currentUsage.getStore()?.usage;

/** The fields of a usage in a log line. */
export const usageFields = ({ calls }: Pick<TableUsage, 'calls'>) => ({
  table_calls: calls.length,
  capacity_units: calls.reduce((sum, { units }) => sum + units, 0),
  write_units: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});

/** Logs Insights finds 200 fields of a line (CloudWatch Logs User Guide, "Discovered fields"). */
const maximumCallsShown = 20;

const durationOf = ({ startedAt, endedAt }: TableCall): number =>
  endedAt === 0 ? Number.POSITIVE_INFINITY : endedAt - startedAt;

/**
 * The slowest calls as fields of a log line, in the order of their starts. `after_ms` counts from
 * the start of the work. `ms` is the duration; `null` if the call has not ended.
 */
export const callFields = (calls: readonly TableCall[], workStartedAt: number) =>
  calls
    .toSorted((one, other) => durationOf(other) - durationOf(one))
    .slice(0, maximumCallsShown)
    .sort((one, other) => one.startedAt - other.startedAt)
    .map((call) => ({
      operation: call.operation,
      after_ms: Math.round(call.startedAt - workStartedAt),
      ms: call.endedAt === 0 ? null : Math.round(durationOf(call)),
      units: call.units,
    }));

type Reply = { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined };

const readingOperations = new Set(['BatchGetItem', 'GetItem', 'Query']);

/**
 * The units of a reply. If the reply has no WriteCapacityUnits, all units of a write are write
 * units. A repeated transaction consumes read units, which only WriteCapacityUnits shows.
 */
const unitsOf = (operation: string, { ConsumedCapacity = [] }: Reply) => {
  const consumed = [ConsumedCapacity].flat();
  const isRead = readingOperations.has(operation);
  const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  const writeUnits = consumed.reduce(
    (sum, { CapacityUnits = 0, WriteCapacityUnits }) =>
      sum + (WriteCapacityUnits ?? (isRead ? 0 : CapacityUnits)),
    0,
  );
  return { units, writeUnits };
};

/** Makes a call to the table and records it in the current usage. */
export const meterCall = async <Result>(
  { operation, input }: Parameters<CallObserver>[0],
  call: () => Promise<Result>,
  replyOf: (result: Result) => Reply = (result) => result as Reply,
): Promise<Result> => {
  const recorded: TableCall = {
    operation,
    units: 0,
    writeUnits: 0,
    startedAt: performance.now(),
    endedAt: 0,
  };
  const metered = currentUsage.getStore();
  metered?.usage.calls.push(recorded);
  for (const observe of metered?.observers ?? []) observe({ operation, input });
  try {
    const result = await call();
    Object.assign(recorded, unitsOf(operation, replyOf(result)));
    return result;
  } finally {
    recorded.endedAt = performance.now();
  }
};

/** Makes the client record its calls. A call with retries of the SDK counts once. */
export const meterClient = ({ middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  middlewareStack.add(
    (next, { commandName = '' }) =>
      ({ input, ...others }) =>
        meterCall(
          { operation: commandName.replace(/Command$/, ''), input },
          () => next({ input, ...others }),
          ({ output }) => output as Reply,
        ),
    { step: 'initialize', name: 'tableMetering' },
  );
};
