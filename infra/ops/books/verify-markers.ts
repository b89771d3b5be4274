// Verifies the markers: items that list entries under the date on which they post. Each marker must
// match the status and accrual date of its entry.

import { journalNumber } from '#shared/entries/journal-entry.ts';
import type { DateMarker, KeptBooks } from '#shared/operator/recorded-books.store.ts';
import { keyText, readEntryKey, type TenantName } from '#shared/table/keys.ts';
import type { Difference } from './differences.ts';

const batchSize = 50;

/** The state of a marker or an entry as text. */
const stateText = ({ status, date }: { status: string; date: string }): string =>
  `${status}, accrual date ${date}`;

/** Ignores markers that were removed in the meantime. */
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
    const what = `entry ${journalNumber(place)}, from the item under its posting date`;
    const difference = { date, series: place.series, what, expected, found };
    return expected === found ? [] : [{ marker, difference }];
  });
  const current = await books.findItems(differing.map(({ marker }) => marker.key));
  return differing.filter(({ marker }) => current.has(keyText(marker.key)));
};

/** Finds dates with scheduled entries that are missing in the due index. No run would post them. */
const findUnlisted = async (
  books: KeptBooks,
  name: TenantName,
  markers: readonly DateMarker[],
): Promise<DateMarker[]> => {
  const byDate = new Map(markers.map((marker) => [marker.date, marker]));
  const listed = await books.findDueDates(name, [...byDate.keys()]);
  const missing = [...byDate.values()].filter(({ date }) => !listed.has(date));
  // The markers were read before the due index. Entries posted or cancelled since have none.
  const current = await books.findItems(missing.map(({ key }) => key));
  return missing.filter(({ key }) => current.has(keyText(key)));
};

const unlistedDifference = ({ date, entry }: DateMarker): Difference => {
  const { series } = readEntryKey(entry);
  const what = 'due index for a date with scheduled entries';
  return { date, series, what, expected: date, found: 'none' };
};

/** Verifies that the due index has every date with scheduled entries. Adds them if `repair`. */
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
  /** One marker for each date. */
  let waiting: DateMarker[] = [];
  for await (const marker of books.markersIn(name, { status: 'scheduled' })) {
    if (waiting.at(-1)?.date === marker.date) continue;
    waiting.push(marker);
    if (waiting.length < batchSize) continue;
    await check(waiting);
    waiting = [];
  }
  await check(waiting);
  return repair ? { differences: [], repaired: found } : { differences: found, repaired: [] };
};

/** Verifies all markers of a tenant. Reports a difference only if it remains after a pause. */
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
      if (waiting.length < batchSize) continue;
      await check(waiting);
      waiting = [];
    }
    await check(waiting);
  }
  return differences;
};
