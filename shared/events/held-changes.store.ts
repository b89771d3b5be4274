// Changes whose events could not be recorded. They wait in the table, so no other application waits
// for them, and the stream's 24 hours do not count. The due index lists them:
//
// - A held feed: it cannot be written. Its changes wait in their order, and later ones behind them.
//   Each addition increases the revision of the hold, which ends only at a revision at which no
//   change is left. So no change overtakes another.
// - An unreadable change: it waits alone, and the feed goes on without it.

import * as z from 'zod/mini';
import { stuckAfter } from '../background/stuck-work.ts';
import { dueFeedPlace } from '../table/due-keys.ts';
import {
  eventSourceOf,
  feedHoldKey,
  heldChanges,
  heldChangesKey,
  unreadableChangeKey,
} from '../table/event-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import type { Key } from '../table/keys.ts';
import { ifExists, type Table } from '../table/table.ts';
import { ChangeEvents, ItemChange } from './change-events.store.ts';

const FeedHold = z.object({ revision: z.int() });

const HeldChanges = z.object({
  pk: z.string(),
  sk: z.string(),
  changes: z.array(ChangeEvents),
});
type HeldChanges = z.infer<typeof HeldChanges>;

const UnreadableChange = z.object({ change: ItemChange });

export type HeldChangesStore = ReturnType<typeof openHeldChanges>;

export const openHeldChanges = (table: Table) => ({
  /** Puts changes, in the order of the stream, at the end of a held feed. Holds it from then on. */
  hold: async (changes: readonly ChangeEvents[], now: Date): Promise<void> => {
    const [first] = changes;
    const last = changes.at(-1);
    if (first === undefined || last === undefined) return;
    const { source, stream } = first;
    const key = feedHoldKey(source.applicationId);
    const { due_pk, due_sk } = dueFeedPlace(key, now.toISOString());
    const ends = { first: first.sequenceNumber, last: last.sequenceNumber };
    await table.transact([
      updateAction(key, { set: { due_pk }, initial: { due_sk }, increment: ['revision'] }),
      updateAction(heldChangesKey(source, { stream, ...ends }), { set: { changes } }),
    ]);
  },

  /** The oldest changes of a held feed. `undefined` if the feed is not held. */
  findOldest: async (
    applicationId: string,
  ): Promise<{ revision: number; held: HeldChanges | undefined } | undefined> => {
    const hold = await table.get(feedHoldKey(applicationId));
    if (hold === undefined) return undefined;
    const { items } = await table.queryPage({ ...heldChanges(applicationId), Limit: 1 });
    const [item] = items;
    return { ...FeedHold.parse(hold), held: item && HeldChanges.parse(item) };
  },

  /** Ends the hold of a feed without held changes, unless changes were added since the revision. */
  release: async (applicationId: string, revision: number): Promise<void> => {
    await table.consume(feedHoldKey(applicationId), {
      condition: 'revision = :revision',
      values: { ':revision': revision },
    });
  },

  /** Keeps a change without readable events, if an application owns it. */
  keepUnreadable: async (change: ItemChange, now: Date): Promise<void> => {
    const { isNew, stream, sequenceNumber, changedAt } = change;
    // The address of a user must not outlive the user's erasure.
    const { email: _, ...item } = change.item;
    const source = eventSourceOf({ pk: String(item.pk) });
    if (source === undefined) return;
    const key = unreadableChangeKey(source, { stream, sequenceNumber });
    const { stuck, nextAttemptAt } = stuckAfter(undefined, { reason: 'internal_error', now });
    await table.update(
      updateAction(key, {
        set: { change: { item, isNew, stream, sequenceNumber, changedAt } },
        initial: { stuck, ...dueFeedPlace(key, nextAttemptAt) },
      }),
    );
  },

  findUnreadable: async (key: Key): Promise<ItemChange | undefined> => {
    const item = await table.get(key);
    return item && UnreadableChange.parse(item).change;
  },

  remove: async ({ pk, sk }: Key): Promise<void> => {
    await table.consume({ pk, sk }, { condition: ifExists });
  },
});
