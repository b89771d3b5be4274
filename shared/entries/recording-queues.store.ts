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
 * The sheets that this process has written last. A request that read its sheet before another
 * wrote it uses the sheet that the other has written.
 */
const openLatestSheets = () => {
  const latest = new Map<string, Item>();
  return {
    addTo: (snapshot: Snapshot, key: Key): Snapshot => {
      const text = keyText(key);
      const isNewer = revisionOf(latest.get(text)) > revisionOf(snapshot.get(text));
      return isNewer ? new Map([...snapshot, [text, latest.get(text)]]) : snapshot;
    },
    keep: (key: Key, actions: readonly Action[] = []): void => {
      const text = keyText(key);
      const written = itemPutBy(actions, key);
      latest.delete(text);
      if (written !== undefined) latest.set(text, written);
      const [oldest] = latest.keys();
      if (oldest !== undefined && latest.size > maximumLatestSheets) latest.delete(oldest);
    },
  };
};

/**
 * A single entry that loses so often against other processes waits in the inbox of its date. In
 * light contention, a second attempt costs less.
 */
const attemptsBeforeInbox = 2;

const isContention = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'contention';

export const openRecordingQueues = (table: Table, clock: () => Date) => {
  const latest = openLatestSheets();
  const inbox = openInboxWait(table, clock);
  const enterQueue = openWriteQueues<Member, RecordedEntry[] | undefined>(chooseCompanions);

  /**
   * Records the entries of a request that changes one sheet, in the queue of its sheet.
   * @param request.single what to combine with the entries of others, if that is possible
   * @param request.decide decides how to record the entries alone
   * @throws ApiError `contention` if the budget is used up and nothing was written
   */
  return async (
    name: TenantName,
    date: string,
    {
      single,
      snapshot,
      decide,
      budget,
    }: Member & {
      decide: (snapshot: Snapshot) => Promise<Decision<RecordedEntry[]>>;
      budget: PostingBudget;
    },
  ): Promise<RecordedEntry[]> => {
    const key = sheetKey(name, { series: 'MJ', date });

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
      latest.keep(key, actions);
      return result;
    };

    const revisionIn = (member: Member): number => revisionOf(itemIn(member.snapshot, key));

    const decideUnlessBusy = async (current: Snapshot): Promise<Decision<RecordedEntry[]>> => {
      const decision = await decide(current);
      const mustWait = decision.actions !== undefined && inbox.isBusy(itemIn(current, key));
      if (mustWait) throw new ApiError('contention', { retryAfterSeconds: 1 });
      return decision;
    };

    const write = async (members: readonly Member[]): Promise<(RecordedEntry[] | undefined)[]> => {
      const [first, ...others] = members;
      if (others.length === 0) {
        return first?.single === undefined
          ? [await attempt(snapshot, decide)]
          : [await attempt(snapshot, decideUnlessBusy, attemptsBeforeInbox)];
      }
      const requests = members.flatMap((it) => it.single ?? []);
      const newestLast = members.toSorted((one, other) => revisionIn(one) - revisionIn(other));
      const all = new Map(newestLast.flatMap((it) => [...it.snapshot]));
      const entries = await attempt(all, (current) => combine(name, { date, requests }, current));
      return entries.map((entry) => entry && [{ entry, replayed: false }]);
    };

    const { endsAt } = budget;
    const contentionEndsAt = (): number => {
      const { since, milliseconds } = budget.contention(performance.now());
      return since + milliseconds;
    };
    const record = (own: Member) => enterQueue(keyText(key), own, { endsAt, write });

    /** Returns `contended` if the entry must wait for other processes, `left` by a transaction. */
    const recordInQueue = async (): Promise<RecordedEntry[] | 'contended' | 'left'> => {
      try {
        return (await record({ single, snapshot })) ?? 'left';
      } catch (error) {
        if (isContention(error) && performance.now() < contentionEndsAt()) return 'contended';
        throw error;
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
