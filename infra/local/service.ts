// The whole service on this machine. Parts start in order and stop in reverse order.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { openApplications } from '#shared/applications/applications.store.ts';
import { voidRefreshLeases } from '#shared/connections/connections.store.ts';
import { openWebhooks } from '#shared/events/webhooks.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openMigrations } from '#shared/operator/migrations.store.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { readRatesFile } from '#shared/rates/rate-files.ts';
import { openSealing } from '#shared/sealing.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import type { Table } from '#shared/table/table.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { environmentOf } from '../manifest/environment.ts';
import { secretNames } from '../manifest/function-row.ts';
import { localCredentials, localRegion } from '../manifest/local-credentials.ts';
import { functionsOfKind } from '../manifest/manifest.ts';
import { secretIdOf, tableNameOf } from '../manifest/names.ts';
import { stages } from '../manifest/stages.ts';
import { ensureTable } from '../manifest/table.ts';
import { authenticateData, openLocalTable } from './authenticate-data.ts';
import {
  readyFilesOf,
  recordFormat,
  removeReadyFiles,
  takeDataFolder,
  writeWhole,
} from './data-folder.ts';
import { prepareDemo } from './demo.ts';
import { prepareDemoWebhook } from './demo-webhook.ts';
import { type Reporter, reportFullDisk } from './reporter.ts';
import type { LocalSettings } from './settings.ts';
import { type EmbeddedDynamoDB, startEmbeddedDynamoDB } from './stand-ins/dynamodb.ts';
import { openInvocationQueue } from './stand-ins/invocation-queue.ts';
import { type Invoke, openFunctions } from './stand-ins/lambda.ts';
import { startLambdaApi } from './stand-ins/lambda-api.ts';
import { ensureLocalSecrets, startSecretsManager } from './stand-ins/secrets-manager.ts';
import { type Companions, type Stoppable, startTriggers } from './triggers.ts';
import type { Welcome } from './welcome.ts';

type LocalService = {
  welcome: Welcome;
  /** Settles with a message if an essential part ends. */
  failed: Promise<string>;
  stop: () => Promise<void>;
};

const openParts = () => {
  const started: Stoppable[] = [];
  return {
    keep: <Part extends Stoppable>(part: Part): Part => {
      started.push(part);
      return part;
    },
    stop: async (): Promise<void> => {
      for (const part of started.splice(0).reverse()) await part.stop();
    },
  };
};

type Parts = ReturnType<typeof openParts>;

const stage = 'local';
const seedFiles = ['eurofxref-hist-since-2024.csv', 'nbp-tables-since-2024.csv'].map(
  (name) => new URL(`./seed/${name}`, import.meta.url),
);

const urlsOf = ({ ports }: LocalSettings) => ({
  baseUrl: `http://localhost:${ports.gateway}`,
  callbackUrl: `http://localhost:${ports.callback}`,
  sandboxUrl: `http://localhost:${ports.sandbox}`,
});

/** Locks the folder and removes the ready files of an earlier run. */
const takeFolder = async ({ dataFolder }: LocalSettings, { keep }: Parts) => {
  keep(await takeDataFolder(dataFolder));
  await removeReadyFiles(dataFolder);
  keep({ stop: () => removeReadyFiles(dataFolder) });
  return readyFilesOf(dataFolder);
};

type Engine = Pick<EmbeddedDynamoDB, 'endpoint' | 'ended' | 'streamOf'>;

/** Starts the stand-ins for AWS and points the functions' environment to them. */
const startAwsStandIns = async (settings: LocalSettings, { keep }: Parts) => {
  const { dataFolder, dynamoDBEndpoint } = settings;
  const { callbackUrl, sandboxUrl } = urlsOf(settings);
  const engine: Engine =
    dynamoDBEndpoint === undefined
      ? keep(
          await startEmbeddedDynamoDB(join(dataFolder, 'dynamodb.sqlite'), {
            removedAtEnd: Object.values(readyFilesOf(dataFolder)),
            streamFilters: functionsOfKind('stream').flatMap(({ trigger }) => trigger.filters),
          }),
        )
      : {
          endpoint: dynamoDBEndpoint,
          ended: new Promise<never>(() => {}),
          // Another DynamoDB manages its stream.
          streamOf: () => ({ newest: () => undefined, forget: () => {} }),
        };
  const dynamoDB = engine.endpoint;
  const secretsFile = join(dataFolder, 'secrets.json');
  // The embedded DynamoDB checks no signature, so a process that finds its address can read and
  // change the table. The table has only hashes and sealed tokens; Secrets Manager has their keys.
  const secretAccessKey = randomBytes(32).toString('base64url');
  const { endpoint: secretsManager } = keep(
    await startSecretsManager({ file: secretsFile, secretAccessKey }),
  );
  const invocations = await openInvocationQueue({
    dataFolder,
    concurrency: stages.local.reservedConcurrency,
  });
  const { endpoint: lambda } = keep(await startLambdaApi({ secretAccessKey, ...invocations }));
  const environment = environmentOf(stage, {
    settings: stages.local,
    secrets: secretNames,
    invokes: functionsOfKind('invocation').map(({ name }) => name),
    callbackBaseUrl: callbackUrl,
    platformBaseUrls: {
      platform_a: `${sandboxUrl}/platform_a`,
      platform_b: `${sandboxUrl}/platform_b`,
      platform_c: `${sandboxUrl}/platform_c`,
    },
  });
  // The SDK would prefer a profile to these credentials.
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  Object.assign(process.env, {
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDB,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager,
    AWS_ENDPOINT_URL_LAMBDA: lambda,
    ...environment,
  });
  const failed = engine.ended.then(
    () => 'The embedded DynamoDB has ended. The service cannot work without it.',
  );
  const platforms = environment.PLATFORMS ?? '';
  const { streamOf } = engine;
  return {
    dynamoDB,
    streamOf,
    secretsManager,
    secretAccessKey,
    invocations,
    platforms,
    failed,
  };
};

/** Migrates the table to the current format, with a message if it had items. */
const migrateData = async (
  table: Table,
  { dataFolder, note }: { dataFolder: string } & Pick<Reporter, 'note'>,
): Promise<void> => {
  const scan = openTableScan(tableNameOf(stage));
  const report = await openMigrations(table, { scan }).migrate({ now: new Date() });
  scan.close();
  await recordFormat(dataFolder);
  const { formatBefore, format, itemsRead, steps } = report;
  if (formatBefore === format || itemsRead === 0) return;
  const converted = steps.reduce((sum, step) => sum + step.converted, 0);
  note(
    `Migrated the data in ${dataFolder} from format ${formatBefore} to ${format}, ${converted} ` +
      'items. Earlier versions of the ledger cannot read them.',
  );
};

/** Ends the leases of a killed process. Otherwise its work would wait until they expire. */
const voidLeases = async (table: Table): Promise<void> => {
  await openImports(table).voidLeases(new Date());
  await openWebhooks(table).voidLeases(new Date());
  await voidRefreshLeases(table);
};

/** Creates the table, the secrets, the first exchange rates and the demo key, if missing. */
const prepareData = async ({
  dataFolder,
  dynamoDBEndpoint,
  sandboxUrl,
  note,
}: Pick<LocalSettings, 'dataFolder' | 'dynamoDBEndpoint'> &
  Pick<Reporter, 'note'> & { sandboxUrl: string }) => {
  const secretsClient = new SecretsManagerClient();
  const { platformClients } = await ensureLocalSecrets(secretsClient);
  const tableName = tableNameOf(stage);
  const streamArn = await ensureTable(new DynamoDBClient(), tableName);
  const { table, keys } = openLocalTable(secretsClient);
  await migrateData(table, { dataFolder, note });
  await authenticateData(table, await keys.read(), secretsClient);
  // No other service uses the database in the data folder; another database can have several.
  if (dynamoDBEndpoint === undefined) await voidLeases(table);
  const exchangeRates = openExchangeRates(table, { maximumAgeDays: undefined });
  for (const file of seedFiles) {
    const { days, publisher } = readRatesFile(await readFile(file, 'utf8'));
    // They were checked before they were shipped.
    await exchangeRates.record(days, { publisher, acceptJumps: true });
  }
  const pepper = openVersionedKeys(secretsClient, secretIdOf(stage, 'api-key-pepper'));
  const demo = await prepareDemo(
    {
      applications: openApplications(table),
      pepper,
      clock: () => new Date(),
      random: randomBytes,
    },
    dataFolder,
  );
  const webhookKeys = openVersionedKeys(secretsClient, secretIdOf(stage, 'webhook-sealing-keys'));
  const webhookSecret = await prepareDemoWebhook(table, openSealing(webhookKeys), {
    applicationId: demo.applicationId,
    url: `${sandboxUrl}/inbox`,
    dataFolder,
  });
  return { tableName, streamArn, platformClients, exchangeRates, demo, webhookSecret };
};

const loadFunctions = async (
  { bundled, dataFolder }: LocalSettings,
  { bundleFunctions }: Companions,
): Promise<Invoke> => {
  const reservedConcurrency = stages.local.reservedConcurrency;
  if (!bundled) return openFunctions({ reservedConcurrency });
  const entryPointOf = await bundleFunctions(join(dataFolder, 'bundles'));
  return openFunctions({ entryPointOf, reservedConcurrency, loadsAtStart: false });
};

/** Starts the service. If a part fails to start, the started parts stop. */
export const startService = async (
  settings: LocalSettings,
  { reporter, companions }: { reporter: Reporter; companions: Companions },
): Promise<LocalService> => {
  const parts = openParts();
  const urls = urlsOf(settings);
  try {
    const files = await takeFolder(settings, parts);
    const { failed, ...standIns } = await startAwsStandIns(settings, parts);
    const { dynamoDB, secretsManager, secretAccessKey, invocations, platforms } = standIns;
    const { tableName, exchangeRates, demo, ...source } = await prepareData({
      ...settings,
      ...urls,
      note: reporter.note,
    });
    await startTriggers(
      settings,
      {
        ...source,
        ...urls,
        invoke: await loadFunctions(settings, companions),
        dynamoDB,
        storedStream: standIns.streamOf(tableName),
        invocations,
        apiKey: demo.apiKey,
      },
      {
        keep: parts.keep,
        reporter: reportFullDisk(reporter, settings.dataFolder),
        companions,
      },
    );
    const latestRates = (await exchangeRates.findLatest())?.date ?? 'no date';
    const writeFile = (file: string, content: Record<string, string>): Promise<void> =>
      writeWhole(file, `${JSON.stringify(content, undefined, 2)}\n`);
    await writeFile(files.local, {
      stage,
      table_name: tableName,
      dynamodb_endpoint: dynamoDB,
      secrets_endpoint: secretsManager,
      secret_access_key: secretAccessKey,
      platforms,
    });
    await writeFile(files.demo, {
      base_url: urls.baseUrl,
      callback_url: urls.callbackUrl,
      sandbox_url: urls.sandboxUrl,
      application_id: demo.applicationId,
      api_key: demo.apiKey,
    });
    const { dataFolder } = settings;
    const welcome = { ...urls, apiKey: demo.apiKey, latestRates, dataFolder };
    return { welcome, failed, stop: parts.stop };
  } catch (error) {
    await parts.stop();
    throw error;
  }
};
