// Stores the inbox of a date and series: the entries that wait, and the lease of its holder.
//
// Items stay after the wait, until they expire. A request to add an item that arrives late then
// finds it and changes nothing.

import * as z from 'zod/mini';
import { ApiError } from '../../errors.ts';
import { busyMark, type SheetName } from '../../sheets/day-sheets.store.ts';
import { secondsOf } from '../../table/expiry.ts';
import { updateAction } from '../../table/field-updates.ts';
import { inboxLeaseKey, inboxRange, waitingEntryKey } from '../../table/inbox-keys.ts';
import { keyText, sheetKey, type TenantName } from '../../table/keys.ts';
import { type Item, ifExists, type Table } from '../../table/table.ts';
import {
  contentOf,
  type EntryInRequest,
  type InboxItem,
  isWaiting,
  readInboxItem,
} from './waiting-entry.store.ts';

/** Longer than a call to the table can be on its way. */
const lifetimeMilliseconds = 600_000;

/** No request waits longer, so no earlier item still waits. */
export const maximumWaitMilliseconds = 4_000;

/**
 * An entry with less time left is not recorded any more. Its request could withdraw it during the
 * transaction, which would then fail for all entries in it.
 */
const lastMilliseconds = 300;

const Lease = z.object({ holder: z.optional(z.string()) });

const expiryAfter = (now: number): number => secondsOf(new Date(now + lifetimeMilliseconds));

export type DateInbox = ReturnType<typeof openDateInbox>;

/** Tickets identify requests in an inbox and sort them by arrival. */
export const openDateInbox = (table: Table, name: TenantName, of: SheetName) => {
  const leaseKey = inboxLeaseKey(name, of);
  const keyOf = (ticket: string) => waitingEntryKey(name, of, ticket);

  return {
    /** Adds an entry. If a reply was lost, the entry may have been added already. */
    add: async (
      ticket: string,
      request: EntryInRequest,
      { now, deadline }: { now: number; deadline: number },
    ): Promise<void> => {
      const content = contentOf(request);
      const set = { state: 'waiting', deadline, content, expiresAt: expiryAfter(now) };
      await table.update(updateAction(keyOf(ticket), { set, expected: { state: undefined } }));
    },

    /** Reads the item of a ticket, and who holds the inbox. One call. */
    look: async (ticket: string): Promise<{ own: InboxItem; holder: string | undefined }> => {
      const key = keyOf(ticket);
      const items = await table.getMany([key, leaseKey]);
      const [own, lease] = [key, leaseKey].map((it) => items.get(keyText(it)));
      if (own === undefined) throw new Error('an entry has disappeared from its inbox');
      return { own: readInboxItem(own), holder: lease && Lease.parse(lease).holder };
    },

    /** Lists the oldest waiting items, in the order of arrival. They have at most 1 MB. */
    listWaiting: async (now: number): Promise<Item[]> => {
      const range = inboxRange(name, of, now - maximumWaitMilliseconds);
      const pages = table.queryPages({
        ...range,
        FilterExpression: '#state = :waiting',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ...range.ExpressionAttributeValues, ':waiting': 'waiting' },
      });
      for await (const items of pages) {
        const waiting = items.filter((item) => isWaiting(item, now + lastMilliseconds));
        if (waiting.length > 0) return waiting;
      }
      return [];
    },

    /**
     * Sends new requests to the inbox, and changes the revision of the sheet, so that requests
     * that have read it already cannot write it any more. Does nothing on a date without a sheet.
     */
    markBusy: async (now: number): Promise<void> => {
      const set = busyMark(now, { waitMilliseconds: 0 });
      const marking = { set, increment: ['revision'], condition: ifExists };
      await table.update(updateAction(sheetKey(name, of), marking));
    },

    /** Ends the wait of a ticket, if it still waits. Afterwards nobody records its entry. */
    withdraw: async (ticket: string): Promise<void> => {
      const set = { state: 'withdrawn', content: undefined };
      await table.update(updateAction(keyOf(ticket), { set, expected: { state: 'waiting' } }));
    },

    /**
     * Takes the lease if its holder has not changed. If a reply was lost, the result can be false
     * although the lease was taken.
     */
    take: (
      ticket: string,
      { from, now }: { from: string | undefined; now: number },
    ): Promise<boolean> =>
      table.update(
        updateAction(leaseKey, {
          set: { holder: ticket, expiresAt: expiryAfter(now) },
          expected: { holder: from },
        }),
      ),

    /** Gives the lease back. If this fails, another request takes it a moment later. */
    release: async (ticket: string): Promise<void> => {
      const giving = updateAction(leaseKey, {
        set: { holder: undefined },
        expected: { holder: ticket },
      });
      try {
        await table.update(giving);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    },
  };
};
