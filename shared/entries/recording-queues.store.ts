// Queues of the requests of this process that change the same sheet. Single entries that wait there
// are recorded together, in the order of arrival.

import { ApiError } from '../errors.ts';
import { type Key, keyText, sheetKey, type TenantName } from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  itemPutBy,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import type { Action, Item, Table } from '../table/table.ts';
import { openWriteQueues } from '../table/write-queues.ts';
import { combine, countFitting, type SingleEntry } from './combined-recording.store.ts';
import { openInboxWait } from './inbox/inbox-wait.store.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { PostingBudget } from './posting-budget.ts';

/** A recorded entry, and whether an earlier request recorded it. */
export type RecordedEntry = { entry: JournalEntry; replayed: boolean };

/** A request that changes one sheet. Without `single` it is recorded alone. */
type Member = { single: SingleEntry | undefined; snapshot: Snapshot };

const chooseCompanions = (member: Member, waiting: readonly Member[]): ReadonlySet<Member> => {
  if (member.single === undefined) return new Set();
  const combinable = [member, ...waiting].filter(({ single }) => single !== undefined);
  const fitting = countFitting(combinable.flatMap(({ single }) => single ?? []));
  return new Set(combinable.slice(1, fitting));
};

const revisionOf = (item: Item | undefined): number => Number(item?.revision ?? 0);

/** Enough for the dates that requests write at the same time, and little memory. */
const maximumLatestSheets = 32;

/**
 * The sheets that this process has written or seen last. A request that read its sheet before uses
 * the later one.
 */
const openLatestSheets = () => {
  const latest = new Map<string, Item>();
  return {
    addTo: (snapshot: Snapshot, key: Key): Snapshot => {
      const text = keyText(key);
      const isNewer = revisionOf(latest.get(text)) > revisionOf(snapshot.get(text));
      return isNewer ? new Map([...snapshot, [text, latest.get(text)]]) : snapshot;
    },
    keep: (key: Key, sheet: Item | undefined): void => {
      const text = keyText(key);
      latest.delete(text);
      if (sheet !== undefined) latest.set(text, sheet);
      const [oldest] = latest.keys();
      if (oldest !== undefined && latest.size > maximumLatestSheets) latest.delete(oldest);
    },
  };
};

/**
 * After so many attempts that lost against other processes, a single entry waits in the inbox of
 * its date, and another request holds it. In light contention, a second attempt costs less.
 */
const attemptsBeforeInbox = 2;

export const openRecordingQueues = (table: Table, clock: () => Date) => {
  const latest = openLatestSheets();
  const inbox = openInboxWait(table, clock);
  const enterQueue = openWriteQueues<Member, RecordedEntry[] | undefined>(chooseCompanions);

  /**
   * Records the entries of a request that changes one sheet, in the queue of its sheet.
   * @param request.single what to combine with the entries of others, if that is possible
   * @param request.random the random part of the request's ticket
   * @param request.decide decides how to record the entries alone
   * @throws ApiError `contention` if the budget is used up and nothing was written
   */
  return async (
    name: TenantName,
    date: string,
    {
      single,
      snapshot,
      random,
      decide,
      budget,
    }: Member & {
      random: Uint8Array;
      decide: (snapshot: Snapshot) => Promise<Decision<RecordedEntry[]>>;
      budget: PostingBudget;
    },
  ): Promise<RecordedEntry[]> => {
    const key = sheetKey(name, { series: 'MJ', date });

    const contentionEndsAt = (): number => {
      const { since, milliseconds } = budget.contention(performance.now());
      return since + milliseconds;
    };
    /** Whether others contend for the sheet, and time is left for the inbox. */
    const canUseInbox = (error: unknown): boolean =>
      error instanceof ApiError &&
      error.code === 'contention' &&
      performance.now() < contentionEndsAt();

    const attempt = async <Result>(
      before: Snapshot,
      decideOn: (current: Snapshot) => Decision<Result> | Promise<Decision<Result>>,
      maximumAttempts?: number,
    ): Promise<Result> => {
      let actions: readonly Action[] | undefined;
      const result = await writeOptimistically(table, latest.addTo(before, key), {
        decide: async (current) => {
          const decision = await decideOn(current);
          actions = decision.actions;
          return decision;
        },
        reread: [key],
        budget: { ...budget.contention(performance.now()), maximumAttempts },
      });
      latest.keep(key, itemPutBy(actions ?? [], key));
      return result;
    };

    const revisionIn = (member: Member): number => revisionOf(itemIn(member.snapshot, key));

    /** @throws ApiError `contention` if single entries must wait now */
    const mustNotWait = <Result>(
      decision: Decision<Result>,
      sheet: Item | undefined,
      mustWait: (sheet: Item | undefined) => boolean,
    ): Decision<Result> => {
      if (decision.actions === undefined || !mustWait(sheet)) return decision;
      latest.keep(key, sheet);
      throw new ApiError('contention', { retryAfterSeconds: 1 });
    };

    const decideUnlessBusy = async (current: Snapshot): Promise<Decision<RecordedEntry[]>> =>
      mustNotWait(await decide(current), itemIn(current, key), inbox.isBusy);

    /** Records entries that cannot wait in the inbox. */
    const writeAlone = async (): Promise<RecordedEntry[]> => {
      try {
        return await attempt(snapshot, decide, attemptsBeforeInbox);
      } catch (error) {
        if (!canUseInbox(error)) throw error;
      }
      return inbox.holdDuring(name, {
        date,
        random,
        endsAt: contentionEndsAt(),
        write: (sheet) => attempt(new Map([...snapshot, [keyText(key), sheet]]), decide),
      });
    };

    const write = async (members: readonly Member[]): Promise<(RecordedEntry[] | undefined)[]> => {
      const [first, ...others] = members;
      if (others.length === 0) {
        return first?.single === undefined
          ? [await writeAlone()]
          : [await attempt(snapshot, decideUnlessBusy, attemptsBeforeInbox)];
      }
      const requests = members.flatMap((it) => it.single ?? []);
      const newestLast = members.toSorted((one, other) => revisionIn(one) - revisionIn(other));
      const all = new Map(newestLast.flatMap((it) => [...it.snapshot]));
      const entries = await attempt(all, (current) =>
        mustNotWait(combine(name, { date, requests }, current), itemIn(current, key), inbox.isHeld),
      );
      return entries.map((entry) => entry && [{ entry, replayed: false }]);
    };

    const { endsAt } = budget;
    const record = (own: Member) => enterQueue(keyText(key), own, { endsAt, write });

    /** Returns `contended` if the entry must wait for other processes, `left` by a transaction. */
    const recordInQueue = async (): Promise<RecordedEntry[] | 'contended' | 'left'> => {
      try {
        return (await record({ single, snapshot })) ?? 'left';
      } catch (error) {
        if (!canUseInbox(error)) throw error;
        return 'contended';
      }
    };

    if (single !== undefined) {
      const result = await recordInQueue();
      if (typeof result !== 'string') return result;
      const entry =
        result === 'left' ? 'returned' : await inbox.wait(name, single, contentionEndsAt());
      if (entry !== 'returned') return [{ entry, replayed: false }];
    }
    const recorded = await record({ single: undefined, snapshot });
    if (recorded === undefined) throw new Error('a request was not recorded alone');
    return recorded;
  };
};
