// The environment of measured functions: a table in the embedded DynamoDB, secrets, exchange rates
// and applications with API keys.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { environmentOf } from '#infra/environment.ts';
import { findOrCreateApplication, issueApiKey } from '#infra/issue-api-key.ts';
import { prepareDemo } from '#infra/local/demo.ts';
import { ensureLocalSecrets, startSecretsManager } from '#infra/local/secrets-manager.ts';
import { localCredentials, localRegion } from '#infra/local-credentials.ts';
import { functionsOfKind } from '#infra/manifest.ts';
import { secretIdOf } from '#infra/names.ts';
import { stages } from '#infra/stages.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { parseRatesFile } from '#shared/rates/ecb-files.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import { startTestEngine } from '../support/dynamodb/test-engine.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { makeDataFolder } from '../support/processes/service.ts';

/** The environment variables of measured functions, and the application that calls them. */
export type BenchEnvironment = {
  environment: Record<string, string>;
  applicationId: string;
  apiKey: string;
};

type Addresses = {
  tableName: string;
  dynamoDB: string;
  secretsManager: string;
  platforms?: Record<Slot, string>;
};

/** The SDK's settings for local services. */
export const accessVariables = {
  AWS_REGION: localRegion,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
};

/** The environment of a local function. Its logs and metrics are on, as when deployed. */
export const environmentAt = (addresses: Addresses): Record<string, string> => ({
  ...accessVariables,
  AWS_ENDPOINT_URL_DYNAMODB: addresses.dynamoDB,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses.secretsManager,
  ...environmentOf('local', {
    settings: stages.local,
    secrets: ['api-key-pepper', 'oauth-state-keys', 'platform-clients', 'token-sealing-keys'],
    invokes: functionsOfKind('invocation').map(({ name }) => name),
    callbackBaseUrl: 'https://callback.example',
    ...(addresses.platforms && { platformBaseUrls: addresses.platforms }),
  }),
  TABLE_NAME: addresses.tableName,
});

const seedFile = new URL('../../infra/local/seed/eurofxref-hist-since-2024.csv', import.meta.url);

export const startBenchEnvironment = async () => {
  Object.assign(process.env, accessVariables);
  const folder = await makeDataFolder();
  const database = await startTestEngine();
  const secretsManager = await startSecretsManager({
    file: join(folder.path, 'secrets.json'),
    ...localCredentials,
  });
  const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  await ensureLocalSecrets(secretsClient);
  const { table, tableName } = await openTestTable({ endpoint: database.endpoint });
  const rates = parseRatesFile(await readFile(seedFile, 'utf8'));
  await openExchangeRates(table, { maximumAgeDays: undefined }).record(rates);
  const issuing = {
    applications: openApplications(table),
    pepper: openVersionedKeys(secretsClient, secretIdOf('local', 'api-key-pepper')),
    clock: () => new Date(),
    random: randomBytes,
  };
  const application = await prepareDemo(issuing, folder.path);
  const {
    application: { applicationId },
  } = await findOrCreateApplication(issuing, 'Neighbour');
  const issued = await issueApiKey(issuing, { applicationId, access: 'full', expiresAt: null });
  if (issued === undefined) throw new Error('the key could not be recorded');
  return {
    ...application,
    neighbour: { applicationId, apiKey: issued.apiKey },
    environment: {
      PATH: process.env.PATH ?? '',
      ...environmentAt({
        tableName,
        dynamoDB: database.endpoint,
        secretsManager: secretsManager.endpoint,
      }),
    },
    stop: async () => {
      table.close();
      secretsClient.destroy();
      await Promise.all([secretsManager.stop(), database.stop()]);
      await folder.remove();
    },
  };
};
