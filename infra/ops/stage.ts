// Opens a stage for the commands: the service on this machine, or a deployed one.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import {
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openBudgetUse } from '#shared/applications/budget-use.store.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openConnections, resealConnection } from '#shared/connections/connections.store.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { openAuditLog } from '#shared/operator/audit-log.store.ts';
import { openCallbackAddresses } from '#shared/operator/callback-address.store.ts';
import { openMigrations } from '#shared/operator/migrations.store.ts';
import { openOperatorQueries } from '#shared/operator/operator-queries.store.ts';
import { openKeptBooks } from '#shared/operator/recorded-books.store.ts';
import { openPlatformClients, openPlatforms, type Platforms } from '#shared/platforms/registry.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openSealing } from '#shared/sealing.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import { openTable } from '#shared/table/table.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { openTenantReader } from '#shared/tenants/tenant-reader.store.ts';
import { environmentOf } from '../environment.ts';
import { localCredentials, localRegion } from '../local-credentials.ts';
import { failureQueueNameOf, secretIdOf, tableNameOf, usagePlanNameOf } from '../names.ts';
import { deployedStages, servingTableOf, stages } from '../stages.ts';
import type { Dependencies } from './command.ts';
import { openDeployedStacks } from './deployed-stacks.ts';
import { CommandFailure } from './errors.ts';
import { openFailureFile } from './failure-file.ts';
import { openFailureQueue } from './failure-queue.ts';
import { openFunctions } from './functions.ts';
import { awsIdentity, localUser } from './operator.ts';
import { readSecret } from './prompts.ts';
import { openStageSecrets } from './stage-secrets.ts';
import { openStageTable, type TableRequirements } from './stage-table.ts';
import { watchInterrupt, writeOutput } from './terminal.ts';
import { openUsagePlan } from './usage-plan.ts';

export type OpenStage = { dependencies: Dependencies; close: () => void };

/** Platforms of a stage that infra/stages.ts does not list. Every use fails. */
const unknownPlatforms = (stage: string): Platforms => ({
  get: async () => {
    throw new CommandFailure(`infra/stages.ts has no stage ${stage}: its platforms are unknown`);
  },
});

/** Opens the dependencies of a stage's commands. `slots` is undefined for an unlisted stage. */
export const openStage = (
  stage: string,
  parts: {
    tableName: string;
    dynamoDB: DynamoDBClientConfig;
    secretsManager: SecretsManagerClientConfig;
    slots: Slots | undefined;
    isProtected: boolean;
    throughput: TableRequirements['throughput'];
  } & Pick<Dependencies, 'baseUrl' | 'failures' | 'functions' | 'operator' | 'rules' | 'usagePlan'>,
): OpenStage => {
  const table = openTable(parts.tableName, parts.dynamoDB);
  const scan = openTableScan(parts.tableName, parts.dynamoDB);
  const { tableName, isProtected, throughput } = parts;
  const stageTable = openStageTable(parts.dynamoDB, { tableName, stage, isProtected, throughput });
  const secretsClient = new SecretsManagerClient(parts.secretsManager);
  const openKeys = (name: 'api-key-pepper' | 'token-sealing-keys') =>
    openVersionedKeys(secretsClient, secretIdOf(stage, name));
  const sealing = openSealing(openKeys('token-sealing-keys'));
  const clients = openPlatformClients(secretsClient, secretIdOf(stage, 'platform-clients'));
  return {
    dependencies: {
      rules: parts.rules,
      applications: openApplications(table),
      budgetUse: openBudgetUse(table),
      exchangeRates: openExchangeRates(table, { maximumAgeDays: undefined }),
      tenants: openTenantReader(table),
      imports: openImports(table),
      connections: openConnections(table, sealing),
      dueDates: openDueDates(table),
      dueWork: openDueWork(table),
      books: openKeptBooks(table),
      platforms: parts.slots
        ? openPlatforms({ slots: parts.slots, clients })
        : unknownPlatforms(stage),
      operatorQueries: openOperatorQueries(table, scan),
      migrations: openMigrations(table, { scan }),
      secrets: openStageSecrets(secretsClient, stage),
      pepper: openKeys('api-key-pepper'),
      reseal: (tokens) => resealConnection(table, sealing, tokens),
      usagePlan: parts.usagePlan,
      failures: parts.failures,
      stageTable,
      functions: parts.functions,
      callbackAddresses: openCallbackAddresses(table),
      baseUrl: parts.baseUrl,
      auditLog: openAuditLog(table),
      operator: parts.operator,
      clock: () => new Date(),
      random: randomBytes,
      newImportId: randomUUID,
      sleep,
      readSecret,
      writeOutput,
      watchInterrupt,
      showProgress: (sentence) => console.error(sentence),
    },
    close: () => {
      table.close();
      scan.close();
      stageTable.close();
      secretsClient.destroy();
    },
  };
};

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

/** Opens the local service with this data folder. @throws CommandFailure if it is not running */
export const openLocalStage = async (dataFolder: string): Promise<OpenStage> => {
  try {
    const text = await readFile(join(dataFolder, 'local.json'), 'utf8');
    const service = LocalService.parse(JSON.parse(text));
    const endpoints = [service.dynamodb_endpoint, service.secrets_endpoint];
    const signal = AbortSignal.timeout(replyTimeoutMilliseconds);
    await Promise.all(endpoints.map((endpoint) => fetch(endpoint, { signal })));
    const credentials = { ...localCredentials, secretAccessKey: service.secret_access_key };
    const settings = { region: localRegion, credentials };
    return openStage(service.stage, {
      tableName: service.table_name,
      dynamoDB: { ...settings, endpoint: service.dynamodb_endpoint },
      secretsManager: { ...settings, endpoint: service.secrets_endpoint },
      slots: service.platforms,
      rules: stages.local,
      isProtected: false,
      throughput: undefined,
      usagePlan: undefined,
      functions: undefined,
      baseUrl: async () => {
        const demo = await readFile(join(dataFolder, 'demo.json'), 'utf8');
        return LocalDemo.parse(JSON.parse(demo)).base_url;
      },
      failures: openFailureFile(join(dataFolder, 'failed-records.jsonl')),
      operator: async () => localUser(),
    });
  } catch (error) {
    throw new CommandFailure(
      `no local service uses the data folder ${resolve(dataFolder)}: start it with npm start, or ` +
        'set LEDGER_DATA to its data folder',
      { cause: error },
    );
  }
};

/** Settings of a stage from infra/stages.ts. An unlisted stage gets the rules of production. */
const settingsOf = (
  stage: string,
): {
  tableName: string;
  slots: Slots | undefined;
  rules: Dependencies['rules'];
  isProtected: boolean;
  throughput: TableRequirements['throughput'];
} => {
  const row = deployedStages.find(({ name }) => name === stage);
  if (row === undefined) {
    const unknown = { tableName: tableNameOf(stage), slots: undefined, isProtected: true };
    return { ...unknown, rules: stages.production, throughput: undefined };
  }
  const { settings } = row;
  const { PLATFORMS } = environmentOf(stage, { settings, secrets: [] });
  return {
    tableName: servingTableOf(row),
    slots: Slots.parse(PLATFORMS),
    rules: settings,
    isProtected: row.deployment.removalProtection,
    throughput: row.deployment.tableThroughput,
  };
};

/** Opens a deployed stage with the AWS SDK's region and credentials. */
export const openDeployedStage = (stage: string): OpenStage => {
  // API Gateway's control plane allows a few calls per second; the SDK backs off between attempts.
  const gatewayClient = new APIGatewayClient({ maxAttempts: 8 });
  const queueClient = new SQSClient();
  const stacksClient = new CloudFormationClient();
  const lambdaClient = new LambdaClient();
  const identityClient = new STSClient();
  const { dependencies, close } = openStage(stage, {
    dynamoDB: {},
    secretsManager: {},
    ...settingsOf(stage),
    usagePlan: openUsagePlan(gatewayClient, usagePlanNameOf(stage)),
    functions: openFunctions(lambdaClient, stage),
    baseUrl: () => openDeployedStacks(stacksClient, stage).getOutput('BaseUrl'),
    failures: openFailureQueue(queueClient, failureQueueNameOf(stage)),
    operator: () => awsIdentity(identityClient),
  });
  return {
    dependencies,
    close: () => {
      close();
      gatewayClient.destroy();
      queueClient.destroy();
      stacksClient.destroy();
      lambdaClient.destroy();
      identityClient.destroy();
    },
  };
};
