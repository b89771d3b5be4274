// What get-journal-entry accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { entryNameFields, exactlyOneName } from '#shared/entries/entry-names.ts';
import { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry } from '#shared/entries/journal-entry-example.view.ts';
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
  summary: 'Get journal entry',
  description: `Returns one entry of a tenant, posted, scheduled or cancelled, by exactly one of its
names: \`journal_entry_id\`, \`journal_number\` or \`external_id\`. With none of them, or with
several, the request is refused with the problem \`exactly_one_of\`.

An entry that has just been answered is found at once.`,
  errors: ['tenant_not_found', 'journal_entry_not_found'],
  examples: [
    {
      name: 'An entry by the id of its application',
      request: { domain_url: 'analytical-engines-k7m2xq', external_id: 'invoice-2026-0042' },
      data: exampleEntry,
    },
  ],
};
