// What get-journal-entry accepts and returns.

import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { NamedEntryRequest } from '#shared/entries/entry-names.ts';
import { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry } from '#shared/entries/journal-entry-example.view.ts';

export const Request = NamedEntryRequest;

export const Data = JournalEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Get journal entry',
  description: `Returns one posted, scheduled or cancelled entry. Name it by exactly one of
\`journal_entry_id\`, \`journal_number\` and \`external_id\`; other requests are refused with the
problem \`exactly_one_of\`. A new entry is available at once.`,
  errors: ['tenant_not_found', 'journal_entry_not_found'],
  examples: [
    {
      name: 'An entry by the id of its application',
      request: { domain_url: 'analytical-engines-k7m2xq', external_id: 'invoice-2026-0042' },
      data: exampleEntry,
    },
  ],
};
