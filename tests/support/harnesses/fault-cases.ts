// Injects every fault into each table call of a function. A run without faults counts the calls.
// Each fault meets a run on its own table. The caller repeats the request as real callers do. In
// the end the whole table is checked.

import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import type { Platforms } from '#shared/platforms/registry.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { testAuthenticators } from '../builders/secrets.ts';
import { ledgerTime, type SmallLedger, smallChart } from '../builders/small-ledger.ts';
import {
  attemptsPerCall,
  interceptedBy,
  openSilence,
  type TableCall,
} from '../dynamodb/table-calls.ts';
import {
  carryOut,
  type Fault,
  faultsOf,
  isCrash,
  isOfAction,
  isRead,
} from '../dynamodb/table-faults.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { findViolations } from '../readers/invariants.ts';
import type { RawItem } from '../readers/item-kinds.ts';
import { type Instance, openInstance } from './instances.ts';

/** A fault, the call that it meets, at how many of its attempts, and at which of its actions. */
export type Injection = {
  call: number;
  /** The expected operation. Defaults to any. */
  operation?: string;
  fault: Fault;
  attempts: number;
  action: number;
};

/** How a request ended for its caller: done or not, and whether it may be sent again. */
export type Outcome = { done: boolean; again: boolean; value: unknown };

/** How a request to an endpoint ended. */
export const outcomeOf = (result: APIGatewayProxyResult): Outcome => {
  const { status, body } = readResult(result);
  return status === 200
    ? { done: true, again: false, value: body.data }
    : { done: false, again: body.error.retryable, value: body.error.code };
};

const crashed = { done: false, again: false, value: 'crashed' } as const;

/** The table of a case, without faults. */
type CaseTable = { table: Table; scan: () => Promise<RawItem[]> };

/** The tools of an attempt. Only `faulty` and `faultyTable` meet faults. */
type Try = CaseTable & { faulty: Instance; clean: Instance; faultyTable: Table };

type End = CaseTable & { items: readonly RawItem[]; outcomes: Outcome[]; clean: Instance };

export type Scenario = {
  ledger: SmallLedger;
  platforms?: Platforms;
  /** By default, the time stands still. */
  clock?: () => Date;
  /** Resets everything outside the table, before the preparation and before each case. */
  begin?: () => void;
  /** Readies the table before the first try, once for all cases. */
  prepare?: (clean: Instance, table: Table) => Promise<unknown>;
  /** One try, as the caller makes it. */
  send: (given: Try) => Promise<Outcome>;
  /** Whether a caller that got no answer sends it again. */
  isIdempotent: boolean;
  /** Whether a call that arrives when all is done must change nothing. */
  isFinal?: boolean;
  /** The number of things that the request created, which must be one. */
  countMade?: (items: readonly RawItem[]) => number;
  /** Whether a fault is the caller's to see though the SDK tries the call again. */
  shows?: (call: CallMade, injection: Injection) => boolean;
  /** What else must hold in the end. */
  check?: (end: End) => unknown;
  violationOptions?: Parameters<typeof findViolations>[1];
  /** The number of last calls that get faults. Defaults to all calls. */
  lastCalls?: number;
  /** Faults that are not tried, because they look like others to the function. */
  leaveOut?: readonly Fault[];
  /** The actions of a transaction that meet conflicts. Defaults to all. */
  actionsInConflict?: (count: number) => number[];
  /** Breaks the store on purpose, to see that it is noticed. */
  sabotage?: (table: Table) => Table;
};

/** A call of the run without faults. */
export type CallMade = { operation: string; actions: number };

const silence = await openSilence(8);

const actionsOf = (call: TableCall): number =>
  call.operation === 'TransactWriteItems' ? (call.request.TransactItems?.length ?? 0) : 0;

/** A process whose calls to the table meet faults. */
const openFaultyTable = async (
  { tableName, endpoint }: { tableName: string; endpoint: string },
  injections: readonly Injection[],
) => {
  const made: CallMade[] = [];
  const injected = new Set<Injection>();
  const late: (() => Promise<unknown>)[] = [];
  const death = Promise.withResolvers<typeof crashed>();
  let isDead = false;
  const never = new Promise<never>(() => {});
  const crash = (): Promise<never> => {
    isDead = true;
    death.resolve(crashed);
    return never;
  };
  const intercept = (call: TableCall) => {
    const { number, attempt, operation } = call;
    if (isDead) return never;
    made[number] ??= { operation, actions: actionsOf(call) };
    const injection = injections.find((it) => it.call === number && attempt < it.attempts);
    if (injection === undefined || !faultsOf(operation).includes(injection.fault)) {
      return call.send();
    }
    if (operation !== (injection.operation ?? operation)) {
      throw new Error(`call ${number} was ${injection.operation}, and is ${operation} now`);
    }
    injected.add(injection);
    const context = {
      action: injection.action,
      crash,
      keepForLater: (it: () => Promise<unknown>) => void late.push(it),
    };
    return carryOut(injection.fault, call, context);
  };
  return {
    table: openTable(tableName, await interceptedBy(intercept, { endpoint, silence }), {
      authenticators: testAuthenticators,
    }),
    death: death.promise,
    made,
    injected,
    late,
  };
};

const instanceOn = (scenario: Scenario, table: Table): Instance =>
  openInstance({
    table,
    clock: scenario.clock ?? (() => new Date(ledgerTime)),
    ...(scenario.platforms && { platforms: scenario.platforms }),
    keys: scenario.ledger.keys,
  });

/** The items at the start of each case of a scenario. */
const startOf = new WeakMap<Scenario, Promise<RawItem[]>>();

const prepareStart = async (scenario: Scenario): Promise<RawItem[]> => {
  const { table, scan } = await scenario.ledger.copy();
  scenario.begin?.();
  await scenario.prepare?.(instanceOn(scenario, table), table);
  return scan();
};

/** Opens a scenario on a new table. */
const open = async (scenario: Scenario) => {
  const start = startOf.get(scenario) ?? prepareStart(scenario);
  startOf.set(scenario, start);
  const database = await scenario.ledger.copy(await start);
  const { table, scan } = database;
  const clean = instanceOn(scenario, table);
  const { sabotage = (it) => it } = scenario;
  scenario.begin?.();
  return {
    ...database,
    clean,
    /** One attempt, in a new process. */
    tryWith: async (injections: readonly Injection[]) => {
      const faulty = await openFaultyTable(database, injections);
      const faultyTable = sabotage(faulty.table);
      const given = { faulty: instanceOn(scenario, faultyTable), faultyTable, clean, table, scan };
      const outcome = await Promise.race([scenario.send(given), faulty.death]);
      faulty.table.close();
      return { ...faulty, outcome };
    },
  };
};

/** The calls of one attempt without faults. */
export const callsOf = async (scenario: Scenario): Promise<CallMade[]> => {
  const { tryWith } = await open(scenario);
  const { outcome, made } = await tryWith([]);
  expect(outcome, 'without a fault the request is done').toMatchObject({ done: true });
  return made;
};

/**
 * Once, and at every attempt that the SDK makes; a dead process makes no other. A read that fails
 * once is the same to the product for each fault that the SDK repeats, so throttles alone show it.
 */
const attemptsOf = (fault: Fault, operation: string): number[] => {
  const isOnce = isCrash(fault) || isOfAction(fault);
  if (isOnce || fault === 'keys left out' || fault === 'item in conflict') return [1];
  return isRead(operation) && fault !== 'throttled' ? [attemptsPerCall] : [1, attemptsPerCall];
};

/**
 * Whether another fault leaves the same world and gets the same answer of the product. Spent
 * capacity is like a throttle (tests/shared/table/outcomes.test.ts). For a read, a crash after it
 * is like one before it, and a hang-up like a server error. To include them: EVERY_FAULT=1.
 */
const isLikeAnother = (fault: Fault, operation: string): boolean =>
  !process.env.EVERY_FAULT &&
  (fault === 'capacity spent' ||
    (isRead(operation) && (fault === 'crash after' || fault === 'hang-up before')));

const titleOf = ({ call, operation = '', fault, attempts, action }: Injection): string =>
  `${fault}${attempts > 1 ? ` ${attempts} times` : ''} at call ${call} ${operation}` +
  `${isOfAction(fault) ? `, action ${action}` : ''}`;

const countTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Every fault at every call: the title of a case names it, and is enough to run it again. */
export const casesOf = async (scenario: Scenario): Promise<FaultCase[]> => {
  const made = await callsOf(scenario);
  const { actionsInConflict = countTo, leaveOut = [], lastCalls = made.length } = scenario;
  const tried = (operation: string): Fault[] =>
    faultsOf(operation)
      .filter((fault) => !isLikeAnother(fault, operation))
      .filter((fault) => !leaveOut.includes(fault));
  return made.flatMap(({ operation, actions }, call) =>
    (call < made.length - lastCalls ? [] : tried(operation)).flatMap((fault) =>
      attemptsOf(fault, operation).flatMap((attempts) =>
        (fault === 'action in conflict' ? actionsInConflict(actions) : [0]).map((action) => {
          const injection = { call, operation, fault, attempts, action };
          return { title: titleOf(injection), tries: [[injection]] };
        }),
      ),
    ),
  );
};

/** Whether any of these cases fails. */
export const someFail = async (scenario: Scenario, cases: FaultCase[]): Promise<boolean> => {
  for (const it of cases) {
    const passed = await runCase(scenario, it).then(
      () => true,
      () => false,
    );
    if (!passed) return true;
  }
  return false;
};

const maximumAttempts = 6;

/** The faults of each attempt. Later attempts meet none. */
export type FaultCase = { title: string; tries: Injection[][] };

/** Runs a case with a caller that repeats failed requests, and checks the result. */
export const runCase = async (scenario: Scenario, { tries }: FaultCase): Promise<void> => {
  const { table, scan, clean, tryWith, close } = await open(scenario);
  const outcomes: Outcome[] = [];
  const late: (() => Promise<unknown>)[] = [];
  while (outcomes.length < maximumAttempts) {
    const planned = tries[outcomes.length] ?? [];
    const tried = await tryWith(planned);
    if (tries.length === 1) expectHandled(scenario, tried, planned);
    late.push(...tried.late);
    outcomes.push(tried.outcome);
    if (!(tried.outcome === crashed ? scenario.isIdempotent : tried.outcome.again)) break;
  }
  const before = scenario.isFinal && late.length > 0 ? await scan() : undefined;
  await Promise.all(late.map((send) => send()));
  if (before) expect(await scan(), 'what arrives late changes nothing').toEqual(before);
  await expectWhole(scenario, { items: await scan(), outcomes, clean, table, scan });
  close();
};

type Tried = { made: CallMade[]; injected: Set<Injection>; outcome: Outcome };

/** The fault has happened; and what retries can make good does not reach the caller. */
const expectHandled = (
  scenario: Scenario,
  { made, injected, outcome }: Tried,
  planned: readonly Injection[],
): void => {
  expect([...injected], 'the fault has happened').toEqual(planned);
  const shows = planned.some((injection) => {
    const call = made[injection.call];
    const isLasting = injection.attempts === attemptsPerCall || isCrash(injection.fault);
    return isLasting || (call !== undefined && scenario.shows?.(call, injection));
  });
  if (!shows) expect(outcome, 'the caller sees nothing of it').toMatchObject({ done: true });
};

/** The table is consistent, and the replies were true. */
const expectWhole = async (scenario: Scenario, end: End): Promise<void> => {
  const { items, outcomes, clean } = end;
  const { violationOptions = { chartCodes: smallChart.map(({ code }) => code) } } = scenario;
  expect(findViolations(items, violationOptions)).toEqual([]);
  const isDone = outcomes.at(-1)?.done === true;
  if (scenario.isIdempotent) expect(isDone, JSON.stringify(outcomes)).toBe(true);
  const made = scenario.countMade?.(items);
  if (made !== undefined) expect(isDone ? [1] : [0, 1], JSON.stringify(outcomes)).toContain(made);
  const { applicationId, user } = scenario.ledger;
  const email = items.find((it) => it.sk === 'USER' && it.userId === user.userId)?.email;
  const event = apiEvent({ applicationId, body: { email: email ?? user.email } });
  const { body } = readResult(await clean.getProfile(event, lambdaContext()));
  const links = items.filter(({ sk }) => /^TENANT#/.test(String(sk)));
  const count = email === undefined ? undefined : links.length;
  expect(body.data?.tenant_count, 'the profile counts the links').toBe(count);
  await scenario.check?.(end);
};
