// One transaction for an entry: its number, its place among what counts, its guards and its items.

import { countEntry, type DaySheet, withNumberGiven } from '../domain/entries/day-sheet.ts';
import { entryIdOf } from '../domain/entries/entry-ids.ts';
import {
  type EntryPlace,
  journalNumber,
  type ManualJournal,
  type UnnumberedEntry,
} from '../domain/entries/journal-entry.ts';
import { ApiError, problem } from '../errors.ts';
import { hasRoom, sheetAction, sheetOf } from './day-sheets.ts';
import { entryActions } from './entry-items.ts';
import {
  dueKey,
  entryKey,
  type Key,
  keyText,
  postingDateKeys,
  sheetKey,
  type TenantName,
} from './keys.ts';
import { type Action, type Item, ifNotExists, transactionOf } from './table.ts';
import { type LinkedUser, linkedCheck } from './tenant-links.ts';

/** What is posted by request is counted apart from what is imported. */
const series = 'MJ';

/**
 * The sheets that an entry changes: of the date under which it is filed and, where it counts on
 * another one at once, of that.
 */
export type EntrySheets = { filed: DaySheet; counted: DaySheet | undefined };

export type UnrecordedEntry = UnnumberedEntry<ManualJournal>;

/** The date on which an entry counts from its record on; none where it is scheduled. */
export const countsAtOnceOn = ({ status, postingDate }: UnrecordedEntry): string | undefined =>
  status === 'scheduled' ? undefined : postingDate;

/** The keys of the sheets that an entry changes; the second only where it is another one. */
export const sheetKeysOf = (
  name: TenantName,
  { date, countsOn = date }: { date: string; countsOn: string | undefined },
): { filed: Key; counted?: Key } => ({
  filed: sheetKey(name, { series, date }),
  ...(countsOn !== date && { counted: sheetKey(name, { series, date: countsOn }) }),
});

export const sheetsIn = (
  items: ReadonlyMap<string, Item>,
  keys: { filed?: Key; counted?: Key } = {},
): EntrySheets => {
  const at = (key: Key | undefined) => sheetOf(key && items.get(keyText(key)));
  return { filed: at(keys.filed), counted: keys.counted && at(keys.counted) };
};

export type Recording = ReturnType<typeof recordingAfter>;

/**
 * An entry on these sheets, and the one transaction that records it there.
 * @throws ApiError `validation_failed` where the sheet on which it counts has no room for it
 */
export const recordingAfter = (
  name: TenantName,
  {
    entry,
    guards,
    user,
    random,
  }: {
    entry: UnrecordedEntry;
    guards: readonly Key[];
    user: LinkedUser | undefined;
    random: Uint8Array;
  },
  sheets: EntrySheets,
) => {
  const place: EntryPlace = { series, date: entry.date, sequence: sheets.filed.lastSequence + 1 };
  const key = entryKey(name, place);
  const { recorded, sheetActions } = onSheets(name, { entry, place, random }, sheets);
  const [firstGuard, link] = [sheetActions.length, sheetActions.length + guards.length];
  const actions: Action[] = [
    ...sheetActions,
    ...guards.map((guard) => ({ put: { ...guard, entrySk: key.sk }, condition: ifNotExists })),
    ...(user ? [linkedCheck(user, name)] : []),
    ...placedEntryActions(key, recorded),
  ];
  return {
    entry: recorded,
    transaction: transactionOf(actions),
    sheetPlaces: sheetActions.map((_, place) => place),
    guardPlaces: guards.map((_, guard) => firstGuard + guard),
    linkPlace: link,
  };
};

/** The entry with its number and, unless it is scheduled, its place among what counts. */
const onSheets = (
  name: TenantName,
  { entry, place, random }: { entry: UnrecordedEntry; place: EntryPlace; random: Uint8Array },
  { filed, counted }: EntrySheets,
): { recorded: ManualJournal; sheetActions: Action[] } => {
  const numbered = {
    ...{ entryId: entryIdOf(place, random), journalNumber: journalNumber(place) },
    ...entry,
  };
  const given = withNumberGiven(filed);
  const change = (date: string, before: DaySheet, after: DaySheet) =>
    sheetAction(name, { series, date }, { before, after });
  if (entry.status === 'scheduled') {
    return {
      recorded: { ...numbered, postingSequence: null, hash: null },
      sheetActions: [change(entry.date, filed, given)],
    };
  }
  const posted = countEntry(numbered, counted ?? given);
  if (!hasRoom(posted.sheet)) {
    const field = entry.accrualDate === null ? '/date' : '/accrual_date';
    throw new ApiError('validation_failed', { details: [problem('date_full', field)] });
  }
  return {
    recorded: posted.entry,
    sheetActions: counted
      ? [change(entry.date, filed, given), change(entry.postingDate, counted, posted.sheet)]
      : [change(entry.date, filed, posted.sheet)],
  };
};

/** The actions that put an entry where it is found: by its key, and by its posting date. */
const placedEntryActions = (key: Key, entry: ManualJournal): Action[] => {
  const { status, accrualDate, postingDate } = entry;
  const places = postingDateKeys(key, postingDate);
  return [
    ...entryActions(key, entry, status === 'scheduled' ? dueKey(key, postingDate) : {}),
    ...(accrualDate === null
      ? []
      : [{ put: places[status === 'scheduled' ? 'scheduled' : 'posted'], condition: ifNotExists }]),
  ];
};
