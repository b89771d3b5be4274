import { describe, expect, test } from 'vitest';
import { restartImport, showImport } from '#infra/ops/commands/imports.ts';
import { startOfImport } from '#shared/store/import-checkpoint.ts';
import type { Import } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { addTenant } from '../../support/builders/connected-tenants.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator();

const newTenant = (prefix: string, slot: 'platform_a' | 'manual' = 'platform_a') =>
  addTenant({ table: operator.database.table, issuing: operator.dependencies }, { prefix, slot });
const restart = (tenant: string, application = 'bookings') =>
  restartImport.run(operator.dependencies, { tenant, application });
const show = (tenant: string, application = 'bookings') =>
  showImport.run(operator.dependencies, { tenant, application });

const at = (time: string): string => `2026-03-23T${time}.000Z`;

const stateOf = async (name: TenantName) => ({
  import: await operator.dependencies.imports.find(name),
  status: (await operator.dependencies.tenants.find(name))?.status,
});

describe('an import that is looked at', () => {
  /** Takes an import on, up to this place. */
  const run = async (prefix: string, checkpoint: Partial<Import['checkpoint']> = {}) => {
    const name = await newTenant(prefix);
    const importId = String((await restart(prefix)).import_id);
    const { imports } = operator.dependencies;
    const until = new Date(at('09:36:00'));
    await imports.acquireLease(name, { importId, until, runsWithoutProgress: 1 });
    await imports.saveCheckpoint(name, {
      importId,
      checkpoint: { ...startOfImport, ...checkpoint },
      now: new Date(at('09:32:00')),
    });
    return { name, importId, imports };
  };

  test('says where it stands, what it refused and when it goes on', async () => {
    const refused = [
      { kind: 'journal', reference: 'j-17', reason: 'too_few_lines', field: null } as const,
    ];
    const assumptions = [
      { kind: 'journal', reference: 'j-18', assumption: 'tax_clearing_used', field: null } as const,
    ];
    const byReason = [{ reason: 'too_few_lines', records: 1 }];
    const changes = [{ reference: 'j-1', change: 'edited' } as const];
    const { name, importId, imports } = await run('half-way', {
      stage: 'journals',
      cursor: '3',
      accountsImported: 118,
      journalsImported: 199,
      ...{ journalsRefused: 1, refused, refusedByReason: { too_few_lines: 1 } },
      ...{ assumptions, assumptionCount: 1, changes, changeCount: 1 },
    });
    const running = {
      application: 'Bookings',
      application_id: name.applicationId,
      tenant: 'half-way',
      tenant_status: 'importing',
      import_id: importId,
      ...{ kind: 'complete', modified_since: null },
      status: 'running',
      reason: null,
      ...{ last_failure: null, last_failure_at: null },
      ...{ platform_code: null, platform_message: null, trace_id: null },
      stage: 'journals',
      accounts_imported: 118,
      journals_imported: 199,
      ...{ accounts_refused: 0, journals_refused: 1, refused_by_reason: byReason },
      runs_without_progress: 0,
      requested_at: at('09:30:00'),
      progressed_at: at('09:32:00'),
      goes_on_at: at('09:36:00'),
      finished_at: null,
      ...{ refused, assumptions, assumption_count: 1, changes, change_count: 1 },
    };
    expect(await show('half-way')).toEqual(running);
    const until = new Date(at('10:33:00'));
    const reason = 'rate_limited';
    const platformError = { code: '3001', message: 'ThrottleExceeded', traceId: '1-5f' };
    const lastFailure = { reason, at: at('09:33:00'), platformError };
    await imports.defer(name, { importId, until, runsWithoutProgress: 0, reason, lastFailure });
    const goesOn = {
      ...{ status: 'waiting', reason: 'rate_limited', goes_on_at: at('10:33:00') },
      ...{ last_failure: reason, last_failure_at: at('09:33:00') },
      ...{ platform_code: '3001', platform_message: 'ThrottleExceeded', trace_id: '1-5f' },
    };
    expect(await show('half-way')).toEqual({ ...running, ...goesOn });
  });

  test('says how it ended', async () => {
    const { name, importId, imports } = await run('ended', { stage: 'done', journalsRefused: 30 });
    const finishedAt = at('09:33:00');
    const end = { importId, finishedAt, reason: 'records_refused' };
    await imports.finish(name, { ...end, tenantStatus: 'active' });
    expect(await show('ended')).toMatchObject({
      tenant_status: 'active',
      status: 'complete',
      reason: 'records_refused',
      journals_refused: 30,
      goes_on_at: null,
      finished_at: finishedAt,
    });
  });

  test('must have been asked for', async () => {
    await newTenant('not-asked');
    expect(await refusalOf(show('not-asked'))).toBe('no import of not-asked was asked for');
  });
});

describe('an import', () => {
  test('is asked for anew, and its tenant is importing', async () => {
    const name = await newTenant('acme-works');
    const { import_id: before } = await restart('acme-works');
    const report = await restart('acme-works');
    expect(report.import_id).not.toBe(before);
    expect(report).toEqual({
      application: 'Bookings',
      application_id: name.applicationId,
      tenant: 'acme-works',
      status: 'importing',
      status_before: 'importing',
      import_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      requested_at: at('09:30:00'),
    });
    expect(await stateOf(name)).toEqual({
      import: {
        kind: 'import',
        importId: report.import_id,
        ...name,
        status: 'requested',
        requestedAt: at('09:30:00'),
        progressedAt: at('09:30:00'),
        finishedAt: null,
        ...{ modifiedSince: null, lastFailure: null },
        checkpoint: startOfImport,
        runsWithoutProgress: 0,
        reason: null,
      },
      status: 'importing',
    });
  });

  test('of a tenant whose tokens were forgotten is not asked for', async () => {
    const name = await newTenant('forgotten');
    const { connections } = operator.dependencies;
    await connections.giveUp(name, { version: 1, reason: 'disconnected_by_operator' });
    const before = await operator.database.scan();
    expect(await refusalOf(restart('forgotten'))).toBe(
      'forgotten is disconnected: its user must connect it first',
    );
    expect(await operator.database.scan()).toEqual(before);
  });

  test.each([
    ['of a tenant that is not there', 'nobody', 'Bookings', '"Bookings" has no tenant nobody'],
    ['of an application that is not there', 'nobody', 'None', 'there is no application "None"'],
    [
      'of a tenant that keeps its own books',
      'by-hand',
      'Bookings',
      'by-hand is kept by hand: it is linked to no platform',
    ],
  ])('%s is neither asked for nor shown', async (_title, tenant, application, message) => {
    await newTenant('by-hand', 'manual');
    const before = await operator.database.scan();
    expect(await refusalOf(restart(tenant, application))).toBe(message);
    expect(await refusalOf(show(tenant, application))).toBe(message);
    expect(await operator.database.scan()).toEqual(before);
  });
});
