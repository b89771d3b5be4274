// What export-books accepts and returns.

import * as z from 'zod/mini';
import { maximumAccountCodeLength } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors } from '#shared/endpoint/page.view.ts';
import { journalSeries } from '#shared/entries/journal-entry.ts';
import { EntryPosition } from '#shared/entries/lists/entry-position.view.ts';
import { calendarDate, domainUrl } from '#shared/fields.ts';

const positive = z.int().check(z.minimum(1), z.maximum(999_999_999));
const count = z.int().check(z.minimum(0), z.maximum(999_999_999));
const series = z.enum(journalSeries);

/** The rest of a date that the previous page began, and the entries that count on the date. */
const DateInPart = z.strictObject({
  date: calendarDate,
  place: z.strictObject({ date: calendarDate, series, sequence: positive, isAccrual: z.boolean() }),
  counted: z.strictObject({ IJ: count, MJ: count, PB: count, RV: count }),
});
export type DateInPart = z.output<typeof DateInPart>;

const common = {
  to: calendarDate,
  seal: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
};

/** Where a page begins, the last posting date of the archive, and the chain of earlier parts. */
const Position = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('changes'), ...common, sequence: z.optional(positive) }),
  z.strictObject({
    step: z.literal('accounts'),
    ...common,
    code: z.optional(z.string().check(z.maxLength(maximumAccountCodeLength))),
  }),
  z.strictObject({
    step: z.literal('dates'),
    ...common,
    after: z.optional(calendarDate),
    within: z.optional(DateInPart),
  }),
  z.strictObject({
    step: z.enum(['scheduled', 'cancelled']),
    ...common,
    entry: z.optional(EntryPosition),
  }),
  z.strictObject({ step: z.literal('end'), ...common }),
]);
export type Position = z.output<typeof Position>;

export const cursors = openCursors('export-books', Position);

export const Request = z.strictObject({
  domain_url: domainUrl,
  to: z.optional(
    calendarDate.check(
      z.describe('Last posting date of the archive. Defaults to today (UTC).'),
      z.meta({ example: '2026-02-28' }),
    ),
  ),
  cursor: cursors.field,
});

const ArchivePartView = z.object({
  name: z.string().check(z.describe('Name of the file.')),
  content: z.string().check(z.describe('Text to append to the file.')),
});
z.globalRegistry.add(ArchivePartView, {
  id: 'ArchivePart',
  description: 'A part of a file of an archive.',
});

export const Data = z.object({
  parts: z
    .array(ArchivePartView)
    .check(z.describe('The next parts of the archive, in their order.')),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'ArchivePage', description: 'A page of an archive of books.' });

const exampleQuery = { domain_url: 'analytical-engines-k7m2xq', to: '2026-02-28' };

const exampleDigests = `${JSON.stringify({
  as_of: '2026-02-28',
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  entries_digest: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
})}\n`;

export const documentation: EndpointDocumentation = {
  summary: 'Export books',
  description: `Returns a tenant's books as an archive of text files, page by page. Append each
\`content\` to the file of its \`name\`, in an empty folder, and continue with \`cursor\` until
\`next_cursor\` is null. The chapter "The archive of books" shows a program that does so, and the
files. One of them is a program that verifies the others, without this service: \`node verify.mjs\`.

The archive has the entries up to the posting date \`to\`. Each date is complete, although posts go
on meanwhile. But if an entry is posted to a date that was already read, the digest at the end of
the archive differs from its entries, and the verification says so: export up to the end of the
locked period, or again.

A page reads some hundred units, and the archive of 1,000 entries takes about ten pages. The last
page costs as much as a trial balance.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'The last page',
      request: exampleQuery,
      data: {
        parts: [
          {
            name: 'digests.ndjson',
            content: exampleDigests,
          },
        ],
        next_cursor: null,
      },
    },
  ],
};
