// An entry that waits in the inbox of its date for its number, and what became of it.

import * as z from 'zod/mini';
import type { Key } from '../../table/keys.ts';
import type { Item } from '../../table/table.ts';
import type { LinkedUser } from '../../tenants/tenant-links.store.ts';
import { entryIdOf } from '../entry-ids.ts';
import { maximumLinesPerItem } from '../entry-items.store.ts';
import {
  ApiEntry,
  type EntryPlace,
  type JournalEntry,
  journalNumber,
  type UnnumberedEntry,
} from '../journal-entry.ts';

/** Everything that is needed to record an entry. */
export type EntryInRequest = {
  entry: UnnumberedEntry<ApiEntry>;
  /** The random part of its id. */
  random: Uint8Array;
  idempotencyKey: string | undefined;
  /** The user who posts. The tenant must be linked to the user. */
  user: LinkedUser | undefined;
};

export type WaitingEntry = EntryInRequest & { key: Key };

const StoredContent = z.object({
  entry: z.extend(
    z.omit(ApiEntry, {
      entryId: true,
      journalNumber: true,
      postingSequence: true,
      hash: true,
      status: true,
    }),
    { status: z.enum(['posted', 'scheduled']) },
  ),
  random: z.string(),
  idempotencyKey: z.optional(z.string()),
  user: z.optional(z.object({ applicationId: z.string(), email: z.string() })),
});

/** An entry as text, which takes less time to store and to read than a map. */
export const contentOf = ({ random, ...rest }: EntryInRequest): string =>
  JSON.stringify({ ...rest, random: Buffer.from(random).toString('base64url') });

/** The numbers that an entry gets when it is recorded. */
export type Numbers = { sequence: number; postingSequence: number; hash: string };

/**
 * `waiting` until the holder of the inbox records the entry or returns it, or until its own request
 * withdraws it. A returned entry is for its own request to record or to refuse, for example because
 * its external_id has been used meanwhile.
 */
const InboxItem = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting'), deadline: z.number(), content: z.string() }),
  z.object({
    state: z.literal('recorded'),
    sequence: z.int(),
    postingSequence: z.int(),
    hash: z.string(),
  }),
  z.object({ state: z.literal('returned') }),
  z.object({ state: z.literal('withdrawn') }),
]);
export type InboxItem = z.infer<typeof InboxItem>;

export const readInboxItem = (item: Item): InboxItem => InboxItem.parse(item);

/** Whether an item waits, and its request still wants it to be recorded. */
export const isWaiting = (item: Item | undefined, now: number): boolean => {
  const read = item && readInboxItem(item);
  return read?.state === 'waiting' && read.deadline > now;
};

/** @throws Error if the entry does not wait */
export const waitingEntryOf = (item: Item): WaitingEntry => {
  const read = readInboxItem(item);
  if (read.state !== 'waiting') throw new Error('an entry does not wait any more');
  const { entry, random, idempotencyKey, user } = StoredContent.parse(JSON.parse(read.content));
  return {
    key: { pk: String(item.pk), sk: String(item.sk) },
    entry,
    random: Buffer.from(random, 'base64url'),
    idempotencyKey,
    user,
  };
};

/**
 * Whether an entry can wait in an inbox: it counts on the date of its number, and it takes one
 * item. Other entries, and batches, retry their own transaction after contention.
 */
export const canWait = ({ status, accrualDate, lines }: UnnumberedEntry<ApiEntry>): boolean =>
  status === 'posted' && accrualDate === null && lines.length <= maximumLinesPerItem;

/** The recorded entry, as the request that records it alone would return it. */
export const numberedEntry = (
  { entry, random }: EntryInRequest,
  { sequence, postingSequence, hash }: Numbers,
): JournalEntry => {
  const place: EntryPlace = { series: 'MJ', date: entry.date, sequence };
  return {
    entryId: entryIdOf(place, random),
    journalNumber: journalNumber(place),
    ...entry,
    postingSequence,
    hash,
  };
};
