// The steps after a deployment: their results and failures.

import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usagePlanNameOf } from '#infra/manifest/names.ts';
import { showSecrets } from '#infra/ops/commands/secrets.ts';
import { type Proof, stepsOf } from '#infra/ops/deployment/proof.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { openUsagePlan } from '#infra/ops/stage/usage-plan.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';
import { stageNamed } from '../../../support/harnesses/stage-app.ts';
import { startApiGateway } from '../../../support/servers/api-gateway-server.ts';

const operator = useOperator({ each: true });
const stage = stageNamed('production');
const address = 'https://abc.lambda-url.example';
const refreshed = { newest: '2026-03-23', age_days: 1, added: 3, refused: [] };

let gateway: Awaited<ReturnType<typeof startApiGateway>>;
let proof: Proof;
beforeEach(async () => {
  gateway = await startApiGateway(['ledger-test']);
  const client = new APIGatewayClient({ endpoint: gateway.endpoint, maxAttempts: 1 });
  proof = {
    stage,
    dependencies: {
      ...operator.dependencies,
      usagePlan: openUsagePlan(client, (plan) => usagePlanNameOf('test', plan)),
      functions: { runNow: async () => refreshed },
    },
    stacks: { getOutput: async () => address, findTemplate: async () => undefined },
    withoutSmokeTest: true,
    warn: () => {},
  };
});
afterEach(() => gateway.stop());

const run = async (name: string, changes: Partial<Proof> = {}): Promise<string> => {
  const step = stepsOf({ ...proof, ...changes }).find((it) => it.name === name);
  if (step === undefined) throw new Error(`unknown step ${name}`);
  return step.run().catch((error: unknown) => {
    if (error instanceof CommandFailure) return `FAILED ${error.message}`;
    throw error;
  });
};

const createApplication = () => findOrCreateApplication(proof.dependencies, 'Bookings');

describe('the secrets', () => {
  test('of a new stage are filled once and recorded in the audit log', async () => {
    expect(await run('secrets')).toBe(
      'filled api-key-pepper, token-sealing-keys, oauth-state-keys',
    );
    expect(await run('secrets')).toBe('filled');
    const { versions } = await showSecrets.run(proof.dependencies, {});
    expect(versions).toHaveLength(3);
    expect(await proof.dependencies.auditLog.list({ limit: 10 })).toHaveLength(3);
  });

  test('are not filled again if applications depend on the lost ones', async () => {
    await createApplication();
    expect(await run('secrets')).toMatch(/^FAILED api-key-pepper, .*1 applications.*restore it/);
    expect((await showSecrets.run(proof.dependencies, {})).versions).toEqual([]);
  });
});

test('applications get their usage keys in a new gateway', async () => {
  const { application } = await createApplication();
  expect(await run('applications')).toBe('1 checked, 1 usage keys repaired');
  expect(gateway.plan('ledger-test')).toEqual([`application-${application.applicationId}`]);
  expect(await run('applications')).toMatch(/^1 checked, 0 usage keys/);
});

test('rates are loaded, or the failure says how to load them', async () => {
  expect(await run('exchange rates')).toBe('newest 2026-03-23, 3 days added');
  const old = { runNow: async () => ({ ...refreshed, age_days: 8 }) };
  expect(
    await run('exchange rates', { dependencies: { ...proof.dependencies, functions: old } }),
  ).toMatch(/^newest 2026-03-23, .*OLDER THAN THE 7 DAYS/);
  const functions = { runNow: () => Promise.reject(new CommandFailure('no exchange rates')) };
  const dependencies = { ...proof.dependencies, functions };
  expect(await run('exchange rates', { dependencies })).toBe(
    'FAILED no exchange rates. Entries that convert currencies need rates of the last 7 days: ' +
      'load a file with rates load',
  );
});
