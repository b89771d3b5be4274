// The example import of the reference.

import type { TenantImportView } from './import.view.ts';

/** A waiting import: the platform limits calls per minute. */
export const exampleImport = {
  tenant_domain_url: 'difference-works-p3vh8d',
  schema_name: 'difference_works_p3vh8d',
  platform: 'platform_a',
  status: 'importing',
  status_reason: 'rate_limited',
  reconnect_by: null,
  import: {
    import_id: '0d9f3c52-6d0c-4a53-9d0e-52fc9b7c1a11',
    kind: 'complete',
    state: 'waiting',
    reason: 'rate_limited',
    modified_since: null,
    requested_at: '2026-03-23T09:30:00.000Z',
    progressed_at: '2026-03-23T09:31:12.000Z',
    finished_at: null,
    accounts_imported: 214,
    journals_imported: 12000,
    journals_revised: 0,
    journals_voided: 0,
    accounts_refused: 0,
    journals_refused: 1,
    refused_by_reason: { amount_too_precise: 1 },
    refused: [
      {
        kind: 'journal',
        reference: '6f9e9a1e-3e0b-4e57-8c4d-0a1b2c3d4e5f',
        reason: 'amount_too_precise',
        field: null,
      },
    ],
    assumptions: [],
    assumption_count: 0,
    changes: [],
    change_count: 0,
  },
  next: { action: 'retries', at: '2026-03-23T09:32:12.000Z', reason: 'rate_limited' },
} satisfies TenantImportView;
