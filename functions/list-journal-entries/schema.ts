// What list-journal-entries accepts and returns.

import * as z from 'zod/mini';
import { maximumAccountCodeLength } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { journalNumber, readJournalNumber } from '#shared/entries/journal-entry.ts';
import { entryType, JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry } from '#shared/entries/journal-entry-example.view.ts';
import type { ListPosition } from '#shared/entries/lists/entry-bounds.store.ts';
import { calendarDate, domainUrl, fromNotAfterTo, nonBlankText } from '#shared/fields.ts';

/** Behind which entry a page begins: the date that puts it there, and its number. */
const Position = z.strictObject({
  date: calendarDate,
  number: z.string().check(z.refine((text) => readJournalNumber(text) !== undefined)),
});

/** Texts in a cursor, not keys: what a made-up one names is looked for in the tenant asked for. */
export const cursors = openCursors('list-journal-entries', Position);

export const cursorPositionOf = ({ date, place }: ListPosition): z.output<typeof Position> => ({
  date,
  number: journalNumber(place),
});

/** The position of a cursor; `undefined` where the list is read from its beginning. */
export const listPositionOf = (
  position: z.output<typeof Position> | undefined,
): ListPosition | undefined => {
  const place = position && readJournalNumber(position.number);
  return place && { date: position.date, place };
};

export const Request = z
  .strictObject({
    domain_url: domainUrl.check(
      z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
    ),
    from: z.optional(
      calendarDate.check(
        z.describe(
          'Only entries of this `date` or a later one; with `status=scheduled`, of this ' +
            '`posting_date`.',
        ),
        z.meta({ example: '2026-03-01' }),
      ),
    ),
    to: z.optional(
      calendarDate.check(
        z.describe(
          'Only entries of this `date` or an earlier one; with `status=scheduled`, of this ' +
            '`posting_date`.',
        ),
        z.meta({ example: '2026-03-31' }),
      ),
    ),
    status: z.optional(
      z
        .enum(['posted', 'scheduled', 'cancelled'])
        .check(z.describe('Only entries of this status; of any where it is left out.')),
    ),
    entry_type: z.optional(
      entryType.check(z.describe('Only entries of this type; of both where it is left out.')),
    ),
    account: z.optional(
      nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
        z.describe('Only entries with a line on the account of this code.'),
        z.meta({ example: '1010' }),
      ),
    ),
    order: z
      ._default(z.enum(['asc', 'desc']), 'desc')
      .check(z.describe('`desc`: the latest date first; `asc`: the earliest.')),
    limit: pageLimit,
    cursor: cursors.field,
  })
  .check(fromNotAfterTo);
export type Request = z.output<typeof Request>;

export const Data = z.object({
  journal_entries: z.array(JournalEntryView).check(z.describe('The entries, each with all lines.')),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'JournalEntryPage', description: 'A page of journal entries.' });
export type Data = z.output<typeof Data>;

const exampleQuery = { domain_url: 'analytical-engines-k7m2xq', from: '2026-03-01', limit: 1 };

export const documentation: EndpointDocumentation = {
  summary: 'List journal entries',
  description: `Returns a tenant's entries, posted, scheduled, cancelled and imported ones, in the
order of their \`date\` and, within a date, of their \`journal_number\`: the latest first, unless
\`order\` is \`asc\`.

With \`status=scheduled\` the list is that of what is still to be posted: in the order of
\`posting_date\`, to which \`from\` and \`to\` refer then. For what is posted next, ask for it with
\`order=asc\`.

Read on with \`cursor\` until \`next_cursor\` is null. An entry that was there when the first page
was read is never left out or given twice, whatever is posted meanwhile, under whichever date; but
one that no longer has the \`status\` asked for is not in the list any more. What is posted
meanwhile is in the pages to come where its place is there.

A page has fewer entries than \`limit\` if they are long, since a reply has a few megabytes at
most. It also ends when \`status\`, \`entry_type\` or \`account\` has left out about a hundred
entries, or fewer long ones. Then it is short or empty although there may be more: read on.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'The latest entry since the beginning of March',
      request: { ...exampleQuery, limit: '1' },
      data: {
        journal_entries: [exampleEntry],
        next_cursor: cursors.next(
          { ...exampleQuery, order: 'desc' },
          { date: exampleEntry.date, number: exampleEntry.journal_number },
        ),
      },
    },
  ],
};
