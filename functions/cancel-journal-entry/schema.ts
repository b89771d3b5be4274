// What cancel-journal-entry accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { entryNameFields, exactlyOneName } from '#shared/entries/entry-names.ts';
import { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleCancelled } from '#shared/entries/journal-entry-example.view.ts';
import { domainUrl } from '#shared/fields.ts';

export const Request = z
  .strictObject({
    domain_url: domainUrl.check(
      z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
    ),
    ...entryNameFields,
  })
  .check(exactlyOneName);
export type Request = z.output<typeof Request>;

export const Data = JournalEntryView;
export type Data = JournalEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Cancel journal entry',
  description: `Cancels a scheduled entry, named by exactly one of \`journal_entry_id\`,
\`journal_number\` and \`external_id\`, so that it never posts.

- The entry stays with its lines, as \`cancelled\`. Its number, its \`external_id\` and its
  \`Idempotency-Key\` stay used: a request to create with them returns the cancelled entry, as
  one to reverse does where it is a reversal.
- To cancel a scheduled reversal makes the entry that it was to reverse as it was before, which can
  then be reversed again.
- A repeat returns the cancelled entry with \`Idempotent-Replayed: true\`.
- An entry that is posted, be it this moment, is not cancelled (\`entry_not_scheduled\`): reverse
  it.`,
  errors: ['tenant_not_found', 'journal_entry_not_found', 'entry_not_scheduled', 'contention'],
  replyHeaders: {
    'Idempotent-Replayed': '`true` where the entry was cancelled by an earlier request.',
  },
  examples: [
    {
      name: 'An accrual that is needed no longer',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        external_id: exampleCancelled.external_id,
      },
      data: exampleCancelled,
    },
  ],
};
