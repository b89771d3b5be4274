// Verifies the items that name entries under the dates on which they count, or are to count: each
// leads to an entry that says the same.

import { journalNumber } from '#shared/domain/entries/journal-entry.ts';
import type { DateMarker, KeptBooks } from '#shared/store/kept-books.ts';
import { keyText, readEntryKey, type TenantName } from '#shared/store/keys.ts';
import type { Difference } from './differences.ts';

const readAtOnce = 50;

/** What an item under a posting date says, or an entry of itself. */
const stateText = ({ status, date }: { status: string; date: string }): string =>
  `${status}, by the accrual date ${date}`;

/** What differs between these items, of those that are there still, and the entries they name. */
const differencesOf = async (
  books: KeptBooks,
  name: TenantName,
  markers: readonly DateMarker[],
): Promise<{ marker: DateMarker; difference: Difference }[]> => {
  const entries = await books.findEntries(
    name,
    markers.map(({ entry }) => entry),
  );
  const differing = markers.flatMap((marker) => {
    const { status, date, entry: key } = marker;
    const place = readEntryKey(key);
    const entry = entries.get(keyText(key))?.entry;
    const found =
      entry && entry.accrualDate !== null
        ? stateText({ status: entry.status, date: entry.accrualDate })
        : (entry?.status ?? 'no entry');
    const expected = stateText({ status, date });
    const what = `entry ${journalNumber(place)}, by the item under its posting date`;
    const difference = { date, series: place.series, what, expected, found };
    return expected === found ? [] : [{ marker, difference }];
  });
  const there = await books.findItems(differing.map(({ marker }) => marker.key));
  return differing.filter(({ marker }) => there.has(keyText(marker.key)));
};

/** The dates with scheduled entries that no run would post, since the due index lacks them. */
const findUnlisted = async (
  books: KeptBooks,
  name: TenantName,
  markers: readonly DateMarker[],
): Promise<DateMarker[]> => {
  const byDate = new Map(markers.map((marker) => [marker.date, marker]));
  const listed = await books.findDueDates(name, [...byDate.keys()]);
  const missing = [...byDate.values()].filter(({ date }) => !listed.has(date));
  // They were read before the dates: what was posted or cancelled meanwhile is gone.
  const there = await books.findItems(missing.map(({ key }) => key));
  return missing.filter(({ key }) => there.has(keyText(key)));
};

const unlistedDifference = ({ date, entry }: DateMarker): Difference => {
  const { series } = readEntryKey(entry);
  const what = 'due index, of a date with scheduled entries';
  return { date, series, what, expected: date, found: 'none' };
};

/** Verifies that every date with scheduled entries is listed as due, or lists it. */
export const verifyDueDates = async (
  name: TenantName,
  { books, pause, repair }: { books: KeptBooks; pause: () => Promise<unknown>; repair: boolean },
): Promise<{ differences: Difference[]; repaired: Difference[] }> => {
  const found: Difference[] = [];
  const check = async (markers: readonly DateMarker[]): Promise<void> => {
    const first = await findUnlisted(books, name, markers);
    if (first.length === 0) return;
    await pause();
    for (const marker of await findUnlisted(books, name, first)) {
      if (repair) await books.restoreDueDate(name, marker.date);
      found.push(unlistedDifference(marker));
    }
  };
  /** One marker of each date, of as many dates as are read at once. */
  let waiting: DateMarker[] = [];
  for await (const marker of books.markersIn(name, { status: 'scheduled' })) {
    if (waiting.at(-1)?.date === marker.date) continue;
    waiting.push(marker);
    if (waiting.length < readAtOnce) continue;
    await check(waiting);
    waiting = [];
  }
  await check(waiting);
  return repair ? { differences: [], repaired: found } : { differences: found, repaired: [] };
};

/** Verifies all such items of a tenant; what differs is looked at again after a pause. */
export const verifyMarkers = async (
  name: TenantName,
  { books, pause }: { books: KeptBooks; pause: () => Promise<unknown> },
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  const check = async (markers: readonly DateMarker[]): Promise<void> => {
    const first = await differencesOf(books, name, markers);
    if (first.length === 0) return;
    await pause();
    const again = await differencesOf(
      books,
      name,
      first.map(({ marker }) => marker),
    );
    differences.push(...again.map(({ difference }) => difference));
  };
  for (const status of ['posted', 'scheduled'] as const) {
    let waiting: DateMarker[] = [];
    for await (const marker of books.markersIn(name, { status })) {
      waiting.push(marker);
      if (waiting.length < readAtOnce) continue;
      await check(waiting);
      waiting = [];
    }
    await check(waiting);
  }
  return differences;
};
