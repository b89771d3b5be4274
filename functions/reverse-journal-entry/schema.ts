// What reverse-journal-entry accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { entryRequestFields } from '#shared/entries/drafts/entry-request.ts';
import { exactlyOneOriginalName, originalNameFields } from '#shared/entries/entry-names.ts';
import { CreatedEntryView } from '#shared/entries/journal-entry.view.ts';
import { exampleEntry, exampleReversal } from '#shared/entries/journal-entry-example.view.ts';
import { calendarDate, domainUrl, dryRun, newId, nonBlankText } from '#shared/fields.ts';

export const Request = z
  .strictObject({
    domain_url: domainUrl.check(
      z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
    ),
    ...originalNameFields,
    date: calendarDate.check(
      z.describe('Date of the reversal, YYYY-MM-DD. It decides its journal number.'),
    ),
    memo: z.optional(
      nonBlankText(1000, { code: 'memo_must_not_be_blank' }).check(
        z.describe('What the reversal is for; `Reversal of` and the number of the entry without.'),
      ),
    ),
    accrual_date: z.optional(
      calendarDate.check(
        z.describe(
          'Day on which the reversal posts, YYYY-MM-DD (UTC). Without it, and where the day is ' +
            'not after today, it posts at once.',
        ),
      ),
    ),
    external_id: z.optional(
      newId(255).check(
        z.describe("The caller's own id of the reversal, which no other entry has."),
      ),
    ),
    metadata: entryRequestFields.metadata,
    user_id: entryRequestFields.user_id,
    dry_run: dryRun,
  })
  .check(exactlyOneOriginalName);
export type Request = z.output<typeof Request>;

export const Data = CreatedEntryView;
export type Data = CreatedEntryView;

export const documentation: EndpointDocumentation = {
  summary: 'Reverse journal entry',
  description: `Posts an entry that takes back a posted one: the same lines with debit and credit
swapped, in the same currencies and at the same rates, so that both together come to nothing in each
of them, to the cent. That an account was archived since does not stand in the way. The entry is
named by exactly one of \`journal_entry_id\`, \`journal_number\` and \`original_external_id\`;
\`external_id\` is the reversal's own.

- An entry is reversed once. A repeat, with whatever key or id, returns the reversal that is there
  with \`Idempotent-Replayed: true\`; where it asks for another one, \`Idempotency-Mismatch\` says
  where.
- \`reverses\` of the reversal and \`reversed_by\` of the entry name each other. Nothing else of the
  entry changes: it goes on counting on its date, and the reversal counts on its own.
- The reversal counts on the day of the entry or later (\`reversal_before_entry\`), and not in a
  locked period (\`period_locked\`).
- With an \`accrual_date\` after today (UTC) the reversal is \`scheduled\`, and the entry has its
  \`reversed_by\` at once. To cancel the reversal before that day makes the entry as it was: it can
  be reversed again, by a request with another \`external_id\` and \`Idempotency-Key\`. With one of
  those of before it is a repeat, which returns the cancelled reversal.
- A reversal is not reversed itself (\`entry_is_a_reversal\`): post a new entry. What is scheduled
  is cancelled, not reversed (\`entry_not_posted\`).`,
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
      'Optional, 1 to 255 visible ASCII characters, unique for ever within the tenant. A request ' +
      'with the key of an earlier one returns the reversal of that one, also where it was ' +
      'cancelled since. Where the key stands for something else, the request is refused as ' +
      'idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed': '`true` where the reversal was recorded by an earlier request.',
    'Idempotency-Mismatch':
      'JSON Pointers to the fields of a repeat that differ from the reversal, separated by commas.',
  },
  examples: [
    {
      name: 'An invoice that was posted by mistake',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        original_external_id: exampleEntry.external_id ?? '',
        date: exampleReversal.date,
        external_id: exampleReversal.external_id ?? '',
      },
      data: exampleReversal,
    },
  ],
};
