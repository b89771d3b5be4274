// What create-journal-entry accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { onMismatch } from '#shared/entries/drafts/draft-differences.ts';
import { entryRequestFields } from '#shared/entries/drafts/entry-request.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry } from '#shared/entries/journal-entry-example.view.ts';
import { domainUrl, dryRun } from '#shared/fields.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  ...entryRequestFields,
  dry_run: dryRun,
  on_mismatch: onMismatch,
});

export const Data = CreatedEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Create journal entry',
  description: `Posts one manual journal entry into a tenant of the calling application.

- Each line has exactly one positive side, and total debits equal total credits. An omitted or empty
  side is zero. Amounts are decimal strings; a JSON number is accepted only if it is exact. An
  amount cannot have more decimals than its currency: none for JPY, three for BHD, IQD, JOD, KWD,
  LYD, OMR and TND, otherwise two.
- The exchange rate is the last one that the European Central Bank published on or before \`date\`.
  Rates into euro and between two other currencies are calculated from the published rates. The ECB
  publishes them for information only. For currencies that it does not publish, both rates are those
  of the National Bank of Poland, which publishes most of them once a week. An entry across
  currencies that is dated after today is refused as \`no_rate_after_today\` unless it is scheduled
  or has a rate of its own.
- With \`exchange_rate\`, the entry has your rate, and \`exchange_rate_source\` is \`caller\`.
  \`known_exchange_rate\` shows the rate that the service would have used, or null if it has none.
  A rate that is more than twice the known rate, or less than half of it, is refused as
  \`exchange_rate_differs\`; check it, then send \`accept_rate\`. Your rate converts to the
  reporting currency. The book amounts have it too if that is the tenant's currency; otherwise they
  have the service's rate.
- The service allocates reporting amounts to the lines; they add up to \`reporting_amount\`.
- Every entry also has book amounts in the tenant's currency. Reports use them. If the tenant's
  currency is the reporting currency, they are the reporting amounts. Otherwise, they are converted
  from the transaction currency at the rate of the same date. If there is no such rate, the entry is
  refused as \`exchange_rate_unavailable\`, with the currency in \`book\`.
- \`external_id\` and \`Idempotency-Key\` are unique within the tenant and never expire. A repeat of
  either returns the original entry with \`replayed\` true. If its content differs, the header
  \`Idempotency-Mismatch\` lists the differences; with \`on_mismatch\`, it is refused.
- \`metadata\` is a permanent part of the entry and of its hash. It cannot be changed later.
- With \`dry_run\`, the request is validated and nothing is written. The reply has no id and no
  number.
- With an \`accrual_date\` after today (UTC), the entry is \`scheduled\` and posts on that date.
- An entry is never edited or deleted. To correct an entry, reverse it and post a new one.`,
  errors: ['tenant_not_found', 'user_not_found', 'idempotency_key_reused', 'contention'],
  requestHeaders: {
    'Idempotency-Key':
      'Optional: 1 to 255 visible ASCII characters, unique within the tenant. Keys ' +
      'never expire. A request with a used key posts nothing and returns the original ' +
      'entry, as with `external_id`. If both are set and belong to different entries, ' +
      'the request is refused as idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed':
      '`true` if an earlier request with the same external_id or Idempotency-Key ' +
      'recorded the entry.',
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
      data: { ...exampleEntry, replayed: false },
    },
  ],
};
