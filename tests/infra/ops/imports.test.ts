import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandFailure } from '#infra/ops/command.ts';
import { restartImport } from '#infra/ops/commands/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { addTenant } from '../../support/connected-tenants.ts';
import { type Operator, openOperator } from '../../support/operator.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await openOperator();
});
afterAll(() => operator.stop());

const newTenant = (prefix: string, isConnected = true) =>
  addTenant(
    { table: operator.database.table, issuing: operator.dependencies },
    { prefix, isConnected },
  );

const restart = (tenant: string, application = 'bookings') =>
  restartImport.run(operator.dependencies, { tenant, application });

const stateOf = async (name: TenantName) => ({
  import: await operator.dependencies.imports.find(name),
  status: (await operator.dependencies.tenants.find(name))?.status,
});

describe('an import', () => {
  test('is asked for anew, and its tenant is importing', async () => {
    const name = await newTenant('acme-works');
    const report = await restart('acme-works');
    expect(report).toEqual({
      application: 'Bookings',
      application_id: name.applicationId,
      tenant: 'acme-works',
      status: 'importing',
      status_before: 'import_failed',
      import_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      requested_at: '2026-03-23T09:30:00.000Z',
    });
    expect(await stateOf(name)).toEqual({
      import: {
        kind: 'import',
        importId: report.import_id,
        ...name,
        status: 'requested',
        requestedAt: '2026-03-23T09:30:00.000Z',
        finishedAt: null,
        accountsImported: 0,
        reason: null,
      },
      status: 'importing',
    });
  });

  test('takes the place of one under way, which can no longer end it', async () => {
    const name = await newTenant('twice');
    const { import_id: first } = await restart('twice');
    const { import_id: second } = await restart('twice');
    expect(second).not.toBe(first);
    const end = {
      importId: String(first),
      finishedAt: '2026-03-23T09:31:00.000Z',
      accountsImported: 1,
      reason: null,
      tenantStatus: 'active',
    } as const;
    expect(await operator.dependencies.imports.finish(name, end)).toBe(false);
    expect(await stateOf(name)).toMatchObject({
      import: { importId: second, status: 'requested' },
      status: 'importing',
    });
  });

  test.each<[string, string, string, string]>([
    ['of a tenant that is not there', 'nobody', 'Bookings', '"Bookings" has no tenant nobody'],
    ['of an application that is not there', 'nobody', 'None', 'there is no application "None"'],
    [
      'of a tenant that keeps its own books',
      'by-hand',
      'Bookings',
      'by-hand is connected to no platform, so there is no import',
    ],
  ])('%s is not asked for, and nothing is changed', async (_title, tenant, owner, message) => {
    await newTenant('by-hand', false);
    const before = await operator.database.scan();
    await expect(restart(tenant, owner)).rejects.toEqual(new CommandFailure(message));
    expect(await operator.database.scan()).toEqual(before);
  });
});
