// What cancel-journal-entry accepts and returns.

import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { NamedEntryRequest } from '#shared/entries/entry-names.ts';
import { CancelledEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleCancelled } from '#shared/entries/journal-entry-example.view.ts';

export const Request = NamedEntryRequest;

export const Data = CancelledEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Cancel journal entry',
  description: `Cancels a scheduled entry, so it never posts. Name the entry by exactly one of
\`journal_entry_id\`, \`journal_number\` and \`external_id\`.

- The entry remains with its lines and the status \`cancelled\`. Its number, \`external_id\` and
  \`Idempotency-Key\` cannot be used again: a create request with them returns the cancelled entry.
  The same holds for reverse requests if the entry is a reversal.
- If you cancel a scheduled reversal, its original can be reversed again.
- A repeated request returns the cancelled entry with \`replayed\` true.
- A posted entry cannot be cancelled (\`entry_not_scheduled\`). Reverse it instead.`,
  errors: ['tenant_not_found', 'journal_entry_not_found', 'entry_not_scheduled', 'contention'],
  replyHeaders: {
    'Idempotent-Replayed': '`true` if an earlier request cancelled the entry.',
  },
  examples: [
    {
      name: 'An accrual that is not needed any more',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        external_id: exampleCancelled.external_id,
      },
      data: { ...exampleCancelled, replayed: false },
    },
  ],
};
