// What work costs at the table: every call is counted, with its consumed capacity and its time.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { Refusal } from './errors.ts';

/**
 * One call to the table: its kind, the IAM actions that it needs, its consumed capacity units, and
 * when it ran (ms).
 */
export type Call = {
  operation: string;
  actions: readonly string[];
  units: number;
  startedAt: number;
  endedAt: number;
};

/** What a piece of work cost at the table. */
export type Usage = { calls: Call[]; contentionRetries: number };

/** One for the whole process, since each bundle that is loaded has its own copy of this module. */
const shared = globalThis as { ledgerUsage?: AsyncLocalStorage<Usage> };
shared.ledgerUsage ??= new AsyncLocalStorage();
const currentUsage = shared.ledgerUsage;

/**
 * Runs the work and counts its calls to the table, however deep they are made. What an inner
 * measurement counts, one around it counts too.
 */
export const measureUsage = async <Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; usage: Usage }> => {
  const outer = currentUsage.getStore();
  const usage: Usage = { calls: [], contentionRetries: 0 };
  try {
    return { result: await currentUsage.run(usage, work), usage };
  } finally {
    outer?.calls.push(...usage.calls);
    if (outer) outer.contentionRetries += usage.contentionRetries;
  }
};

export const recordContentionRetry = (): void => {
  const usage = currentUsage.getStore();
  if (usage) usage.contentionRetries += 1;
};

/** What work cost, as a log line states it. */
export const usageFields = ({ calls, contentionRetries }: Usage) => ({
  table_calls: calls.length,
  capacity_units: calls.reduce((sum, { units }) => sum + units, 0),
  contention_retries: contentionRetries,
});

type Consumed = ConsumedCapacity | ConsumedCapacity[] | undefined;

/**
 * Throttles and faults of the network, as the SDK knows them. Its own retries are spent by the time
 * these are seen here.
 */
const passingFaults = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
  'TimeoutError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

type Fault = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** Whether the same call may succeed later: the table, not the call, is at fault. */
const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, code = '', $metadata }: Fault = error;
  const isServerFault = ($metadata?.httpStatusCode ?? 0) >= 500;
  return isServerFault || passingFaults.has(name) || passingFaults.has(code);
};

/**
 * Makes a call to the table, and notes it in the usage that is being measured. `actions` are what
 * IAM must allow for it, where that is not the operation itself.
 */
export const record = async <Result extends { ConsumedCapacity?: Consumed }>(
  operation: string,
  call: () => Promise<Result>,
  actions: readonly string[] = [operation],
): Promise<Result> => {
  const entry: Call = { operation, actions, units: 0, startedAt: performance.now(), endedAt: 0 };
  currentUsage.getStore()?.calls.push(entry);
  try {
    const result = await call();
    entry.units = [result.ConsumedCapacity ?? []]
      .flat()
      .reduce((sum: number, used) => sum + (used.CapacityUnits ?? 0), 0);
    return result;
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw new Refusal('temporarily_unavailable', { retryAfterSeconds: 1, cause: error });
  } finally {
    entry.endedAt = performance.now();
  }
};
