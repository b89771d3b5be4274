// Verifies the markers: items that list entries with an accrual date. Each marker must match the
// status and the date of its entry, and the due index must have the dates of scheduled entries.

import { journalNumber } from '../entries/journal-entry.ts';
import type { DateMarker, RecordedBooks } from '../operator/recorded-books.store.ts';
import { inBatches } from '../table/batches.ts';
import { keyText, readEntryKey, type TenantName } from '../table/keys.ts';
import type { Checking } from './checking.service.ts';
import { type Checked, checkedAs, type Difference } from './differences.ts';

const batchSize = 50;

/** Those of these markers that are still there. Entries posted or cancelled since have others. */
const stillThere = async <Item extends { marker: DateMarker }>(
  books: RecordedBooks,
  items: readonly Item[],
): Promise<Item[]> => {
  const current = await books.findItems(items.map(({ marker }) => marker.key));
  return items.filter(({ marker }) => current.has(keyText(marker.key)));
};

/** The state of a marker or an entry as text. */
const stateText = (status: string, date: string): string => `${status}, listed on ${date}`;

type DifferingMarker = { marker: DateMarker; difference: Difference };

const differencesIn = (found: readonly DifferingMarker[]): Difference[] =>
  found.map(({ difference }) => difference);

const differencesOf = async (
  books: RecordedBooks,
  markers: readonly DateMarker[],
  name: TenantName,
): Promise<DifferingMarker[]> => {
  const keys = markers.map(({ entry }) => entry);
  const entries = await books.findEntries(name, keys);
  const differing = markers.flatMap((marker) => {
    const { status, date, entry: key } = marker;
    const place = readEntryKey(key);
    const entry = entries.get(keyText(key))?.entry;
    const entryDate = entry?.status === 'cancelled' ? place.date : entry?.accrualDate;
    const found =
      entry && entryDate ? stateText(entry.status, entryDate) : (entry?.status ?? 'no entry');
    const expected = stateText(status, date);
    const what = `entry ${journalNumber(place)}, from the item that lists it`;
    const difference = { date, series: place.series, what, expected, found };
    return expected === found ? [] : [{ marker, difference }];
  });
  return stillThere(books, differing);
};

/** Finds dates with scheduled entries that are missing in the due index. No run would post them. */
const findUnlisted = async (
  books: RecordedBooks,
  markers: readonly DateMarker[],
  name: TenantName,
): Promise<DifferingMarker[]> => {
  const dates = markers.map(({ date }) => date);
  const listed = await books.findDueDates(name, dates);
  const missing = markers.filter(({ date }) => !listed.has(date));
  const what = 'due index for a date with scheduled entries';
  return stillThere(
    books,
    missing.map((marker) => {
      const { series } = readEntryKey(marker.entry);
      const { date } = marker;
      return { marker, difference: { date, series, what, expected: date, found: 'none' } };
    }),
  );
};

/** Checks markers in batches. Reports a difference only if it remains after a pause. */
const openCheck = (
  name: TenantName,
  { books, pause }: Pick<Checking, 'books' | 'pause'>,
  find: typeof differencesOf,
) => {
  const found: DifferingMarker[] = [];
  const batches = inBatches<DateMarker>(batchSize, async (markers) => {
    const first = await find(books, markers, name);
    if (first.length === 0) return;
    await pause();
    const differing = first.map(({ marker }) => marker);
    found.push(...(await find(books, differing, name)));
  });
  return { found, ...batches };
};

/** Verifies that the due index has every date with scheduled entries. Adds them if `repair`. */
export const verifyDueDates = async (name: TenantName, checking: Checking): Promise<Checked> => {
  const { books, repair } = checking;
  const { found, add, flush } = openCheck(name, checking, findUnlisted);
  let lastDate = '';
  for await (const marker of books.markersIn(name, { status: 'scheduled' })) {
    if (marker.date !== lastDate) await add(marker);
    lastDate = marker.date;
  }
  await flush();
  if (repair) for (const { marker } of found) await books.restoreDueDate(name, marker.date);
  return checkedAs(differencesIn(found), repair);
};

/** Verifies all markers of a tenant. */
export const verifyMarkers = async (name: TenantName, checking: Checking): Promise<Checked> => {
  const { found, add, flush } = openCheck(name, checking, differencesOf);
  for (const status of ['posted', 'scheduled', 'cancelled'] as const) {
    for await (const marker of checking.books.markersIn(name, { status })) await add(marker);
    await flush();
  }
  return checkedAs(differencesIn(found), false);
};
