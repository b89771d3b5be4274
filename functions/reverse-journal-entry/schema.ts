// What reverse-journal-entry accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { onMismatch } from '#shared/entries/drafts/draft-differences.ts';
import { entryRequestFields } from '#shared/entries/drafts/entry-request.ts';
import { exactlyOneOriginalName, originalNameFields } from '#shared/entries/entry-names.ts';
import { maximumExternalIdLength, maximumMemoLength } from '#shared/entries/journal-entry.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry, exampleReversal } from '#shared/entries/journal-entry-example.view.ts';
import { calendarDate, domainUrl, dryRun, newId, nonBlankText } from '#shared/fields.ts';

export const Request = z
  .strictObject({
    domain_url: domainUrl,
    ...originalNameFields,
    date: z.optional(
      calendarDate.check(
        z.describe(
          'Date of the reversal, YYYY-MM-DD. It decides the journal number. Defaults to today ' +
            "(UTC), or to the original's date if that is after today.",
        ),
      ),
    ),
    memo: z.optional(
      nonBlankText(maximumMemoLength, { code: 'memo_must_not_be_blank' }).check(
        z.describe(
          'Description of the reversal. Defaults to `Reversal of` and the number of the ' +
            'original.',
        ),
      ),
    ),
    accrual_date: z.optional(
      calendarDate.check(
        z.describe(
          'Date on which the reversal posts, YYYY-MM-DD (UTC). Without it, or if it is ' +
            'not after today, the reversal posts at once.',
        ),
      ),
    ),
    external_id: z.optional(
      newId(maximumExternalIdLength).check(
        z.describe("Your application's own id for the reversal, unique within the tenant."),
      ),
    ),
    metadata: entryRequestFields.metadata,
    user_id: entryRequestFields.user_id,
    dry_run: dryRun,
    on_mismatch: onMismatch,
  })
  .check(exactlyOneOriginalName);
export type Request = z.output<typeof Request>;

export const Data = CreatedEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Reverse journal entry',
  description: `Posts the reversal of a posted entry: the same lines with debit and credit swapped,
in the same currencies and at the same rates. Both entries together add up to zero in each currency,
to the cent. Archived accounts do not prevent a reversal. Name the original by exactly one of
\`journal_entry_id\`, \`journal_number\` and \`original_external_id\`; \`external_id\` is the id of
the reversal.

- An entry can be reversed once. A repeated request, with any key or id, returns the existing
  reversal with \`Idempotent-Replayed: true\`. If the request differs from it,
  \`Idempotency-Mismatch\` lists the differences.
- \`reverses\` of the reversal and \`reversed_by\` of the original name each other. Nothing else in
  the original changes: it still counts on its date, and the reversal counts on its own.
- Without a \`date\`, the reversal has today's date (UTC), or the original's if that is after today.
- The posting date of the reversal must not be before the original's (\`reversal_before_entry\`) or
  in a locked period (\`period_locked\`).
- With an \`accrual_date\` after today (UTC), the reversal is \`scheduled\`, and the original has
  its \`reversed_by\` at once. If you cancel the reversal before that date, the original can be
  reversed again with a new \`external_id\` and \`Idempotency-Key\`. A request with the old ones
  returns the cancelled reversal.
- A reversal cannot be reversed (\`entry_is_a_reversal\`): post a new entry. A scheduled entry
  cannot be reversed (\`entry_not_posted\`): cancel it.`,
  errors: [
    'tenant_not_found',
    'journal_entry_not_found',
    'user_not_found',
    'entry_is_a_reversal',
    'entry_not_posted',
    'idempotency_key_reused',
    'contention',
  ],
  requestHeaders: {
    'Idempotency-Key':
      'Optional: 1 to 255 visible ASCII characters, unique within the tenant. Keys ' +
      'never expire. A request with a used key returns the original reversal, even if ' +
      'it was cancelled. If the key belongs to another request, it is refused as ' +
      'idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed': '`true` if an earlier request recorded the reversal.',
    'Idempotency-Mismatch':
      'JSON Pointers to the fields of a repeat that differ from the reversal, separated by commas.',
  },
  examples: [
    {
      name: 'An invoice posted by mistake',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        original_external_id: exampleEntry.external_id ?? '',
        date: exampleReversal.date,
        external_id: exampleReversal.external_id ?? '',
      },
      data: { ...exampleReversal, replayed: false },
    },
  ],
};
