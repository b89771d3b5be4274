// What post-revaluation accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { maximumExternalIdLength, maximumMemoLength } from '#shared/entries/journal-entry.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleRevaluation } from '#shared/entries/journal-entry-example.view.ts';
import { acrossFields } from '#shared/field-relations.ts';
import { calendarDate, domainUrl, dryRun, newId, nonBlankText } from '#shared/fields.ts';
import { maximumDifferences } from '#shared/revaluations/revaluation-entry.ts';
import { differenceKinds } from '#shared/revaluations/revaluations.service.ts';

/** A reversal would bring realised differences back. */
const reversesUnrealisedOnly = acrossFields<{
  differences?: unknown;
  reverse_on_next_day?: unknown;
}>(({ differences, reverse_on_next_day }, { addIssue }) => {
  if (reverse_on_next_day !== true || differences === 'unrealised') return;
  addIssue({
    code: 'custom',
    message: 'only_unrealised_can_be_reversed',
    path: ['reverse_on_next_day'],
  });
});

export const Request = z
  .strictObject({
    domain_url: domainUrl,
    as_of: calendarDate.check(
      z.describe(
        'Date of the entry, whose closing rates count, YYYY-MM-DD. At the latest today (UTC).',
      ),
    ),
    differences: z
      .optional(z.enum(differenceKinds))
      .check(z.describe('Which differences to post, as `kind` in the report. Defaults to `all`.')),
    reverse_on_next_day: z
      .optional(z.boolean())
      .check(
        z.describe(
          'Whether to post the reversal on the day after `as_of` too. It needs ' +
            '`differences: unrealised`.',
        ),
      ),
    memo: z.optional(
      nonBlankText(maximumMemoLength, { code: 'memo_must_not_be_blank' }).check(
        z.describe('Description of the entry. Defaults to `Revaluation as of` and the date.'),
      ),
    ),
    external_id: z.optional(
      newId(maximumExternalIdLength).check(
        z.describe(
          "Your application's own id for the entry. If an entry with this id exists, the request " +
            'returns it and posts nothing.',
        ),
      ),
    ),
    dry_run: dryRun,
  })
  .check(reversesUnrealisedOnly);
export type Request = z.output<typeof Request>;

export const Data = z.object({
  as_of: z.string().check(z.meta({ format: 'date', description: 'Date of the revaluation.' })),
  journal_entry: z
    .nullable(CreatedEntryView)
    .check(z.describe('The entry with the differences; null if there are none.')),
  reversal: z
    .nullable(CreatedEntryView)
    .check(z.describe('The reversal on the next day; null if the request did not ask for it.')),
  remaining_differences: z.int().check(
    z.meta({
      minimum: 0,
      description:
        `The number of further differences. An entry has at most ${maximumDifferences}; post ` +
        'the others with another request.',
    }),
  ),
});

export const documentation: EndpointDocumentation = {
  summary: 'Post revaluation',
  description: `Posts the differences of \`GET reports/revaluation/\` in one entry. Its number
starts with \`RV-\`. Then the book amount of each monetary account and currency is its balance at
the closing rate, to the cent; and an account that was emptied has no book amount left.

- The entry is in the book currency and changes no balance in another currency. Its lines name the
  currency in \`revalued_currency\`. Gains and losses go to the account of exchange differences
  (7100 in the default chart). Without an active one, the request is refused as
  \`exchange_account_missing\`. Archived accounts are no obstacle.
- The statement of cash flows shows what was gained and lost on cash as the effect of exchange
  rates, and nothing of the rest (IAS 7.28).
- A repeated request finds no differences and posts nothing: \`journal_entry\` is null. With a used
  \`external_id\` or \`Idempotency-Key\`, it returns the first entry with
  \`Idempotent-Replayed: true\`.
- With \`reverse_on_next_day\`, unrealised differences count on the date only. Without it, they
  stay, and the next revaluation posts what has changed since. Both are usual. Post realised
  differences with another request: they must stay.
- Revalue dates in their order. If you post to a date before the last revaluation, or revalue it,
  revalue the later date again: it posts the rest.
- The date must not be in a locked period (\`period_locked\`), out of range
  (\`date_out_of_range\`) or after today (\`as_of_after_today\`).`,
  errors: [
    'tenant_not_found',
    'book_amounts_unknown',
    'exchange_account_missing',
    'idempotency_key_reused',
    'contention',
  ],
  requestHeaders: {
    'Idempotency-Key':
      'Optional: 1 to 255 visible ASCII characters, unique within the tenant. Keys never expire. ' +
      'If the key belongs to another request, it is refused as idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed': '`true` if an earlier request recorded the entry.',
    'Idempotency-Mismatch':
      'JSON Pointers to the fields of a repeat that differ from the entry, separated by commas.',
  },
  examples: [
    {
      name: 'The end of a quarter',
      request: { domain_url: 'analytical-engines-k7m2xq', as_of: '2026-03-31' },
      data: {
        as_of: '2026-03-31',
        journal_entry: { ...exampleRevaluation, replayed: false },
        reversal: null,
        remaining_differences: 0,
      },
    },
  ],
};
