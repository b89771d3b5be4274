// What list-changes accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { domainUrl } from '#shared/fields.ts';
import { Actor, changeKinds } from '#shared/history/tenant-history.ts';

/** The last change of the previous page. */
const Position = z.strictObject({
  sequence: z.int().check(z.minimum(1), z.maximum(999_999_999)),
});

export const cursors = openCursors('list-changes', Position);

export const Request = z.strictObject({
  domain_url: domainUrl,
  order: z
    ._default(z.enum(['asc', 'desc']), 'desc')
    .check(z.describe('`desc`: the latest change first. `asc`: the earliest change first.')),
  limit: pageLimit,
  cursor: cursors.field,
});

/** The values are any JSON, so the document does not describe them. */
const ChangedFields = z.record(z.string(), z.unknown());
z.globalRegistry.add(ChangedFields, {
  id: 'ChangedFields',
  description: 'Fields by name. Of several accounts, the fields of each account by its code.',
});

const ChangeView = z.object({
  sequence: z.int().check(z.describe('Number of the change in the history of the tenant.')),
  at: z
    .string()
    .check(z.meta({ format: 'date-time', description: 'When the change was made (UTC).' })),
  actor: Actor.shape.actor.check(
    z.describe(
      '`api_key`: a request of the application. `user`: a user who connected the company again. ' +
        "`import`: an import of the platform's accounts. `operator`: the operator of the " +
        'service. `service`: the service itself.',
    ),
  ),
  actor_id: z
    .nullable(z.string())
    .check(z.describe('Id of the API key or name of the operator; null for others.')),
  what: z
    .enum(changeKinds)
    .check(
      z.describe(
        'What was changed. `tenant_created` has all settings and accounts. So does ' +
          '`history_opened`, for a tenant that is older than this list.',
      ),
    ),
  subject: z
    .nullable(z.string())
    .check(z.describe('Code of the account, or id of the user; null for others.')),
  before: ChangedFields,
  after: ChangedFields,
  hash: z.string().check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the change, chained to the hash of the previous change. The guide explains ' +
        'how to recompute it.',
    }),
  ),
});
z.globalRegistry.add(ChangeView, {
  id: 'Change',
  description: "A change of a tenant's accounts, settings, lock or links.",
});

export const Data = z.object({
  changes: z.array(ChangeView).check(z.describe('The changes, in the order of the request.')),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'ChangePage', description: 'A page of changes of a tenant.' });

const exampleQuery = { domain_url: 'analytical-engines-k7m2xq', limit: 1 };

export const documentation: EndpointDocumentation = {
  summary: 'List changes',
  description: `Returns who changed a tenant's accounts, settings, locked period and links to users,
when, and what before and after. Entries are not in this list: they never change. Requests that
change nothing are not in it either.

The changes form a hash chain. If somebody altered, removed or inserted a change, or changed an
account or a setting without one, the operator's verification of the books finds it.

Continue with \`cursor\` until \`next_cursor\` is null. A page has fewer changes than \`limit\` if
they are long.`,
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
        next_cursor: cursors.next({ ...exampleQuery, order: 'desc' }, { sequence: 2 }),
      },
    },
  ],
};
