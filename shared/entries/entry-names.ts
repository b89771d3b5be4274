// How a request names an entry: by exactly one of its id, its number and its external_id.

import * as z from 'zod/mini';
import { exactlyOneOf } from '../field-relations.ts';
import { domainUrl, nonBlankText } from '../fields.ts';
import { readEntryId } from './entry-ids.ts';
import { type EntryPlace, maximumExternalIdLength, readJournalNumber } from './journal-entry.ts';

const ownNames = {
  journal_entry_id: z.optional(
    nonBlankText(100, { kind: 'id' }).check(
      z.describe('Id of the entry, from the reply that created it.'),
      z.meta({ example: '2d25c440-0000-8012-9e3f-0a4a55d6e1f6' }),
    ),
  ),
  journal_number: z.optional(
    nonBlankText(100, { kind: 'id' }).check(
      z.describe(
        'Number of the entry: `MJ-` for manual journals, `IJ-` for imported ones, ' +
          '`PB-` for platform balances, `RV-` for revaluations.',
      ),
      z.meta({ example: 'MJ-20260323-0001' }),
    ),
  ),
};

const externalId = z.optional(
  nonBlankText(maximumExternalIdLength, { kind: 'id' }).check(
    z.describe("Your application's own id for the entry, from the request that created it."),
  ),
);

const entryNameFields = { ...ownNames, external_id: externalId };

/** A request that only names an entry. */
export const NamedEntryRequest = z
  .strictObject({ domain_url: domainUrl, ...entryNameFields })
  .check(exactlyOneOf(['journal_entry_id', 'journal_number', 'external_id'] as const));

/** For a request to reverse: its external_id names the reversal, not the original. */
export const originalNameFields = { ...ownNames, original_external_id: externalId };
export const exactlyOneOriginalName = exactlyOneOf([
  'journal_entry_id',
  'journal_number',
  'original_external_id',
] as const);

export type EntryName = Partial<Record<keyof typeof entryNameFields, string | undefined>>;
type OriginalName = Partial<Record<keyof typeof originalNameFields, string | undefined>>;

export const nameOfOriginal = ({
  journal_entry_id,
  journal_number,
  original_external_id: external_id,
}: OriginalName): EntryName => ({ journal_entry_id, journal_number, external_id });

/**
 * The place of the entry with this id or number; `undefined` if no entry can have it. An id is read
 * in upper or lower case (RFC 9562 section 4).
 */
export const placeFromName = ({
  journal_entry_id,
  journal_number,
}: EntryName): EntryPlace | undefined =>
  journal_entry_id === undefined
    ? readJournalNumber(journal_number ?? '')
    : readEntryId(journal_entry_id.toLowerCase());

/** Whether the entry has the id in the request. A request without an id matches any entry. */
export const matchesEntryId = (
  { entryId }: { entryId: string },
  { journal_entry_id }: EntryName,
): boolean => journal_entry_id === undefined || entryId === journal_entry_id.toLowerCase();
