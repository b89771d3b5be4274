// What work costs at the table: middleware of the SDK's client notes every call, with its consumed
// capacity and its time. Beside it stands which functions the work asked Lambda to call.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * One call to the table: its consumed capacity units, and when it ran (ms). What was asked is not
 * kept: an import asks for tens of thousands of journals to be written, which would all stay.
 */
export type TableCall = {
  operation: string;
  units: number;
  /** How many of its units are write units; the others are read units. */
  writeUnits: number;
  startedAt: number;
  endedAt: number;
};

/** What a piece of work cost at the table, and the functions that it asked Lambda to call. */
export type TableUsage = {
  calls: TableCall[];
  contentionRetries: number;
  /** Changes of sheets that are on their way to what an item can hold. */
  largeSheets: number;
  invocations: string[];
};

/** Told of each call when it is made. */
export type CallObserver = (call: { operation: string; input: unknown }) => void;

type Metered = { usage: TableUsage; observers: readonly CallObserver[] };

/** One for the whole process, since each bundle that is loaded has its own copy of this module. */
const shared = globalThis as { ledgerUsage?: AsyncLocalStorage<Metered> };
shared.ledgerUsage ??= new AsyncLocalStorage();
const currentUsage = shared.ledgerUsage;

/**
 * Runs the work and counts its calls to the table, however deep they are made. What an inner
 * measurement counts, one around it counts too.
 */
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

/** The usage that is being measured around the caller. */
export const currentlyMetered = (): TableUsage | undefined => currentUsage.getStore()?.usage;

/** What work cost, as a log line states it. */
export const usageFields = ({
  calls,
  contentionRetries,
}: Pick<TableUsage, 'calls' | 'contentionRetries'>) => ({
  table_calls: calls.length,
  capacity_units: calls.reduce((sum, { units }) => sum + units, 0),
  contention_retries: contentionRetries,
});

/** Logs Insights finds 200 fields of a line (CloudWatch Logs User Guide, "Discovered fields"). */
const maximumCallsShown = 20;

const durationOf = ({ startedAt, endedAt }: TableCall): number =>
  endedAt === 0 ? Number.POSITIVE_INFINITY : endedAt - startedAt;

/**
 * The calls one by one, as a log line shows them: what was asked, how many milliseconds after the
 * work had begun, how long it took (`null`: no answer yet), and its units. They are the slowest, in
 * the order in which they began.
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
 * The units of a reply, all of them and the write units among them. A transaction that is sent
 * again with its token consumes read units, so a reply that tells the two apart is believed first.
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

/** Makes a call to the table, and notes it in the usage that is being measured. */
export const meterCall = async <Result>(
  { operation, input }: Parameters<CallObserver>[0],
  call: () => Promise<Result>,
  replyOf: (result: Result) => Reply = (result) => result as Reply,
): Promise<Result> => {
  const noted: TableCall = {
    ...{ operation, units: 0, writeUnits: 0 },
    ...{ startedAt: performance.now(), endedAt: 0 },
  };
  const metered = currentUsage.getStore();
  metered?.usage.calls.push(noted);
  for (const observe of metered?.observers ?? []) observe({ operation, input });
  try {
    const result = await call();
    Object.assign(noted, unitsOf(operation, replyOf(result)));
    return result;
  } finally {
    noted.endedAt = performance.now();
  }
};

/** Makes the client note all its calls; one that the SDK retries is one call. */
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
