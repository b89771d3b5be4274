// Each application has a budget of read and write units per minute. Its costly requests are charged
// to it. The budget becomes available as the minute passes, so that no application can use up the
// table's throughput for long; a request beyond that is refused, and is told when to come back.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { ApiError, problem } from '../errors.ts';
import { currentlyMetered, type TableUsage } from './metering.ts';

/** What an application may use in a minute. */
const Budget = z.strictObject({ readUnits: z.int(), writeUnits: z.int() });

/** The budget as functions have it in their environment. */
export const CostBudget = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    Budget,
  ),
);
export type CostBudget = z.output<typeof CostBudget>;

/** A request that uses no more than this, reads and writes together, is not charged. */
export const freeUnits = 20;

/**
 * An application may use the units of this many seconds in advance. A minute's units at once would
 * take all of the table's throughput for twenty seconds.
 */
export const burstSeconds = 5;

const minuteSeconds = 60;

/** What a charge itself uses: it changes one item of less than 1 KB, and is charged too. */
export const unitsOfCharge = 1;

/** How long a request waits for a charge. A reply that ran out of time still has time for it. */
export const chargeMilliseconds = 250;

/** Units that were used. */
export type UsedUnits = { read: number; write: number };

const none: UsedUnits = { read: 0, write: 0 };

const sum = (one: UsedUnits, other: UsedUnits): UsedUnits => ({
  read: one.read + other.read,
  write: one.write + other.write,
});

const unitsOf = ({ calls }: TableUsage): UsedUnits => ({
  read: calls.reduce((units, call) => units + call.units - call.writeUnits, 0),
  write: calls.reduce((units, call) => units + call.writeUnits, 0),
});

/** What one request has used, and how much of that is charged. */
type Bill = {
  applicationId: string;
  usage: TableUsage;
  charged: UsedUnits;
  isAdmitted: boolean;
  /** Writes that are under way, committed, or without a reply: nothing is refused after them. */
  writes: number;
  /** What the application has used in this minute, once that is more than it may have used. */
  overBudget?: UsedUnits;
  /** The charges so far, one after the other. */
  charging: Promise<void>;
  /** Charges what is left. It is there once the request has called the table. */
  settle?: () => Promise<void>;
  failures: unknown[];
};

const current = new AsyncLocalStorage<Bill | undefined>();

/** What was charged for a request, and which charges failed. */
export type Charges = { charged: UsedUnits; failures: readonly unknown[] };

/**
 * Does the work of a request, which never throws, and charges its application for it. Calls that
 * are still under way when the work has ended are not charged.
 */
export const chargeTo = async <Result>(
  applicationId: string | undefined,
  work: () => Promise<Result>,
): Promise<{ result: Result; charges: Charges }> => {
  const usage = currentlyMetered();
  if (applicationId === undefined || usage === undefined) {
    return { result: await work(), charges: { charged: none, failures: [] } };
  }
  const bill: Bill = {
    ...{ applicationId, usage, charged: none, isAdmitted: false, writes: 0 },
    ...{ charging: Promise.resolve(), failures: [] },
  };
  const result = await current.run(bill, work);
  await bill.settle?.();
  return { result, charges: bill };
};

/**
 * Adds to what an application has used in a minute, and returns the new totals.
 * @param minute such as `2026-03-24T12:00`
 */
export type AddUnits = (
  place: { applicationId: string; minute: string },
  units: UsedUnits,
) => Promise<UsedUnits>;

/** The minute as the budget names it. */
export const minuteOf = (moment: Date): string => moment.toISOString().slice(0, 16);

const secondOf = (moment: Date): number => (moment.getTime() / 1_000) % minuteSeconds;

/** The units of a budget that may be used by a moment of its minute. */
const allowedBy = (moment: Date, size: number): number =>
  Math.floor(size * Math.min(1, (secondOf(moment) + burstSeconds) / minuteSeconds));

/** Seconds until the used units are allowed, or until the next minute if that comes first. */
const secondsUntilAllowed = (moment: Date, { size, used }: { size: number; used: number }) => {
  const second = Math.min(minuteSeconds, (used / size) * minuteSeconds - burstSeconds);
  return Math.max(1, Math.ceil(second - secondOf(moment)));
};

/** The charge, or a failure once a request has waited for it long enough. */
const inTime = async <Result>(charge: Promise<Result>, milliseconds: number): Promise<Result> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`the charge took more than ${milliseconds} ms`);
  const timer = setTimeout(() => reject(error), milliseconds);
  try {
    return await Promise.race([charge, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * What a process knows of the current minute. It starts empty when the minute changes, in whichever
 * direction, so a clock that jumps blocks nobody for longer than a minute.
 */
type MinuteState = {
  minute: string;
  /** The totals of the applications that have used more than was allowed by then. */
  overBudget: Map<string, UsedUnits>;
  /** What could not be charged; the next charge of the application includes it. */
  owed: Map<string, UsedUnits>;
};

export type CostGuard = ReturnType<typeof openCostGuard>;

export const openCostGuard = (
  budget: CostBudget,
  {
    add,
    clock,
    waitMilliseconds = chargeMilliseconds,
  }: { add: AddUnits; clock: () => Date; waitMilliseconds?: number | undefined },
) => {
  let state: MinuteState = { minute: '', overBudget: new Map(), owed: new Map() };
  const stateNow = (): MinuteState => {
    const minute = minuteOf(clock());
    if (state.minute !== minute) state = { minute, overBudget: new Map(), owed: new Map() };
    return state;
  };

  const excessOf = ({ read, write }: UsedUnits, moment: Date) =>
    [
      { budget: 'read_units', size: budget.readUnits, used: read },
      { budget: 'write_units', size: budget.writeUnits, used: write },
    ]
      .map((use) => ({ ...use, allowed: allowedBy(moment, use.size) }))
      .filter(({ allowed, used }) => used > allowed);

  /** @throws ApiError `cost_budget_exhausted` if more was used than is allowed by now */
  const assertWithinBudget = (used: UsedUnits): void => {
    const moment = clock();
    const excess = excessOf(used, moment);
    if (excess.length === 0) return;
    throw new ApiError('cost_budget_exhausted', {
      retryAfterSeconds: Math.max(...excess.map((use) => secondsUntilAllowed(moment, use))),
      details: excess.map((params) => problem('budget_used_up', '', params)),
    });
  };

  const unchargedOf = ({ usage, charged }: Bill): UsedUnits => {
    const used = unitsOf(usage);
    return { read: used.read - charged.read, write: used.write - charged.write };
  };

  /** Charges all that the request has used so far. Never throws. */
  const charge = async (bill: Bill): Promise<void> => {
    const uncharged = unchargedOf(bill);
    if (uncharged.read + uncharged.write === 0) return;
    const { applicationId } = bill;
    const { minute, owed, overBudget } = stateNow();
    const added = sum(uncharged, { read: 0, write: unitsOfCharge });
    const units = sum(added, owed.get(applicationId) ?? none);
    owed.delete(applicationId);
    bill.charged = sum(bill.charged, added);
    try {
      // Outside the bill, since the charge itself is not to be admitted.
      const adding = current.run(undefined, () => add({ applicationId, minute }, units));
      const totals = await inTime(adding, waitMilliseconds);
      if (excessOf(totals, clock()).length === 0) return;
      overBudget.set(applicationId, totals);
      bill.overBudget = totals;
    } catch (error) {
      owed.set(applicationId, sum(units, owed.get(applicationId) ?? none));
      bill.failures.push(error);
    }
  };

  const settle = async (bill: Bill): Promise<void> => {
    await bill.charging;
    const { read, write } = unitsOf(bill.usage);
    if (read + write > freeUnits) await charge(bill);
  };

  return {
    /** Lets a request make a call to the table, or refuses the request. @throws ApiError */
    admit: async (bill: Bill): Promise<void> => {
      bill.settle ??= () => settle(bill);
      if (!bill.isAdmitted) {
        const used = stateNow().overBudget.get(bill.applicationId);
        if (used !== undefined) assertWithinBudget(used);
        bill.isAdmitted = true;
      }
      if (bill.writes > 0) return;
      const { read, write } = unchargedOf(bill);
      if (read + write > freeUnits) bill.charging = bill.charging.then(() => charge(bill));
      await bill.charging;
      if (bill.overBudget !== undefined && bill.writes === 0) assertWithinBudget(bill.overBudget);
    },
  };
};

const writingCommands = new Set([
  'DeleteItemCommand',
  'PutItemCommand',
  'TransactWriteItemsCommand',
  'UpdateItemCommand',
]);

/** How the table says that it has not written, if that is the answer to the first attempt. */
const refusedWrites = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

const hasWrittenNothing = (error: unknown): boolean => {
  const { name = '', $metadata } = error as Error & { $metadata?: { attempts?: number } };
  return refusedWrites.has(name) && ($metadata?.attempts ?? 1) === 1;
};

/** Makes the client ask the guard before each call of a request. */
export const guardClient = (
  { middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>,
  guard: CostGuard,
): void => {
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const bill = current.getStore();
        if (bill === undefined) return next(args);
        await guard.admit(bill);
        if (!writingCommands.has(commandName)) return next(args);
        bill.writes += 1;
        try {
          return await next(args);
        } catch (error) {
          if (hasWrittenNothing(error)) bill.writes -= 1;
          throw error;
        }
      },
    // Before the call is metered: one that is refused is not made.
    { step: 'initialize', priority: 'high', name: 'costBudget' },
  );
};
