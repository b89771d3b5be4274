// Lets an entry wait in the inbox of its date. One of the waiting requests holds the inbox. It
// records the entries of all, a transaction full at a time, in the order of arrival. The others
// read their result.

import { ApiError } from '../../errors.ts';
import { inboxMarkOf, isInboxBusy } from '../../sheets/day-sheets.store.ts';
import { ticketOf } from '../../table/inbox-keys.ts';
import { sheetKey, type TenantName } from '../../table/keys.ts';
import { itemIn, type Snapshot } from '../../table/optimistic-write.ts';
import type { Item, Table } from '../../table/table.ts';
import { openDateInbox } from './date-inbox.store.ts';
import { openInboxHolding } from './inbox-holding.store.ts';
import type { EntryInRequest, InboxItem, Numbers } from './waiting-entry.store.ts';

/**
 * A holder that died blocks the inbox for this long. Each waiting request measures it by its own
 * clock, from when it first saw the holder.
 */
const staleMilliseconds = 1_500;

const minimumPauseMilliseconds = 8;
const firstPauseMilliseconds = 48;
const maximumPauseMilliseconds = 250;

/**
 * The pause before the next look. The first is spread over the time that a holder takes for all
 * entries, so that few requests look before their entry is recorded, and one of them soon finds
 * that nobody holds the inbox. Later pauses are about a quarter of the own wait.
 *
 * @param drawn a random number from 0 to 1
 */
export const pauseBefore = (
  look: number,
  { expected, waited, drawn }: { expected: number; waited: number; drawn: number },
): number => {
  const first = drawn * Math.min(Math.max(expected, firstPauseMilliseconds), staleMilliseconds);
  const later = Math.min(waited / 4, maximumPauseMilliseconds) * (0.9 + 0.2 * drawn);
  return Math.max(minimumPauseMilliseconds, look === 0 ? first : later);
};

/**
 * The requests of this process that wait. A holder in the same process tells them their numbers at
 * once. In Lambda a process has one request at a time, and the table alone tells them.
 */
const openWaitingHere = () => {
  const waiting = new Map<string, (numbers: Numbers) => void>();
  return {
    tell: (numbers: ReadonlyMap<string, Numbers>): void => {
      for (const [ticket, own] of numbers) waiting.get(ticket)?.(own);
    },
    add: (ticket: string) => {
      let told: Numbers | undefined;
      let wake = (): void => {};
      waiting.set(ticket, (numbers) => {
        told = numbers;
        wake();
      });
      return {
        /** Waits until the time is over or the numbers are told. */
        wait: async (milliseconds: number): Promise<Numbers | undefined> => {
          if (told) return told;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, milliseconds);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
          return told;
        },
        remove: (): void => void waiting.delete(ticket),
      };
    },
  };
};

type WaitingHere = ReturnType<ReturnType<typeof openWaitingHere>['add']>;

/** Tells when a lease is free: without a holder, or if its holder has not changed for long. */
const openLeaseWatch = () => {
  let seen: { holder: string | undefined; since: number } | undefined;
  return {
    isFree: (holder: string | undefined, now: number): boolean => {
      if (seen === undefined || seen.holder !== holder) seen = { holder, since: now };
      return holder === undefined || now - seen.since > staleMilliseconds;
    },
  };
};

/** The numbers of the recorded entry; `returned` if its own request must record or refuse it. */
export type WaitResult = Numbers | 'returned';

/** @throws ApiError `contention` for a withdrawn entry */
const resultOf = (item: InboxItem): WaitResult | undefined => {
  if (item.state === 'recorded') return item;
  if (item.state === 'withdrawn') throw new ApiError('contention', { retryAfterSeconds: 1 });
  return item.state === 'returned' ? 'returned' : undefined;
};

export const openInboxWait = (table: Table, clock: () => Date) => {
  const now = (): number => clock().getTime();
  const waitingHere = openWaitingHere();

  return {
    /** Whether requests go to the inbox at once, by the mark on the sheet. */
    isBusy: (snapshot: Snapshot, name: TenantName, date: string): boolean =>
      isInboxBusy(itemIn(snapshot, sheetKey(name, { series: 'MJ', date })), now()),

    /**
     * Adds an entry to the inbox of its date, and waits until it is recorded or returned.
     * @param options.endsAt when to give up, by `performance.now()`
     * @param options.sheet the sheet of the date, as it was read
     * @throws ApiError `contention` if nothing was written when the wait ended
     */
    wait: async (
      name: TenantName,
      request: EntryInRequest,
      { endsAt, sheet }: { endsAt: number; sheet: Item | undefined },
    ): Promise<WaitResult> => {
      const of = { series: 'MJ', date: request.entry.date } as const;
      const inbox = openDateInbox(table, name, of);
      const { tell } = waitingHere;
      const { recordWaiting } = openInboxHolding(table, { name, of, inbox, now, tell });
      const arrivedAt = now();
      const startedAt = performance.now();
      const ticket = ticketOf(arrivedAt, request.random);
      const mark = inboxMarkOf(sheet);
      const expected = mark?.inboxWaitMilliseconds ?? 0;

      /** Holds the inbox from another holder on. Returns the numbers of the own entry. */
      const hold = async (from: string | undefined): Promise<Numbers | undefined> => {
        if (!(await inbox.take(ticket, { from, now: now() }))) return undefined;
        try {
          return await recordWaiting(ticket);
        } catch (error) {
          // The own item says whether the own entry was recorded.
          if (error instanceof ApiError) return undefined;
          throw error;
        } finally {
          await inbox.release(ticket);
        }
      };

      const lease = openLeaseWatch();
      const lookAgain = async (
        look: number,
        here: WaitingHere,
      ): Promise<WaitResult | undefined> => {
        const waited = performance.now() - startedAt;
        const pause = pauseBefore(look, { expected, waited, drawn: Math.random() });
        const left = Math.max(0, endsAt - performance.now());
        const told = await here.wait(Math.min(pause, left));
        if (told) return told;
        const { own, holder } = await inbox.look(ticket);
        const result = resultOf(own);
        if (result) return result;
        const lookedAt = performance.now();
        if (lookedAt < endsAt) {
          const canHold = holder === ticket || lease.isFree(holder, lookedAt);
          return canHold ? hold(holder) : undefined;
        }
        await inbox.withdraw(ticket);
        return undefined;
      };

      const deadline = arrivedAt + endsAt - startedAt;
      await inbox.add(ticket, request, { now: arrivedAt, deadline });
      const here = waitingHere.add(ticket);
      try {
        // After a lost race nobody may hold the inbox. In a busy inbox somebody does.
        let result: WaitResult | undefined = mark === undefined ? await hold(undefined) : undefined;
        for (let look = 0; result === undefined; look += 1) result = await lookAgain(look, here);
        return result;
      } finally {
        here.remove();
      }
    },
  };
};
