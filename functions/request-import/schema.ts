// What request-import accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantImportView } from '#shared/imports/import.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = z.extend(TenantImportView, {
  requested: z
    .boolean()
    .check(
      z.describe(
        'Whether this request has asked for the import; false where one was under way or has ' +
          'just ended.',
      ),
    ),
});
z.globalRegistry.add(Data, {
  id: 'RequestedImport',
  description: 'A tenant with its import, which was asked for now or before.',
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Request import',
  description: `Asks for what is new at the platform of a connected tenant. After an import that
ended well only what was made or changed since then is asked for, where the platform offers that;
otherwise everything, and what is here already is not recorded twice. Everything is asked for too
where journals were refused as \`period_locked\` and the lock has been moved back since. Journals
that were edited or voided at the platform after their import are reported, and stay as they were
imported.

It starts within seconds; get-tenant-import shows how it goes. While an import is under way, or
waits for the platform, and for a minute after one has ended (\`finished_at\`), another one is not
asked for: \`requested\` is false, and the reply shows the one that there is. So the request can be
sent again without harm. But each import costs calls at the platform, which limits them by minute
and by day: ask for one when something may be new, and not all the time.

A tenant without a connection is refused as \`tenant_not_connected\`: one that keeps its own books,
and one that is disconnected, until its company is connected again.`,
  errors: ['tenant_not_found', 'tenant_not_connected', 'contention'],
  examples: [
    {
      name: 'What is new since the last import',
      request: { domain_url: 'difference-works-p3vh8d' },
      data: {
        tenant_domain_url: 'difference-works-p3vh8d',
        schema_name: 'difference_works_p3vh8d',
        platform: 'platform_a',
        status: 'importing',
        status_reason: null,
        reconnect_by: null,
        import: {
          import_id: '7c1e7a3e-29a4-4a53-8f6a-2f4f3b0e6d52',
          kind: 'incremental',
          state: 'requested',
          reason: null,
          modified_since: '2026-03-23T08:30:00.000Z',
          requested_at: '2026-03-30T09:30:00.000Z',
          progressed_at: '2026-03-30T09:30:00.000Z',
          finished_at: null,
          accounts_imported: 214,
          journals_imported: 0,
          accounts_refused: 0,
          journals_refused: 0,
          refused_by_reason: {},
          refused: [],
          assumptions: [],
          assumption_count: 0,
          changes: [],
          change_count: 0,
        },
        next: { action: 'continues', at: null, reason: null },
        requested: true,
      },
    },
  ],
};
