// The operator's command for a journal entry: what there is to say when a customer asks about one.

import * as z from 'zod/mini';
import { hashOf, noHash } from '#shared/domain/entries/entry-hash.ts';
import { readEntryId } from '#shared/domain/entries/entry-ids.ts';
import { type JournalEntry, readJournalNumber } from '#shared/domain/entries/journal-entry.ts';
import { type SheetName, sheetOf } from '#shared/store/day-sheets.ts';
import {
  entryIdempotencyKey,
  entryKey,
  externalIdKey,
  journalReferenceKey,
  type Key,
  keyText,
  readEntryKey,
  type TenantName,
} from '#shared/store/keys.ts';
import { viewOf } from '#shared/views/journal-entry.ts';
import { countedOn } from '../books/export-books.ts';
import { defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { callersName, entryId, journalNumber } from '../options.ts';
import { getTenant, tenantOptions, tenantUsage } from './tenants.ts';

/** The ways to name an entry, of which one is given. */
const names = {
  id: z.optional(entryId),
  number: z.optional(journalNumber),
  externalId: z.optional(callersName),
  idempotencyKey: z.optional(callersName),
};
const nameCount = (options: object): number =>
  Object.keys(names).filter((it) => it in options).length;

const ShowOptions = z
  .strictObject({ ...tenantOptions, ...names })
  .check(
    z.refine(
      (options) => nameCount(options) === 1,
      'give one of --id, --number, --external-id and --idempotency-key',
    ),
  );
type ShowOptions = z.output<typeof ShowOptions>;

/** Where the entry is that is asked for, if there is one. */
const findKey = async (
  books: Readers['books'],
  name: TenantName,
  { id, number, externalId, idempotencyKey = '' }: ShowOptions,
): Promise<Key | undefined> => {
  if (id !== undefined || number !== undefined) {
    const place = id === undefined ? readJournalNumber(number ?? '') : readEntryId(id);
    return place && entryKey(name, place);
  }
  return books.findGuarded(
    externalId === undefined
      ? entryIdempotencyKey(name, idempotencyKey)
      : externalIdKey(name, externalId),
  );
};

const getEntry = async (
  { books }: Pick<Readers, 'books'>,
  name: TenantName,
  options: ShowOptions,
): Promise<{ key: Key; entry: JournalEntry }> => {
  const key = await findKey(books, name, options);
  const found = key && (await books.findEntries(name, [key])).get(keyText(key));
  const isOther = options.id !== undefined && found?.header.entryId !== options.id;
  if (key === undefined || found === undefined || isOther) {
    throw new CommandFailure(`${options.tenant} has no such entry`);
  }
  if (found.entry) return { key, entry: found.entry };
  throw new CommandFailure('the entry cannot be read: look at these books by books verify');
};

/** The entry before a place; none where it is not there, or one of the others is damaged. */
const findBefore = async (
  books: Readers['books'],
  { name, of, postingSequence }: { name: TenantName; of: SheetName; postingSequence: number },
): Promise<JournalEntry | undefined> => {
  try {
    for await (const { entry } of countedOn(books, name, of)) {
      if (entry?.postingSequence === postingSequence - 1) return entry;
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
  }
  return undefined;
};

/** Its place on the sheet of its posting date, and whether its hash follows from the one before. */
const placeOf = async (
  books: Readers['books'],
  name: TenantName,
  { key, entry }: { key: Key; entry: JournalEntry },
) => {
  const of = { date: entry.postingDate, series: readEntryKey(key).series };
  const sheet = sheetOf(await books.findSheetItem(name, of));
  const onSheet = {
    sheet_counted: sheet.counted,
    sheet_last_sequence: sheet.lastSequence,
    sheet_revision: sheet.revision,
    sheet_head: sheet.head,
  };
  const { postingSequence, hash } = entry;
  if (postingSequence === null) return { ...onSheet, follows: null, hash_verified: null };
  const before =
    postingSequence === 1 ? undefined : await findBefore(books, { name, of, postingSequence });
  const previous = postingSequence === 1 ? noHash : before?.hash;
  return {
    ...onSheet,
    follows: before?.journalNumber ?? null,
    hash_verified: typeof previous === 'string' && hashOf(entry, previous) === hash,
  };
};

/** What keeps the entry from being posted twice, and whether it leads here. */
const guardsOf = async (
  books: Readers['books'],
  name: TenantName,
  { key, entry, asked }: { key: Key; entry: JournalEntry; asked: ShowOptions },
) => {
  const reference = entry.entryType === 'Imported Journal' ? entry.platformReference : null;
  const guards = [
    { guard: 'external_id', value: entry.externalId, of: externalIdKey },
    { guard: 'platform_reference', value: reference, of: journalReferenceKey },
    { guard: 'idempotency_key', value: asked.idempotencyKey ?? null, of: entryIdempotencyKey },
  ];
  return Promise.all(
    guards.flatMap(({ guard, value, of }) =>
      value === null
        ? []
        : books
            .findGuarded(of(name, value))
            .then((found) => ({ guard, value, leads_here: found?.sk === key.sk })),
    ),
  );
};

/** What operators changed of the tenant since the entry was made, the newest first. */
const changesSince = async (
  { auditLog }: Pick<Readers, 'auditLog'>,
  { tenant, since }: { tenant: string; since: string },
) =>
  (await auditLog.list({ since, limit: 9_999 }))
    .filter(({ options }) => options.tenant === tenant)
    .map(({ startedAt, operator, command, outcome }) => ({
      ...{ started_at: startedAt, operator, command, outcome },
    }));

export const showEntry = defineQuery({
  usage: `${tenantUsage} (--id ID | --number NUMBER | --external-id ID | --idempotency-key KEY)`,
  purpose: 'Show an entry whole, its place on its sheet, who posted it and what guards it',
  note:
    'The Idempotency-Key with which it was posted leads to an entry, and not back: the guard is ' +
    'shown where it is asked by it. The hash is verified against the entry that it follows, and ' +
    "books verify does so for all. Operators' changes are those of the tenant since its creation.",
  options: ShowOptions,
  run: async (dependencies, asked) => {
    const { name, identity } = await getTenant(dependencies, asked);
    const { books } = dependencies;
    const { key, entry } = await getEntry(dependencies, name, asked);
    const { transactions, metadata, stuck: _, ...view } = viewOf(entry);
    const { postingDate } = entry;
    const stuck = (await dependencies.dueDates.findStuck(name, [postingDate])).get(postingDate);
    const since = entry.createdAt.slice(0, 10);
    return {
      ...{ ...identity, ...view },
      metadata: Object.entries(metadata).map(([key, value]) => `${key}: ${value}`),
      ...(entry.status === 'scheduled' && {
        stuck_reason: stuck?.reason ?? null,
        next_attempt_at: stuck?.nextAttemptAt ?? null,
      }),
      created_with_key: entry.createdWithKey,
      ...(await placeOf(books, name, { key, entry })),
      transactions,
      guards: await guardsOf(books, name, { key, entry, asked }),
      operator_changes: await changesSince(dependencies, { tenant: asked.tenant, since }),
    };
  },
});
