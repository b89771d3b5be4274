// What names one entry in a request: exactly one of its id, its number and its external_id.

import * as z from 'zod/mini';
import { nonBlankText } from '../fields.ts';
import { readEntryId } from './entry-ids.ts';
import { type EntryPlace, readJournalNumber } from './journal-entry.ts';

const ownNames = {
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
};

const externalId = z.optional(
  nonBlankText(255, { kind: 'id' }).check(
    z.describe("The caller's own id of the entry, with which it was created."),
  ),
);

/** The rule that exactly one of these fields is given, also where another field is wrong. */
const exactlyOneOf = <Field extends string>(fields: readonly Field[]) =>
  z.superRefine<Partial<Record<Field, string | undefined>>>(
    (given, { addIssue }) => {
      if (fields.filter((field) => given[field] !== undefined).length === 1) return;
      const params = { fields: [...fields] };
      addIssue({ code: 'custom', message: 'exactly_one_of', path: [], params });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );

/** The fields of a request, and the rule that they follow. */
export const entryNameFields = { ...ownNames, external_id: externalId };
export const exactlyOneName = exactlyOneOf([
  'journal_entry_id',
  'journal_number',
  'external_id',
] as const);

/** The same of a request that makes an entry itself, whose external_id is that one's. */
export const originalNameFields = { ...ownNames, original_external_id: externalId };
export const exactlyOneOriginalName = exactlyOneOf([
  'journal_entry_id',
  'journal_number',
  'original_external_id',
] as const);

/** The fields that name an entry, of which a request has exactly one. */
export type EntryName = Partial<Record<keyof typeof entryNameFields, string | undefined>>;
export type OriginalName = Partial<Record<keyof typeof originalNameFields, string | undefined>>;

/** An entry that a request makes another of, by the names that every entry has. */
export const nameOfOriginal = ({
  journal_entry_id,
  journal_number,
  original_external_id: external_id,
}: OriginalName): EntryName => ({ journal_entry_id, journal_number, external_id });

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
