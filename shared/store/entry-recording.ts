// One transaction for entries: their numbers, their places among what counts, their guards and
// their items.

import {
  countEntry,
  type DaySheet,
  rowsOfEntry,
  withNumberGiven,
} from '../domain/entries/day-sheet.ts';
import { entryIdOf } from '../domain/entries/entry-ids.ts';
import {
  type ApiEntry,
  type EntryPlace,
  journalNumber,
  type UnnumberedEntry,
} from '../domain/entries/journal-entry.ts';
import { ApiError, type Problem, pointerTo, problem, throwIfProblems } from '../errors.ts';
import { hasRoom, rowsBytesOf, sheetAction, sheetOf } from './day-sheets.ts';
import { dueDateAction } from './due-dates.ts';
import { entryActions } from './entry-items.ts';
import { entryKey, type Key, keyText, postingDateKeys, sheetKey, type TenantName } from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import { type Action, type Item, ifNotExists, type Table, transactionOf } from './table.ts';
import { type LinkedUser, linkedCheck } from './tenant-links.ts';

/** What is posted by request is counted apart from what is imported. */
const series = 'MJ';

/** A transaction takes a hundred actions and 4 MB (DynamoDB Developer Guide, "Quotas"). */
const maximumActions = 100;

/** So much of these is for sheets, where entries change several; a single one has less. */
const maximumRowsBytes = 2 ** 20;

export type UnrecordedEntry = UnnumberedEntry<ApiEntry>;

/** The sheets of dates, each as it was read. */
export type SheetsByDate = ReadonlyMap<string, DaySheet>;

/**
 * The dates whose sheets are read for entries: where they are filed, and where they count now or
 * later. What is scheduled changes the latter when it is posted, and must find room there.
 */
export const sheetDatesOf = (
  entries: readonly { date?: string | undefined; postingDate: string | undefined }[],
): string[] => [
  ...new Set(
    entries
      .flatMap(({ date, postingDate }) => [date, postingDate])
      .filter((it) => it !== undefined),
  ),
];

export const sheetKeysOf = (name: TenantName, dates: readonly string[]): Key[] =>
  dates.map((date) => sheetKey(name, { series, date }));

/** The sheets of these dates among what was read. */
export const sheetsIn = (
  name: TenantName,
  items: ReadonlyMap<string, Item>,
  dates: readonly string[],
): SheetsByDate =>
  new Map(
    dates.map((date) => [date, sheetOf(items.get(keyText(sheetKey(name, { series, date }))))]),
  );

/** An entry to be recorded, with what will stand for it. `at` points at it in the request. */
export type EntryToRecord = {
  entry: UnrecordedEntry;
  random: Uint8Array;
  guard: Key | undefined;
  at: string;
};

/** What is recorded in one transaction, all or nothing. */
export type Recordable = {
  entries: readonly EntryToRecord[];
  /** The users who post, each of whom the tenant must be linked to. */
  users?: readonly LinkedUser[];
  /** What else is written with them, by the keys that they get. */
  alongside?: (keys: readonly Key[], entries: readonly ApiEntry[]) => Action[];
};

/** What stood in the way: guards by the place of their entry, and what is written alongside. */
export type Failure = {
  guards: ReadonlyMap<number, Item | undefined>;
  alongside: ReadonlyMap<number, Item | undefined>;
  /** The places of the users that the tenant is not linked to. */
  links: ReadonlySet<number>;
};

export type Recording = ReturnType<typeof recordingAfter>;

/**
 * Entries on these sheets, and the one transaction that records them there.
 * @throws ApiError `validation_failed` where a sheet on which they count now or later has no room
 *   for them, or where they need more than one transaction takes
 */
export const recordingAfter = (
  name: TenantName,
  { entries, users = [], alongside = () => [] }: Recordable,
  sheets: SheetsByDate,
) => {
  const after = new Map(sheets);
  const recorded = entries.map((entry) => onSheets(entry, after));
  demandRoom(recorded, sheets);
  const keys = recorded.map(({ place }) => entryKey(name, place));
  const sheetActions = [...after].flatMap(([date, sheet]) => {
    const before = sheets.get(date);
    return before === undefined || before === sheet
      ? []
      : [sheetAction(name, { series, date }, { before, after: sheet })];
  });
  const guarded = entries.flatMap(({ guard }, index) => {
    const key = keys[index];
    return guard && key ? [{ index, action: guardAction(guard, key) }] : [];
  });
  const links = users.map((user) => linkedCheck(user, name));
  const journals = recorded.map(({ entry }) => entry);
  const further = alongside(keys, journals);
  const actions: Action[] = [
    ...sheetActions,
    ...guarded.map(({ action }) => action),
    ...links,
    ...further,
    ...dueDatesOf(recorded).map((date) => dueDateAction(name, date)),
    ...recorded.flatMap(({ entry, place }) => placedEntryActions(entryKey(name, place), entry)),
  ];
  demandOneTransaction(actions, sheetActions);
  const firstLink = sheetActions.length + guarded.length;
  const placesFrom = (first: number, members: readonly unknown[]) =>
    members.map((_, index) => ({ index, place: first + index }));
  const places = {
    sheets: placesFrom(0, sheetActions),
    guards: guarded.map(({ index }, at) => ({ index, place: sheetActions.length + at })),
    links: placesFrom(firstLink, links),
    alongside: placesFrom(firstLink + links.length, further),
  };
  return { entries: journals, transaction: transactionOf(actions), places };
};

/** The action by which a guard stands for the entry at this key from now on. */
const guardAction = (guard: Key, { sk }: Pick<Key, 'sk'>): Action => ({
  put: { ...guard, entrySk: sk },
  condition: ifNotExists,
});

const demandOneTransaction = (
  actions: readonly Action[],
  sheetActions: readonly Action[],
): void => {
  const rowsBytes = sheetActions.reduce((sum, action) => sum + rowsBytesOf(action), 0);
  if (actions.length <= maximumActions && rowsBytes <= maximumRowsBytes) return;
  const params =
    actions.length > maximumActions
      ? { writes: actions.length, maximum_writes: maximumActions }
      : { bytes_of_dates: rowsBytes, maximum_bytes_of_dates: maximumRowsBytes };
  throw new ApiError('validation_failed', {
    details: [problem('batch_too_large', pointerTo('journal_entries'), params)],
  });
};

/** A numbered entry, where it is filed, and where the request says it. */
type OnSheets = { entry: ApiEntry; place: EntryPlace; at: string };

/** Gives an entry its number and, unless it is scheduled, its place among what counts. */
const onSheets = (
  { entry, random, at }: EntryToRecord,
  sheets: Map<string, DaySheet>,
): OnSheets => {
  const sheetOn = (date: string): DaySheet => {
    const sheet = sheets.get(date);
    if (sheet === undefined) throw new Error(`the sheet of ${date} was not read`);
    return sheet;
  };
  const given = withNumberGiven(sheetOn(entry.date));
  sheets.set(entry.date, given);
  const place: EntryPlace = { series, date: entry.date, sequence: given.lastSequence };
  const numbered = {
    ...{ entryId: entryIdOf(place, random), journalNumber: journalNumber(place) },
    ...entry,
  };
  if (entry.status === 'scheduled') {
    return { entry: { ...numbered, postingSequence: null, hash: null }, place, at };
  }
  const posted = countEntry(numbered, sheetOn(entry.postingDate));
  sheets.set(entry.postingDate, posted.sheet);
  return { entry: posted.entry, place, at };
};

/** The dates for which entries are scheduled, each once. */
const dueDatesOf = (recorded: readonly OnSheets[]): string[] => [
  ...new Set(
    recorded.flatMap(({ entry }) => (entry.status === 'scheduled' ? entry.postingDate : [])),
  ),
];

/** Refuses, on each sheet that all of them do not fit on, the first that does not. */
const demandRoom = (recorded: readonly OnSheets[], before: SheetsByDate): void => {
  const details = [...before].flatMap(([date, sheet]): Problem[] => {
    const counting = recorded.filter(({ entry }) => entry.postingDate === date);
    const isBeyond = (entries: readonly OnSheets[]): boolean =>
      !hasRoom({ rows: [...sheet.rows, ...entries.flatMap(({ entry }) => rowsOfEntry(entry))] });
    if (counting.length === 0 || !isBeyond(counting)) return [];
    const firstBeyond = counting.find((_, index) => isBeyond(counting.slice(0, index + 1)));
    const field = firstBeyond?.entry.accrualDate === null ? 'date' : 'accrual_date';
    return firstBeyond ? [problem('date_full', `${firstBeyond.at}${pointerTo(field)}`)] : [];
  });
  throwIfProblems(details);
};

/** The actions that put an entry where it is found: by its key, and by its posting date. */
const placedEntryActions = (key: Key, entry: ApiEntry): Action[] => {
  const { status, accrualDate, postingDate } = entry;
  const places = postingDateKeys(key, postingDate);
  const isScheduled = status === 'scheduled';
  return [
    ...entryActions(key, entry),
    ...(accrualDate === null
      ? []
      : [{ put: isScheduled ? places.scheduled : places.posted, condition: ifNotExists }]),
  ];
};

/**
 * Records entries, again and again until nobody else's change of their sheets stands in the way.
 *
 * @param options.plan what to record; it is asked again after each failure
 * @param options.settle what becomes of a failure: a result, `again` where there is another plan
 *   now, or `undefined` where it has nothing to say of it
 */
export const recordOnSheets = async <Result>(
  table: Pick<Table, 'getMany' | 'tryTransact'>,
  name: TenantName,
  {
    sheets,
    plan,
    committed,
    settle,
    budget,
  }: {
    sheets: SheetsByDate;
    plan: () => Recordable;
    committed: (entries: ApiEntry[]) => Result | Promise<Result>;
    settle: (failure: Failure) => Promise<{ result: Result } | 'again' | undefined>;
    budget: ContentionBudget;
  },
): Promise<Result> => {
  const dates = [...sheets.keys()];
  const readSheets = async (): Promise<SheetsByDate> =>
    sheetsIn(name, await table.getMany(sheetKeysOf(name, dates)), dates);
  let recording: Recording | undefined = recordingAfter(name, plan(), sheets);
  const tryToRecord = async (): Promise<Result | undefined> => {
    recording ??= recordingAfter(name, plan(), await readSheets());
    const { places, transaction } = recording;
    const outcome = await table.tryTransact(transaction);
    if (outcome === undefined) return undefined;
    if (outcome.committed) return committed(recording.entries);
    const { failed, contended } = outcome;
    const failedOf = (group: readonly { index: number; place: number }[]) =>
      new Map(
        group.flatMap(({ index, place }) =>
          failed.has(place) ? [[index, failed.get(place)] as const] : [],
        ),
      );
    const failure: Failure = {
      guards: failedOf(places.guards),
      alongside: failedOf(places.alongside),
      links: new Set(failedOf(places.links).keys()),
    };
    const settled = await settle(failure);
    if (settled !== undefined && settled !== 'again') return settled.result;
    // A rival's items may show up before its sheet does; then that shows in a later try.
    const isInTheWay = failedOf(places.sheets).size > 0 || contended;
    if (settled === undefined && !isInTheWay) {
      throw new Error('an entry stands where its sheet says none can');
    }
    // The sheet that stood in the way will have gone on when the pause is over. To try again at
    // once, from where it was, would spare a read and cost the others more: where many wait, that
    // takes twice as many tries for each entry.
    recording = undefined;
    return undefined;
  };
  return retryOnContention(tryToRecord, {
    ...budget,
    mayBeDone: () => recording?.transaction.mayBeDone === true,
  });
};
