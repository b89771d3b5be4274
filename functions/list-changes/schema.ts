// What list-changes accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { EntryPosition } from '#shared/entries/lists/entry-position.view.ts';
import { domainUrl, moment } from '#shared/fields.ts';
import { Actor, changeKinds, listedKinds } from '#shared/history/tenant-history.ts';

/** The last change of the previous page, or the kind that follows. */
const Position = z.strictObject({
  until: z.optional(moment),
  kind: z.enum(listedKinds),
  sequence: z.optional(z.int().check(z.minimum(1), z.maximum(999_999_999))),
  entry: z.optional(EntryPosition),
});
export type Position = z.output<typeof Position>;

export const cursors = openCursors('list-changes', Position);

export const Request = z.strictObject({
  domain_url: domainUrl,
  kind: z.optional(
    z
      .enum(listedKinds)
      .check(
        z.describe(
          'Only changes of this kind. `settings`: of accounts, settings, lock and links, imports ' +
            "and the operator's commands. `entries`: entries that were created, imported, " +
            'adjusted to the platform, revalued or reversed. `postings`: scheduled entries that ' +
            'posted. `cancellations`: scheduled entries that were cancelled.',
        ),
      ),
  ),
  recorded_from: z.optional(
    moment.check(
      z.describe('Only changes at or after this time.'),
      z.meta({ example: '2026-03-24T12:00:00Z' }),
    ),
  ),
  order: z
    ._default(z.enum(['asc', 'desc']), 'desc')
    .check(
      z.describe(
        '`desc`: the latest first. `asc`: the earliest first. Changes of settings are ordered by ' +
          'time, entries by `date`, postings by `posting_date`.',
      ),
    ),
  limit: pageLimit,
  cursor: cursors.field,
});
export type Query = z.output<typeof Request>;

/** What happened to entries. */
const entryChangeKinds = [
  'entry_created',
  'entry_imported',
  'platform_balance_created',
  'entry_reversed',
  'revaluation_created',
  'entry_posted',
  'entry_cancelled',
] as const;

/** The values are any JSON, so the document does not describe them. */
const ChangedFields = z.record(z.string(), z.unknown());
z.globalRegistry.add(ChangedFields, {
  id: 'ChangedFields',
  description: 'Fields by name. Of several accounts, the fields of each account by its code.',
});

const ChangeView = z.object({
  sequence: z
    .nullable(z.int())
    .check(
      z.describe('Number of the change in the history of the tenant; null for changes of entries.'),
    ),
  at: z
    .string()
    .check(z.meta({ format: 'date-time', description: 'When the change was made (UTC).' })),
  actor: Actor.shape.actor.check(
    z.describe(
      '`api_key`: a request of the application. `user`: a user who connected the company. ' +
        "`import`: an import of the platform's accounts. `operator`: the operator of the " +
        'service. `service`: the service itself, for example if the platform ended the access.',
    ),
  ),
  actor_id: z
    .nullable(z.string())
    .check(z.describe('Id of the API key or the user, or name of the operator; null for others.')),
  what: z
    .enum([...changeKinds, ...entryChangeKinds])
    .check(
      z.describe(
        'What was changed. `tenant_created` has all settings and accounts. So does ' +
          '`history_opened`, for a tenant that is older than this list. `company_connected`: the ' +
          'company was connected again. `entry_reversed`: a reversal was created. ' +
          '`platform_balance_created`: an import adjusted the books to the trial balance of the ' +
          'platform; `memo` says why, and `metadata` which report it read.',
      ),
    ),
  subject: z
    .nullable(z.string())
    .check(
      z.describe(
        'Code of the account, id of the user who was linked, unlinked or consented to the ' +
          'connection, id of the import or the entry, or command of the operator; null for others.',
      ),
    ),
  before: ChangedFields,
  after: ChangedFields,
  hash: z.nullable(z.string()).check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'With a `sequence`: SHA-256 of the change, chained to the hash of the previous change. ' +
        'The guide explains how to recompute it. Without one: the `hash` of the entry.',
    }),
  ),
});
export type ChangeView = z.input<typeof ChangeView>;
z.globalRegistry.add(ChangeView, {
  id: 'Change',
  description: "A change of a tenant's accounts, settings, lock, links or entries.",
});

export const Data = z.object({
  changes: z.array(ChangeView).check(z.describe('The changes, in the order of the request.')),
  recorded_until: moment.check(
    z.describe(
      'All pages together have every change before this time, a quarter of an hour before the ' +
        'first page was read. Send it as `recorded_from` to read what was recorded since.',
    ),
  ),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'ChangePage', description: 'A page of changes of a tenant.' });

const exampleQuery = { domain_url: 'analytical-engines-k7m2xq', limit: 1 };

export const documentation: EndpointDocumentation = {
  summary: 'List changes',
  description: `Returns who changed what in a tenant, when, with which API key, and what before and
after: accounts, settings, the locked period, links to users, connections to the platform, imports,
commands of the operator, and entries. Requests that change nothing are not in the list.

The list has one kind of changes after another, in the order of \`kind\`. Changes of entries are
ordered by the dates of the entries, because an order by time would cost each post more: sort them
by \`at\` if you need that order. They have no lines: list-journal-entries has, with the same
\`recorded_from\`.

To continue an earlier reading, send its \`recorded_until\` as \`recorded_from\`. Then you get
everything that was recorded since, including entries with an early date that were posted while you
read. The last changes of the earlier reading come again: recognize them by \`sequence\`, or by
\`subject\` and \`what\`.

The changes of \`settings\` form a hash chain. If somebody altered, removed or inserted a change, or
changed an account or a setting without one, the operator's verification of the books finds it.

Continue with \`cursor\` until \`next_cursor\` is null. A page has changes of one kind only, and can
be short or empty although more changes follow: it examines about a hundred entries.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'The latest change',
      request: { ...exampleQuery, limit: '1' },
      data: {
        changes: [
          {
            sequence: 2,
            at: '2026-03-24T08:00:00.000Z',
            actor: 'api_key',
            actor_id: 'k3v9x2m7',
            what: 'settings_updated',
            subject: null,
            before: { lock_date: null, locked_from: null },
            after: { lock_date: '2025-12-31', locked_from: '2026-03-24T08:00:40.000Z' },
            hash: '5d41402abc4b2a76b9719d911017c592ae2f7c1f4d2c3b8a9e0f1d2c3b4a5968',
          },
        ],
        recorded_until: '2026-03-24T11:45:00.000Z',
        next_cursor: cursors.next(
          { ...exampleQuery, order: 'desc' },
          { kind: 'settings', sequence: 2, until: '2026-03-24T11:45:00.000Z' },
        ),
      },
    },
  ],
};
