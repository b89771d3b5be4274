// Opens a stage for the commands: the service on this machine, or a deployed one.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { openSecret, VersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import { openTable } from '#shared/store/table.ts';
import { localCredentials, localRegion } from '../local/credentials.ts';
import { secretIdOf } from '../secret-ids.ts';
import { tableNameOf } from '../table.ts';
import { CommandFailure, type Dependencies } from './command.ts';

export type OpenStage = { dependencies: Dependencies; close: () => void };

const openStage = (
  stage: string,
  clients: {
    tableName: string;
    dynamoDB: DynamoDBClientConfig;
    secretsManager: SecretsManagerClientConfig;
  },
): OpenStage => {
  const table = openTable(clients.tableName, clients.dynamoDB);
  const secretsClient = new SecretsManagerClient(clients.secretsManager);
  return {
    dependencies: {
      applications: openApplications(table),
      exchangeRates: openExchangeRates(table, { maximumAgeDays: undefined }),
      pepper: openSecret(secretsClient, {
        secretId: secretIdOf(stage, 'api-key-pepper'),
        schema: VersionedKeys,
      }),
      clock: () => new Date(),
      random: randomBytes,
    },
    close: () => {
      table.close();
      secretsClient.destroy();
    },
  };
};

/** What the local service says of itself while it runs. */
const LocalService = z.object({
  table_name: z.string(),
  dynamodb_endpoint: z.url(),
  secrets_endpoint: z.url(),
  stage: z.literal('local'),
});

/** How long a part of the local service may take to answer at all. */
const answerMilliseconds = 3_000;

/** The local service that keeps its data in this folder. @throws CommandFailure where none runs */
export const openLocalStage = async (dataFolder: string): Promise<OpenStage> => {
  try {
    const text = await readFile(join(dataFolder, 'local.json'), 'utf8');
    const service = LocalService.parse(JSON.parse(text));
    const endpoints = [service.dynamodb_endpoint, service.secrets_endpoint];
    const signal = AbortSignal.timeout(answerMilliseconds);
    await Promise.all(endpoints.map((endpoint) => fetch(endpoint, { signal })));
    const settings = { region: localRegion, credentials: localCredentials };
    return openStage(service.stage, {
      tableName: service.table_name,
      dynamoDB: { ...settings, endpoint: service.dynamodb_endpoint },
      secretsManager: { ...settings, endpoint: service.secrets_endpoint },
    });
  } catch (error) {
    throw new CommandFailure('the local service is not running: start it with npm start', {
      cause: error,
    });
  }
};

/** A deployed stage, by the AWS SDK's own settings of region and credentials. */
export const openDeployedStage = (stage: string): OpenStage =>
  openStage(stage, { tableName: tableNameOf(stage), dynamoDB: {}, secretsManager: {} });
