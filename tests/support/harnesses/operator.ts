// Dependencies of the operator's commands for tests, with their own table and secrets.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startSecretsManager } from '#infra/local/stand-ins/secrets-manager.ts';
import { localCredentials } from '#infra/manifest/local-credentials.ts';
import { stages } from '#infra/manifest/stages.ts';
import type { Dependencies } from '#infra/ops/command.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import type { VersionedSecret } from '#infra/ops/options.ts';
import { openFailureFile } from '#infra/ops/stage/failure-file.ts';
import { openStage } from '#infra/ops/stage/open-stage.ts';
import { resealConnection } from '#shared/connections/connections.store.ts';
import { resealWebhook } from '#shared/events/webhook-seals.store.ts';
import { openSealing } from '#shared/sealing.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import { testAuthenticatorKeys } from '../builders/secrets.ts';
import { openTestTable } from '../dynamodb/test-table.ts';

type Options = { pepper?: Buffer | undefined; hasAuthenticators?: boolean };

/**
 * A stage as after a deployment: each secret contains an empty object, except the keys of
 * authenticators.
 */
const openOperator = async ({ pepper: given, hasAuthenticators = true }: Options = {}) => {
  const database = await openTestTable({ hasAuthenticators });
  const folder = await mkdtemp(join(tmpdir(), 'operator-'));
  const secretsManager = await startSecretsManager({
    file: join(folder, 'secrets.json'),
    ...localCredentials,
  });
  const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  const failedRecords = join(folder, 'failed-records.jsonl');
  const parts = {
    tableName: database.tableName,
    dynamoDB: { endpoint: database.endpoint },
    secretsManager: { endpoint: secretsManager.endpoint },
    slots: undefined,
    isProtected: true,
    throughput: undefined,
  };
  const stage = openStage('test', parts, () => ({
    rules: () => stages.local,
    usagePlan: () => undefined,
    functions: () => undefined,
    deployedStacks: () => undefined,
    functionVersions: () => undefined,
    restoration: () => undefined,
    baseUrl: () => () => Promise.reject(new Error('unexpected call of baseUrl')),
    failures: () => openFailureFile(failedRecords),
    operator: () => async () => 'ada',
  }));
  const opened = await stage.open();
  const { secrets } = opened;
  const filled = given && { current: '1', versions: { '1': given.toString('base64') } };
  for (const [name, value] of [
    ['api-key-pepper', filled ?? {}],
    ['token-sealing-keys', {}],
    ['oauth-state-keys', {}],
    ['authenticator-keys', hasAuthenticators ? testAuthenticatorKeys : {}],
    ['webhook-sealing-keys', {}],
    ['platform-clients', {}],
  ] as const) {
    const create = { Name: secrets.idOf(name), SecretString: JSON.stringify(value) };
    await secretsClient.send(new CreateSecretCommand(create));
  }

  /** The keys of a secret, as a newly started function reads them. */
  const openKeys = (name: VersionedSecret) => openVersionedKeys(secretsClient, secrets.idOf(name));

  const clock = { now: new Date('2026-03-23T09:30:00.000Z') };
  const { table } = database;
  const dependencies: Dependencies = {
    ...opened,
    platforms: { get: () => Promise.reject(new Error('unexpected call of a platform')) },
    reseal: (tokens) =>
      resealConnection(table, openSealing(openKeys('token-sealing-keys')), tokens),
    resealWebhook: (it) =>
      resealWebhook(opened.webhooks, openSealing(openKeys('webhook-sealing-keys')), {
        ...it,
        now: clock.now,
      }),
    clock: () => clock.now,
    sleep: () => Promise.reject(new Error('unexpected call of sleep')),
    readSecret: () => Promise.reject(new Error('unexpected prompt')),
    writeOutput: () => Promise.reject(new Error('unexpected output')),
    showProgress: () => {},
    watchInterrupt: () => () => false,
  };
  return {
    database,
    dependencies,
    /** What the builders of tenants and books need. */
    ledger: { table, issuing: dependencies },
    /** The message of a refused command, which must have changed nothing. */
    refusalOf: async (run: () => Promise<unknown>): Promise<string> => {
      const before = await database.scan();
      const refusal = await refusalOf(run());
      expect(await database.scan()).toEqual(before);
      return refusal;
    },
    sealing: openSealing(openKeys('token-sealing-keys')),
    secretsClient,
    openKeys,
    clock,
    failedRecords,
    stop: async () => {
      stage.close();
      secretsClient.destroy();
      await secretsManager.stop();
      await rm(folder, { recursive: true });
    },
  };
};

type Operator = Awaited<ReturnType<typeof openOperator>>;

/** One operator for all tests of a file, or with `each` a new one for each test. */
export const useOperator = ({ each = false, ...options }: Options & { each?: boolean } = {}) => {
  const operator = {} as Operator;
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    Object.assign(operator, await openOperator(options));
  });
  after(() => operator.stop());
  return operator;
};

/** The message of the CommandFailure that a command throws. */
export const refusalOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof CommandFailure ? error.message : String(error)),
  );
