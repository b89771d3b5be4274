// The work of a request that holds the inbox of a date: it records the entries that wait there.

import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { inboxMarkOf } from '../../sheets/day-sheets.store.ts';
import { keyText, sheetKey, type TenantName } from '../../table/keys.ts';
import { itemIn, itemPutBy, writeOptimistically } from '../../table/optimistic-write.ts';
import type { Item, Table } from '../../table/table.ts';
import { combine, countFitting } from '../combined-recording.store.ts';
import type { DateInbox } from './date-inbox.store.ts';
import { endOfWait, isWaiting, type WaitingEntry } from './waiting-entry.store.ts';

/**
 * A hold ends by itself after this time. Until then, a holder that died blocks the inbox. Others
 * wait a second, so they still have time to record their entries.
 */
export const holdMilliseconds = 700;

/** So long after a hold that recorded entries of several requests, new ones wait there, too. */
const busyMilliseconds = 1_200;

/** A holder begins no further transaction after this time, because its own caller waits. */
const workMilliseconds = 500;

/** How long a transaction is retried, against requests that do not use the inbox. */
const retryMilliseconds = 350;

/** If others waited, a holder stays for a moment. Callers who come again find the inbox held. */
const maximumEmptyLists = 3;
const idlePauseMilliseconds = 30;

export const openInboxHolding = (
  table: Table,
  {
    name,
    date,
    inbox,
    now,
  }: { name: TenantName; date: string; inbox: DateInbox; now: () => number },
) => {
  const key = sheetKey(name, { series: 'MJ', date });

  /**
   * Records waiting entries in one transaction, the oldest first. Returns the sheet after it, or
   * undefined if another request holds the inbox by now.
   */
  const recordOldest = (
    waiting: readonly WaitingEntry[],
    held: Item,
  ): Promise<Item | undefined> => {
    const group = waiting.slice(0, countFitting(waiting, { furtherActions: 1 }));
    const items = group.map((it) => [keyText(it.key), it.item] as const);
    return writeOptimistically(table, new Map([[keyText(key), held], ...items]), {
      decide: (current) => {
        const sheet = itemIn(current, key);
        const isHeld = inboxMarkOf(sheet).inboxHolder === inboxMarkOf(held).inboxHolder;
        if (!isHeld) return { result: undefined };
        const requests = group.filter((it) => isWaiting(itemIn(current, it.key)));
        if (requests.length === 0) return { result: sheet };
        const { result, actions = [] } = combine(name, { date, requests }, current);
        const ends = requests.map((it, place) => endOfWait(it.key, result[place] ?? 'returned'));
        return { result: itemPutBy(actions, key) ?? sheet, actions: [...actions, ...ends] };
      },
      reread: [key],
      budget: { milliseconds: retryMilliseconds },
    });
  };

  /** Records entries while some wait. Returns whether several did at a time. */
  const recordAll = async (taken: Item, lastAt: number): Promise<boolean> => {
    let held: Item | undefined = taken;
    let isShared = false;
    let emptyLists = 0;
    while (held !== undefined && now() < lastAt) {
      const waiting = await inbox.listWaiting(now());
      isShared ||= waiting.length > 1;
      emptyLists = waiting.length > 0 ? 0 : emptyLists + 1;
      if (waiting.length > 0) held = await recordOldest(waiting, held);
      else if (isShared && emptyLists < maximumEmptyLists) await pause(idlePauseMilliseconds);
      else break;
    }
    return isShared;
  };

  return {
    /**
     * Takes the inbox and records the entries that wait there.
     * @param options.endsAt when its caller gives up, by `performance.now()`
     */
    hold: async (ticket: string, before: Item, { endsAt }: { endsAt: number }): Promise<void> => {
      const lastAt = now() + Math.min(workMilliseconds, endsAt - performance.now());
      const mark = { inboxHolder: ticket, inboxUntil: now() + holdMilliseconds };
      const taken = await inbox.take(before, mark);
      if (taken === undefined) return;
      let isShared = true;
      try {
        isShared = await recordAll(taken, lastAt);
      } catch (error) {
        // The items say which entries were recorded.
        if (!(error instanceof ApiError)) throw error;
      } finally {
        await inbox.release(ticket, { until: isShared ? now() + busyMilliseconds : undefined });
      }
    },
  };
};
