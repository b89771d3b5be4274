import { describe, expect, test } from 'vitest';
import { showEntry } from '#infra/ops/commands/entries.ts';
import { showTenant } from '#infra/ops/commands/tenants.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import { entryKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import { lockPeriod } from '../../../support/builders/period-locks.ts';
import { addTenant } from '../../../support/builders/platforms/connected-tenants.ts';
import { refusalOf, useOperator } from '../../../support/harnesses/operator.ts';

const operator = useOperator();

const ofTenant = (tenant: string) => ({ tenant, application: 'Bookings' });
const show = (tenant: string, named: object) =>
  showEntry.run(operator.dependencies, { ...ofTenant(tenant), ...named });
const lines = [
  ['1010', '100'],
  ['4010', '-100'],
] as const;

describe('a tenant', () => {
  test('is shown with the size of its books', async () => {
    const { name, post, archive, chart } = await openBooks(operator.ledger, { prefix: 'acme' });
    await post({ lines });
    await post({ lines, date: '2026-03-22' });
    await post({
      lines,
      date: '2026-03-21',
      accrualDate: '2026-03-23',
      at: '2026-03-22T09:00:00Z',
    });
    await post({
      lines,
      date: '2026-03-21',
      accrualDate: '2026-03-22',
      at: '2026-03-21T09:00:00Z',
    });
    await archive('1020');
    expect(await showTenant.run(operator.dependencies, ofTenant('acme'))).toEqual({
      application: 'Bookings',
      application_id: name.applicationId,
      tenant: 'acme',
      company_name: 'acme',
      platform: 'manual',
      currency: 'EUR',
      cash_flow_method: 'direct',
      financial_year_end: '12-31',
      profit_layout: 'ifrs_18',
      entry_years_back: null,
      entry_years_ahead: null,
      indexed_metadata: [],
      follow_platform_edits: null,
      lock_date: null,
      locked_from: null,
      status: 'active',
      status_reason: null,
      reconnect_by: null,
      created_at: '2026-03-20T09:00:00.000Z',
      accounts: chart.length,
      accounts_archived: 1,
      accounts_for_quota: null,
      entries_posted: 2,
      last_posting_date: '2026-03-22',
      entries_scheduled: 2,
      entries_overdue: 1,
      next_due_on: '2026-03-22',
      last_journal_number: 'MJ-20260322-0001',
      last_entry_created_at: '2026-03-23T09:30:00.000Z',
      import_status: null,
      import_reason: null,
      import_finished_at: null,
      lock_changes: [],
    });
  });

  test('is shown with its lock and the changes to it, newest first', async () => {
    const name = await addTenant(operator.ledger, { prefix: 'locked', slot: 'manual' });
    for (const [hour, lockDate] of [
      ['10', '2026-02-28'],
      ['11', '2026-01-31'],
    ] as const) {
      const at = `2026-03-22T${hour}:00:00.000Z`;
      await lockPeriod(operator.database.table, name, lockDate, { at, keyId: `key-${hour}` });
    }
    const report = await showTenant.run(operator.dependencies, ofTenant('locked'));
    const [first, second] = ['2026-03-22T10:00:00.000Z', '2026-03-22T11:00:00.000Z'];
    expect(report).toMatchObject({
      lock_date: '2026-01-31',
      locked_from: second,
      lock_changes: [
        { at: second, from: '2026-02-28', to: '2026-01-31', key_id: 'key-11' },
        { at: first, from: null, to: '2026-02-28', key_id: 'key-10' },
      ],
    });
  });

  test('is shown with its import, without sealed tokens', async () => {
    const name = await addTenant(operator.ledger, { prefix: 'linked' });
    const { imports } = operator.dependencies;
    await imports.request(name, { importId: 'i', requestedAt: '2026-03-23T09:30:00.000Z' });
    const report = await showTenant.run(operator.dependencies, ofTenant('linked'));
    expect(report).toMatchObject({
      platform: 'platform_a',
      status: 'importing',
      import_status: 'requested',
      accounts: 0,
      entries_posted: 0,
      last_posting_date: null,
      last_journal_number: null,
    });
    expect(JSON.stringify(report)).not.toContain('1.x');
  });
});

describe('an entry', () => {
  test('is shown with its place and its guards, by each identifier', async () => {
    const { name, post } = await openBooks(operator.ledger, { prefix: 'whole' });
    await post({ lines });
    const guards = { externalId: 'order-1', idempotencyKey: 'key-1' };
    const entry = await post({ lines, ...guards });
    const { auditLog } = operator.dependencies;
    const change = { operator: 'ada', command: 'imports restart', before: null };
    for (const [auditId, tenant] of [
      ['1', 'whole'],
      ['2', 'another'],
    ] as const) {
      const startedAt = '2026-03-23T10:00:00.000Z';
      await auditLog.begin({ auditId, startedAt, options: { tenant }, ...change });
    }
    const sheet = await operator.dependencies.books.findSheetItem(name, {
      date: '2026-03-20',
      series: 'MJ',
    });
    const shown = {
      application: 'Bookings',
      application_id: name.applicationId,
      tenant: 'whole',
      ...viewOf(entry),
      metadata: [],
      created_with_key: '0123456789abcdef00c0ffee',
      sheet_counted: 2,
      sheet_last_sequence: 2,
      sheet_revision: 2,
      sheet_head: sheet?.head,
      follows: 'MJ-20260320-0001',
      hash_verified: true,
      guards: [{ guard: 'external_id', value: 'order-1', leads_here: true }],
      operator_changes: [
        {
          started_at: '2026-03-23T10:00:00.000Z',
          operator: 'ada',
          command: 'imports restart',
          outcome: 'started',
        },
      ],
    };
    expect(await show('whole', { id: entry.entryId })).toEqual(shown);
    expect(await show('whole', { number: entry.journalNumber })).toEqual(shown);
    expect(await show('whole', { externalId: 'order-1' })).toEqual(shown);
    const byKey = { guard: 'idempotency_key', value: 'key-1', leads_here: true };
    expect(await show('whole', { idempotencyKey: 'key-1' })).toEqual({
      ...shown,
      guards: [...shown.guards, byKey],
    });
  });

  test('has no place while it is scheduled, and no API key if it was imported', async () => {
    const { post, importJournals } = await openBooks(operator.ledger, { prefix: 'others' });
    await post({ lines, accrualDate: '2026-04-01' });
    expect(await show('others', { number: 'MJ-20260320-0001' })).toMatchObject({
      status: 'scheduled',
      follows: null,
      hash_verified: null,
      sheet_counted: 0,
    });
    await importJournals({ reference: 'j-1' });
    expect(await show('others', { number: 'IJ-20260320-0001' })).toMatchObject({
      created_with_key: null,
      follows: null,
      hash_verified: true,
      guards: [{ guard: 'platform_reference', value: 'j-1', leads_here: true }],
    });
  });

  test('is shown with its reversal or its original', async () => {
    const { post, reverse, cancel } = await openBooks(operator.ledger, { prefix: 'linked' });
    const entry = await post({ lines });
    const reversal = await reverse(entry, { accrualDate: '2026-04-01' });
    const shown = () => show('linked', { id: entry.entryId });
    expect(await shown()).toMatchObject({ reversed_by: reversal.entryId, hash_verified: true });
    await cancel(reversal);
    expect(await shown()).toMatchObject({ reversed_by: null });
    expect(await show('linked', { id: reversal.entryId })).toMatchObject({
      status: 'cancelled',
      reverses: entry.entryId,
      hash_verified: null,
    });
  });

  test('fails verification if it was changed', async () => {
    const { name, post } = await openBooks(operator.ledger, { prefix: 'changed' });
    for (let entry = 0; entry < 3; entry += 1) await post({ lines });
    const place = { series: 'MJ', date: '2026-03-20', sequence: 2 } as const;
    await operator.database.table.update({
      update: entryKey(name, place),
      expression: 'SET memo = :memo',
      values: { ':memo': 'Gift' },
    });
    const verified = async (number: string) =>
      (await show('changed', { number: `MJ-20260320-000${number}` })).hash_verified;
    expect([await verified('1'), await verified('2'), await verified('3')]).toEqual([
      true,
      false,
      true,
    ]);
    const { table } = operator.database;
    await table.consume(entryKey(name, place), { condition: 'attribute_exists(pk)' });
    expect(await verified('3')).toBe(false);
  });

  test.each([
    ['id', { id: '2d25b840-0000-8016-9270-b6058dfaaf0c' }],
    ['number', { number: 'MJ-20260320-0009' }],
    ['external_id', { externalId: 'none' }],
    ['Idempotency-Key', { idempotencyKey: 'none' }],
  ])('is not found by an unknown %s', async (title, named) => {
    const { post } = await openBooks(operator.ledger, {
      prefix: title.toLowerCase().replace('_', '-'),
    });
    await post({ lines });
    const prefix = title.toLowerCase().replace('_', '-');
    expect(await refusalOf(show(prefix, named))).toBe(`${prefix} has no such entry`);
  });
});
