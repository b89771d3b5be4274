// Stores the inbox of a date: the entries that wait, and who holds it.
//
// Items stay after the wait, until they expire. So a call that adds an item and arrives late finds
// it and changes nothing.

import { ApiError } from '../../errors.ts';
import type { InboxMark, SheetName } from '../../sheets/day-sheet.ts';
import { secondsOf } from '../../table/expiry.ts';
import { updateAction } from '../../table/field-updates.ts';
import { inboxRange, waitingEntryKey } from '../../table/inbox-keys.ts';
import { keyText, sheetKey, type TenantName } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import {
  endOfWait,
  type InboxItem,
  readInboxItem,
  type WaitingEntry,
  waitingEntryOf,
} from './waiting-entry.store.ts';

/** Longer than a call to the table can be on its way. */
const lifetimeMilliseconds = 600_000;

/** Longer than a request waits. The clocks of processes can differ by the rest. */
const maximumAgeMilliseconds = 5_000;

/**
 * An entry with less time left is not recorded any more. Its request could withdraw it during the
 * transaction, which would then fail for all entries in it.
 */
const lastMilliseconds = 100;

export type DateInbox = ReturnType<typeof openDateInbox>;

/** A ticket names the item of a request in the inbox. */
export const openDateInbox = (table: Table, name: TenantName, of: SheetName) => {
  const sheet = sheetKey(name, of);
  const keyOf = (ticket: string) => waitingEntryKey(name, of, ticket);

  return {
    /** Adds an entry. If the reply is lost, it may be added. */
    add: async (
      ticket: string,
      { content, now, deadline }: { content: string; now: number; deadline: number },
    ): Promise<void> => {
      const expiresAt = secondsOf(new Date(now + lifetimeMilliseconds));
      const set = { state: 'waiting', deadline, content, expiresAt };
      await table.update(updateAction(keyOf(ticket), { set, expected: { state: undefined } }));
    },

    /** Reads the item of a ticket and the sheet, in one call. */
    look: async (ticket: string): Promise<{ own: InboxItem; sheet: Item | undefined }> => {
      const items = await table.getMany([keyOf(ticket), sheet]);
      const own = readInboxItem(items.get(keyText(keyOf(ticket))));
      return { own, sheet: items.get(keyText(sheet)) };
    },

    /** Lists the oldest entries that wait, in the order of arrival. They have at most 1 MB. */
    listWaiting: async (now: number): Promise<WaitingEntry[]> => {
      const range = inboxRange(name, of, now - maximumAgeMilliseconds);
      const pages = table.queryPages({
        ...range,
        FilterExpression: '#state = :waiting AND #deadline >= :moment',
        ExpressionAttributeNames: { '#state': 'state', '#deadline': 'deadline' },
        ExpressionAttributeValues: {
          ...range.ExpressionAttributeValues,
          ':waiting': 'waiting',
          ':moment': now + lastMilliseconds,
        },
      });
      for await (const items of pages) {
        const waiting = items.flatMap((item) => waitingEntryOf(item) ?? []);
        if (waiting.length > 0) return waiting;
      }
      return [];
    },

    /** Ends the wait of a ticket, if it still waits. Afterwards nobody records its entry. */
    end: (ticket: string, end: 'returned' | 'withdrawn'): Promise<boolean> =>
      table.update(endOfWait(keyOf(ticket), end)),

    /**
     * Takes the inbox, if the sheet has not changed since. That changes the sheet, so requests that
     * have read it cannot write it any more. Returns the sheet after it.
     */
    take: async (before: Item, mark: Required<InboxMark>): Promise<Item | undefined> => {
      const expected = { revision: before.revision };
      const taking = updateAction(sheet, { set: mark, increment: ['revision'], expected });
      const isTaken = await table.update(taking);
      return isTaken ? { ...before, ...mark, revision: Number(before.revision) + 1 } : undefined;
    },

    /**
     * Gives the inbox back. If that fails, it is free when the hold ends by itself.
     * @param options.until until when new requests wait there; undefined if they need not
     */
    release: async (ticket: string, { until }: { until: number | undefined }): Promise<void> => {
      const set = { inboxHolder: undefined, inboxUntil: until };
      try {
        const releasing = { set, increment: ['revision'], expected: { inboxHolder: ticket } };
        await table.update(updateAction(sheet, releasing));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    },
  };
};
