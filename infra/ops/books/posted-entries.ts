// Reads a tenant's posted entries in posting order.

import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import type { StoredEntry } from '#shared/operator/recorded-books.store.ts';
import type { SheetName } from '#shared/sheets/day-sheet.ts';
import { sheetOf } from '#shared/sheets/day-sheets.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';

type Books = Readers['books'];

export const damaged = (problem: string): CommandFailure =>
  new CommandFailure(`${problem}: run books verify for this tenant`);

/** The posted entries without an accrual date. @throws CommandFailure if one cannot be read */
async function* postedWithoutAccrual(
  entries: AsyncIterable<StoredEntry>,
): AsyncGenerator<StoredEntry> {
  for await (const item of entries) {
    const { entry, key } = item;
    if (entry === undefined) throw damaged(`the entry at ${key.sk} cannot be read`);
    if (entry.status === 'posted' && entry.accrualDate === null) yield item;
  }
}

/** Yields the entries posted on the date of a day sheet, in posting order. */
export const postedOn = (
  books: Books,
  name: TenantName,
  of: SheetName,
): AsyncGenerator<StoredEntry> =>
  books.postedInOrder(name, of, postedWithoutAccrual(books.entriesIn(name, { of })));

/**
 * Yields the posted entries from `from` to `to`, both included, by posting date, series and
 * posting sequence.
 * @throws CommandFailure if an entry cannot be read or a day sheet counts more entries
 */
export async function* postedEntries(
  books: Books,
  name: TenantName,
  { from, to }: { from: string; to: string },
): AsyncGenerator<JournalEntry> {
  for (const of of await books.listSheetNames(name)) {
    if (of.date < from || of.date > to) continue;
    const { counted } = sheetOf(await books.findSheetItem(name, of));
    let read = 0;
    for await (const { entry } of postedOn(books, name, of)) {
      if (entry === undefined) throw damaged(`an entry posted on ${of.date} cannot be read`);
      read += 1;
      yield entry;
    }
    if (read < counted) {
      throw damaged(
        `the ${of.series} day sheet of ${of.date} counts ${counted} entries, but there are ${read}`,
      );
    }
  }
}
