// Queues of the requests of this process that change the same sheet. Single entries that wait there
// are recorded together, in the order of arrival.

import { type Key, keyText, sheetKey, type TenantName } from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import type { Action, Item, Table } from '../table/table.ts';
import { openWriteQueues } from '../table/write-queues.ts';
import { combine, countFitting, type SingleEntry } from './combined-recording.store.ts';
import type { JournalEntry } from './journal-entry.ts';

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
      latest.delete(text);
      for (const action of actions) {
        if ('put' in action && keyText(action.put as Key) === text) latest.set(text, action.put);
      }
      const [oldest] = latest.keys();
      if (oldest !== undefined && latest.size > maximumLatestSheets) latest.delete(oldest);
    },
  };
};

export const openRecordingQueues = (table: Table) => {
  const latest = openLatestSheets();
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
      budget: { milliseconds: number; since: number };
    },
  ): Promise<RecordedEntry[]> => {
    const key = sheetKey(name, { series: 'MJ', date });

    const attempt = async <Result>(
      before: Snapshot,
      decideOn: (current: Snapshot) => Decision<Result> | Promise<Decision<Result>>,
    ): Promise<Result> => {
      let actions: readonly Action[] | undefined;
      const result = await writeOptimistically(table, latest.addTo(before, key), {
        decide: async (current) => {
          const decision = await decideOn(current);
          actions = decision.actions;
          return decision;
        },
        reread: [key],
        budget,
      });
      latest.keep(key, actions);
      return result;
    };

    const revisionIn = (member: Member): number => revisionOf(itemIn(member.snapshot, key));

    const write = async (members: readonly Member[]): Promise<(RecordedEntry[] | undefined)[]> => {
      if (members.length === 1) return [await attempt(snapshot, decide)];
      const requests = members.flatMap((it) => it.single ?? []);
      const newestLast = members.toSorted((one, other) => revisionIn(one) - revisionIn(other));
      const all = new Map(newestLast.flatMap((it) => [...it.snapshot]));
      const entries = await attempt(all, (current) => combine(name, { date, requests }, current));
      return entries.map((entry) => entry && [{ entry, replayed: false }]);
    };

    const endsAt = budget.since + budget.milliseconds;
    const record = (own: Member) => enterQueue(keyText(key), own, { endsAt, write });
    const recorded =
      (await record({ single, snapshot })) ?? (await record({ single: undefined, snapshot }));
    if (recorded === undefined) throw new Error('a request was not recorded alone');
    return recorded;
  };
};
