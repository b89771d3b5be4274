// Makes the transaction that records entries: numbers them, counts them on the sheets of their
// dates, and returns the actions that write sheets, guards and entries.

import { type Problem, pointerTo, problem, throwIfProblems } from '../errors.ts';
import {
  countEntry,
  type DaySheet,
  emptySheet,
  fileEntry,
  rowsOfEntry,
  withRows,
} from '../sheets/day-sheet.ts';
import { blockActions, hasRoom, rowsBytesOf, sheetActions } from '../sheets/day-sheets.store.ts';
import { newSheetCheck, sheetIn } from '../sheets/new-sheets.store.ts';
import { dueDateAction } from '../table/due-keys.ts';
import {
  entryKey,
  externalIdKey,
  type Key,
  keyText,
  sheetKey,
  type TenantName,
} from '../table/keys.ts';
import { markerKeys } from '../table/list-keys.ts';
import type { Snapshot } from '../table/optimistic-write.ts';
import { type Action, type Item, ifNotExists, maximumTransactionActions } from '../table/table.ts';
import { hashOfScheduled, hashVersion } from './entry-hash.ts';
import { entryIdOf } from './entry-ids.ts';
import { entryActions, metadataKeysOf, namedAccountsOf } from './entry-items.store.ts';
import {
  type ApiEntry,
  type EntryPlace,
  type ImportedJournal,
  type JournalEntry,
  type JournalSeries,
  journalNumber,
  type PlatformBalance,
  type UnnumberedEntry,
} from './journal-entry.ts';

/** An entry without its number, id, posting sequence and hash. */
export type UnrecordedEntry =
  | UnnumberedEntry<ApiEntry>
  | UnnumberedEntry<ImportedJournal>
  | UnnumberedEntry<PlatformBalance>;

type EntryToRecord = {
  entry: UnrecordedEntry;
  /** The random part of its id. It is the same in all attempts. */
  random: Uint8Array;
  /** The guard of an imported journal, without the entry's sort key. */
  guard?: Item | undefined;
  /** Whether the guard of an Idempotency-Key counts it. */
  isKeyed?: boolean;
  /** The JSON pointer to the entry in a request; `undefined` for imported journals. */
  pointer?: string;
};

/** An entry with its key. */
export type EntryWithKey = { entry: JournalEntry; key: Key };

type Sheets = ReadonlyMap<string, DaySheet>;

/**
 * The dates of an entry whose sheets are read: the entry date for the number, and the posting date
 * for the amounts. A scheduled entry changes the sheet of its posting date later, but that sheet
 * must already have room for it.
 */
type EntryDates = { date?: string | undefined; postingDate: string | undefined };

export const sheetDatesOf = (entries: readonly EntryDates[]): string[] => [
  ...new Set(
    entries.flatMap(({ date, postingDate }) =>
      [date, postingDate].filter((it) => it !== undefined),
    ),
  ),
];

export const sheetKeysOf = (
  name: TenantName,
  { series, entries }: { series: JournalSeries; entries: readonly EntryDates[] },
): Key[] => sheetDatesOf(entries).map((date) => sheetKey(name, { series, date }));

const sheetsIn = (
  snapshot: Snapshot,
  name: TenantName,
  { series, entries }: { series: JournalSeries; entries: readonly EntryDates[] },
): Sheets =>
  new Map(
    sheetDatesOf(entries).map((date) => {
      const key = sheetKey(name, { series, date });
      if (!snapshot.has(keyText(key))) throw new Error(`the sheet of ${date} was not read`);
      return [date, sheetIn(snapshot, name, { series, date })];
    }),
  );

/** Numbers an entry and counts it, unless it is scheduled. Replaces its sheets in the map. */
const placeEntry = (
  name: TenantName,
  { entry, random, isKeyed = false }: EntryToRecord,
  { series, sheets }: { series: JournalSeries; sheets: Map<string, DaySheet> },
): EntryWithKey => {
  const before = sheets.get(entry.date) ?? emptySheet;
  const numbered = {
    ...fileEntry(before, entry),
    ...(isKeyed && { keyedEntries: (before.keyedEntries ?? 0) + 1 }),
  };
  sheets.set(entry.date, numbered);
  const place: EntryPlace = { series, date: entry.date, sequence: numbered.lastSequence };
  const key = entryKey(name, place);
  const entryId = entryIdOf(place, random);
  const named = { entryId, journalNumber: journalNumber(place), ...entry };
  if (entry.status === 'scheduled') {
    const scheduled = { ...named, postingSequence: null };
    return { entry: { ...scheduled, hash: hashOfScheduled(scheduled), hashVersion }, key };
  }
  const counted = countEntry(named, sheets.get(entry.postingDate) ?? emptySheet);
  sheets.set(entry.postingDate, counted.sheet);
  return { entry: counted.entry, key };
};

/**
 * Checks that each sheet has room for the posted and scheduled entries of a request.
 * @throws ApiError `validation_failed` with `date_full` at the first entry without room
 */
const assertRoom = (
  recorded: readonly EntryWithKey[],
  { before, pointers }: { before: Sheets; pointers: readonly (string | undefined)[] },
): void => {
  const requested = recorded.flatMap(({ entry }, index) => {
    const pointer = pointers[index];
    return pointer === undefined ? [] : [{ entry, pointer }];
  });
  const details = [...before].flatMap(([date, sheet]): Problem[] => {
    const counting = requested.filter(({ entry }) => entry.postingDate === date);
    const hasRoomFor = (entries: typeof requested): boolean =>
      hasRoom(
        withRows(
          sheet,
          entries.flatMap(({ entry }) => rowsOfEntry(entry)),
        ),
      );
    if (counting.length === 0 || hasRoomFor(counting)) return [];
    const first = counting.find((_, index) => !hasRoomFor(counting.slice(0, index + 1)));
    const field = first?.entry.accrualDate === null ? 'date' : 'accrual_date';
    return first ? [problem('date_full', `${first.pointer}${pointerTo(field)}`)] : [];
  });
  throwIfProblems(details);
};

/** The actions that put an entry and the items that list it by its metadata or accrual date. */
const entryItemActions = ({ entry, key }: EntryWithKey): Action[] => {
  const { status, accrualDate, postingDate } = entry;
  const places = markerKeys(key, postingDate);
  const place =
    status === 'scheduled'
      ? { ...places.scheduled, ...namedAccountsOf(entry) }
      : { ...places.posted, isPostedAtOnce: true };
  return [
    ...entryActions(key, entry),
    ...metadataKeysOf(key, entry).map((it) => ({
      put: { ...it, createdAt: entry.createdAt },
      condition: ifNotExists,
    })),
    ...(accrualDate === null ? [] : [{ put: place, condition: ifNotExists }]),
  ];
};

/**
 * Numbers entries, in this order, and counts them on the sheets of the snapshot.
 * @returns the entries with their keys, the actions that record them, those that store full blocks,
 *   and the bytes of the changed sheets
 * @throws ApiError `validation_failed` if a sheet has no room for the entries of a request
 */
export const recordingOf = (
  name: TenantName,
  { series, entries }: { series: JournalSeries; entries: readonly EntryToRecord[] },
  snapshot: Snapshot,
) => {
  const before = sheetsIn(snapshot, name, { series, entries: entries.map(({ entry }) => entry) });
  const after = new Map(before);
  const recorded = entries.map((it) => placeEntry(name, it, { series, sheets: after }));
  assertRoom(recorded, { before, pointers: entries.map(({ pointer }) => pointer) });
  const changed = [...before].filter(([date, sheet]) => after.get(date) !== sheet);
  const changes = changed.flatMap(([date, sheet]) =>
    sheetActions(name, { series, date }, { before: sheet, after: after.get(date) ?? sheet }),
  );
  const today = entries[0]?.entry.createdAt.slice(0, 10) ?? '';
  const guards = entries.flatMap((it, index): Action[] => {
    const { externalId } = it.entry;
    const guard = externalId === null ? it.guard : externalIdKey(name, externalId);
    const entrySk = recorded[index]?.key.sk;
    return guard ? [{ put: { ...guard, entrySk }, condition: ifNotExists }] : [];
  });
  const dueDates = new Set(
    recorded.flatMap(({ entry }) => (entry.status === 'scheduled' ? entry.postingDate : [])),
  );
  return {
    recorded,
    actions: [
      ...changes,
      ...newSheetCheck(name, new Map(changed), today),
      ...guards,
      ...[...dueDates].map((date) => dueDateAction(name, date)),
      ...recorded.flatMap(entryItemActions),
    ],
    blocks: [...after].flatMap(([date, sheet]) => blockActions(name, { series, date }, sheet)),
    sheetBytes: changes.reduce((sum, action) => sum + rowsBytesOf(action), 0),
  };
};

/** The actions with as many blocks as there is room for. Lists read entries without a block. */
export const withBlocks = (actions: readonly Action[], blocks: readonly Action[]): Action[] => [
  ...actions,
  ...blocks.slice(0, Math.max(0, maximumTransactionActions - actions.length)),
];
