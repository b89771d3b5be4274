// The budget of read and write units that an application can use in a minute. Costly requests are
// charged to it. It becomes available gradually, so no application can use up the table's
// throughput for long. A request over budget is refused with a Retry-After.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { ApiError, problem } from '../errors.ts';
import { currentlyMetered, type TableUsage } from './metering.ts';

const Budget = z.strictObject({ readUnits: z.int(), writeUnits: z.int() });

/** The budget as JSON in the environment of a function. */
export const CostBudget = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    Budget,
  ),
);
export type CostBudget = z.output<typeof CostBudget>;

/** A request is free up to this number of read and write units together. */
export const freeUnits = 20;

/**
 * An application can use the units of this many seconds in advance. The units of a whole minute
 * would take all of the table's throughput for twenty seconds.
 */
export const burstSeconds = 5;

const minuteSeconds = 60;

/** The write units of a charge itself: it changes one item of less than 1 KB. */
export const unitsOfCharge = 1;

/** The maximum wait of a request for a charge. The time limits of functions leave room for it. */
export const chargeMilliseconds = 250;

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

/** The usage of a request, and the part of it that is charged. */
type Bill = {
  applicationId: string;
  usage: TableUsage;
  charged: UsedUnits;
  isAdmitted: boolean;
  /**
   * The writes that are committed or may be. After the first, no call of the request is refused.
   */
  writes: number;
  /** The units that the application has used in this minute, if more than are available so far. */
  overBudget?: UsedUnits;
  /** The charges of the request, in sequence. */
  charging: Promise<void>;
  /** Charges the remaining units. Missing until the first call to the table. */
  settle?: () => Promise<void>;
  failures: unknown[];
};

const current = new AsyncLocalStorage<Bill | undefined>();

/** The charged units of a request, and the errors of failed charges. */
export type Charges = { charged: UsedUnits; failures: readonly unknown[] };

/**
 * Runs the work of a request and charges its application. Calls that end after the work are not
 * charged.
 * @param work must not throw
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
    applicationId,
    usage,
    charged: none,
    isAdmitted: false,
    writes: 0,
    charging: Promise.resolve(),
    failures: [],
  };
  const result = await current.run(bill, work);
  await bill.settle?.();
  return { result, charges: bill };
};

/**
 * Adds units to an application's usage in a minute. Returns the new totals.
 * @param place.minute for example `2026-03-24T12:00`
 */
export type AddUnits = (
  place: { applicationId: string; minute: string },
  units: UsedUnits,
) => Promise<UsedUnits>;

export const minuteOf = (moment: Date): string => moment.toISOString().slice(0, 16);

const secondOf = (moment: Date): number => (moment.getTime() / 1_000) % minuteSeconds;

/** The units of a budget that are available by a moment of its minute. */
const allowedBy = (moment: Date, size: number): number =>
  Math.floor(size * Math.min(1, (secondOf(moment) + burstSeconds) / minuteSeconds));

/** Seconds until the used units are allowed, or until the next minute if that comes first. */
const secondsUntilAllowed = (moment: Date, { size, used }: { size: number; used: number }) => {
  const second = Math.min(minuteSeconds, (used / size) * minuteSeconds - burstSeconds);
  return Math.max(1, Math.ceil(second - secondOf(moment)));
};

/** Waits for a charge. @throws after `milliseconds` */
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
 * The state of the current minute in this process. It is reset when the minute changes, forward or
 * back, so after a clock jump no application is blocked for longer than a minute.
 */
type MinuteState = {
  minute: string;
  /** The usage of the applications that used more than was available at that time. */
  overBudget: Map<string, UsedUnits>;
  /** The units of failed charges. The next charge of the application includes them. */
  owed: Map<string, UsedUnits>;
};

type CostGuard = ReturnType<typeof openCostGuard>;

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

  /** Charges the uncharged units of a request. Never throws. */
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
      // Without the bill, because a charge needs no admission.
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
    /** Admits a call of a request. @throws ApiError `cost_budget_exhausted` */
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

/** Errors after which nothing is written, if they answer the first attempt. */
const refusedWrites = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

const hasWrittenNothing = (error: unknown): boolean => {
  const { name = '', $metadata } = error as Error & { $metadata?: { attempts?: number } };
  return refusedWrites.has(name) && ($metadata?.attempts ?? 1) === 1;
};

/** Makes the guard admit each call of the client. */
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
    // Before metering, because a refused call is not made.
    { step: 'initialize', priority: 'high', name: 'costBudget' },
  );
};
