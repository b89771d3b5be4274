// Lets operations run at the same time, and yet in an order that a seed decides: every call to the
// table is held until it is chosen, and carried out alone, while everything else stands still. So
// one seed gives one run, down to which call met which fault.

import type { VersionedKeys } from '#shared/secrets.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import type { Random } from '../support/builders/random.ts';
import { testAuthenticators } from '../support/builders/secrets.ts';
import {
  interceptedBy,
  type Reply,
  type Silence,
  type TableCall,
} from '../support/dynamodb/table-calls.ts';
import { carryOut } from '../support/dynamodb/table-faults.ts';
import {
  type BackgroundFunctions,
  type Ids,
  type Instance,
  openBackgroundFunctions,
  openInstance,
} from '../support/harnesses/instances.ts';
import { randomPartOf } from '../support/readers/entry-ids.ts';
import type { ChangeRecorder } from './change-recorder.ts';
import { openFaults } from './faults.ts';
import type { SimulatedPlatforms } from './platforms.ts';
import type { Operation } from './requests.ts';
import type { VirtualClock } from './virtual-clock.ts';

type HeldCall = { call: TableCall; answer: (reply: Promise<Reply>) => void };

/** An operation in progress, with its source of ids and its held calls. */
type Running = {
  operation: Operation;
  random: Random;
  held: HeldCall[];
  /** How long it has slept, by its own clock. */
  sleptMilliseconds: number;
  isDead: boolean;
  isEnded: boolean;
};

type Handlers = { instance: Instance; background: BackgroundFunctions };

/** A process of the service, with its own client and caches. It runs one operation at a time. */
type Process = Handlers & { table: Table; current: Running | undefined };

type Late = { operation: Operation; call: TableCall; send: () => Promise<unknown> };

type SchedulerDependencies = {
  tableName: string;
  endpoint: string;
  silence: Silence;
  processClock: VirtualClock;
  keys: VersionedKeys;
  platforms: SimulatedPlatforms;
  changes: ChangeRecorder;
  random: Random;
  /** One call in this many meets a fault. */
  faultOnceIn: number;
  sabotage: (table: Table) => Table;
  /** Is told of everything that is decided, in its order. */
  note: (line: string) => void;
};

const never = new Promise<never>(() => {});

/** As much time as a run gets; who sleeps longer is stopped. */
const runMilliseconds = 300_000;
/** Sleeps are long, since short ones would poll a lease thousands of times. */
const leastSleepMilliseconds = 20_000;

/** Ends an operation like a killed process: it sends no more calls and no reply. */
const kill = (running: Running): void => {
  Object.assign(running, { isDead: true, isEnded: true });
  running.held.length = 0;
  running.operation.answer ??= 'crashed';
};
const suffixAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const stateAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Ids of an operation follow from its own source, and it remembers them. */
const idsOf = (current: () => Running): Ids => {
  const draw = (make: (random: Random) => string) => (): string => {
    const { operation, random } = current();
    const id = make(random);
    operation.drawn.add(id);
    return id;
  };
  return {
    newUserId: draw((random) => `1${random.text('0123456789', 14)}`),
    newSuffix: draw((random) => random.text(suffixAlphabet, 6)),
    newNonce: draw((random) => random.text(stateAlphabet, 43)),
    newImportId: draw((random) => random.uuid()),
    newRunId: draw((random) => random.uuid()),
    newRandom: (size) => {
      const { operation, random } = current();
      const bytes = Buffer.from(random.text('0123456789abcdef', 2 * size), 'hex');
      operation.drawn.add(randomPartOf(bytes));
      return bytes;
    },
  };
};

/** Turns of the event loop in which nothing happens, before it is taken to stand still. */
const quietTurns = 8;
/** Turns after which to wait for work outside the event loop, such as hashing. */
const patientTurns = 100;

export type Scheduler = ReturnType<typeof openScheduler>;

export const openScheduler = (dependencies: SchedulerDependencies) => {
  const { tableName, endpoint, silence, random, note, changes, processClock } = dependencies;
  const idle: Process[] = [];
  const late: Late[] = [];
  let running: Running[] = [];
  let activity = 0;
  let tableCalls = 0;
  const faults = openFaults({ random, onceIn: dependencies.faultOnceIn });

  const openProcess = async (): Promise<Process> => {
    const current = (): Running => {
      if (opened.current === undefined) throw new Error('a process works at nothing');
      return opened.current;
    };
    const intercept = (call: TableCall): Promise<Reply> => {
      const { held, isDead } = current();
      activity += 1;
      if (isDead) return never;
      return new Promise((resolve) => void held.push({ call, answer: resolve }));
    };
    const table = openTable(tableName, await interceptedBy(intercept, { endpoint, silence }), {
      authenticators: testAuthenticators,
    });
    const clock = (): Date =>
      new Date(current().operation.now.getTime() + current().sleptMilliseconds);
    const remainingMilliseconds = (): number => runMilliseconds - current().sleptMilliseconds;
    const sleep = async (milliseconds: number): Promise<void> => {
      activity += 1;
      current().sleptMilliseconds += Math.max(milliseconds, leastSleepMilliseconds);
      if (remainingMilliseconds() > 0) return;
      current().operation.faults.push('time is up');
      kill(current());
      await never;
    };
    const platforms = dependencies.platforms.openFor({
      clock,
      random: () => current().random,
      failOnceIn: faults.onceIn,
      recordFault: (fault) => void current().operation.faults.push(fault),
    });
    const ids = idsOf(current);
    const { keys } = dependencies;
    const common = { table: dependencies.sabotage(table), clock, platforms, keys };
    const instance = openInstance({ ...common, ids });
    const background = openBackgroundFunctions({ ...common, ...ids, sleep, remainingMilliseconds });
    const opened: Process = { instance, background, table, current: undefined };
    return opened;
  };

  /** Waits until every operation has ended or waits for its turn. */
  const settle = async (): Promise<void> => {
    let quiet = 0;
    let before = -1;
    for (let turns = 0; quiet < quietTurns; turns += 1) {
      await (turns > patientTurns ? processClock.pause(1) : new Promise(setImmediate));
      const isWaiting = running.every(({ isEnded, held }) => isEnded || held.length > 0);
      quiet =
        isWaiting && processClock.pendingTimers() === 0 && activity === before ? quiet + 1 : 0;
      before = activity;
    }
    running = running.filter(({ isEnded, held }) => !isEnded || held.length > 0);
  };

  /** Carries one held call out, or lets a fault meet it. */
  const release = async (chosen: Running, held: HeldCall): Promise<void> => {
    const { operation } = chosen;
    const { call, answer } = held;
    const fault = faults.choose(call, operation.number);
    if (fault) operation.faults.push(`${fault} at ${call.operation}`);
    const action = random.below(call.request.TransactItems?.length ?? 1);
    note(`${operation.number} ${call.operation} ${call.number}.${call.attempt} ${fault ?? ''}`);
    tableCalls += 1;
    chosen.held.splice(chosen.held.indexOf(held), 1);
    const death = Promise.withResolvers<void>();
    const crash = (): Promise<never> => {
      kill(chosen);
      death.resolve();
      return never;
    };
    const keepForLater = (send: () => Promise<unknown>): void => {
      operation.callsUnderWay += 1;
      late.push({ operation, call, send });
    };
    const carried = fault ? carryOut(fault, call, { action, crash, keepForLater }) : call.send();
    await Promise.race([carried, death.promise]).catch(() => {});
    await changes.follow(call, operation);
    activity += 1;
    if (!chosen.isDead) answer(carried);
  };

  const finish = (process: Process, started: Running): void => {
    activity += 1;
    started.isEnded = true;
    // Calls that the reply did not wait for continue; the process is not used again.
    if (started.held.length > 0) started.operation.callsUnderWay += 1;
    else idle.push(process);
  };

  return {
    settle,
    lateCalls: (): number => late.length,
    tableCalls: (): number => tableCalls,
    runningOperations: (): number => running.length,

    /** Starts an operation, on a process that is idle or new. */
    start: async (
      operation: Operation,
      work: (handlers: Handlers) => Promise<Operation['answer']>,
    ): Promise<void> => {
      const process = idle.shift() ?? (await openProcess());
      const started: Running = {
        operation,
        random: random.branch(),
        held: [],
        sleptMilliseconds: 0,
        isDead: false,
        isEnded: false,
      };
      process.current = started;
      running.push(started);
      void work(process)
        .catch((error) => ({ status: 599, code: String(error), retryable: false }))
        .then((answer) => {
          operation.answer = answer;
          finish(process, started);
        });
    },

    /** Carries out one of the held calls; false if there is none. */
    step: async (): Promise<boolean> => {
      const waiting = running.filter(({ held }) => held.length > 0);
      if (waiting.length === 0) return false;
      const chosen = random.pick(waiting);
      await release(chosen, random.pick(chosen.held));
      return true;
    },

    /** Delivers a delayed call whose caller has stopped waiting. */
    deliverLate: async (): Promise<void> => {
      const chosen = random.pick(late);
      late.splice(late.indexOf(chosen), 1);
      note(`a call of ${chosen.operation.number} arrives late`);
      await chosen.send();
      await changes.follow(chosen.call, chosen.operation);
      chosen.operation.callsUnderWay -= 1;
    },

    /** Throws the idle processes away, as a deployment does. */
    restart: (): void => {
      note('restart');
      for (const { table } of idle.splice(0)) table.close();
    },

    endFaults: faults.end,
  };
};
