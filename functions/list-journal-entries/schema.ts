// What list-journal-entries accepts and returns.

import * as z from 'zod/mini';
import { maximumAccountCodeLength } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { metadataKey, metadataValue } from '#shared/entries/drafts/metadata.ts';
import { entryType, JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry } from '#shared/entries/journal-entry-example.view.ts';
import { EntryPosition } from '#shared/entries/lists/entry-position.view.ts';
import { acrossFields, fromNotAfterTo } from '#shared/field-relations.ts';
import { calendarDate, domainUrl, moment, nonBlankText } from '#shared/fields.ts';

/** A cursor has no keys, so a forged cursor cannot leave the request's tenant. */
export const cursors = openCursors('list-journal-entries', EntryPosition);

/** A metadata key comes with its value. */
const keyWithValue = acrossFields<{ metadata_key?: unknown; metadata_value?: unknown }>(
  ({ metadata_key: key, metadata_value: value }, { addIssue }) => {
    if ((key === undefined) === (value === undefined)) return;
    const missing = key === undefined ? 'metadata_key' : 'metadata_value';
    addIssue({ code: 'custom', message: 'required', path: [missing] });
  },
);

export const Request = z
  .strictObject({
    domain_url: domainUrl,
    from: z.optional(
      calendarDate.check(
        z.describe('First `date`. With `status=scheduled`, the first `posting_date`.'),
        z.meta({ example: '2026-03-01' }),
      ),
    ),
    to: z.optional(
      calendarDate.check(
        z.describe('Last `date`. With `status=scheduled`, the last `posting_date`.'),
        z.meta({ example: '2026-03-31' }),
      ),
    ),
    status: z.optional(
      z
        .enum(['posted', 'scheduled', 'cancelled'])
        .check(z.describe('Only entries with this status. Defaults to all.')),
    ),
    entry_type: z.optional(
      entryType.check(z.describe('Only entries of this type. Defaults to both.')),
    ),
    account: z.optional(
      nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
        z.describe('Only entries with a line on the account with this code.'),
        z.meta({ example: '1010' }),
      ),
    ),
    recorded_from: z.optional(
      moment.check(
        z.describe('Only entries with a `created_at` at or after this time, on any date.'),
        z.meta({ example: '2026-03-24T12:00:00Z' }),
      ),
    ),
    metadata_key: z.optional(
      metadataKey.check(
        z.describe(
          'Only entries with this metadata key and the `metadata_value`. It must be in the ' +
            "tenant's `indexed_metadata`.",
        ),
        z.meta({ example: 'order' }),
      ),
    ),
    metadata_value: z.optional(
      metadataValue.check(
        z.describe('The value of the metadata key, in upper and lower case as posted.'),
        z.meta({ example: '4711' }),
      ),
    ),
    order: z
      ._default(z.enum(['asc', 'desc']), 'desc')
      .check(z.describe('`desc`: the latest date first. `asc`: the earliest date first.')),
    limit: pageLimit,
    cursor: cursors.field,
  })
  .check(fromNotAfterTo, keyWithValue);

export const Data = z.object({
  journal_entries: z.array(JournalEntryView).check(z.describe('The entries with all their lines.')),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'JournalEntryPage', description: 'A page of journal entries.' });

const exampleQuery = { domain_url: 'analytical-engines-k7m2xq', from: '2026-03-01', limit: 1 };

export const documentation: EndpointDocumentation = {
  summary: 'List journal entries',
  description: `Returns a tenant's entries, ordered by \`date\` and, within a date, by
\`journal_number\`. The latest entry comes first, unless \`order\` is \`asc\`.

\`recorded_from\` finds entries that were posted late under an early date. An entry can appear up to
half a minute after its \`created_at\`, so begin the next request a minute before the last one.
The feed of list-events has every entry exactly once and needs no such overlap.

\`metadata_key\` and \`metadata_value\` look entries up in an index of the tenant, without reading
others. If the key was added to \`indexed_metadata\` after the tenant was created, \`recorded_from\`
is required and must not be before the \`from\` of the key, because earlier entries are not in the
index.

With \`status=scheduled\`, the list is ordered by \`posting_date\`, and \`from\` and \`to\` refer to
it. To get the entries that post next, add \`order=asc\`.

Continue with \`cursor\` until \`next_cursor\` is null. An entry that existed when the first page
was read is never omitted or repeated, even if entries are posted in the meantime. If an entry's
status changes, it leaves a list with the old \`status\`. New entries appear if their place is on a
later page.

A page has fewer entries than \`limit\` if the entries are long, because a reply is limited to a few
megabytes, and at most 25 with \`status=scheduled\` or \`metadata_key\`. It also ends after
\`status\`, \`entry_type\`, \`account\` or \`recorded_from\` has excluded about a hundred entries,
or fewer long ones. Dates without a matching type, account or time are passed over, some dozens on a
page. So a page can be short or empty although more entries follow.`,
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
