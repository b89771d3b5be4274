// The operator's command that shows all about one journal entry, for customers' questions.

import { hashOf, noHash } from '#shared/entries/entry-hash.ts';
import { readEntryId } from '#shared/entries/entry-ids.ts';
import { type JournalEntry, readJournalNumber } from '#shared/entries/journal-entry.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { SheetName } from '#shared/sheets/day-sheet.ts';
import { sheetOf } from '#shared/sheets/day-sheets.store.ts';
import {
  entryIdempotencyKey,
  entryKey,
  externalIdKey,
  journalReferenceKey,
  type Key,
  keyText,
  readEntryKey,
  type TenantName,
} from '#shared/table/keys.ts';
import { postedOn } from '../books/posted-entries.ts';
import { defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { callerKey, entryId, journalNumber, optional, type Values } from '../options.ts';
import { getTenant, tenantOptions } from './tenants.ts';

/** The options that select an entry. Exactly one is required. */
const selectors = {
  id: optional(entryId),
  number: optional(journalNumber),
  externalId: optional(callerKey, "the entry's external_id"),
  idempotencyKey: optional(callerKey, 'the Idempotency-Key of the request'),
};
const selectorCount = (options: object): number =>
  Object.keys(selectors).filter((it) => it in options).length;

const showOptions = { ...tenantOptions, ...selectors };
type ShowOptions = Values<typeof showOptions>;

/** The key of the selected entry. An id or number need not exist. */
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
  const item = key && (await books.findEntries(name, [key])).get(keyText(key));
  const isOther = options.id !== undefined && item?.header.entryId !== options.id;
  if (key === undefined || item === undefined || isOther) {
    throw new CommandFailure(`${options.tenant} has no such entry`);
  }
  if (item.entry) return { key, entry: item.entry };
  throw new CommandFailure('the entry cannot be read: run books verify for this tenant');
};

/** The entry with the previous posting sequence. Undefined if missing, or if books are damaged. */
const findBefore = async (
  books: Readers['books'],
  { name, of, postingSequence }: { name: TenantName; of: SheetName; postingSequence: number },
): Promise<JournalEntry | undefined> => {
  try {
    for await (const { entry } of postedOn(books, name, of)) {
      if (entry?.postingSequence === postingSequence - 1) return entry;
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
  }
  return undefined;
};

/** The entry's place on the day sheet of its posting date, and whether its hash is correct. */
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
    hash_verified:
      typeof previous === 'string' && hashOf(entry, previous, entry.hashVersion) === hash,
  };
};

/** The guards against posting the entry twice, and whether each leads to this entry. */
const guardsOf = async (
  books: Readers['books'],
  name: TenantName,
  { key, entry, options }: { key: Key; entry: JournalEntry; options: ShowOptions },
) => {
  const reference = entry.entryType === 'Imported Journal' ? entry.platformReference : null;
  const guards = [
    { guard: 'external_id', value: entry.externalId, of: externalIdKey },
    { guard: 'platform_reference', value: reference, of: journalReferenceKey },
    { guard: 'idempotency_key', value: options.idempotencyKey ?? null, of: entryIdempotencyKey },
  ];
  return Promise.all(
    guards.flatMap(({ guard, value, of }) =>
      value === null
        ? []
        : books
            .findGuarded(of(name, value))
            .then((target) => ({ guard, value, leads_here: target?.sk === key.sk })),
    ),
  );
};

/** Operators' changes to the tenant since the entry was created, newest first. */
const changesSince = async (
  { auditLog }: Pick<Readers, 'auditLog'>,
  { tenant, since }: { tenant: string; since: string },
) =>
  (await auditLog.list({ since, limit: 9_999 }))
    .filter(({ options }) => options.tenant === tenant)
    .map(({ startedAt, operator, command, outcome }) => ({
      started_at: startedAt,
      operator,
      command,
      outcome,
    }));

export const showEntry = defineQuery({
  needs: ['applications', 'auditLog', 'books', 'dueDates', 'tenants'],
  options: showOptions,
  ruleBrokenBy: (options) =>
    selectorCount(options) === 1
      ? undefined
      : 'pass one of --id, --number, --external-id and --idempotency-key',
  run: async (dependencies, options) => {
    const { name, identity } = await getTenant(dependencies, options);
    const { books } = dependencies;
    const { key, entry } = await getEntry(dependencies, name, options);
    const { transactions, metadata, stuck: _, known_exchange_rate, ...view } = viewOf(entry);
    const { postingDate } = entry;
    const stuck = (await dependencies.dueDates.findStuck(name, [postingDate])).get(postingDate);
    const since = entry.createdAt.slice(0, 10);
    return {
      ...identity,
      ...view,
      ...(known_exchange_rate !== undefined && { known_exchange_rate }),
      metadata: Object.entries(metadata).map(([key, value]) => `${key}: ${value}`),
      ...(entry.status === 'scheduled' && {
        stuck_reason: stuck?.reason ?? null,
        next_attempt_at: stuck?.nextAttemptAt ?? null,
      }),
      created_with_key: entry.createdWithKey,
      ...(await placeOf(books, name, { key, entry })),
      transactions: transactions.map(({ revalued_currency, ...line }) => ({
        ...line,
        ...(revalued_currency !== undefined && { revalued_currency }),
      })),
      guards: await guardsOf(books, name, { key, entry, options }),
      operator_changes: await changesSince(dependencies, { tenant: options.tenant, since }),
    };
  },
});

export const commands = { show: showEntry };
