// Finds the entry that a request names.

import { ApiError } from '../errors.ts';
import { assertBalanced } from './entry-checks.ts';
import type { EntryAddress, EntryLookupResult } from './entry-lookups.store.ts';
import { type EntryName, matchesEntryId, placeFromName } from './entry-names.ts';
import type { JournalEntry } from './journal-entry.ts';

/** The address at which to look up the entry; `undefined` if no entry can have this name. */
export const addressOf = (name: EntryName): EntryAddress | undefined => {
  if (name.external_id !== undefined) return { externalId: name.external_id };
  const place = placeFromName(name);
  return place && { place };
};

/**
 * The entry of a lookup, if it is the named entry.
 * @throws ApiError `tenant_not_found`, `journal_entry_not_found`
 * @throws BooksDiffer if the entry does not balance
 */
export const requireEntry = (
  { hasTenant, entry }: EntryLookupResult,
  name: EntryName,
): JournalEntry => {
  if (!hasTenant) throw new ApiError('tenant_not_found');
  if (!entry || !matchesEntryId(entry, name)) throw new ApiError('journal_entry_not_found');
  assertBalanced(entry);
  return entry;
};
