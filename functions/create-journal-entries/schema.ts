// What create-journal-entries accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { maximumBatchLines } from '#shared/entries/drafts/draft.ts';
import { EntryRequest, maximumRequestEntries } from '#shared/entries/drafts/entry-request.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry, laterExampleEntry } from '#shared/entries/journal-entry-example.view.ts';
import { domainUrl, dryRun } from '#shared/fields.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  journal_entries: z
    .array(EntryRequest)
    .check(
      z.minLength(1, { error: 'too_few_items' }),
      z.maxLength(maximumRequestEntries, { error: 'too_many_items' }),
      z.describe('The entries, in the order in which they get their numbers.'),
    ),
  dry_run: dryRun,
});
export type Request = z.output<typeof Request>;

const EntryOfMany = z.extend(CreatedEntryView, {
  replayed: z
    .boolean()
    .check(z.describe('Whether an earlier request recorded it, and this one only found it.')),
});
z.globalRegistry.add(EntryOfMany, {
  id: 'MadeJournalEntryOfMany',
  description: 'An entry that was made beside others, or found.',
});

export const Data = z.object({
  journal_entries: z
    .array(EntryOfMany)
    .check(z.describe('The entries, in the order of the request.')),
});
z.globalRegistry.add(Data, {
  id: 'MadeJournalEntries',
  description: 'All entries of a request.',
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Create journal entries',
  description: `Posts 1 to ${maximumRequestEntries} journal entries into a tenant of the calling
application, all of them or none. It is the way to many entries: those of one date wait for others
only once, so that hundreds of them a second can be posted to it.

- Each entry is as in create-journal-entry, with an \`external_id\` of its own. They may differ in
  dates, currencies, users and in whether they are scheduled. They get their numbers in the order of
  the request.
- Where anything is wrong with any of them nothing is posted, and \`details\` has every problem of
  every entry, with pointers such as \`/journal_entries/3/entries/1/account\`.
- An entry whose \`external_id\` was used before is not posted again: the original is in its place,
  with \`replayed\` true, and the others are posted. An \`Idempotency-Key\` stands for all of the
  request; one that stands for a single entry is refused here, and one of a request of this kind by
  create-journal-entry.
- The header \`Idempotent-Replayed\` is there only where all of them were recorded before. Where the
  content of a repeat differs, \`Idempotency-Mismatch\` says where.
- All entries together have at most ${maximumBatchLines.toLocaleString('en')} lines; beside new
  ones, those that were recorded before count with the lines that they have. A request is recorded
  in one transaction: entries of many different dates, scheduled ones of as many accrual dates with
  an \`external_id\` each, or entries onto dates that move thousands of accounts, may need more
  than one takes. They are refused as \`batch_too_large\`; send fewer at once.
- With \`dry_run\` all is checked, and nothing is written.`,
  errors: ['tenant_not_found', 'idempotency_key_reused', 'contention'],
  requestHeaders: {
    'Idempotency-Key':
      'Optional, 1 to 255 visible ASCII characters, unique for ever within the tenant. A request ' +
      'with the key of an earlier one posts nothing and returns the entries of that one. It is ' +
      'refused as idempotency_key_reused where it has another number of entries, or an ' +
      '`external_id` that stands for another entry.',
  },
  replyHeaders: {
    'Idempotent-Replayed': '`true` where every entry was recorded by an earlier request.',
    'Idempotency-Mismatch':
      'JSON Pointers to the fields of repeats that differ from the original entries, separated ' +
      'by commas. A pointer to a line, to /entries or to an entry covers every field below it.',
  },
  examples: [
    {
      name: 'Two payments of a day',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        journal_entries: [
          {
            date: '2026-03-23',
            memo: 'March consulting',
            transactionCurrency: 'USD',
            reportingCurrency: 'EUR',
            external_id: 'invoice-2026-0042',
            entries: [
              { account: '1010', debit: '1159.60', description: 'Received' },
              { account: '4010', credit: '1159.60', description: 'Consulting' },
            ],
          },
          {
            date: '2026-03-23',
            memo: 'Bank charges of March',
            transactionCurrency: 'EUR',
            reportingCurrency: 'EUR',
            external_id: 'charge-2026-0007',
            metadata: { batch: '2026-03', source: 'bank feed' },
            entries: [
              { account: '6500', debit: '12.50' },
              { account: '1010', credit: '12.50' },
            ],
          },
        ],
      },
      data: {
        journal_entries: [
          { ...exampleEntry, replayed: false },
          { ...laterExampleEntry, replayed: false },
        ],
      },
    },
  ],
};
