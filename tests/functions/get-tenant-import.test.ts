// What an application sees of an import and may ask for: get-tenant-import and request-import.

import { describe, expect, test } from 'vitest';
import { createHandler as createGet } from '#functions/get-tenant-import/handler.ts';
import { createHandler as createRequest } from '#functions/request-import/handler.ts';
import { openNamedTenants } from '#shared/ledger/named-tenants.ts';
import { type ImportCheckpoint, startOfImport } from '#shared/store/import-checkpoint.ts';
import { openImports } from '#shared/store/imports.ts';
import { openTenantImports } from '#shared/store/tenant-imports.ts';
import { testSlots } from '../support/builders/slots.ts';
import {
  connectionOf,
  detailsOf,
  newSuffix,
  openTestTenants,
  tenantOf,
} from '../support/builders/tenants.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { problemsOf, success } from '../support/readers/replies.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const database = await openTestTenants();
const { table, tenants, connections } = database;
const imports = openImports(table);
const ada = await database.newOwner('ada@example.com');

const requestedAt = '2026-03-23T09:30:00.000Z';
const now = new Date('2026-03-24T12:00:00.000Z');
const finishedAt = '2026-03-23T09:40:00.000Z';
const until = new Date('2026-03-23T10:30:00.000Z');

const slots = testSlots();
slots.platform_a.name = 'xero';
const dependencies = {
  namedTenants: openNamedTenants({
    tenantImports: openTenantImports(table),
    baseDomain: 'ledger.example.com',
  }),
  ...{ slots, imports, clock: () => now, newImportId: () => 'import-2' },
  ...{ log: keepLog(), metrics: keepMetrics() },
};
const handlers = { show: createGet(dependencies), request: createRequest(dependencies) };
const verbs = ['show', 'request'] as const;

const send = async (verb: (typeof verbs)[number], input: object, applicationId = 'app1') => {
  const sent = verb === 'show' ? { method: 'GET', query: { ...input } } : { body: input };
  return readResult(await handlers[verb](apiEvent({ ...sent, applicationId }), lambdaContext()));
};

const connect = async (changes: Parameters<typeof connectionOf>[1] = {}) => {
  const tenant = tenantOf(await tenants.connect(ada, connectionOf(`acme-${newSuffix()}`, changes)));
  const name = { applicationId: 'app1', schemaName: tenant.schemaName };
  const reference = {
    tenant_domain_url: tenant.prefix,
    schema_name: tenant.schemaName,
    platform: 'xero',
  };
  return { name, reference, domain_url: tenant.prefix };
};
type Connected = Awaited<ReturnType<typeof connect>>;

const nothing = {
  ...{ accounts_imported: 0, journals_imported: 0, accounts_refused: 0, journals_refused: 0 },
  ...{ refused_by_reason: {}, refused: [] },
  ...{ assumptions: [], assumption_count: 0, changes: [], change_count: 0 },
};
const requestedImport = {
  ...{ import_id: 'import-1', kind: 'complete', state: 'requested', reason: null },
  ...{ modified_since: null, requested_at: requestedAt, progressed_at: requestedAt },
  ...{ finished_at: null, ...nothing },
};

const lease = ({ name }: Connected) =>
  imports.acquireLease(name, { importId: 'import-1', until, runsWithoutProgress: 1 });
const finish = (reason: string | null, tenantStatus: 'active' | 'import_failed') =>
  ({ name }: Connected) => imports.finish(name, { importId: 'import-1', finishedAt, reason, tenantStatus });

describe('an import', () => {
  test('is shown as it was asked for', async () => {
    const reconnectBy = '2031-03-22T09:30:00.000Z';
    const { reference, domain_url } = await connect({ reconnectBy });
    const reply = success({
      ...{ ...reference, status: 'importing', status_reason: null, reconnect_by: reconnectBy },
      ...{ import: requestedImport, next: { action: 'continues', at: null } },
    });
    expect(await send('show', { domain_url })).toEqual(reply);
    const inCapitals = `${domain_url.toUpperCase()}.Ledger.Example.Com`;
    expect(await send('show', { domain_url: inCapitals })).toEqual(reply);
  });

  test('is shown with all that its platform’s records came to', async () => {
    const connected = await connect();
    await lease(connected);
    const refused = [
      { kind: 'journal', reference: '7', reason: 'record_not_understood', field: 'lines.0' },
    ] as const;
    const checkpoint: ImportCheckpoint = {
      ...{ ...startOfImport, stage: 'done', accountsImported: 30, journalsImported: 120 },
      ...{ accountsRefused: 2, journalsRefused: 1, refused: [...refused] },
      refusedByReason: { record_not_understood: 3 },
      assumptions: [
        { kind: 'account', reference: '8', assumption: 'account_type_assumed', field: 'type' },
      ],
      ...{ assumptionCount: 4, changes: [{ reference: '9', change: 'voided' }], changeCount: 5 },
    };
    const asked = { importId: 'import-1', checkpoint, now: until };
    expect(await imports.saveCheckpoint(connected.name, asked)).toBe(true);
    const { body } = await send('show', connected);
    expect(body.error ?? body.data.import).toEqual({
      ...{ ...requestedImport, state: 'running', progressed_at: until.toISOString() },
      ...{ accounts_imported: 30, journals_imported: 120 },
      ...{ accounts_refused: 2, journals_refused: 1, refused },
      refused_by_reason: { record_not_understood: 3 },
      ...{ assumptions: checkpoint.assumptions, assumption_count: 4 },
      ...{ changes: checkpoint.changes, change_count: 5 },
    });
  });
});
