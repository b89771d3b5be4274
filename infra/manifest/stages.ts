// The settings of each stage, in one literal table.

import { readFileSync } from 'node:fs';
import type { Plan } from '#shared/applications/api-keys.ts';
import type { Quotas } from '#shared/applications/quotas.ts';
import type { WebhookTargets } from '#shared/events/webhook-targets.service.ts';
import type { AdapterName, Slot } from '#shared/platforms/slots.ts';
import type { CostBudget } from '#shared/table/cost-budget.ts';
import type { FunctionName } from './manifest.ts';
import { tableNameOf } from './names.ts';

/** The sustained rate in requests per second, and the burst. */
export type Throttle = { ratePerSecond: number; burst: number };

/**
 * The throttles of the gateway: for each method of the API, for each application, and for each
 * application's calls of the endpoints whose row names a throttle. Long reads read a large part of
 * a tenant's books. Batches and reversals wait for other posts. Reversals have a low rate and a
 * large burst. Tests of webhooks wait for an endpoint that the application chose.
 */
export type Throttling = Record<
  'method' | 'application' | 'longRead' | 'batch' | 'reversal' | 'webhookTest',
  Throttle
> & {
  /** For applications with a smaller plan. Those with the plan `large` have `application`. */
  smallerPlans: Record<Exclude<Plan, 'large'>, Throttle>;
};

/**
 * The reserved executions of functions. They are also the function's maximum, so its waiting calls
 * take no executions from other functions. Beyond them, the API rejects a call, and Lambda's queue
 * holds an import. The other functions share the rest of the account. limits.ts has the relations.
 */
export type ReservedConcurrency = Partial<Record<FunctionName, number>>;

export type StageSettings = {
  /** Each tenant has a subdomain of it. */
  baseDomain: string;
  /** The maximum age of an exchange rate. `any` is for machines that can be offline. */
  rateMaximumAgeDays: number | 'any';
  /** Whether applications must register their redirect URLs. */
  redirectRegistration: 'required' | 'optional';
  /** Where webhooks may be: public https addresses, and `http://localhost` on this machine. */
  webhookTargets: WebhookTargets;
  /** The default lifetime of API keys. Expiry ends forgotten keys and makes rotation routine. */
  apiKeyLifetimeDays: number | 'unlimited';
  /** The folder of the European Central Bank's files. */
  exchangeRatesUrl: string;
  /** The public name and the adapter of each platform slot. */
  platforms: Record<Slot, { name: string; adapter: AdapterName }>;
  throttling: Throttling;
  /** The units of the table that an application's costly requests can use in a minute. */
  costBudget: CostBudget;
  /**
   * The write units that all imports together can use in a minute. The imports of one application
   * can use half of them (paced-table.store.ts).
   */
  importWriteUnits: number;
  /**
   * Quotas of a tenant or an application. They limit the cost of a request. A report reads a row
   * for each account with entries on each date of a year. Its cost grows with the product of the
   * accounts, the bytes of their codes and the dates: if you raise one quota, lower another. After
   * a quota is lowered, existing records stay and only new ones are refused.
   */
  quotas: Quotas;
  reservedConcurrency?: ReservedConcurrency;
};

const usualPlatforms = {
  platform_a: { name: 'platform_a', adapter: 'xero' },
  platform_b: { name: 'platform_b', adapter: 'quickbooks' },
  platform_c: { name: 'platform_c', adapter: 'zoho' },
} as const;

/** Ordinary customers stay far below these quotas. */
const usualQuotas: Quotas = {
  accountsPerTenant: 10_000,
  tenantsPerApplication: 10_000,
  entryYearsBack: 10,
  entryYearsAhead: 1,
  accountCodeBytes: 64,
};

/** Backups of the table, in addition to its point-in-time recovery: see backups.ts. */
export type Backups = {
  /**
   * Where a copy of each backup goes: another region, optionally in another account. Then the
   * stage's own account is `fromAccount`.
   */
  copyTo?: { region: string } | { region: string; account: string; fromAccount: string };
};

/** A restored table. The stream label is the last part of the stream's ARN. */
export type RestoredTable = { name: string; streamLabel: string };

/**
 * More settings of a stage on AWS. The operator's AWS credentials decide the account and region.
 */
export type Deployment = {
  /** A custom domain of the API, in a public hosted zone of the same account. */
  customDomain?: { name: string; zoneName: string; hostedZoneId: string };
  webApplicationFirewall?: { requestsPerFiveMinutesPerAddress: number };
  /**
   * Whether platforms send browsers to the callback through the gateway and its firewall, at the
   * address of the API, instead of its own URL. The URL works as well.
   */
  callbackBehindGateway?: boolean;
  /**
   * The concurrent executions of the account in this region (Service Quotas, "Concurrent
   * executions"). A new account has ten. Each stage needs an account of its own, because a stage
   * can use all executions that nothing reserves.
   */
  accountConcurrency: number;
  /**
   * How a new version of a synchronous function starts: with all calls, or with a tenth of them for
   * ten minutes. An alarm of the function in these minutes rolls the version back.
   */
  rollOut: 'all_at_once' | 'canary';
  /**
   * The maximum throughput per second, for the table and again for its index (DynamoDB Developer
   * Guide, "DynamoDB maximum throughput for on-demand tables"). DynamoDB enforces it on a
   * best-effort basis.
   */
  tableThroughput: CostBudget;
  /** The recipient of alarms of both severities. By default, only CloudWatch shows them. */
  alarmEmail?: string;
  /** The https address of a pager service, which gets the alarms that cannot wait. */
  pagerUrl?: string;
  /** The account's budget for a month. If the cost exceeds it, alarmEmail gets a message. */
  monthlyBudgetDollars?: number;
  logRetentionDays: 7 | 30 | 90 | 365;
  /** Whether the table, key and secrets outlive their stack, and the stacks refuse deletion. */
  removalProtection: boolean;
  /**
   * A restored table, which the functions use instead of the stack's table. `ops restore` sets it
   * in restored-tables.json.
   */
  restoredTable?: RestoredTable;
  /** Weekly and monthly backups of the table, in locked vaults that outlive their stacks. */
  backups?: Backups;
  /** The address of the published runbook, or its path in this repository. */
  runbookUrl: string;
};

export const stages = {
  local: {
    baseDomain: 'ledger.localhost',
    rateMaximumAgeDays: 'any',
    redirectRegistration: 'optional',
    webhookTargets: 'and_localhost',
    apiKeyLifetimeDays: 'unlimited',
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: usualPlatforms,
    // Above the capacity of this machine: local users should not meet a throttle.
    throttling: {
      method: { ratePerSecond: 5_000, burst: 10_000 },
      application: { ratePerSecond: 2_000, burst: 4_000 },
      smallerPlans: {
        small: { ratePerSecond: 400, burst: 800 },
        medium: { ratePerSecond: 1_000, burst: 2_000 },
      },
      longRead: { ratePerSecond: 1_000, burst: 2_000 },
      batch: { ratePerSecond: 1_000, burst: 2_000 },
      reversal: { ratePerSecond: 1_000, burst: 2_000 },
      webhookTest: { ratePerSecond: 1_000, burst: 2_000 },
    },
    // All functions share one process here. These maxima leave room for other functions. Posts that
    // wait for each other take little of it. More imports than this wait, the oldest first.
    reservedConcurrency: {
      'create-journal-entry': 320,
      'create-journal-entries': 16,
      'reverse-journal-entry': 64,
      'import-tenant-data': 24,
    },
    costBudget: { readUnits: 20_000_000, writeUnits: 10_000_000 },
    importWriteUnits: 240_000,
    // Tests and benchmarks create many tenants in one data folder.
    quotas: { ...usualQuotas, tenantsPerApplication: 1_000_000 },
  },
  development: {
    // A placeholder (RFC 2606): replace it with your domain.
    baseDomain: 'development.ledger.example',
    rateMaximumAgeDays: 7,
    redirectRegistration: 'optional',
    webhookTargets: 'public_https',
    apiKeyLifetimeDays: 365,
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: {
      ...usualPlatforms,
      // The development keys of an Intuit app work for Intuit's sandbox companies only.
      platform_b: { name: 'platform_b', adapter: 'quickbooks_sandbox' },
    },
    throttling: {
      method: { ratePerSecond: 50, burst: 100 },
      application: { ratePerSecond: 20, burst: 40 },
      smallerPlans: {
        small: { ratePerSecond: 5, burst: 10 },
        medium: { ratePerSecond: 10, burst: 20 },
      },
      longRead: { ratePerSecond: 10, burst: 15 },
      batch: { ratePerSecond: 5, burst: 10 },
      reversal: { ratePerSecond: 5, burst: 40 },
      webhookTest: { ratePerSecond: 1, burst: 5 },
    },
    costBudget: { readUnits: 120_000, writeUnits: 40_000 },
    importWriteUnits: 30_000,
    quotas: usualQuotas,
    deployment: {
      tableThroughput: { readUnits: 6_000, writeUnits: 2_000 },
      accountConcurrency: 10,
      rollOut: 'all_at_once',
      monthlyBudgetDollars: 50,
      logRetentionDays: 7,
      removalProtection: false,
      runbookUrl: 'infra/runbook.md',
    },
  },
  production: {
    baseDomain: 'ledger.example',
    rateMaximumAgeDays: 7,
    redirectRegistration: 'required',
    webhookTargets: 'public_https',
    apiKeyLifetimeDays: 365,
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: usualPlatforms,
    throttling: {
      method: { ratePerSecond: 500, burst: 1000 },
      application: { ratePerSecond: 100, burst: 200 },
      smallerPlans: {
        small: { ratePerSecond: 20, burst: 40 },
        medium: { ratePerSecond: 50, burst: 100 },
      },
      longRead: { ratePerSecond: 10, burst: 15 },
      batch: { ratePerSecond: 10, burst: 10 },
      reversal: { ratePerSecond: 10, burst: 40 },
      webhookTest: { ratePerSecond: 1, burst: 5 },
    },
    // One third of the table's throughput. It covers the batches and the reports of a year that the
    // throttles permit (limits.ts).
    costBudget: { readUnits: 240_000, writeUnits: 80_000 },
    // A quarter of the table's throughput.
    importWriteUnits: 60_000,
    quotas: usualQuotas,
    // The authorizer serves every caller, so nothing may take its executions. The other functions
    // can hold theirs for long: posts wait for each other, anybody can call the callback, imports
    // take minutes, deliveries and tests wait for endpoints that applications chose, and the last
    // two wait for an accounting platform. Reads are bounded by their quotas and need none.
    reservedConcurrency: {
      authorizer: 100,
      'create-journal-entry': 400,
      'create-journal-entries': 24,
      'reverse-journal-entry': 56,
      'oauth-callback': 20,
      'import-tenant-data': 20,
      'deliver-events': 100,
      'test-webhook': 26,
      'create-tenant': 25,
      'disconnect-tenant': 25,
    },
    deployment: {
      // One address is often a whole application, so its limit is above an application's rate.
      webApplicationFirewall: { requestsPerFiveMinutesPerAddress: 40_000 },
      tableThroughput: { readUnits: 12_000, writeUnits: 4_000 },
      // For an account with 1,000: small-account.ts.
      accountConcurrency: 3_000,
      rollOut: 'canary',
      monthlyBudgetDollars: 500,
      logRetentionDays: 90,
      removalProtection: true,
      // Set another region if this is the region of the stage.
      backups: { copyTo: { region: 'eu-west-1' } },
      runbookUrl: 'infra/runbook.md',
    },
  },
} as const satisfies Record<string, StageSettings & { deployment?: Deployment }>;

export type DeployedStage = { name: string; settings: StageSettings; deployment: Deployment };

export const restoredTablesFile = new URL('restored-tables.json', import.meta.url);

/** The restored tables by the names of their stages. `ops restore` writes them. */
export const readRestoredTables = (file = restoredTablesFile): Record<string, RestoredTable> =>
  JSON.parse(readFileSync(file, 'utf8'));

const restoredTables = readRestoredTables();

export const deployedStages: readonly DeployedStage[] = Object.entries(stages).flatMap(
  ([name, stage]) => {
    if (!('deployment' in stage)) return [];
    const restoredTable = restoredTables[name];
    const deployment = { ...stage.deployment, ...(restoredTable && { restoredTable }) };
    return [{ name, settings: stage, deployment }];
  },
);

/** The table that the functions of a stage use. */
export const servingTableOf = ({ name, deployment }: DeployedStage): string =>
  deployment.restoredTable?.name ?? tableNameOf(name);
