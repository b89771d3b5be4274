// What create-journal-entry accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { entryRequestFields } from '#shared/entries/drafts/entry-request.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry } from '#shared/entries/journal-entry-example.view.ts';
import { domainUrl, dryRun } from '#shared/fields.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  ...entryRequestFields,
  dry_run: dryRun,
});
export type Request = z.output<typeof Request>;

export const Data = CreatedEntryView;
export type Data = CreatedEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Create journal entry',
  description: [
    'Posts one manual journal entry into a tenant of the calling application.',
    '',
    '- Each line has exactly one positive side, and total debits equal total credits. An omitted',
    '  or empty side is zero. Amounts are decimal strings; a JSON number is taken only where it is',
    '  exact. An amount has no more decimals than its currency (none for JPY).',
    '- The exchange rate is the last one that the European Central Bank published on or before',
    '  `date`; rates between two other currencies, and towards the euro, are derived from its',
    '  figures. The ECB publishes them for information only.',
    '- Reporting amounts are allocated to the lines so that they add up to `reporting_amount`.',
    "- Every entry has book amounts too, in the tenant's currency, in which its books are kept and",
    '  reports are made. They are the reporting amounts where that is the reporting currency; else',
    '  they are converted at the rate of the same date from the transaction currency. Where there',
    '  is none, the entry is refused as `exchange_rate_unavailable`, with the currency in `book`.',
    '- `external_id` is unique for ever within the tenant, and so is an `Idempotency-Key`. A',
    '  repeat of either returns the original entry with `Idempotent-Replayed: true`; where its',
    '  content differs, `Idempotency-Mismatch` says where.',
    '- `metadata` is part of the entry for ever, and of its hash; it cannot be changed later.',
    '- With `dry_run` all is checked and nothing is written; the reply has no id and no number.',
    '- With an `accrual_date` after today (UTC) the entry is `scheduled`, and posts on that date.',
    '- An entry is never edited or deleted. To correct one, reverse it and post another.',
  ].join('\n'),
  errors: ['tenant_not_found', 'user_not_found', 'idempotency_key_reused', 'contention'],
  requestHeaders: {
    'Idempotency-Key':
      'Optional, 1 to 255 visible ASCII characters, unique for ever within the tenant. A request ' +
      'with the key of an earlier one posts nothing and returns the entry of that one, as with ' +
      '`external_id`. Where both are given and stand for two entries, it is refused as ' +
      'idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed':
      '`true` where the entry was recorded by an earlier request with the same external_id or ' +
      'Idempotency-Key.',
    'Idempotency-Mismatch':
      'JSON Pointers to the fields of a repeat that differ from the original entry, separated by ' +
      'commas. A pointer to a line or to /entries covers every field below it.',
  },
  examples: [
    {
      name: 'Consulting paid in dollars, reported in euro',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        date: '2026-03-23',
        memo: 'March consulting',
        transactionCurrency: 'USD',
        reportingCurrency: 'EUR',
        external_id: 'invoice-2026-0042',
        entries: [
          { account: '1010', debit: '1159.60', credit: '', description: 'Received' },
          { account: '4010', debit: '', credit: '1159.60', description: 'Consulting' },
        ],
      },
      data: exampleEntry,
    },
  ],
};
