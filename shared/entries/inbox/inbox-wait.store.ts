// Lets an entry wait in the inbox of its date, if requests of several processes contend for it. One
// of the waiting requests holds the inbox. It records the entries of all, a transaction full at a
// time, in the order of arrival. The others read their result. A batch cannot wait there. It holds
// the inbox instead, so that it does not lose against many short transactions.

import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { InboxMark } from '../../sheets/day-sheet.ts';
import { inboxMarkOf } from '../../sheets/day-sheets.store.ts';
import { ticketOf } from '../../table/inbox-keys.ts';
import { sheetKey, type TenantName } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import type { SingleEntry } from '../combined-recording.store.ts';
import type { JournalEntry } from '../journal-entry.ts';
import { openDateInbox } from './date-inbox.store.ts';
import { holdMilliseconds, openInboxHolding } from './inbox-holding.store.ts';
import { type InboxItem, inboxContentOf } from './waiting-entry.store.ts';

const firstPauseMilliseconds = 40;
const maximumPauseMilliseconds = 200;

/** Each takes two short calls. */
const maximumTakes = 10;

/** The pause before a look: 40 ms, then about half of the own wait, at most 200 ms. */
export const pauseBefore = (waited: number, drawn: number): number =>
  Math.min(Math.max(firstPauseMilliseconds, waited / 2), maximumPauseMilliseconds) *
  (0.5 + drawn / 2);

/** The recorded entry, or `returned` if its own request must record or refuse it. */
const resultOf = (
  own: InboxItem,
  { entry }: SingleEntry,
): JournalEntry | 'returned' | undefined => {
  if (own.state === 'waiting') return undefined;
  if (own.state === 'returned') return 'returned';
  if (own.state === 'withdrawn') throw new ApiError('contention', { retryAfterSeconds: 1 });
  const { state: _, ...given } = own;
  return { ...entry, ...given };
};

export const openInboxWait = (table: Table, clock: () => Date) => {
  const now = (): number => clock().getTime();
  const ownTickets = new Set<string>();
  const isBusy = ({ inboxUntil = 0 }: InboxMark): boolean => inboxUntil > now();

  /** After a lost reply, a request can hold the inbox without knowing it. */
  const isHeldByOther = (mark: InboxMark, ticket: string): boolean =>
    isBusy(mark) && mark.inboxHolder !== undefined && mark.inboxHolder !== ticket;

  return {
    /** Whether requests of other processes contend for the date, so that an entry should wait. */
    isBusy: (sheet: Item | undefined): boolean => {
      const mark = inboxMarkOf(sheet);
      return isBusy(mark) && !ownTickets.has(mark.inboxHolder ?? '');
    },

    /** Whether a request of another process holds the inbox. */
    isHeld: (sheet: Item | undefined): boolean => {
      const mark = inboxMarkOf(sheet);
      return isBusy(mark) && mark.inboxHolder !== undefined && !ownTickets.has(mark.inboxHolder);
    },

    /**
     * Waits until the entry is recorded or returned. An entry that is too long is returned at once.
     * @param endsAt when to give up, by `performance.now()`
     * @throws ApiError `contention` if nothing was written when the wait ended
     */
    wait: async (
      name: TenantName,
      single: SingleEntry,
      endsAt: number,
    ): Promise<JournalEntry | 'returned'> => {
      const content = inboxContentOf(single);
      if (content === undefined) return 'returned';
      const { date } = single.entry;
      const inbox = openDateInbox(table, name, { series: 'MJ', date });
      const { hold } = openInboxHolding(table, { name, date, inbox, now });
      const arrivedAt = now();
      const startedAt = performance.now();
      const ticket = ticketOf(arrivedAt, single.random);
      const deadline = arrivedAt + endsAt - startedAt;

      /** Does what the own request must do with the inbox now. Returns false if it must wait. */
      const act = async (sheet: Item | undefined): Promise<boolean> => {
        if (performance.now() >= endsAt) await inbox.end(ticket, 'withdrawn');
        else if (sheet === undefined) await inbox.end(ticket, 'returned');
        else if (isHeldByOther(inboxMarkOf(sheet), ticket)) return false;
        else await hold(ticket, sheet, { endsAt });
        return true;
      };

      ownTickets.add(ticket);
      try {
        await inbox.add(ticket, { content, now: arrivedAt, deadline });
        let hasActed = false;
        for (;;) {
          const [waited, left] = [performance.now() - startedAt, endsAt - performance.now()];
          const milliseconds = Math.min(Math.max(0, left), pauseBefore(waited, Math.random()));
          if (!hasActed) await pause(milliseconds);
          const { own, sheet } = await inbox.look(ticket);
          const result = resultOf(own, single);
          if (result !== undefined) return result;
          hasActed = await act(sheet);
        }
      } finally {
        ownTickets.delete(ticket);
      }
    },

    /**
     * Holds the inbox of a date while a request writes alone. A date without a sheet has no inbox.
     * @param options.endsAt when to give up, by `performance.now()`
     * @param options.write gets the sheet after the inbox was taken
     * @throws ApiError `contention` if the inbox is not free in time, or what `write` throws
     */
    holdDuring: async <Result>(
      name: TenantName,
      {
        date,
        random,
        endsAt,
        write,
      }: {
        date: string;
        random: Uint8Array;
        endsAt: number;
        write: (sheet: Item | undefined) => Promise<Result>;
      },
    ): Promise<Result> => {
      const of = { series: 'MJ', date } as const;
      const inbox = openDateInbox(table, name, of);
      const ticket = ticketOf(now(), random);
      /** Tries at once again if it loses: a short transaction of others must not win each time. */
      const take = async (
        attemptsLeft = maximumTakes,
      ): Promise<{ sheet: Item | undefined } | undefined> => {
        const sheet = await table.get(sheetKey(name, of));
        if (sheet === undefined) return { sheet };
        if (isHeldByOther(inboxMarkOf(sheet), ticket) || attemptsLeft === 0) return undefined;
        const mark = { inboxHolder: ticket, inboxUntil: now() + holdMilliseconds };
        const taken = await inbox.take(sheet, mark);
        return taken === undefined ? take(attemptsLeft - 1) : { sheet: taken };
      };
      const startedAt = performance.now();
      let taken = await take();
      while (taken === undefined) {
        const left = endsAt - performance.now();
        if (left <= 0) throw new ApiError('contention', { retryAfterSeconds: 1 });
        const milliseconds = pauseBefore(performance.now() - startedAt, Math.random());
        await pause(Math.min(left, milliseconds));
        taken = await take();
      }
      const { sheet } = taken;
      try {
        return await write(sheet);
      } finally {
        if (sheet !== undefined) await inbox.release(ticket, { until: undefined });
      }
    },
  };
};
