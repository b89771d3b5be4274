// What request-import accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantImportView } from '#shared/imports/import.view.ts';
import { exampleImport } from '#shared/imports/import-example.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
});

export const Data = z.extend(TenantImportView, {
  requested: z
    .boolean()
    .check(
      z.describe(
        'Whether this request started an import. False if an import was in progress or ' +
          'had just ended.',
      ),
    ),
});
z.globalRegistry.add(Data, {
  id: 'RequestedImport',
  description: 'A tenant and its import, and whether this request started it.',
});

export const documentation: EndpointDocumentation = {
  summary: 'Request import',
  description: `Starts an import of new data from the platform of a connected tenant. After a
successful import, only records that were created or changed since then are read, if the platform
supports this. Otherwise all records are read, and existing ones are not recorded twice. All records
are also read if journals were refused as \`period_locked\` and the lock has since been moved back.
Journals that were edited, voided or deleted on the platform after their import are reversed, and
their new versions are imported, unless the tenant has \`follow_platform_edits: false\`.

The import starts within seconds; get-tenant-import shows its progress. No new import starts while
one is running or waits for the platform, or within a minute after one has ended (\`finished_at\`).
The reply then shows the existing import, and \`requested\` is false. So you can repeat the request
safely. Platforms limit calls per minute and per day, and each import needs several: request an
import only if there may be new data.

A tenant without a connection is refused as \`tenant_not_connected\`: a tenant with manual books, or
a disconnected tenant until its company is connected again.`,
  errors: ['tenant_not_found', 'tenant_not_connected', 'contention'],
  examples: [
    {
      name: 'Changes since the last import',
      request: { domain_url: 'difference-works-p3vh8d' },
      data: {
        ...exampleImport,
        status_reason: null,
        import: {
          ...exampleImport.import,
          import_id: '7c1e7a3e-29a4-4a53-8f6a-2f4f3b0e6d52',
          kind: 'incremental',
          state: 'requested',
          reason: null,
          modified_since: '2026-03-23T08:30:00.000Z',
          requested_at: '2026-03-30T09:30:00.000Z',
          progressed_at: '2026-03-30T09:30:00.000Z',
          journals_imported: 0,
          journals_refused: 0,
          refused_by_reason: {},
          refused: [],
        },
        next: { action: 'continues', at: null, reason: null },
        requested: true,
      },
    },
  ],
};
