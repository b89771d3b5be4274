// The environment of measured functions: a table in the embedded DynamoDB, secrets, exchange rates,
// two applications with API keys, and the functions with their logs and metrics.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { prepareDemo } from '#infra/local/demo.ts';
import {
  ensureLocalSecrets,
  replaceLocalSecret,
  startSecretsManager,
} from '#infra/local/stand-ins/secrets-manager.ts';
import { environmentOf } from '#infra/manifest/environment.ts';
import { secretNames } from '#infra/manifest/function-row.ts';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { type FunctionName, functionsOfKind } from '#infra/manifest/manifest.ts';
import { secretIdOf } from '#infra/manifest/names.ts';
import { stages } from '#infra/manifest/stages.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import {
  findOrCreateApplication,
  issueApiKey,
} from '#shared/applications/issue-api-key.service.ts';
import { parseRatesFile } from '#shared/rates/ecb-files.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import type { Item } from '#shared/table/table.ts';
import { testAuthenticatorKeys, testAuthenticators } from '../support/builders/secrets.ts';
import { startTestEngine } from '../support/dynamodb/test-engine.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { type ApiEventOptions, apiEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { makeDataFolder } from '../support/processes/service.ts';
import { tenantBody, userBody } from './requests.ts';

export type Application = { applicationId: string; apiKey: string };

/** Calls a function with an event. */
export type Call = (event: object) => Promise<unknown>;

/** The data of a reply. @throws Error if the status is not 200 */
export const dataOf = (reply: unknown): Record<string, string> => {
  const { statusCode = 200, body = '{}' } = reply as { statusCode?: number; body?: string };
  if (statusCode !== 200) throw new Error(`a measured request failed: ${body}`);
  return JSON.parse(body).data;
};

/** Loads a function from its entry point, with the environment of this process. */
const loadFunction = async (name: FunctionName): Promise<Call> => {
  const { handler } = await import(`#functions/${name}/index.ts`);
  return (event) => handler(event, lambdaContext(30_000));
};

const openFunctions = async ({ applicationId }: Application) => {
  const functions = {
    authorize: await loadFunction('authorizer'),
    createEntry: await loadFunction('create-journal-entry'),
    createTenant: await loadFunction('create-tenant'),
    ensureUser: await loadFunction('ensure-user'),
    getProfile: await loadFunction('get-user-profile'),
    initiateOauth: await loadFunction('initiate-oauth'),
    getTrialBalance: await loadFunction('get-trial-balance'),
    getAccountLedger: await loadFunction('get-account-ledger'),
  };
  const event = (options: ApiEventOptions) => apiEvent({ applicationId, ...options });
  return {
    ...functions,
    event,
    newUser: async (email: string): Promise<string> => {
      const reply = await functions.ensureUser(event({ body: userBody(email) }));
      return dataOf(reply).user_id ?? '';
    },
    newTenant: async (userId: string, companyName: string) => {
      const body = tenantBody(userId, companyName);
      const reply = await functions.createTenant(event({ body }));
      const { tenant_domain_url: prefix = '', schema_name: schemaName = '' } = dataOf(reply);
      return { prefix, schemaName, applicationId };
    },
  };
};

export type Functions = Awaited<ReturnType<typeof openFunctions>>;

/** The SDK's settings for local services. */
const accessVariables = {
  AWS_REGION: localRegion,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
};

const seedFile = new URL('../../infra/local/seed/eurofxref-hist-since-2024.csv', import.meta.url);
const batchSize = 25;

/** Puts items into the table in batches, four at a time. All workers share the generator. */
const fillTable = async (tableName: string, items: Iterable<Item>): Promise<void> => {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient());
  const source = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (;;) {
      const batch: Item[] = [];
      for (let next = source.next(); !next.done; next = source.next()) {
        batch.push(next.value);
        if (batch.length === batchSize) break;
      }
      if (batch.length === 0) return;
      const authenticated = await testAuthenticators.authenticated(batch.map((put) => ({ put })));
      const requests = authenticated.map(({ put }) => ({ PutRequest: { Item: put } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  documents.destroy();
};

/** Sets the environment of this process, so open one per process. */
export const openBench = async () => {
  Object.assign(process.env, accessVariables);
  const folder = await makeDataFolder();
  const database = await startTestEngine();
  const secretsManager = await startSecretsManager({
    file: join(folder.path, 'secrets.json'),
    ...localCredentials,
  });
  const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  await ensureLocalSecrets(secretsClient);
  await replaceLocalSecret(secretsClient, 'authenticator-keys', testAuthenticatorKeys);
  const { table, tableName } = await openTestTable({ endpoint: database.endpoint });
  const rates = parseRatesFile(await readFile(seedFile, 'utf8'));
  await openExchangeRates(table, { maximumAgeDays: undefined }).record(rates);
  const issuing = {
    applications: openApplications(table),
    pepper: openVersionedKeys(secretsClient, secretIdOf('local', 'api-key-pepper')),
    clock: () => new Date(),
    random: randomBytes,
  };
  const application: Application = await prepareDemo(issuing, folder.path);
  const {
    application: { applicationId },
  } = await findOrCreateApplication(issuing, 'Neighbour');
  const issued = await issueApiKey(issuing, { applicationId, access: 'full', expiresAt: null });
  if (issued === undefined) throw new Error('the key could not be recorded');
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    ...accessVariables,
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
    ...environmentOf('local', {
      settings: stages.local,
      secrets: secretNames,
      invokes: functionsOfKind('invocation').map(({ name }) => name),
      callbackBaseUrl: 'https://callback.example',
    }),
    TABLE_NAME: tableName,
  };
  Object.assign(process.env, environment);
  return {
    application,
    neighbour: { applicationId, apiKey: issued.apiKey } satisfies Application,
    environment,
    functions: await openFunctions(application),
    fill: (items: Iterable<Item>) => fillTable(tableName, items),
    stop: async (): Promise<void> => {
      table.close();
      secretsClient.destroy();
      await Promise.all([secretsManager.stop(), database.stop()]);
      await folder.remove();
    },
  };
};

export type Bench = Awaited<ReturnType<typeof openBench>>;
