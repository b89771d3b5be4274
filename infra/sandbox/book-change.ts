// A change of a demo company's books.

import * as z from 'zod/mini';

const CalendarDate = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/));

/** `index` is a position in the company's books, from 0. */
export const BookChange = z.discriminatedUnion('change', [
  z.object({
    change: z.literal('edit_journal'),
    index: z.int().check(z.minimum(0)),
    date: z.optional(CalendarDate),
    /** Multiplies all amounts. */
    factor: z.optional(z.int().check(z.positive())),
    /** Takes the place of the account of the first line, by its index. */
    account: z.optional(z.int().check(z.minimum(0))),
  }),
  z.object({ change: z.literal('delete_journal'), index: z.int().check(z.minimum(0)) }),
  z.object({
    change: z.literal('move_transaction'),
    index: z.int().check(z.minimum(0)),
    date: CalendarDate,
  }),
]);
export type BookChange = z.infer<typeof BookChange>;
