// Opens what the commands of a stage need. Each dependency loads its modules when it is opened.

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import type { AlteredItem, AuthenticatorKeys } from '#shared/authentication/authenticators.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import type { WebhookName } from '#shared/table/event-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { secretIdOf } from '../../manifest/names.ts';
import { CommandFailure } from '../errors.ts';
import type { VersionedSecret } from '../options.ts';
import type { OwnDependencies, OwnOpeners, Use } from './own-dependencies.ts';
import type { TableRequirements } from './stage-table.ts';

export type StageParts = {
  tableName: string;
  dynamoDB: DynamoDBClientConfig;
  secretsManager: SecretsManagerClientConfig;
  /** Undefined for a stage that infra/manifest/stages.ts does not list. */
  slots: Slots | undefined;
  isProtected: boolean;
  throughput: TableRequirements['throughput'];
};

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

/** How to open each dependency that every stage opens in the same way. */
const openersOf = (stage: string, parts: StageParts, closers: (() => void)[]) => {
  const closing = <Opened extends { close: () => void }>(opened: Opened): Opened => {
    closers.push(opened.close);
    return opened;
  };
  const { tableName, dynamoDB, slots } = parts;

  const authenticatorKeys = once(async () => {
    const { openSecret } = await import('#shared/secrets.ts');
    const { AuthenticatorKeys } = await import('#shared/authentication/authenticators.ts');
    const secretId = secretIdOf(stage, 'authenticator-keys');
    return openSecret(await secretsClient(), { secretId, schema: AuthenticatorKeys });
  });
  const openWith = async (onAltered?: (item: AlteredItem) => void) => {
    const { openTable } = await import('#shared/table/table.ts');
    const { openAuthenticators } = await import('#shared/authentication/authenticators.ts');
    const authenticators = openAuthenticators(await authenticatorKeys(), {
      ...(onAltered && { onAltered }),
    });
    return closing(openTable(tableName, dynamoDB, { authenticators }));
  };
  const table = once(() => openWith());
  /** Reads altered items too, and remembers them. Verification reports them. */
  const verifiedTable = once(async () => {
    const { openAlteredItems } = await import('#shared/authentication/altered-items.ts');
    const altered = openAlteredItems();
    return { altered, table: await openWith(altered.add) };
  });
  const scan = once(async () =>
    closing((await import('#shared/table/table-scan.ts')).openTableScan(tableName, dynamoDB)),
  );
  const secretsClient = once(async () => {
    const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    const client = new SecretsManagerClient(parts.secretsManager);
    closers.push(() => client.destroy());
    return client;
  });
  const openKeys = async (name: VersionedSecret) => {
    const { openVersionedKeys } = await import('#shared/secrets.ts');
    return openVersionedKeys(await secretsClient(), secretIdOf(stage, name));
  };
  const sealing = once(async () =>
    (await import('#shared/sealing.ts')).openSealing(await openKeys('token-sealing-keys')),
  );

  return {
    applications: async () =>
      (await import('#shared/applications/applications.store.ts')).openApplications(await table()),
    auditLog: async () =>
      (await import('#shared/operator/audit-log.store.ts')).openAuditLog(await table()),
    books: async () => {
      const { openRecordedBooks } = await import('#shared/operator/recorded-books.store.ts');
      const { altered, table: opened } = await verifiedTable();
      return openRecordedBooks(opened, altered);
    },
    history: async () => {
      const { openTenantHistory } = await import('#shared/history/tenant-history.store.ts');
      return openTenantHistory(await table());
    },
    /** Gives authenticators to all items that have none under the current key. */
    authenticateItems: async () => {
      const { authenticateItems } = await import('#shared/operator/authentication.store.ts');
      const stores = { table: await table(), scan: await scan() };
      return (keys: AuthenticatorKeys) => authenticateItems(keys, stores);
    },
    /** Opens the carried totals, which need many modules, when the first tenant is verified. */
    recordedTotals: async () => {
      const { table: opened } = await verifiedTable();
      return async () =>
        (await import('#shared/operator/recorded-totals.store.ts')).openRecordedTotals(opened);
    },
    budgetUse: async () =>
      (await import('#shared/applications/charged-table.store.ts')).openBudgetUse(await table()),
    connections: async () =>
      (await import('#shared/connections/connections.store.ts')).openConnections(
        await table(),
        await sealing(),
      ),
    /** Lists all tenants by prefix. This scans the whole table. */
    listEveryTenant: async () => {
      const { listEveryTenant } = await import('#shared/operator/every-tenant.store.ts');
      const opened = await scan();
      return () => listEveryTenant(opened);
    },
    dueDates: async () =>
      (await import('#shared/entries/schedule/due-dates.store.ts')).openDueDates(await table()),
    dueWork: async () =>
      (await import('#shared/background/due-index.store.ts')).openDueWork(await table()),
    exchangeRates: async () =>
      (await import('#shared/rates/exchange-rates.store.ts')).openExchangeRates(await table(), {
        maximumAgeDays: undefined,
      }),
    feedRecording: async () =>
      (await import('#shared/events/feed-recording.store.ts')).openFeedRecording(await table()),
    imports: async () =>
      (await import('#shared/imports/imports.store.ts')).openImports(await table()),
    migrations: async () =>
      (await import('#shared/operator/migrations.store.ts')).openMigrations(await table(), {
        scan: await scan(),
      }),
    releases: async () =>
      (await import('#shared/operator/releases.store.ts')).openReleases(await table()),
    importReports: async () =>
      (await import('#shared/operator/import-reports.store.ts')).openImportReports(await table()),
    /** Lists the changes of a tenant's lock, the latest first. */
    listLockChanges: async () => {
      const { listLockChanges } = await import('#shared/tenants/tenant-settings.store.ts');
      const opened = await table();
      return (name: TenantName) => listLockChanges(opened, name);
    },
    operatorQueries: async () =>
      (await import('#shared/operator/operator-queries.store.ts')).openOperatorQueries(
        await table(),
        await scan(),
      ),
    tenants: async () =>
      (await import('#shared/tenants/tenant-links.store.ts')).openTenantReader(await table()),
    webhooks: async () =>
      (await import('#shared/events/webhooks.store.ts')).openWebhooks(await table()),
    /** Lists all webhooks with the versions of their seals. This scans the whole table. */
    listWebhookSeals: async () => {
      const { listWebhookSeals } = await import('#shared/events/webhook-seals.store.ts');
      const opened = await scan();
      return () => listWebhookSeals(opened);
    },
    /** Seals the secrets of a webhook under a key version. */
    resealWebhook: async () => {
      const { resealWebhook } = await import('#shared/events/webhook-seals.store.ts');
      const { openWebhooks } = await import('#shared/events/webhooks.store.ts');
      const { openSealing } = await import('#shared/sealing.ts');
      const webhooks = openWebhooks(await table());
      const seal = openSealing(await openKeys('webhook-sealing-keys'));
      return (it: { name: WebhookName; version: string }) =>
        resealWebhook(webhooks, seal, { ...it, now: new Date() });
    },
    pepper: async () => openKeys('api-key-pepper'),
    platforms: async () => {
      if (slots === undefined) return unknownPlatforms(stage);
      const { openPlatformClients, openPlatforms } = await import('#shared/platforms/registry.ts');
      const clientsId = secretIdOf(stage, 'platform-clients');
      return openPlatforms({
        slots,
        clients: openPlatformClients(await secretsClient(), clientsId),
      });
    },
    /** Seals a tenant's tokens under a key version. Returns false if they already were. */
    reseal: async () => {
      const { resealConnection } = await import('#shared/connections/connections.store.ts');
      const [opened, seal] = [await table(), await sealing()];
      return (tokens: { name: TenantName; version: string }) =>
        resealConnection(opened, seal, tokens);
    },
    secrets: async () =>
      (await import('./stage-secrets.ts')).openStageSecrets(await secretsClient(), stage),
    stageTable: async () =>
      closing((await import('./stage-table.ts')).openStageTable(dynamoDB, { ...parts, stage })),
    clock: async () => () => new Date(),
    random: async () => (bytes: number) => randomBytes(bytes),
    newImportId: async () => (): string => randomUUID(),
    sleep: async () => (milliseconds: number) => sleep(milliseconds) as Promise<unknown>,
    /** Reads a secret from a prompt or from standard input. */
    readSecret: async () => (await import('../terminal.ts')).readSecret,
    /** Writes to standard output, for commands that export a file. */
    writeOutput: async () => (await import('../terminal.ts')).writeOutput,
    /** Finds the commit of this checkout. */
    findCommit: async () => (await import('./checkout.ts')).findCommit,
    /** Catches the first Ctrl-C. The returned function reports whether it happened. */
    watchInterrupt: async () => (await import('../terminal.ts')).watchInterrupt,
    /** Prints the progress of a long command to standard error. */
    showProgress: async () => (sentence: string) => console.error(sentence),
  };
};

type Openers = ReturnType<typeof openersOf>;

/** Dependencies of the commands, for one stage. */
export type Dependencies = OwnDependencies & {
  stageName: string;
  /** The same stage with another table. */
  onTable: (tableName: string) => OpenStage;
} & {
  [Name in keyof Openers]: Awaited<ReturnType<Openers[Name]>>;
};

export type OpenStage = {
  /** Opens these dependencies, by default all. */
  open: <Name extends keyof Dependencies>(
    names?: readonly Name[],
  ) => Promise<Pick<Dependencies, Name>>;
  close: () => void;
};

export const openStage = (stage: string, parts: StageParts, ownOpeners: OwnOpeners): OpenStage => {
  const closers: (() => void)[] = [];
  const use: Use = (client) => {
    closers.push(() => client.destroy());
    return client;
  };
  const onTable = (tableName: string): OpenStage => {
    const opened = openStage(stage, { ...parts, tableName }, ownOpeners);
    closers.push(opened.close);
    return opened;
  };
  const openers = {
    ...ownOpeners(use),
    ...openersOf(stage, parts, closers),
    stageName: () => stage,
    onTable: () => onTable,
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
