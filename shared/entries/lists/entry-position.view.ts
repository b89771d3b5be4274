// The position of an entry in the cursors of lists.

import * as z from 'zod/mini';
import { calendarDate } from '../../fields.ts';
import { type EntryPlace, journalNumber, readJournalNumber } from '../journal-entry.ts';

type Position = { date: string; place: EntryPlace };

/** The last entry of the previous page: the date by which the list is ordered, and its number. */
export const EntryPosition = z.strictObject({
  date: calendarDate,
  number: z.string().check(z.refine((text) => readJournalNumber(text) !== undefined)),
});
export type EntryPosition = z.output<typeof EntryPosition>;

export const cursorPositionOf = ({ date, place }: Position): EntryPosition => ({
  date,
  number: journalNumber(place),
});

/** The list position of a cursor; `undefined` for the first page. */
export const listPositionOf = (position: EntryPosition | undefined): Position | undefined => {
  const place = position && readJournalNumber(position.number);
  return place && { date: position.date, place };
};
