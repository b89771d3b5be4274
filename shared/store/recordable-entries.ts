// What is recorded of a request: all of its entries that are new, and what stands for them when the
// request comes again.

import { maximumBatchLines } from '../domain/entries/draft.ts';
import { entryIdRandomBytes } from '../domain/entries/entry-ids.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { ApiError, type Problem, pointerTo, problem } from '../errors.ts';
import { type RequestIdentity, recordedBefore } from './entry-guards.ts';
import type { Failure, Recordable, UnrecordedEntry } from './entry-recording.ts';
import { entryIdempotencyKey, externalIdKey, type Key, type TenantName } from './keys.ts';
import { type Item, ifNotExists } from './table.ts';
import { type LinkedUser, userNotLinked } from './tenant-links.ts';

/** An entry of a request: a new one, or where it was recorded before. */
export type EntryOrKey = { entry: UnrecordedEntry } | { key: Key };

export const isAllRecorded = (asked: readonly EntryOrKey[]): boolean =>
  asked.every((it) => 'key' in it);

/**
 * Refuses to record a part of a request whose reply might be larger than can be sent: what was
 * recorded before comes with all its lines, however few the request has in its place.
 * @param before the entries that were recorded before, at their places
 */
export const demandRoomInReply = (
  asked: readonly EntryOrKey[],
  before: readonly (JournalEntry | undefined)[],
): void => {
  const entries = asked.map((it, index) => ('key' in it ? before[index] : it.entry));
  const lines = entries.reduce((sum, entry) => sum + (entry?.lines.length ?? 0), 0);
  if (lines <= maximumBatchLines) return;
  const params = { lines, maximum_lines: maximumBatchLines };
  throw new ApiError('validation_failed', {
    details: [problem('batch_too_large', pointerTo('journal_entries'), params)],
  });
};

/** What a request says beside its entries. `users` are found by their ids. */
export type RequestOptions = {
  users: ReadonlyMap<string, LinkedUser>;
  idempotencyKey: string | undefined;
  isBatch: boolean;
};

/** The keys of all guards that a request may have met. */
export const guardKeysOf = (
  name: TenantName,
  { externalIds, idempotencyKey }: Omit<RequestIdentity, 'isBatch'>,
): { byExternalId: Map<string, Key>; byIdempotencyKey: Key | undefined } => ({
  byExternalId: new Map(
    externalIds.flatMap((it) => (it === null ? [] : [[it, externalIdKey(name, it)] as const])),
  ),
  byIdempotencyKey:
    idempotencyKey === undefined ? undefined : entryIdempotencyKey(name, idempotencyKey),
});

/** An entry of a request with the random part of its id, which stays the same in all tries. */
export type AskedWithRandom = { entry: UnrecordedEntry; random: Uint8Array } | { key: Key };

export const withRandom = (
  asked: readonly EntryOrKey[],
  newRandom: (size: number) => Uint8Array,
): AskedWithRandom[] =>
  asked.map((it) => ('key' in it ? it : { ...it, random: newRandom(entryIdRandomBytes) }));

/** Where a request says something of one of its entries. */
const pointerToEntry = (index: number, { isBatch }: Pick<RequestIdentity, 'isBatch'>): string =>
  isBatch ? pointerTo('journal_entries', index) : '';

/** The users of what is new, each once. */
const usersOf = (
  asked: readonly EntryOrKey[],
  { users }: Pick<RequestOptions, 'users'>,
): LinkedUser[] => [
  ...new Set(
    asked.flatMap((it) => {
      const user = 'key' in it || it.entry.userId === null ? undefined : users.get(it.entry.userId);
      return user ? [user] : [];
    }),
  ),
];

/** The problems of the entries whose users are at these places. */
export const unlinkedProblems = (
  asked: readonly EntryOrKey[],
  { links, ...options }: RequestOptions & { links: ReadonlySet<number> },
): Problem[] => {
  const users = usersOf(asked, options);
  return asked.flatMap((it, index) => {
    const user =
      'key' in it || it.entry.userId === null ? undefined : options.users.get(it.entry.userId);
    const isUnlinked = user !== undefined && links.has(users.indexOf(user));
    return isUnlinked ? [userNotLinked(pointerToEntry(index, options))] : [];
  });
};

/** What is recorded of a request: all that is new, and what stands for all of it. */
export const recordableOf = (
  name: TenantName,
  asked: readonly AskedWithRandom[],
  options: RequestOptions,
): Recordable => {
  const { idempotencyKey, isBatch } = options;
  return {
    entries: asked.flatMap((it, index) => {
      if ('key' in it) return [];
      const { externalId } = it.entry;
      const guard = externalId === null ? undefined : externalIdKey(name, externalId);
      return [{ ...it, guard, at: pointerToEntry(index, options) }];
    }),
    users: usersOf(asked, options),
    alongside: (keys) => {
      if (idempotencyKey === undefined) return [];
      const fresh = [...keys];
      const [first, ...others] = asked.map((it) => ('key' in it ? it.key : fresh.shift()));
      const furtherSks = others.map((key) => key?.sk);
      const guard = { ...entryIdempotencyKey(name, idempotencyKey), entrySk: first?.sk };
      return [{ put: { ...guard, ...(isBatch && { furtherSks }) }, condition: ifNotExists }];
    },
  };
};

/**
 * What is asked for once guards have shown what of it was recorded meanwhile.
 * @throws ApiError `idempotency_key_reused` where these are others than the request asks for
 */
export const withRecorded = (
  name: TenantName,
  asked: readonly AskedWithRandom[],
  {
    guards,
    byIdempotencyKey,
    isBatch,
  }: { guards: Failure['guards']; byIdempotencyKey: Item | undefined; isBatch: boolean },
): AskedWithRandom[] => {
  const fresh = asked.flatMap((it) => ('key' in it ? [] : [it.entry]));
  const byExternalId = new Map(
    fresh.flatMap(({ externalId }, index) => {
      const guard = guards.get(index);
      return externalId !== null && guard ? [[externalId, guard] as const] : [];
    }),
  );
  const externalIds = asked.map((it) => ('key' in it ? null : it.entry.externalId));
  const recorded = recordedBefore(
    name,
    { externalIds, isBatch },
    { byExternalId, byIdempotencyKey },
  );
  return asked.map((it, index) => {
    const key = recorded[index];
    if (key === undefined) return it;
    if ('key' in it && it.key.sk !== key.sk) throw new ApiError('idempotency_key_reused');
    return { key };
  });
};
