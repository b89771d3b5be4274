// What create-journal-entries accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { maximumBatchLines } from '#shared/entries/drafts/draft.ts';
import { onMismatch } from '#shared/entries/drafts/draft-differences.ts';
import { EntryRequest, maximumRequestEntries } from '#shared/entries/drafts/entry-request.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry, laterExampleEntry } from '#shared/entries/journal-entry-example.view.ts';
import { domainUrl, dryRun } from '#shared/fields.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  journal_entries: z
    .array(EntryRequest)
    .check(
      z.minLength(1, { error: 'too_few_items' }),
      z.maxLength(maximumRequestEntries, { error: 'too_many_items' }),
      z.describe('The entries. They get their numbers in this order.'),
    ),
  dry_run: dryRun,
  on_mismatch: onMismatch,
});

export const Data = z.object({
  journal_entries: z
    .array(CreatedEntryView)
    .check(z.describe('The entries, in the order of the request.')),
});
z.globalRegistry.add(Data, {
  id: 'CreatedJournalEntries',
  description: 'All entries of the request.',
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Create journal entries',
  description: `Posts 1 to ${maximumRequestEntries} journal entries into a tenant of the calling
application: all of them, or none. Use it for many entries. Entries of one date are recorded one
request at a time, so batches allow hundreds of entries per second.

- Each entry is as in create-journal-entry, with its own \`external_id\`. Entries can have different
  dates, currencies and users, and can be scheduled. They get their numbers in the order of the
  request.
- If any entry is invalid, nothing is posted. \`details\` lists every problem of every entry, with
  pointers like \`/journal_entries/3/entries/1/account\`.
- An entry whose \`external_id\` was used before is not posted again. The original is in its place,
  with \`replayed\` true, and the other entries are posted. An \`Idempotency-Key\` belongs to the
  whole request. Keys of single entries are refused here, and create-journal-entry refuses keys of
  batches.
- The header \`Idempotent-Replayed\` is present only if every entry is a replay. If the content of a
  replay differs, \`Idempotency-Mismatch\` lists the differences; with \`on_mismatch\`, the request
  is refused and nothing is posted.
- All entries together can have at most ${maximumBatchLines.toLocaleString('en')} lines. In a
  request that also has new entries, replays count with the lines of their originals. A request is
  recorded in one transaction. Entries with many different dates, scheduled entries with many
  different accrual dates and an \`external_id\` each, or entries on dates that move thousands of
  accounts, can exceed one transaction. They are refused as \`batch_too_large\`; send fewer entries
  per request.
- With \`dry_run\`, the request is validated and nothing is written.`,
  errors: ['tenant_not_found', 'idempotency_key_reused', 'contention'],
  requestHeaders: {
    'Idempotency-Key':
      'Optional: 1 to 255 visible ASCII characters, unique within the tenant. Keys ' +
      'never expire. A request with a used key posts nothing and returns the original ' +
      'entries. It is refused as idempotency_key_reused if it has a different number ' +
      'of entries, or an `external_id` of another entry.',
  },
  replyHeaders: {
    'Idempotent-Replayed': '`true` if earlier requests recorded every entry.',
    'Idempotency-Mismatch':
      'JSON Pointers to the fields of repeats that differ from the original entries, separated ' +
      'by commas. A pointer to a line, to /entries or to an entry covers every field below it.',
  },
  examples: [
    {
      name: 'Two payments on one day',
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
