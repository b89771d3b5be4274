// The one discipline for work that runs by itself: what is due gets its turns round-robin over
// applications and their tenants, each with a budget. Work that fails leaves the front.

import { openRounds } from '../domain/fair-rounds.ts';
import { WorkStuck } from '../domain/stuck-work.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type Applications, openSuspensions } from '../store/applications.ts';
import { type DueItem, type DueWork, dueKeyOf } from '../store/due-index.ts';
import { type Key, type TenantName, tenantNameOf } from '../store/keys.ts';
import { meterUsage } from '../table-metering.ts';

/**
 * How a step of work ended: there is `more` to do, all is `done`, or it must wait for `later` and
 * nobody here is at fault.
 */
export type StepEnd = 'more' | 'done' | 'later';
export type Step = () => Promise<StepEnd>;

/** What a kind of background work needs to get its turns. */
export type TurnOptions = {
  /** The partitions of the due index that list it. */
  partitions: readonly string[];
  /** What else gets turns, behind all that is due. */
  listAhead?: (now: Date) => AsyncIterable<DueItem>;
  /** Begins the work of an item: the step that is repeated until it ends the work. */
  begin: (key: Key, name: TenantName) => Step;
  /** How many turns run at the same time. */
  concurrency: number;
  /** A turn ends with the step that uses up either of these. */
  turnMilliseconds: number;
  turnUnits: number;
  /** The most turns that an application gets in a run; without it, no limit. */
  turnsPerApplication?: number;
  /** So long before its end a run begins no step any more. */
  reserveMilliseconds: number;
};

export type BackgroundRun = { scheduledFor: Date; remainingMilliseconds: () => number };

/** What a run did, for its log line. Items are counted once, however many turns they had. */
export type TurnSummary = {
  due: number;
  done: number;
  /** They had turns, and go on in the next run, behind all others. */
  unfinished: number;
  /** They met contention, a throttle, or a platform that does not answer. */
  deferred: number;
  stuck: number;
  suspended: number;
  not_tried: number;
  stopped_early: 'yes' | 'no';
  /** The key of the first item that had no turn, or is unfinished; else `nothing`. */
  goes_on_with: string;
};

/**
 * The most that is listed of a partition in a run. What belongs to suspended applications does not
 * count: it stays where it is, goes on with the first run after they are resumed, and costs a read
 * unit for some eighty items. Whoever is behind this many items of others waits for the next run.
 */
export const maximumListed = 10_000;

/** After so many faults that may pass, work gets no more turns in a run. */
const maximumFaults = 3;

const transientCodes: ReadonlySet<string> = new Set(['contention', 'temporarily_unavailable']);

/** Whether the table, and not the work, is at fault. */
const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && transientCodes.has(error.code);

const ownerOf = (item: DueItem): TenantName =>
  tenantNameOf(item) ?? { applicationId: '', schemaName: item.pk };

const inOrder = (one: DueItem, other: DueItem): number => (one.due_sk < other.due_sk ? -1 : 1);

type Dependencies = {
  dueWork: Pick<DueWork, 'list' | 'putBack' | 'putOff'>;
  applications: Pick<Applications, 'find'>;
  clock: () => Date;
  log: Log;
  metrics: Pick<Metrics, 'workStuck'>;
};

type Suspensions = ReturnType<typeof openSuspensions>;

/** What is due of all partitions, the longest due first, without that of suspended applications. */
const listDue = async (
  { dueWork, isSuspended }: Pick<Dependencies, 'dueWork'> & { isSuspended: Suspensions },
  {
    partitions,
    listAhead,
    now,
    hasTime,
  }: Pick<TurnOptions, 'partitions' | 'listAhead'> & { now: Date; hasTime: () => boolean },
) => {
  let [suspended, isCut] = [0, false];
  const add = async (due: DueItem[], item: DueItem): Promise<void> => {
    // An application that cannot be read fails in the turns of its work.
    const { applicationId } = ownerOf(item);
    if (await isSuspended(applicationId).catch(() => false)) suspended += 1;
    else due.push(item);
  };
  const list = async (partition: string): Promise<DueItem[]> => {
    const due: DueItem[] = [];
    for await (const page of dueWork.list(partition, now)) {
      for (const item of page) await add(due, item);
      if (due.length < maximumListed && hasTime()) continue;
      isCut ||= due.length > maximumListed || !hasTime();
      break;
    }
    return due.slice(0, maximumListed);
  };
  const due = (await Promise.all(partitions.map(list))).flat().sort(inOrder);
  for await (const item of listAhead?.(now) ?? []) {
    if (due.length < maximumListed && hasTime()) await add(due, item);
  }
  return { due, suspended, isCut };
};

/** The turns of one run. */
const openTurns = (
  { clock, log, metrics, dueWork, isSuspended }: Dependencies & { isSuspended: Suspensions },
  { begin, turnMilliseconds, turnUnits }: TurnOptions,
  hasTime: () => boolean,
) => {
  const steps = new Map<DueItem, Step>();
  const progressed = new Set<DueItem>();
  const faults = new Map<DueItem, number>();
  const counts = { done: 0, deferred: 0, stuck: 0 };
  const deferred: DueItem[] = [];
  let isAnswered = false;
  let fault: ApiError | undefined;

  const beginOf = async (item: DueItem): Promise<Step> => {
    const name = tenantNameOf(item);
    if (name === undefined) throw new Error('a due item belongs to no tenant');
    if (await isSuspended(name.applicationId)) return async () => 'later';
    return begin(dueKeyOf(item), name);
  };

  /** Repeats the step of an item until the work ends or the turn is over. */
  const repeatSteps = async (item: DueItem): Promise<StepEnd> => {
    const step = steps.get(item) ?? (await beginOf(item));
    steps.set(item, step);
    const endsAt = performance.now() + turnMilliseconds;
    let units = 0;
    for (;;) {
      const { result, usage } = await meterUsage(step);
      isAnswered = true;
      progressed.add(item);
      if (result !== 'more') return result;
      units += usage.calls.reduce((sum, call) => sum + call.units, 0);
      const isOver = performance.now() >= endsAt || units >= turnUnits;
      if (isOver || !hasTime()) return 'more';
    }
  };

  const putOff = async (item: DueItem, error: unknown): Promise<void> => {
    const reason = error instanceof WorkStuck ? error.reason : 'internal_error';
    const fields = { key: dueKeyOf(item), reason, error };
    try {
      const state = await dueWork.putOff(item, { reason, now: clock() });
      if (state === 'stuck') metrics.workStuck();
      if (state !== 'not_due') log.error('background work is stuck', fields);
    } catch (cause) {
      log.error('background work is stuck and stays in front', { ...fields, cause });
    }
  };

  const endOf = async (item: DueItem): Promise<StepEnd | 'stuck'> => {
    try {
      return await repeatSteps(item);
    } catch (error) {
      if (isTransient(error)) {
        if (error.code !== 'contention') fault ??= error;
        log.warn('background work met a fault that may pass', { key: dueKeyOf(item), error });
        const count = (faults.get(item) ?? 0) + 1;
        faults.set(item, count);
        return count < maximumFaults ? 'more' : 'later';
      }
      isAnswered = true;
      await putOff(item, error);
      return 'stuck';
    }
  };

  return {
    counts,
    deferred: deferred as readonly DueItem[],
    hasBegun: (item: DueItem): boolean => steps.has(item) || faults.has(item),
    hasProgressed: (item: DueItem): boolean => progressed.has(item),
    /** Gives an item its turn. Returns whether it gets no more turns in this run. */
    give: async (item: DueItem): Promise<boolean> => {
      const end = await endOf(item);
      if (end === 'more') return false;
      if (end === 'later') deferred.push(item);
      counts[end === 'later' ? 'deferred' : end] += 1;
      return true;
    },
    /** @throws ApiError if the table has not answered in any turn */
    assertAnswered: (): void => {
      if (fault && !isAnswered) throw fault;
    },
  };
};

/** Does the same work so many times at once. */
const inSlots = async (slots: number, work: () => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: slots }, work));
};

export type BackgroundTurns = ReturnType<typeof openBackgroundTurns>;

export const openBackgroundTurns = (dependencies: Dependencies) => {
  const { dueWork, applications, clock, log } = dependencies;

  /** Sends items to the back of the queue; those that had a turn and go on are stuck no more. */
  const putBack = async (
    items: readonly { item: DueItem; hasProgressed: boolean }[],
    { concurrency, hasTime }: { concurrency: number; hasTime: () => boolean },
  ): Promise<void> => {
    const waiting = items.values();
    await inSlots(concurrency, async () => {
      for (const { item, hasProgressed } of waiting) {
        if (!hasTime()) return;
        await dueWork
          .putBack(item, { now: clock(), hasProgressed })
          .catch((error: unknown) =>
            log.warn('background work stays in front', { key: dueKeyOf(item), error }),
          );
      }
    });
  };

  return {
    /**
     * Gives what is due its turns until all is done or the time is up.
     * @throws if nothing can be listed, or ApiError if the table has not answered in any turn
     */
    run: async (
      { scheduledFor, remainingMilliseconds }: BackgroundRun,
      options: TurnOptions,
    ): Promise<TurnSummary> => {
      const { concurrency, reserveMilliseconds } = options;
      const hasTime = () => remainingMilliseconds() > reserveMilliseconds;
      const isSuspended = openSuspensions(applications);
      // Half of the time is for the turns, however much of suspended applications is listed.
      const listingEndsAt = (remainingMilliseconds() + reserveMilliseconds) / 2;
      const { due, suspended, isCut } = await listDue(
        { dueWork, isSuspended },
        { ...options, now: scheduledFor, hasTime: () => remainingMilliseconds() >= listingEndsAt },
      );
      const rounds = openRounds(due, { ...options, ownerOf });
      const turns = openTurns({ ...dependencies, isSuspended }, options, hasTime);
      await inSlots(concurrency, async () => {
        for (let item = rounds.take(); item; item = rounds.take()) {
          if (!hasTime()) return rounds.giveBack(item, { isFinished: false });
          rounds.giveBack(item, { isFinished: await turns.give(item) });
        }
      });
      const left = rounds.left().sort(inOrder);
      const untried = left.filter((item) => !turns.hasBegun(item));
      const unfinished = left.filter((item) => turns.hasBegun(item));
      await putBack(
        [...unfinished, ...turns.deferred].map((item) => ({
          ...{ item, hasProgressed: turns.hasProgressed(item) },
        })),
        { concurrency, hasTime: () => remainingMilliseconds() > reserveMilliseconds / 4 },
      );
      turns.assertAnswered();
      const [next] = [...untried, ...unfinished];
      return {
        ...{ due: due.length, ...turns.counts, suspended },
        ...{ unfinished: unfinished.length, not_tried: untried.length },
        stopped_early: left.length > 0 || isCut ? 'yes' : 'no',
        goes_on_with: next === undefined ? 'nothing' : `${next.pk} ${next.sk}`,
      };
    },
  };
};
