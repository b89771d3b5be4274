// The whole service on this machine: starts every part in its order, and stops them in reverse.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseRatesFile } from '#shared/domain/ecb-files.ts';
import { PlatformClients } from '#shared/platforms/registry.ts';
import { openSecret, VersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import { openTable } from '#shared/store/table.ts';
import { environmentOf } from '../environment.ts';
import { secretIdOf } from '../secret-ids.ts';
import { ensureTable, tableNameOf } from '../table.ts';
import { createCallback } from './callback.ts';
import { takeDataFolder, writeWhole } from './data-folder.ts';
import { prepareDemo } from './demo.ts';
import { serveDocumentation } from './documentation.ts';
import { startEmbeddedDynamoDB } from './dynamodb.ts';
import { createGateway, type RequestLine } from './gateway.ts';
import { listen } from './http-server.ts';
import { openFunctions } from './lambda.ts';
import { createSandboxPlatform } from './sandbox-platform/server.ts';
import { serveSchedules, startSchedules } from './schedules.ts';
import { ensureLocalSecrets, startSecretsManager } from './secrets-manager.ts';
import type { LocalSettings } from './settings.ts';
import { startStream } from './stream.ts';
import type { Welcome } from './welcome.ts';

export type LocalService = { welcome: Welcome; stop: () => Promise<void> };

export type Reporter = {
  request: (line: RequestLine) => void;
  /** Something went wrong behind the scenes; the service goes on. */
  fault: (text: string, fault: unknown) => void;
};

const stage = 'local';
const seedFile = new URL('./seed/eurofxref-hist-since-2024.csv', import.meta.url);

/** How long the start waits for the live feed before it carries on with the rates there are. */
const longestFeedWait = 3_000;

export const startService = async (
  { ports, dataFolder, dynamoDBEndpoint }: LocalSettings,
  reporter: Reporter,
): Promise<LocalService> => {
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopPart of started.splice(0).reverse()) await stopPart();
  };
  const keep = <Part extends { stop: () => Promise<void> }>(part: Part): Part => {
    started.push(part.stop);
    return part;
  };

  try {
    const folder = await takeDataFolder(dataFolder);
    started.push(folder.release);
    // Whoever waits for this file waits for a service that is ready.
    const demoFile = join(dataFolder, 'demo.json');
    const localFile = join(dataFolder, 'local.json');
    const removeFiles = async (): Promise<void> => {
      await Promise.all([demoFile, localFile].map((file) => rm(file, { force: true })));
    };
    await removeFiles();
    started.push(removeFiles);

    const urls = {
      baseUrl: `http://localhost:${ports.gateway}`,
      callbackUrl: `http://localhost:${ports.callback}`,
      sandboxUrl: `http://localhost:${ports.sandbox}`,
    };
    const endpoint =
      dynamoDBEndpoint ??
      keep(await startEmbeddedDynamoDB(join(dataFolder, 'dynamodb.sqlite'))).endpoint;
    const secrets = keep(await startSecretsManager({ file: join(dataFolder, 'secrets.json') }));
    useEnvironment({
      ...environmentOf(stage, {
        callbackBaseUrl: urls.callbackUrl,
        platformBaseUrls: {
          platform_a: `${urls.sandboxUrl}/platform_a`,
          platform_b: `${urls.sandboxUrl}/platform_b`,
          platform_c: `${urls.sandboxUrl}/platform_c`,
        },
      }),
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    });

    const secretsClient = new SecretsManagerClient();
    await ensureLocalSecrets(secretsClient);
    const platformClients = await openSecret(secretsClient, {
      secretId: secretIdOf(stage, 'platform-clients'),
      schema: PlatformClients,
    }).read();
    const tableName = tableNameOf(stage);
    const streamArn = await ensureTable(new DynamoDBClient(), tableName);
    const table = openTable(tableName);
    const exchangeRates = openExchangeRates(table, { maximumAgeDays: undefined });
    await exchangeRates.record(parseRatesFile(await readFile(seedFile, 'utf8')));
    const demo = await prepareDemo(openApplications(table), {
      dataFolder,
      pepper: openSecret(secretsClient, {
        secretId: secretIdOf(stage, 'api-key-pepper'),
        schema: VersionedKeys,
      }),
    });

    const invoke = await openFunctions();
    const schedules = keep(startSchedules(invoke, reporter.fault));
    await Promise.race([schedules.firstRuns, pause(longestFeedWait, undefined, { ref: false })]);
    keep(await startStream(invoke, { endpoint, streamArn, dataFolder, report: reporter.fault }));
    const sandbox = createSandboxPlatform({
      clients: platformClients,
      stateFile: join(dataFolder, 'sandbox.json'),
    });
    keep(
      await listen(serveSchedules(schedules, sandbox.listener), {
        port: ports.sandbox,
        purpose: 'sandbox platform',
      }),
    );
    started.push(async () => sandbox.stop());
    keep(
      await listen(createCallback(invoke, reporter.request), {
        port: ports.callback,
        purpose: 'OAuth callback',
      }),
    );
    keep(
      await listen(serveDocumentation(createGateway(invoke, reporter.request), urls.baseUrl), {
        port: ports.gateway,
        purpose: 'API',
      }),
    );

    await writeWhole(
      localFile,
      JSON.stringify({
        table_name: tableName,
        dynamodb_endpoint: endpoint,
        secrets_endpoint: secrets.endpoint,
        stage,
      }),
    );
    await writeWhole(
      demoFile,
      JSON.stringify(
        {
          base_url: urls.baseUrl,
          callback_url: urls.callbackUrl,
          sandbox_url: urls.sandboxUrl,
          application_id: demo.applicationId,
          api_key: demo.apiKey,
        },
        undefined,
        2,
      ),
    );
    const latestRates = (await exchangeRates.findLatest())?.date ?? 'no date';
    return { welcome: { ...urls, apiKey: demo.apiKey, latestRates }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Credentials that only the parts on this machine see; a profile would be tried before them. */
const useEnvironment = (environment: Record<string, string>): void => {
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    POWERTOOLS_LOG_LEVEL: process.env.POWERTOOLS_LOG_LEVEL ?? 'ERROR',
    ...environment,
  });
};
