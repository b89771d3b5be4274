// Runs due background work in turns: round-robin over applications and their tenants, with a budget
// of time and units for each turn. Work that fails is retried later, with a backoff.

import { type Applications, openSuspensions } from '../applications/applications.store.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import type { ApiError } from '../errors.ts';
import { dueTimeOf } from '../table/due-keys.ts';
import { type Key, type TenantName, tenantNameOf } from '../table/keys.ts';
import { meterUsage } from '../table/metering.ts';
import type { Log, Metrics } from '../telemetry.ts';
import { type DueItem, type DueWork, dueKeyOf } from './due-index.store.ts';
import { openRounds } from './fair-rounds.ts';
import { isTransient, WorkStuck } from './stuck-work.ts';

/** `later`: the work cannot continue in this run, and this is not a failure. */
export type StepEnd = 'more' | 'done' | 'later';
export type Step = () => Promise<StepEnd>;

type TurnOptions = {
  /** The partitions of the due index to read. */
  partitions: readonly string[];
  /** Lists work to do ahead of time, after all due work. */
  listAhead?: (now: Date) => AsyncIterable<DueItem>;
  /**
   * Starts the work of an item. The returned step is repeated until the work ends.
   * @param dueAt the date or moment since which it is due
   */
  begin: (key: Key, name: TenantName, dueAt: string) => Step;
  /** The number of turns that run at the same time. */
  concurrency: number;
  /** A turn ends after the step that exceeds one of these. */
  turnMilliseconds: number;
  turnUnits: number;
  /** The maximum number of turns per application and run. Unlimited by default. */
  turnsPerApplication?: number;
  /** A run starts no step when less time than this remains. */
  reserveMilliseconds: number;
};

/** The limits of a function's turns. */
export type TurnLimits = Omit<TurnOptions, 'partitions' | 'listAhead' | 'begin'>;

/** The dependencies of a function that runs background work. */
export type TurnDependencies = {
  applications: Pick<Applications, 'find'>;
  dueWork: Pick<DueWork, 'list' | 'putBack' | 'putOff'>;
  clock: () => Date;
  log: Log;
  metrics: Metrics;
  /** The number of parallel turns. Defaults to the function's limit. */
  concurrency?: number;
};

type BackgroundRun = { scheduledFor: Date; remainingMilliseconds: () => number };

/** The log line of a run. Counts items, not turns. */
type TurnSummary = {
  due: number;
  done: number;
  /** Items that had a turn and continue in the next run, after all others. */
  unfinished: number;
  /** Items deferred because of contention, throttling or a platform that does not reply. */
  deferred: number;
  stuck: number;
  suspended: number;
  not_tried: number;
  stopped_early: 'yes' | 'no';
  /** The key of the first item without a turn, else of the first unfinished one, or `nothing`. */
  continues_with: string;
};

/**
 * The maximum number of items that a run lists from a partition. Items beyond it wait for the next
 * run. Items of suspended applications do not count: they stay in the index until the application
 * is resumed, and reading about eighty of them costs one read unit.
 */
const maximumListed = 10_000;

/** After this many transient faults, an item gets no more turns in a run. */
const maximumFaults = 3;

const ownerOf = (item: DueItem): TenantName =>
  tenantNameOf(item) ?? { applicationId: '', schemaName: item.pk };

const inOrder = (one: DueItem, other: DueItem): number => (one.due_sk < other.due_sk ? -1 : 1);

type Suspensions = ReturnType<typeof openSuspensions>;

/** Lists the due items of all partitions, oldest first, without suspended applications. */
const listDue = async (
  { dueWork, isSuspended }: Pick<TurnDependencies, 'dueWork'> & { isSuspended: Suspensions },
  {
    partitions,
    listAhead,
    now,
    hasTime,
  }: Pick<TurnOptions, 'partitions' | 'listAhead'> & { now: Date; hasTime: () => boolean },
) => {
  let [suspended, isCut] = [0, false];
  const add = async (due: DueItem[], item: DueItem): Promise<void> => {
    // If the application cannot be read now, its work fails in its turn.
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

const openTurns = (
  { clock, log, metrics, dueWork, isSuspended }: TurnDependencies & { isSuspended: Suspensions },
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
    return begin(dueKeyOf(item), name, dueTimeOf(item.due_sk));
  };

  /** Repeats the item's step until the work or the turn ends. */
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
      if (reason === 'entry_altered' || error instanceof BooksDiffer) metrics.booksDiffer();
      if (state !== 'not_due') log.error('background work is stuck', fields);
    } catch (cause) {
      log.error('stuck background work could not be rescheduled', { ...fields, cause });
    }
  };

  const endOf = async (item: DueItem): Promise<StepEnd | 'stuck'> => {
    try {
      return await repeatSteps(item);
    } catch (error) {
      if (isTransient(error)) {
        if (error.code !== 'contention') fault ??= error;
        log.warn('background work had a transient fault', { key: dueKeyOf(item), error });
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
    /** Gives an item a turn. Returns true if the item gets no more turns in this run. */
    give: async (item: DueItem): Promise<boolean> => {
      const end = await endOf(item);
      if (end === 'more') return false;
      if (end === 'later') deferred.push(item);
      counts[end === 'later' ? 'deferred' : end] += 1;
      return true;
    },
    /** @throws ApiError if no turn got a reply from the table */
    assertAnswered: (): void => {
      if (fault && !isAnswered) throw fault;
    },
  };
};

const inParallel = async (concurrency: number, work: () => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: concurrency }, work));
};

export const openBackgroundTurns = (dependencies: TurnDependencies) => {
  const { dueWork, applications, clock, log } = dependencies;

  /** Moves items to the end of the queue. Items with progress lose the mark `stuck`. */
  const putBack = async (
    items: readonly { item: DueItem; hasProgressed: boolean }[],
    { concurrency, hasTime }: { concurrency: number; hasTime: () => boolean },
  ): Promise<void> => {
    const waiting = items.values();
    await inParallel(concurrency, async () => {
      for (const { item, hasProgressed } of waiting) {
        if (!hasTime()) return;
        await dueWork.putBack(item, { now: clock(), hasProgressed }).catch((error: unknown) =>
          log.warn('background work could not be moved to the end of the queue', {
            key: dueKeyOf(item),
            error,
          }),
        );
      }
    });
  };

  return {
    /**
     * Gives the due items turns until all work is done or the time is up.
     * @throws if the due index cannot be read, or ApiError if no turn got a reply from the table
     */
    run: async (
      { scheduledFor, remainingMilliseconds }: BackgroundRun,
      options: TurnOptions,
    ): Promise<TurnSummary> => {
      const { reserveMilliseconds } = options;
      const { concurrency = options.concurrency } = dependencies;
      const hasTime = () => remainingMilliseconds() > reserveMilliseconds;
      const isSuspended = openSuspensions(applications);
      // Listing takes at most half of the time, even with many items of suspended applications.
      const listingEndsAt = (remainingMilliseconds() + reserveMilliseconds) / 2;
      const { due, suspended, isCut } = await listDue(
        { dueWork, isSuspended },
        { ...options, now: scheduledFor, hasTime: () => remainingMilliseconds() >= listingEndsAt },
      );
      const rounds = openRounds(due, { ...options, ownerOf });
      const turns = openTurns({ ...dependencies, isSuspended }, options, hasTime);
      await inParallel(concurrency, async () => {
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
          item,
          hasProgressed: turns.hasProgressed(item),
        })),
        { concurrency, hasTime: () => remainingMilliseconds() > reserveMilliseconds / 4 },
      );
      turns.assertAnswered();
      const [next] = [...untried, ...unfinished];
      return {
        due: due.length,
        ...turns.counts,
        suspended,
        unfinished: unfinished.length,
        not_tried: untried.length,
        stopped_early: left.length > 0 || isCut ? 'yes' : 'no',
        continues_with: next === undefined ? 'nothing' : `${next.pk} ${next.sk}`,
      };
    },
  };
};
