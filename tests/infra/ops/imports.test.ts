import { describe, expect, test } from 'vitest';
import { restartImport, resumeImport, showImport } from '#infra/ops/commands/imports.ts';
import { openPlatformBalances } from '#shared/balances/platform-balances.store.ts';
import { startOfImport } from '#shared/imports/import-checkpoint.ts';
import type { Import } from '#shared/imports/import-record.store.ts';
import { addTenant } from '../../support/builders/platforms/connected-tenants.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator();

const newTenant = (prefix: string) => addTenant(operator.ledger, { prefix, slot: 'platform_a' });
const restart = (tenant: string, application = 'bookings') =>
  restartImport.run(operator.dependencies, { tenant, application });
const resume = (tenant: string, application = 'bookings') =>
  resumeImport.run(operator.dependencies, { tenant, application });
const show = (tenant: string, application = 'bookings') =>
  showImport.run(operator.dependencies, { tenant, application });

const at = (time: string): string => `2026-03-23T${time}.000Z`;

describe('the report on an import', () => {
  /** Runs an import up to this checkpoint. */
  const run = async (prefix: string, checkpoint: Partial<Import['checkpoint']> = {}) => {
    const name = await newTenant(prefix);
    const importId = String((await restart(prefix)).import_id);
    const { imports } = operator.dependencies;
    const lease = { importId, runId: 'run' };
    const now = new Date(at('09:32:00'));
    await imports.acquireLease(name, { ...lease, now, runsWithoutProgress: 1 });
    await imports.saveCheckpoint(name, {
      ...lease,
      now,
      renewsLease: false,
      checkpoint: { ...startOfImport, ...checkpoint },
    });
    return { name, ...lease, now, imports };
  };

  test('has its progress, the refused records and the next attempt', async () => {
    const refused = [
      { kind: 'journal', reference: 'j-17', reason: 'too_few_lines', field: null } as const,
    ];
    const assumptions = [
      { kind: 'journal', reference: 'j-18', assumption: 'tax_clearing_used', field: null } as const,
    ];
    const byReason = [{ reason: 'too_few_lines', records: 1 }];
    const changes = [{ reference: 'j-1', change: 'edited' } as const];
    const { name, importId, runId, now, imports } = await run('half-way', {
      stage: 'journals',
      cursor: '3',
      accountsImported: 118,
      journalsImported: 199,
      journalsRefused: 1,
      refused,
      refusedByReason: { too_few_lines: 1 },
      assumptions,
      assumptionCount: 1,
      changes,
      changeCount: 1,
    });
    const running = {
      application: 'Bookings',
      application_id: name.applicationId,
      tenant: 'half-way',
      tenant_status: 'importing',
      import_id: importId,
      kind: 'complete',
      modified_since: null,
      status: 'running',
      reason: null,
      last_failure: null,
      last_failure_at: null,
      platform_code: null,
      platform_message: null,
      trace_id: null,
      stage: 'journals',
      accounts_imported: 118,
      journals_imported: 199,
      journals_revised: 0,
      journals_voided: 0,
      accounts_refused: 0,
      journals_refused: 1,
      refused_by_reason: byReason,
      runs_without_progress: 0,
      requested_at: at('09:30:00'),
      progressed_at: at('09:32:00'),
      continues_at: at('09:33:00'),
      finished_at: null,
      refused,
      assumptions,
      assumption_count: 1,
      changes,
      change_count: 1,
      balances_checked_at: null,
      balances_complete_at: null,
      balances_reason: null,
      days_compared: 0,
      days_that_differ: [],
    };
    expect(await show('half-way')).toEqual(running);
    const until = new Date(at('10:33:00'));
    const reason = 'rate_limited';
    const platformError = { code: '3001', message: 'ThrottleExceeded', traceId: '1-5f' };
    const lastFailure = { reason, at: at('09:33:00'), platformError };
    const lease = { importId, runId, now };
    await imports.defer(name, { ...lease, until, runsWithoutProgress: 0, reason, lastFailure });
    const deferred = {
      status: 'waiting',
      reason: 'rate_limited',
      continues_at: at('10:33:00'),
      last_failure: reason,
      last_failure_at: at('09:33:00'),
      platform_code: '3001',
      platform_message: 'ThrottleExceeded',
      trace_id: '1-5f',
    };
    expect(await show('half-way')).toEqual({ ...running, ...deferred });
  });

  test('shows that an operator can resume a waiting import immediately', async () => {
    const { name, importId, runId, now, imports } = await run('by-hand', { stage: 'journals' });
    const { checkpoint } = (await imports.find(name)) ?? {};
    expect(await resume('by-hand')).toMatchObject({
      tenant: 'by-hand',
      import_id: importId,
      import_status: 'requested',
    });
    expect(await imports.find(name)).toMatchObject({ status: 'requested', importId, checkpoint });
    // The earlier run cannot write any more.
    expect(await imports.release(name, { importId, runId, now })).toBe(false);
  });

  test('is refused with a resume if the import has ended or never existed', async () => {
    const { name, importId, imports } = await run('over');
    const end = { importId, finishedAt: at('09:33:00'), reason: 'gave_up' };
    await imports.finish(name, { ...end, tenantStatus: 'import_failed' });
    await newTenant('nothing-asked');
    expect([
      await operator.refusalOf(() => resume('over')),
      await operator.refusalOf(() => resume('nothing-asked')),
    ]).toEqual([
      'the import of over has ended: to start a new one, run imports restart',
      'nothing-asked has no import',
    ]);
  });

  test('has the comparison with the platform, and the days that differ', async () => {
    const { name } = await run('compared');
    const locked = { date: '2026-01-31', reason: 'period_locked' };
    await openPlatformBalances(operator.ledger.table).saveComparison(name, {
      checkedAt: at('09:33:00'),
      completeAt: at('09:33:00'),
      reason: null,
      yearEnd: '12-31',
      lastDay: '2026-03-23',
      days: [locked, { date: '2026-02-28', reason: null }, { date: '2026-03-23', reason: null }],
    });
    expect(await show('compared')).toMatchObject({
      balances_checked_at: at('09:33:00'),
      balances_complete_at: at('09:33:00'),
      balances_reason: null,
      days_compared: 3,
      days_that_differ: [locked],
    });
  });

  test('has its outcome', async () => {
    const { name, importId, imports } = await run('ended', { stage: 'done', journalsRefused: 30 });
    const finishedAt = at('09:33:00');
    const end = { importId, finishedAt, reason: 'records_refused' };
    await imports.finish(name, { ...end, tenantStatus: 'active' });
    expect(await show('ended')).toMatchObject({
      tenant_status: 'active',
      status: 'complete',
      reason: 'records_refused',
      journals_refused: 30,
      continues_at: null,
      finished_at: finishedAt,
    });
  });

  test('needs an import', async () => {
    await newTenant('not-asked');
    expect(await refusalOf(show('not-asked'))).toBe('not-asked has no import');
  });
});

describe('an import', () => {
  test('is requested again, and its tenant is importing', async () => {
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
    const { imports, tenants } = operator.dependencies;
    expect(await imports.find(name)).toMatchObject({
      importId: report.import_id,
      status: 'requested',
      requestedAt: at('09:30:00'),
    });
    expect((await tenants.find(name))?.status).toBe('importing');
  });

  test('is not requested for a tenant without tokens', async () => {
    const name = await newTenant('forgotten');
    const { connections } = operator.dependencies;
    await connections.giveUp(name, { version: 1, reason: 'disconnected_by_operator' });
    expect(await operator.refusalOf(() => restart('forgotten'))).toBe(
      'forgotten is disconnected: its user must connect it first',
    );
  });
});
