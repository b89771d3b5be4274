// The table for imports, which write no more than the table can take beside posts.
//
// All imports of a stage together have a budget of write units per minute, and the imports of an
// application have a share of it. After each write, a run takes the time that the budget needs for
// the written units, behind the time that other runs have taken, and waits for its end. So runs
// need no knowledge of each other, and a single import can use the share of its application.
//
// A process makes one call of its imports at a time and then leaves the table alone for as long as
// the call took. A table that throttles or is slow gets fewer calls, and on a laptop, where all
// imports share one process and one engine, a post waits for one call at most.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Authenticators } from '../authentication/authenticators.ts';
import { updateAction } from '../table/field-updates.ts';
import { importPaceKey } from '../table/keys.ts';
import { meterUsage } from '../table/metering.ts';
import { openTable, type Table } from '../table/table.ts';

/** The budget of all imports, as the text of a number in the environment of a function. */
export const ImportWriteUnits = z.coerce.number().check(z.int(), z.minimum(1));

/** The part of the budget that the imports of one application can use. */
const applicationShare = 1 / 2;

/** Imports can use the units of this time in advance. */
const burstMilliseconds = 1_000;

/** The longest wait of a run. The time that it reserves for its end leaves room for it. */
const maximumWaitMilliseconds = 10_000;

/** No queue is this long. A longer one comes from a clock that ran ahead, and is dropped. */
const maximumQueueMilliseconds = 5 * 60_000;

/** A charge for fewer units would cost too large a part of them. */
const minimumCharge = 20;

const retentionSeconds = 24 * 60 * 60;

const Queue = z.object({ usedUntil: z.number() });

const openImportQueues = (table: Pick<Table, 'add' | 'update'>) => ({
  /**
   * Takes time of the budget of all imports or of an application, behind the time that others have
   * taken. Returns when it ends, in milliseconds since the epoch. Unused time is lost.
   */
  take: async (
    owner: 'ALL' | { applicationId: string },
    { milliseconds, now }: { milliseconds: number; now: Date },
  ): Promise<number> => {
    const key = importPaceKey(owner);
    const from = now.getTime();
    const expiresAt = Math.floor(from / 1_000) + retentionSeconds;
    const range = 'usedUntil BETWEEN :from AND :latest';
    const values = { ':from': from, ':latest': from + maximumQueueMilliseconds };
    for (;;) {
      const amounts = { usedUntil: milliseconds };
      const added = await table.add(key, { amounts, expiresAt, condition: range, values });
      if (added !== undefined) return Queue.parse(added).usedUntil;
      const first = updateAction(key, {
        set: { usedUntil: from + milliseconds, expiresAt },
        condition: `attribute_not_exists(usedUntil) OR NOT ${range}`,
        values,
      });
      if (await table.update(first)) return from + milliseconds;
    }
  },
});

export type ImportQueues = ReturnType<typeof openImportQueues>;

/** An import that makes calls. `mayCallAt` is a time by `performance.now()`. */
type Run = { applicationId: string; mayCallAt: number; uncharged: number; charging: Promise<void> };

const millisecondsPerMinute = 60_000;

const current = new AsyncLocalStorage<Run | undefined>();

export type ImportPace = ReturnType<typeof openImportPace>;

export const openImportPace = ({
  writeUnits,
  take,
  clock,
  sleep,
}: {
  /** The budget of all imports for a minute. */
  writeUnits: number;
  take: ImportQueues['take'];
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
}) => {
  /** The end of the last call of this process, and when the next one may start. */
  let lastCall: Promise<void> = Promise.resolve();
  let isFreeAt = 0;

  const waitUntil = async (time: number): Promise<void> => {
    const milliseconds = time - performance.now();
    if (milliseconds > 0) await sleep(milliseconds);
  };

  /** Never throws. After a failure, the next charge includes the units. */
  const charge = async (run: Run): Promise<void> => {
    const { applicationId, uncharged: units } = run;
    const now = clock();
    const milliseconds = (units / writeUnits) * millisecondsPerMinute;
    run.uncharged = 0;
    try {
      const ends = await current.run(undefined, () =>
        Promise.all([
          take('ALL', { milliseconds, now }),
          take({ applicationId }, { milliseconds: milliseconds / applicationShare, now }),
        ]),
      );
      const wait = Math.max(...ends) - now.getTime() - burstMilliseconds;
      run.mayCallAt = performance.now() + Math.min(wait, maximumWaitMilliseconds);
    } catch {
      run.uncharged += units;
    }
  };

  const callInTurn = async <Result>(run: Run, work: () => Promise<Result>): Promise<Result> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = lastCall;
    lastCall = ended;
    await before;
    await waitUntil(isFreeAt);
    const startedAt = performance.now();
    try {
      const { result, usage } = await meterUsage(work);
      run.uncharged += usage.calls.reduce((sum, call) => sum + call.writeUnits, 0);
      return result;
    } finally {
      const endedAt = performance.now();
      isFreeAt = endedAt + (endedAt - startedAt);
      end();
    }
  };

  return {
    /** Runs the import of an application at the pace. */
    run: async <Result>(applicationId: string, work: () => Promise<Result>): Promise<Result> => {
      const run = { applicationId, mayCallAt: 0, uncharged: 0, charging: Promise.resolve() };
      try {
        return await current.run(run, work);
      } finally {
        await run.charging;
      }
    },

    /** Makes a call when it is its turn. A call outside of `run` does not wait. */
    call: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const run = current.getStore();
      if (run === undefined) return work();
      await run.charging;
      await waitUntil(run.mayCallAt);
      try {
        return await callInTurn(run, work);
      } finally {
        if (run.uncharged >= minimumCharge) {
          run.charging = run.charging.then(() => charge(run));
        }
      }
    },
  };
};

/** Makes the pace decide when each call of the client starts. */
const paceClient = (
  { middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>,
  pace: ImportPace,
): void => {
  middlewareStack.add(
    (next) => (args) => pace.call(() => next(args)),
    // Before metering, because a call that waits is not made yet.
    { step: 'initialize', priority: 'high', name: 'importPace' },
  );
};

/** Opens the table for imports, with their pace. */
export const openPacedTable = (
  tableName: string,
  writeUnits: number,
  {
    clock,
    sleep,
    authenticators,
    ...config
  }: DynamoDBClientConfig & {
    clock: () => Date;
    sleep: (milliseconds: number) => Promise<unknown>;
    authenticators: Authenticators;
  },
): { table: Table; pace: ImportPace } => {
  // The queues are in the table, whose client waits for the pace.
  const take: ImportQueues['take'] = (...time) => queues.take(...time);
  const pace = openImportPace({ writeUnits, take, clock, sleep });
  const install = (client: DynamoDBClient) => paceClient(client, pace);
  const table = openTable(tableName, config, { authenticators, install });
  const queues = openImportQueues(table);
  return { table, pace };
};
