// The work of a request that holds the inbox of a date: it records the entries of all requests that
// wait there.

import { isInboxBusy, type SheetName } from '../../sheets/day-sheets.store.ts';
import { keyText, sheetKey, type TenantName } from '../../table/keys.ts';
import { itemIn, readSnapshot, writeOptimistically } from '../../table/optimistic-write.ts';
import type { Item, Table } from '../../table/table.ts';
import { combine, groupsOf } from './combined-recording.store.ts';
import type { DateInbox } from './date-inbox.store.ts';
import { type Numbers, type WaitingEntry, waitingEntryOf } from './waiting-entry.store.ts';

/** A holder looks so many times for entries that wait. Its own caller waits meanwhile. */
const maximumLists = 2;

/** A holder stops after this time, before its lease is stale. */
const maximumHoldMilliseconds = 1_200;

type Holding = {
  name: TenantName;
  of: SheetName;
  inbox: DateInbox;
  now: () => number;
  /** Tells requests in the same process their numbers, by ticket. */
  tell: (numbers: ReadonlyMap<string, Numbers>) => void;
};

type HoldingState = {
  /** The listed items by their sort keys. */
  items: ReadonlyMap<string, Item>;
  sheetItem: Item | undefined;
  isContended: boolean;
  waitMilliseconds: number;
  /** When the holder began, by `performance.now()`. */
  since: number;
};

export const openInboxHolding = (table: Table, { name, of, inbox, now, tell }: Holding) => {
  const key = sheetKey(name, of);
  const readSheet = async () => itemIn(await readSnapshot(table, [key]), key);

  /** Records a group in one transaction. Returns the numbers by ticket, and the sheet after it. */
  const recordGroup = (
    group: readonly WaitingEntry[],
    { items, sheetItem, since, ...contention }: HoldingState,
  ) => {
    const decidedAt = now();
    const itemOf = (entry: WaitingEntry) => [keyText(entry.key), items.get(entry.key.sk)] as const;
    const snapshot = new Map([[keyText(key), sheetItem], ...group.map(itemOf)]);
    return writeOptimistically(table, snapshot, {
      decide: (current) => combine(name, { of, group, now: decidedAt, ...contention }, current),
      reread: [key],
      budget: { milliseconds: maximumHoldMilliseconds, since },
    });
  };

  return {
    /**
     * Records the waiting entries in the order of arrival. Returns the numbers of the entry with
     * this ticket, if it is among them.
     * @throws ApiError `contention` or `temporarily_unavailable`
     */
    recordWaiting: async (ticket: string): Promise<Numbers | undefined> => {
      const since = performance.now();
      let [waiting, sheetItem] = await Promise.all([inbox.listWaiting(now()), readSheet()]);
      if (waiting.length > 1 && sheetItem !== undefined && !isInboxBusy(sheetItem, now())) {
        // Otherwise new requests, which write at once, would win against the holder.
        await inbox.markBusy(now());
        sheetItem = await readSheet();
      }
      let own: Numbers | undefined;
      let isContended = false;
      for (let lists = 1; waiting.length > 0; lists += 1) {
        isContended ||= waiting.length > 1;
        const items = new Map(waiting.map((item) => [String(item.sk), item]));
        const listedAt = performance.now();
        const groups = groupsOf(waiting.map(waitingEntryOf));
        for (const group of groups) {
          const waitMilliseconds = groups.length > 1 ? performance.now() - listedAt : 0;
          const result = await recordGroup(group, {
            items,
            sheetItem,
            isContended,
            waitMilliseconds,
            since,
          });
          sheetItem = result.sheetItem;
          tell(result.numbers);
          own ??= result.numbers.get(ticket);
          if (performance.now() - since > maximumHoldMilliseconds) return own;
        }
        if (lists === maximumLists) return own;
        waiting = await inbox.listWaiting(now());
      }
      return own;
    },
  };
};
