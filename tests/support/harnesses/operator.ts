// What the operator's commands work with, on a table and with secrets of their own.

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { startSecretsManager } from '#infra/local/secrets-manager.ts';
import type { Dependencies } from '#infra/ops/command.ts';
import { openFailureFile } from '#infra/ops/failure-file.ts';
import { openStageSecrets } from '#infra/ops/stage-secrets.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openConnections, resealConnection } from '#shared/store/connections.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import { openImports } from '#shared/store/imports.ts';
import { openSurvey } from '#shared/store/operator-queries.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { openTenantReader } from '#shared/store/tenants.ts';
import { openTestTable } from '../dynamodb/test-table.ts';

const stage = 'test';

/** A stage as it was deployed: its secrets are there and hold an empty object each. */
export const openOperator = async ({ pepper: given }: { pepper?: Buffer | undefined } = {}) => {
  const database = await openTestTable();
  const folder = await mkdtemp(join(tmpdir(), 'operator-'));
  const secretsManager = await startSecretsManager({ file: join(folder, 'secrets.json') });
  const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  const secrets = openStageSecrets(secretsClient, stage);
  const filled = given && { current: '1', versions: { '1': given.toString('base64') } };
  for (const [name, value] of [
    ['api-key-pepper', filled ?? {}],
    ['token-sealing-keys', {}],
    ['platform-clients', {}],
  ] as const) {
    const create = { Name: secrets.idOf(name), SecretString: JSON.stringify(value) };
    await secretsClient.send(new CreateSecretCommand(create));
  }

  /** The keys of a secret as a function reads them that starts now. */
  const openKeys = (name: 'api-key-pepper' | 'token-sealing-keys') =>
    openVersionedKeys(secretsClient, secrets.idOf(name));

  const clock = { now: new Date('2026-03-23T09:30:00.000Z') };
  const failedRecords = join(folder, 'failed-records.jsonl');
  const { table } = database;
  const sealing = openSealing(openKeys('token-sealing-keys'));
  const dependencies: Dependencies = {
    applications: openApplications(table),
    exchangeRates: openExchangeRates(table, { maximumAgeDays: undefined }),
    tenants: openTenantReader(table),
    imports: openImports(table),
    connections: openConnections(table, sealing),
    platforms: { get: () => Promise.reject(new Error('no platform was to be called')) },
    survey: openSurvey(table, {
      tableName: database.tableName,
      config: { endpoint: database.endpoint },
    }),
    secrets,
    pepper: openKeys('api-key-pepper'),
    reseal: (tokens) =>
      resealConnection(table, openSealing(openKeys('token-sealing-keys')), tokens),
    usagePlan: undefined,
    failures: openFailureFile(failedRecords),
    clock: () => clock.now,
    random: randomBytes,
    newImportId: randomUUID,
    sleep: () => Promise.reject(new Error('nobody was to be waited for')),
    readSecret: () => Promise.reject(new Error('nobody was to be asked')),
  };
  return {
    database,
    dependencies,
    sealing,
    secretsClient,
    openKeys,
    clock,
    failedRecords,
    stop: async () => {
      secretsClient.destroy();
      await secretsManager.stop();
      await rm(folder, { recursive: true });
    },
  };
};

export type Operator = Awaited<ReturnType<typeof openOperator>>;
