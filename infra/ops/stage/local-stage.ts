// Opens the service on this machine for the commands.

import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { Slots } from '#shared/platforms/slots.ts';
import { localCredentials, localRegion } from '../../manifest/local-credentials.ts';
import { stages } from '../../manifest/stages.ts';
import { CommandFailure } from '../errors.ts';
import { type OpenStage, openStage } from './open-stage.ts';

/** `local.json`, which the local service writes while it runs. */
const LocalService = z.object({
  table_name: z.string(),
  dynamodb_endpoint: z.url(),
  secrets_endpoint: z.url(),
  secret_access_key: z.string(),
  platforms: Slots,
  stage: z.literal('local'),
});

/** `demo.json`, which the local service writes for developers. */
const LocalDemo = z.object({ base_url: z.url() });

const replyTimeoutMilliseconds = 3_000;

/** The service with this data folder. @throws Error if it does not run */
const findService = async (dataFolder: string): Promise<z.output<typeof LocalService>> => {
  const text = await readFile(join(dataFolder, 'local.json'), 'utf8');
  const service = LocalService.parse(JSON.parse(text));
  const endpoints = [service.dynamodb_endpoint, service.secrets_endpoint];
  const signal = AbortSignal.timeout(replyTimeoutMilliseconds);
  await Promise.all(endpoints.map((endpoint) => fetch(endpoint, { signal })));
  return service;
};

/** The user of this machine, by number if it has no name (in some containers). */
const localUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
};

/** @throws CommandFailure if no local service runs with this data folder */
export const openLocalStage = async (dataFolder: string): Promise<OpenStage> => {
  const service = await findService(dataFolder).catch((error: unknown) => {
    throw new CommandFailure(
      `no local service uses the data folder ${resolve(dataFolder)}: start it with npm start, or ` +
        'set LEDGER_DATA to its data folder',
      { cause: error },
    );
  });
  const credentials = { ...localCredentials, secretAccessKey: service.secret_access_key };
  const settings = { region: localRegion, credentials };
  const parts = {
    tableName: service.table_name,
    dynamoDB: { ...settings, endpoint: service.dynamodb_endpoint },
    secretsManager: { ...settings, endpoint: service.secrets_endpoint },
    slots: service.platforms,
    isProtected: false,
    throughput: undefined,
  };
  return openStage(service.stage, parts, () => ({
    rules: () => stages.local,
    usagePlan: () => undefined,
    functions: () => undefined,
    deployedStacks: () => undefined,
    functionVersions: () => undefined,
    restoration: () => undefined,
    baseUrl: () => async () => {
      const demo = await readFile(join(dataFolder, 'demo.json'), 'utf8');
      return LocalDemo.parse(JSON.parse(demo)).base_url;
    },
    failures: async () =>
      (await import('./failure-file.ts')).openFailureFile(join(dataFolder, 'failed-records.jsonl')),
    operator: () => async () => localUser(),
  }));
};
