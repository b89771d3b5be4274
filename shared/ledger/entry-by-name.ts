// The entry that a request names, where it was looked for.

import { assertBalanced } from '../domain/entries/entry-checks.ts';
import { type EntryName, isNamed, placeNamed } from '../domain/entries/entry-names.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { ApiError } from '../errors.ts';
import type { EntryAddress, EntryLookupResult } from '../store/entry-lookups.ts';

/** Where an entry of this name is looked for; `undefined` where none can have it. */
export const addressOf = (named: EntryName): EntryAddress | undefined => {
  if (named.external_id !== undefined) return { externalId: named.external_id };
  const place = placeNamed(named);
  return place && { place };
};

/**
 * The entry that was found at that address, if it is the one that is named.
 * @throws ApiError where there is no such tenant or no such entry
 */
export const requireEntry = (
  { hasTenant, entry }: EntryLookupResult,
  named: EntryName,
): JournalEntry => {
  if (!hasTenant) throw new ApiError('tenant_not_found');
  if (entry === undefined || !isNamed(entry, named)) throw new ApiError('journal_entry_not_found');
  assertBalanced(entry);
  return entry;
};
