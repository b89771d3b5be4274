// The item of an entry that waits in an inbox, and what became of it.

import * as z from 'zod/mini';
import { updateAction } from '../../table/field-updates.ts';
import { type Key, keyOfItem } from '../../table/keys.ts';
import type { Item, UpdateAction } from '../../table/table.ts';
import type { SingleEntry } from '../combined-recording.store.ts';
import { ApiEntry, type JournalEntry } from '../journal-entry.ts';

/** What an entry gets when it is recorded. */
const given = {
  entryId: z.string(),
  journalNumber: z.string(),
  postingSequence: z.int(),
  hash: z.string(),
  hashVersion: z._default(ApiEntry.shape.hashVersion, 1),
};

const EntryBefore = z.omit(ApiEntry, {
  entryId: true,
  journalNumber: true,
  postingSequence: true,
  hash: true,
  hashVersion: true,
});

/**
 * Everything that is needed to record an entry. Strict, so that a process with an earlier version
 * leaves an entry that has a field it does not know.
 */
const Content = z.strictObject({
  entry: z.strictObject({ ...EntryBefore.shape, status: z.enum(['posted', 'scheduled']) }),
  random: z.string(),
  idempotencyKey: z.optional(z.string()),
  user: z.optional(z.strictObject({ applicationId: z.string(), email: z.string() })),
});

/** Longer entries do not wait. Those of one transaction take less than half of its 4 MB. */
const maximumContentLength = 2 ** 14;

/** The entry as text, which is less work to store than a map; undefined if it is too long. */
export const inboxContentOf = ({ random, ...rest }: SingleEntry): string | undefined => {
  const text = JSON.stringify({ ...rest, random: Buffer.from(random).toString('base64url') });
  return text.length > maximumContentLength ? undefined : text;
};

/**
 * An entry waits until a holder records or returns it, or until its own request withdraws it after
 * `deadline`, in milliseconds since 1970. A returned entry is for its own request to record or to
 * refuse, for example because its external_id has been used meanwhile.
 */
const InboxItem = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting'), deadline: z.number(), content: z.string() }),
  z.object({ state: z.literal('recorded'), ...given }),
  z.object({ state: z.literal('returned') }),
  z.object({ state: z.literal('withdrawn') }),
]);
export type InboxItem = z.infer<typeof InboxItem>;

export const readInboxItem = (item: Item | undefined): InboxItem => InboxItem.parse(item);

export const isWaiting = (item: Item | undefined): boolean =>
  InboxItem.safeParse(item).data?.state === 'waiting';

/** An entry with its item. */
export type WaitingEntry = SingleEntry & { key: Key; item: Item };

/** The entry of an item that waits, if this version can record it. */
export const waitingEntryOf = (item: Item): WaitingEntry | undefined => {
  const read = readInboxItem(item);
  if (read.state !== 'waiting') return undefined;
  const content = Content.safeParse(JSON.parse(read.content)).data;
  if (content === undefined) return undefined;
  const { entry, random, idempotencyKey, user } = content;
  const single = { entry, random: Buffer.from(random, 'base64url'), idempotencyKey, user };
  return { ...single, key: keyOfItem(item), item };
};

/** Ends the wait of an entry. Fails if the entry does not wait any more. */
export const endOfWait = (key: Key, end: JournalEntry | 'returned' | 'withdrawn'): UpdateAction => {
  const fields =
    typeof end === 'string'
      ? { state: end }
      : { state: 'recorded', ...z.parse(z.object(given), end) };
  const set = { ...fields, content: undefined };
  return updateAction(key, { set, expected: { state: 'waiting' } });
};
