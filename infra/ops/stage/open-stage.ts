// Opens what the commands of a stage need. Each dependency loads its modules when it is opened.

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import { secretIdOf } from '../../manifest/names.ts';
import type { Dependencies } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import type { TableRequirements } from './stage-table.ts';

export type OpenStage = {
  /** Opens these dependencies, by default all. */
  open: <Name extends keyof Dependencies>(
    names?: readonly Name[],
  ) => Promise<Pick<Dependencies, Name>>;
  close: () => void;
};

export type StageParts = {
  tableName: string;
  dynamoDB: DynamoDBClientConfig;
  secretsManager: SecretsManagerClientConfig;
  /** Undefined for a stage that infra/manifest/stages.ts does not list. */
  slots: Slots | undefined;
  isProtected: boolean;
  throughput: TableRequirements['throughput'];
};

/** The dependencies that the local service and a deployed stage open differently. */
type OwnName = 'baseUrl' | 'failures' | 'functions' | 'operator' | 'rules' | 'usagePlan';
type Openers<Name extends keyof Dependencies> = {
  [Each in Name]: () => Dependencies[Each] | Promise<Dependencies[Each]>;
};
/** Gets a function that destroys a client when the stage is closed. */
type OwnOpeners = (use: <Client extends Destroyable>(client: Client) => Client) => Openers<OwnName>;
type Destroyable = { destroy: () => void };

/** Platforms of a stage that infra/manifest/stages.ts does not list. Every use fails. */
const unknownPlatforms = (stage: string): Platforms => ({
  get: async () => {
    throw new CommandFailure(
      `infra/manifest/stages.ts has no stage ${stage}: its platforms are unknown`,
    );
  },
});

/** Calls a function once, and remembers its result. */
const once = <Value>(open: () => Promise<Value>): (() => Promise<Value>) => {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= open();
    return value;
  };
};

export const openStage = (stage: string, parts: StageParts, ownOpeners: OwnOpeners): OpenStage => {
  const closers: (() => void)[] = [];
  const closing = <Opened extends { close: () => void }>(opened: Opened): Opened => {
    closers.push(opened.close);
    return opened;
  };
  const use = <Client extends Destroyable>(client: Client): Client => {
    closers.push(() => client.destroy());
    return client;
  };
  const { tableName, dynamoDB, slots } = parts;

  const table = once(async () => {
    const { openTable } = await import('#shared/table/table.ts');
    return closing(openTable(tableName, dynamoDB));
  });
  const scan = once(async () => {
    const { openTableScan } = await import('#shared/table/table-scan.ts');
    return closing(openTableScan(tableName, dynamoDB));
  });
  const secretsClient = once(async () => {
    const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    return use(new SecretsManagerClient(parts.secretsManager));
  });
  const openKeys = async (name: 'api-key-pepper' | 'token-sealing-keys') => {
    const { openVersionedKeys } = await import('#shared/secrets.ts');
    return openVersionedKeys(await secretsClient(), secretIdOf(stage, name));
  };
  const sealing = once(async () => {
    const { openSealing } = await import('#shared/sealing.ts');
    return openSealing(await openKeys('token-sealing-keys'));
  });

  const openers: Openers<keyof Dependencies> = {
    ...ownOpeners(use),
    applications: async () =>
      (await import('#shared/applications/applications.store.ts')).openApplications(await table()),
    auditLog: async () =>
      (await import('#shared/operator/audit-log.store.ts')).openAuditLog(await table()),
    books: async () =>
      (await import('#shared/operator/recorded-books.store.ts')).openKeptBooks(await table()),
    budgetUse: async () =>
      (await import('#shared/applications/budget-use.store.ts')).openBudgetUse(await table()),
    callbackAddresses: async () =>
      (await import('#shared/operator/callback-address.store.ts')).openCallbackAddresses(
        await table(),
      ),
    connections: async () =>
      (await import('#shared/connections/connections.store.ts')).openConnections(
        await table(),
        await sealing(),
      ),
    dueDates: async () =>
      (await import('#shared/entries/schedule/due-dates.store.ts')).openDueDates(await table()),
    dueWork: async () =>
      (await import('#shared/background/due-index.store.ts')).openDueWork(await table()),
    exchangeRates: async () =>
      (await import('#shared/rates/exchange-rates.store.ts')).openExchangeRates(await table(), {
        maximumAgeDays: undefined,
      }),
    imports: async () =>
      (await import('#shared/imports/imports.store.ts')).openImports(await table()),
    migrations: async () =>
      (await import('#shared/operator/migrations.store.ts')).openMigrations(await table(), {
        scan: await scan(),
      }),
    operatorQueries: async () =>
      (await import('#shared/operator/operator-queries.store.ts')).openOperatorQueries(
        await table(),
        await scan(),
      ),
    tenants: async () =>
      (await import('#shared/tenants/tenant-reader.store.ts')).openTenantReader(await table()),
    pepper: () => openKeys('api-key-pepper'),
    platforms: async () => {
      if (slots === undefined) return unknownPlatforms(stage);
      const { openPlatformClients, openPlatforms } = await import('#shared/platforms/registry.ts');
      const clientsId = secretIdOf(stage, 'platform-clients');
      return openPlatforms({
        slots,
        clients: openPlatformClients(await secretsClient(), clientsId),
      });
    },
    reseal: async () => {
      const { resealConnection } = await import('#shared/connections/connections.store.ts');
      const [opened, seal] = [await table(), await sealing()];
      return (tokens) => resealConnection(opened, seal, tokens);
    },
    secrets: async () =>
      (await import('./stage-secrets.ts')).openStageSecrets(await secretsClient(), stage),
    stageTable: async () =>
      closing((await import('./stage-table.ts')).openStageTable(dynamoDB, { ...parts, stage })),
    clock: () => () => new Date(),
    random: () => randomBytes,
    newImportId: () => randomUUID,
    sleep: () => sleep,
    readSecret: async () => (await import('../prompts.ts')).readSecret,
    writeOutput: async () => (await import('../terminal.ts')).writeOutput,
    watchInterrupt: async () => (await import('../terminal.ts')).watchInterrupt,
    showProgress: () => (sentence) => console.error(sentence),
  };

  return {
    open: async <Name extends keyof Dependencies>(
      names: readonly Name[] = Object.keys(openers) as Name[],
    ) => {
      const opened: Partial<Record<keyof Dependencies, unknown>> = {};
      for (const name of names) opened[name] = await openers[name]();
      return opened as Pick<Dependencies, Name>;
    },
    close: () => {
      for (const close of closers) close();
    },
  };
};
