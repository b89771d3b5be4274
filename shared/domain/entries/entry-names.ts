// What names one entry in a request: exactly one of its id, its number and its external_id.

import * as z from 'zod/mini';
import { nonBlankText } from '../fields.ts';
import { readEntryId } from './entry-ids.ts';
import { type EntryPlace, readJournalNumber } from './journal-entry.ts';

/** The fields of a request; `demandOneName` is the rule that they follow. */
export const entryNameFields = {
  journal_entry_id: z.optional(
    nonBlankText(100, { kind: 'id' }).check(
      z.describe('Id of the entry, as it was answered when the entry was created.'),
      z.meta({ example: '2d25c440-0000-8012-9e3f-0a4a55d6e1f6' }),
    ),
  ),
  journal_number: z.optional(
    nonBlankText(100, { kind: 'id' }).check(
      z.describe('Number of the entry, manual (MJ-) or imported (IJ-).'),
      z.meta({ example: 'MJ-20260323-0001' }),
    ),
  ),
  external_id: z.optional(
    nonBlankText(255, { kind: 'id' }).check(
      z.describe("The caller's own id of the entry, with which it was created."),
    ),
  ),
};

type NameField = keyof typeof entryNameFields;
const nameFields = Object.keys(entryNameFields) as NameField[];

/** The fields that name an entry, of which a request has exactly one. */
export type EntryName = Partial<Record<NameField, string | undefined>>;

/** The rule that exactly one name is given, also where another field is wrong. */
export const demandOneName = z.superRefine<EntryName>(
  (given, { addIssue }) => {
    if (nameFields.filter((field) => given[field] !== undefined).length === 1) return;
    const params = { fields: nameFields };
    addIssue({ code: 'custom', message: 'exactly_one_of', path: [], params });
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

/**
 * Where the entry is filed that an id or a number names; `undefined` where none can have it.
 * An id is read in any case (RFC 9562 section 4).
 */
export const placeNamed = ({
  journal_entry_id,
  journal_number,
}: EntryName): EntryPlace | undefined =>
  journal_entry_id === undefined
    ? readJournalNumber(journal_number ?? '')
    : readEntryId(journal_entry_id.toLowerCase());

/** Whether an entry that was found in that place is the one that is named. */
export const isNamed = (
  { entryId }: { entryId: string },
  { journal_entry_id }: EntryName,
): boolean => journal_entry_id === undefined || entryId === journal_entry_id.toLowerCase();
