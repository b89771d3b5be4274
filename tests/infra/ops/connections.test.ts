import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dependencies } from '#infra/ops/command.ts';
import { disconnect, showConnection } from '#infra/ops/commands/connections.ts';
import { setSecret } from '#infra/ops/commands/secrets.ts';
import { IncompleteChange } from '#infra/ops/errors.ts';
import { explain } from '#infra/ops/explain.ts';
import { connectionAction } from '#shared/connections/connections.store.ts';
import type { ConnectionTokens } from '#shared/connections/platform-connections.ts';
import { requestImportAction } from '#shared/imports/imports.store.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { addTenant } from '../../support/builders/platforms/connected-tenants.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { startTestSandbox } from '../../support/servers/sandbox.ts';

const sandbox = await startTestSandbox();
afterAll(sandbox.stop);
let dependencies: Dependencies;
const operator = useOperator();
beforeAll(async () => {
  dependencies = { ...operator.dependencies, platforms: sandbox.platforms };
  await setSecret.run(dependencies, { secret: 'token-sealing-keys' });
});

const at = (time: string): string => `2026-03-23T${time}.000Z`;

type Granted = { access_token: string; refresh_token: string; platform_company_id: string };
type Connected = { name: TenantName; tenant: string; companyId: string; tokens: ConnectionTokens };

/** Tokens from the sandbox, as after a user's consent. */
const grant = async (slot: Slot, choice: { failure?: string } = {}) => {
  const body = JSON.stringify(choice);
  const reply = await fetch(`${sandbox.baseUrl(slot)}/test-tokens`, { method: 'POST', body });
  const granted = (await reply.json()) as Granted;
  return {
    companyId: granted.platform_company_id,
    accessToken: granted.access_token,
    refreshToken: granted.refresh_token,
  };
};

let tenants = 0;

const dataCenterOf = (slot: Slot) => (slot === 'platform_c' ? 'eu' : null);

/** A tenant connected to a company of a slot. Its import is finished, or requested. */
const connect = async (
  slot: Slot,
  {
    adapter = sandbox.slots[slot].adapter,
    endsAt = '10:00:00',
    asksForImport = false,
    ...choice
  }: { adapter?: string; endsAt?: string; asksForImport?: boolean; failure?: string } = {},
): Promise<Connected> => {
  const { table } = operator.database;
  tenants += 1;
  const tenant = `tenant-${tenants}`;
  const name = await addTenant(operator.ledger, { prefix: tenant, slot });
  const { companyId, ...held } = await grant(slot, choice);
  const tokens = { ...held, expiresAt: at(endsAt) };
  const company = { adapter, companyId, dataCenter: dataCenterOf(slot), tokens };
  await table.transact([
    await connectionAction(operator.sealing, name, company),
    ...(asksForImport
      ? [requestImportAction(name, { importId: 'import-1', requestedAt: at('09:29:00') })]
      : []),
  ]);
  return { name, tenant, companyId, tokens };
};

const run = (
  tenant: string,
  { forget = false, ...changes }: { forget?: boolean } & Partial<Dependencies> = {},
) => disconnect.run({ ...dependencies, ...changes }, { tenant, application: 'bookings', forget });
const show = (tenant: string) =>
  showConnection.run(dependencies, { tenant, application: 'bookings' });

/** Whether the tokens can still read the company at the platform. */
const isOpen = async (slot: Slot, { companyId, tokens }: Connected): Promise<boolean> => {
  const { accessToken } = tokens;
  const platform = await sandbox.platforms.get(slot);
  return platform.company({ companyId, dataCenter: dataCenterOf(slot), accessToken }).then(
    () => true,
    () => false,
  );
};

const stateOf = async ({ name }: Connected) => {
  const { status, statusReason } = (await dependencies.tenants.find(name)) ?? {};
  return { status, statusReason, holdsTokens: !!(await dependencies.connections.find(name)) };
};

const disconnected = {
  status: 'disconnected',
  statusReason: 'disconnected_by_operator',
  holdsTokens: false,
};
const untouched = { status: 'import_failed', statusReason: undefined, holdsTokens: true };

describe('a connection', () => {
  test('is shown without its tokens', async () => {
    const { name, companyId, tenant, tokens } = await connect('platform_c');
    const shown = await show(tenant);
    expect(shown).toEqual({
      application: 'Bookings',
      application_id: name.applicationId,
      tenant,
      status: 'import_failed',
      status_reason: null,
      slot: 'platform_c',
      adapter: 'zoho',
      company_id: companyId,
      data_center: 'eu',
      tokens: 'held',
      access_token_ends_at: at('10:00:00'),
      sealing_version: '1',
      connection_version: 2,
    });
    const text = JSON.stringify(shown);
    for (const token of [tokens.accessToken, tokens.refreshToken]) {
      expect(text).not.toContain(token);
    }
  });

  test('is shown after its tokens were deleted', async () => {
    const { companyId, tenant } = await connect('platform_a');
    await run(tenant);
    expect(await show(tenant)).toMatchObject({
      status: 'disconnected',
      status_reason: 'disconnected_by_operator',
      company_id: companyId,
      tokens: 'forgotten',
      access_token_ends_at: null,
      sealing_version: null,
      connection_version: 3,
    });
  });
});

describe('disconnect', () => {
  test.each(slotNames)(
    'revokes the access to a company of %s and deletes the tokens',
    async (slot) => {
      const connected = await connect(slot);
      const { name, tenant, companyId } = connected;
      expect(await isOpen(slot, connected)).toBe(true);
      expect(await run(tenant)).toEqual({
        application: 'Bookings',
        application_id: name.applicationId,
        tenant,
        status: 'disconnected',
        status_before: 'import_failed',
        adapter: sandbox.slots[slot].adapter,
        company_id: companyId,
        data_center: dataCenterOf(slot),
        access: 'given back',
        ended_import: null,
      });
      expect(await isOpen(slot, connected)).toBe(false);
      expect(await stateOf(connected)).toEqual(disconnected);
      expect(await refusalOf(run(tenant))).toBe(
        `${tenant} is disconnected: its tokens are deleted`,
      );
    },
  );

  test('first ends an unfinished import', async () => {
    const connected = await connect('platform_a', { asksForImport: true });
    const { imports } = dependencies;
    const platform = await sandbox.platforms.get('platform_a');
    const disconnectLast: typeof platform.disconnect = async (access) => {
      expect((await imports.find(connected.name))?.finishedAt).not.toBeNull();
      return platform.disconnect(access);
    };
    const platforms = { get: async () => ({ ...platform, disconnect: disconnectLast }) };
    expect(await run(connected.tenant, { platforms })).toMatchObject({
      access: 'given back',
      ended_import: 'import-1',
    });
    expect(await imports.find(connected.name)).toMatchObject({
      status: 'failed',
      reason: 'disconnected_by_operator',
      finishedAt: at('09:30:00'),
    });
    expect(await dependencies.importReports.find(connected.name)).toMatchObject({
      nextAttemptAt: null,
    });
  });

  test('ends an import that was restarted meanwhile', async () => {
    const connected = await connect('platform_a', { asksForImport: true });
    const { imports } = dependencies;
    let isFirst = true;
    const finish: typeof imports.finish = async (name, end) => {
      if (isFirst)
        await imports.request(name, { importId: 'import-2', requestedAt: at('09:30:00') });
      isFirst = false;
      return imports.finish(name, end);
    };
    const report = await run(connected.tenant, { imports: { ...imports, finish } });
    expect(report).toMatchObject({ ended_import: 'import-2' });
    expect(await stateOf(connected)).toEqual(disconnected);
  });

  test.each([
    ['has expired is renewed to revoke the access', { endsAt: '09:00:00' }, 'given back'],
    ['the platform has revoked counts as revoked', { failure: 'revoked' }, 'had ended before'],
  ])('an access token that %s', async (_title, choice, access) => {
    const connected = await connect('platform_a', choice);
    expect(await run(connected.tenant)).toMatchObject({ access });
    expect(await isOpen('platform_a', connected)).toBe(false);
    expect(await stateOf(connected)).toEqual(disconnected);
  });

  test.each(slotNames)('deletes nothing if %s fails, except with --forget', async (slot) => {
    const connected = await connect(slot, { failure: 'platform_errors' });
    const error = await run(connected.tenant).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IncompleteChange);
    const line = explain(error, 'staging');
    const [sentence, cause] = line.split(' (');
    expect(sentence).toBe(
      'the platform did not revoke the access, and the tokens were not deleted: run this again, ' +
        'or delete the tokens anyway with --forget',
    );
    expect(cause).toMatch(
      /^platform_unavailable: (GET|POST) http:\/\/\S+\/(connections|revoke) was answered 500\)$/,
    );
    for (const token of [connected.tokens.accessToken, connected.tokens.refreshToken]) {
      expect(line).not.toContain(token);
    }
    expect(await stateOf(connected)).toEqual(untouched);
    expect(await run(connected.tenant, { forget: true })).toMatchObject({
      access: 'left open at the platform',
      status: 'disconnected',
    });
    expect(await stateOf(connected)).toEqual(disconnected);
  });

  test('does not call the platform with --forget', async () => {
    const connected = await connect('platform_b', { asksForImport: true });
    const { platforms } = operator.dependencies;
    expect(await run(connected.tenant, { forget: true, platforms })).toMatchObject({
      access: 'left open at the platform',
      ended_import: 'import-1',
    });
    expect(await isOpen('platform_b', connected)).toBe(true);
    expect(await stateOf(connected)).toEqual(disconnected);
  });

  test('deletes tokens that cannot be unsealed', async () => {
    const name = await addTenant(operator.ledger, { prefix: 'sealed' });
    await expect(run('sealed')).rejects.toThrow();
    expect((await dependencies.operatorQueries.connection(name))?.sealingVersion).toBe('1');
    await run('sealed', { forget: true });
    expect((await dependencies.operatorQueries.connection(name))?.sealingVersion).toBeNull();
  });

  test('never sends tokens to another platform', async () => {
    const connected = await connect('platform_b', { adapter: 'quickbooks_sandbox' });
    expect(await refusalOf(run(connected.tenant))).toBe(
      'the tokens are for quickbooks_sandbox, but platform_b is now quickbooks: set platform_b ' +
        'to quickbooks_sandbox, or delete the tokens with --forget',
    );
    expect(await stateOf(connected)).toEqual(untouched);
  });
});

describe('tokens that are renewed during a disconnection', () => {
  /** Renews the tokens this many times, just before they are deleted. */
  const renewing = (times: number) => {
    const { connections } = dependencies;
    const renewed: ConnectionTokens[] = [];
    const giveUp: typeof connections.giveUp = async (name, options) => {
      if (renewed.length < times) {
        const { companyId: _, ...held } = await grant('platform_a');
        const tokens = { ...held, expiresAt: at('10:00:00') };
        const { version = 0 } = (await connections.find(name)) ?? {};
        await connections.replaceTokens(name, { version, tokens });
        renewed.push(tokens);
      }
      return connections.giveUp(name, options);
    };
    return { renewed, connections: { ...connections, giveUp } };
  };

  test.each([false, true])('are deleted if they were renewed once (forget: %s)', async (forget) => {
    const connected = await connect('platform_a');
    const { renewed, connections } = renewing(1);
    await run(connected.tenant, { connections, forget });
    expect(await stateOf(connected)).toEqual(disconnected);
    for (const tokens of [connected.tokens, ...renewed]) {
      expect(await isOpen('platform_a', { ...connected, tokens })).toBe(forget);
    }
    expect(renewed).toHaveLength(1);
  });

  test('are kept for another run if they were renewed repeatedly', async () => {
    const connected = await connect('platform_a');
    const { connections } = renewing(2);
    expect(await refusalOf(run(connected.tenant, { connections }))).toBe(
      'the tokens were renewed twice meanwhile: run this again',
    );
    expect(await stateOf(connected)).toEqual(untouched);
    await run(connected.tenant);
    expect(await stateOf(connected)).toEqual(disconnected);
  });

  test('are reported if another operator has deleted them', async () => {
    const connected = await connect('platform_a');
    const { connections } = dependencies;
    const giveUp: typeof connections.giveUp = async (name, options) => {
      await connections.giveUp(name, options);
      return connections.giveUp(name, options);
    };
    const act = run(connected.tenant, { connections: { ...connections, giveUp } });
    expect(await refusalOf(act)).toBe('the tenant has just been disconnected');
  });
});
