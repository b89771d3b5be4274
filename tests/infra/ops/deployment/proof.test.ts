// The steps after a deployment: their results and failures.

import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usagePlanNameOf } from '#infra/manifest/names.ts';
import { setSecret, showSecrets } from '#infra/ops/commands/secrets.ts';
import { type Proof, stepsOf } from '#infra/ops/deployment/proof.ts';
import { countRemovedMethods, deployGateway } from '#infra/ops/deployment/removed-routes.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { openUsagePlan } from '#infra/ops/stage/usage-plan.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';
import { stageNamed } from '../../../support/harnesses/stage-app.ts';
import { startApiGateway } from '../../../support/servers/api-gateway-server.ts';

const operator = useOperator({ each: true, hasAuthenticators: false });
const stage = stageNamed('production');
const refreshed = { newest: '2026-03-23', age_days: 1, added: 3, refused: [] };

let gateway: Awaited<ReturnType<typeof startApiGateway>>;
let client: APIGatewayClient;
let proof: Proof;
beforeEach(async () => {
  gateway = await startApiGateway(['ledger-test'], ['another', 'ledger-production']);
  client = new APIGatewayClient({ endpoint: gateway.endpoint, maxAttempts: 1 });
  proof = {
    stage,
    dependencies: {
      ...operator.dependencies,
      usagePlan: openUsagePlan(client, (plan) => usagePlanNameOf('test', plan)),
      functions: { runNow: async () => refreshed },
    },
    removedMethods: 0,
    deployGateway: () => deployGateway(client, stage.name),
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
      'filled api-key-pepper, token-sealing-keys, oauth-state-keys, webhook-sealing-keys, ' +
        'authenticator-keys',
    );
    expect(await run('secrets')).toBe('filled');
    const { versions } = await showSecrets.run(proof.dependencies, {});
    expect(versions).toHaveLength(5);
    expect(await proof.dependencies.auditLog.list({ limit: 10 })).toHaveLength(5);
  });

  test('are not filled again if applications depend on the lost ones', async () => {
    await createApplication();
    expect(await run('secrets')).toMatch(/^FAILED api-key-pepper, .*1 applications.*restore it/);
    expect((await showSecrets.run(proof.dependencies, {})).versions).toEqual([]);
  });

  test('that are new in a version are filled by its deployment', async () => {
    for (const secret of ['api-key-pepper', 'token-sealing-keys', 'oauth-state-keys'] as const) {
      await setSecret.run(proof.dependencies, { secret });
    }
    await createApplication();
    const seals = [{ name: { applicationId: '1', webhookId: '2' }, versions: ['1'] }];
    const dependencies = { ...proof.dependencies, listWebhookSeals: async () => seals };
    expect(await run('secrets', { dependencies })).toMatch(
      /^FAILED webhook-sealing-keys .*1 webhooks.*restore it/,
    );
    expect(await run('secrets')).toBe('filled webhook-sealing-keys, authenticator-keys');
  });
});

test('applications get their usage keys in a new gateway', async () => {
  const { application } = await createApplication();
  expect(await run('applications')).toBe('1 checked, 1 usage keys repaired');
  expect(gateway.plan('ledger-test')).toEqual([`application-${application.applicationId}`]);
  expect(await run('applications')).toMatch(/^1 checked, 0 usage keys/);
});

describe('routes that a deployment removed', () => {
  const templateWith = (...methods: string[]): string =>
    JSON.stringify({
      Resources: Object.fromEntries([
        ['api', { Type: 'AWS::ApiGateway::RestApi' }],
        ...methods.map((it) => [it, { Type: 'AWS::ApiGateway::Method' }]),
      ]),
    });

  test.each([
    ['of a new stage', undefined, 0],
    ['of unchanged routes', templateWith('get', 'post'), 0],
    ['of two removed routes', templateWith('any', 'get', 'put'), 2],
  ])('are counted: %s', (_, earlier, count) => {
    expect(countRemovedMethods(earlier, templateWith('get', 'post'))).toBe(count);
  });

  test('end with another deployment of the gateway', async () => {
    expect(await run('routes')).toBe('none removed');
    expect(gateway.deployed).toEqual([]);
    expect(await run('routes', { removedMethods: 2 })).toBe('2 removed methods end');
    expect(gateway.deployed).toEqual(['api1 production']);
  });

  test('without an API fail', async () => {
    const missing = { removedMethods: 1, deployGateway: () => deployGateway(client, 'staging') };
    expect(await run('routes', missing)).toBe('FAILED the gateway has no API "ledger-staging"');
  });
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
