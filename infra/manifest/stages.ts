// Differences between stages, in one literal table.

import type { Quotas } from '#shared/applications/quotas.ts';
import type { AdapterName, Slot } from '#shared/platforms/slots.ts';
import type { CostBudget } from '#shared/table/cost-budget.ts';
import type { FunctionName } from './manifest.ts';
import { tableNameOf } from './names.ts';

/** Requests a second in the long run, and how many may come at once. */
export type Throttle = { ratePerSecond: number; burst: number };

/**
 * What the gateway lets through: to each method of the API, of each application, and of each
 * application to the endpoints whose row of the manifest names a throttle. Long reads read much of
 * a tenant's books. A batch waits for others as a post does. A reversal is the post of one entry
 * and its repeat two reads, so an application may send fewer, but many at once.
 */
export type Throttling = Record<
  'method' | 'application' | 'longRead' | 'batch' | 'reversal',
  Throttle
>;

/**
 * Executions that are set aside for a function, by its name, or for each of the long reads. They
 * are also the most it gets: what waits there takes none from the others. A call of the API beyond
 * them is refused; an import beyond them waits in Lambda's queue, where the manifest's row says
 * more. What an account can set aside: limits.ts.
 */
export type ReservedConcurrency = Partial<Record<FunctionName | 'eachLongRead', number>>;

export type StageSettings = {
  /** Tenants live in subdomains of it. */
  baseDomain: string;
  /** How old an exchange rate may be, in days; `any` where a laptop may be offline. */
  rateMaximumAgeDays: number | 'any';
  /** Whether a redirect_url must be one that the application has registered. */
  redirectRegistration: 'required' | 'optional';
  /**
   * When an API key expires that is made without saying when. A year is what a deployed stage gets:
   * a key that was forgotten somewhere ends, and a rotation is practised.
   */
  apiKeyLifetimeDays: number | 'unlimited';
  /** Where the European Central Bank's files are. */
  exchangeRatesUrl: string;
  /** The public name and the adapter of each platform slot. */
  platforms: Record<Slot, { name: string; adapter: AdapterName }>;
  throttling: Throttling;
  /** What the costly requests of an application may use of the table in a minute. */
  costBudget: CostBudget;
  /**
   * What one tenant or application may have. They bound what a request costs the table. A report
   * reads a row for each account that moved on each date of its years, so that accounts, the bytes
   * of their codes and the dates of entries multiply: more of one should come with less of another.
   * A list of accounts or of a user's tenants is as long as the quota. What is there already stays
   * when a quota is lowered; only more is refused.
   */
  quotas: Quotas;
  reservedConcurrency?: ReservedConcurrency;
};

/** What a customer of ordinary size never meets. */
const usualQuotas: Quotas = {
  accountsPerTenant: 10_000,
  tenantsPerApplication: 10_000,
  entryYearsBack: 50,
  entryYearsAhead: 5,
  accountCodeBytes: 64,
};

/**
 * Each copy is a whole one and is paid for as such. In a locked vault nobody ends a copy before its
 * time but those whom IAM lets take the lock away (AWS Backup Developer Guide, "AWS Backup Vault
 * Lock", governance mode).
 */
export type Backups = { retentionDays: number; isLocked?: boolean };

/**
 * What a stage has beyond that when it is on AWS. Account and region are not here: a deployment
 * goes where the operator's AWS credentials point.
 */
export type Deployment = {
  /** A domain of the API's own, in a public hosted zone of the same account. */
  customDomain?: { name: string; zoneName: string; hostedZoneId: string };
  webApplicationFirewall?: { requestsPerFiveMinutesPerAddress: number };
  /**
   * How many functions the account may run at once in this region (Service Quotas, "Concurrent
   * executions"). A new account has ten.
   */
  accountConcurrency: number;
  /**
   * How a new version of what callers wait for is let in: all at once, or to a tenth of the calls
   * for ten minutes, and taken back where its function's alarm goes off.
   */
  rollOut: 'all_at_once' | 'canary';
  /**
   * The most that the table gives in a second, and its index again (DynamoDB Developer Guide,
   * "DynamoDB maximum throughput for on-demand tables"). DynamoDB holds it as well as it can.
   */
  tableThroughput: CostBudget;
  /** Who is told of alarms; without it they are seen in CloudWatch only. */
  alarmEmail?: string;
  /** What the account may cost in a month; where it comes to more, alarmEmail is told. */
  monthlyBudgetDollars?: number;
  logRetentionDays: 7 | 30 | 90 | 365;
  /** Whether table, key and secrets outlive their stack, and the stacks refuse to be deleted. */
  removalProtection: boolean;
  /**
   * A restored table, which serves in the place of the stack's own; that one stays as it is. The
   * label is the moment at which its stream was enabled, the last part of the stream's ARN.
   * `ops table prepare` says both; the runbook's restore-the-table says when.
   */
  restoredTable?: { name: string; streamLabel: string };
  /** Daily copies of the table, in a vault that outlives the stack. */
  backups?: Backups;
  /** Where people read the runbook: a path in this repository, until it is published elsewhere. */
  runbookUrl: string;
};

export const stages = {
  local: {
    baseDomain: 'ledger.localhost',
    rateMaximumAgeDays: 'any',
    redirectRegistration: 'optional',
    apiKeyLifetimeDays: 'unlimited',
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: {
      platform_a: { name: 'platform_a', adapter: 'xero' },
      platform_b: { name: 'platform_b', adapter: 'quickbooks' },
      platform_c: { name: 'platform_c', adapter: 'zoho' },
    },
    // More than this machine does: nobody who tries the service out is to be throttled.
    throttling: {
      method: { ratePerSecond: 5_000, burst: 10_000 },
      application: { ratePerSecond: 2_000, burst: 4_000 },
      longRead: { ratePerSecond: 1_000, burst: 2_000 },
      batch: { ratePerSecond: 1_000, burst: 2_000 },
      reversal: { ratePerSecond: 1_000, burst: 2_000 },
    },
    // All functions share one process here: so many posts or reversals at once, or batches of 25,
    // leave room in it for the others. As many imports run side by side; those beyond wait their
    // turn, the oldest first.
    reservedConcurrency: {
      'create-journal-entry': 64,
      'create-journal-entries': 16,
      'reverse-journal-entry': 64,
      'import-tenant-data': 24,
    },
    costBudget: { readUnits: 20_000_000, writeUnits: 10_000_000 },
    // Tests and measurements make many tenants in one data folder.
    quotas: { ...usualQuotas, tenantsPerApplication: 1_000_000 },
  },
  development: {
    // RFC 2606 keeps `.example` for texts like this one: put your own domain here.
    baseDomain: 'development.ledger.example',
    rateMaximumAgeDays: 7,
    redirectRegistration: 'optional',
    apiKeyLifetimeDays: 365,
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: {
      platform_a: { name: 'platform_a', adapter: 'xero' },
      // The development keys of an Intuit app are good for Intuit's sandbox companies only.
      platform_b: { name: 'platform_b', adapter: 'quickbooks_sandbox' },
      platform_c: { name: 'platform_c', adapter: 'zoho' },
    },
    throttling: {
      method: { ratePerSecond: 50, burst: 100 },
      application: { ratePerSecond: 20, burst: 40 },
      longRead: { ratePerSecond: 10, burst: 15 },
      batch: { ratePerSecond: 5, burst: 10 },
      reversal: { ratePerSecond: 5, burst: 40 },
    },
    costBudget: { readUnits: 120_000, writeUnits: 40_000 },
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
    apiKeyLifetimeDays: 365,
    exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/',
    platforms: {
      platform_a: { name: 'platform_a', adapter: 'xero' },
      platform_b: { name: 'platform_b', adapter: 'quickbooks' },
      platform_c: { name: 'platform_c', adapter: 'zoho' },
    },
    throttling: {
      method: { ratePerSecond: 500, burst: 1000 },
      application: { ratePerSecond: 100, burst: 200 },
      longRead: { ratePerSecond: 10, burst: 15 },
      batch: { ratePerSecond: 10, burst: 10 },
      reversal: { ratePerSecond: 10, burst: 40 },
    },
    // A third of what the table gives. The batches that the throttle permits stay within it, and so
    // do reports of a year (limits.ts).
    costBudget: { readUnits: 240_000, writeUnits: 80_000 },
    quotas: usualQuotas,
    // Posts may wait for each other, and anybody may call the callback. Imports run for minutes
    // each: a hundred that are connected at once leave the rest of the account to whoever is waited
    // for. A report of large books takes long: whoever asks for one again and again would take what
    // the authorizer needs for everybody else. With six long reads these come to 900, which is all
    // that an account of 1,000 can set aside. limits.ts relates them to the throttles and to what
    // the account has.
    reservedConcurrency: {
      'create-journal-entry': 502,
      'oauth-callback': 50,
      'import-tenant-data': 100,
      'create-journal-entries': 44,
      'reverse-journal-entry': 72,
      eachLongRead: 22,
    },
    deployment: {
      // An address is often a whole application: it gets somewhat more than an application does.
      webApplicationFirewall: { requestsPerFiveMinutesPerAddress: 40_000 },
      tableThroughput: { readUnits: 12_000, writeUnits: 4_000 },
      accountConcurrency: 1_000,
      rollOut: 'canary',
      monthlyBudgetDollars: 500,
      logRetentionDays: 90,
      removalProtection: true,
      // As long as point-in-time recovery reaches back, and whoever turns that off.
      backups: { retentionDays: 35 },
      runbookUrl: 'infra/runbook.md',
    },
  },
} as const satisfies Record<string, StageSettings & { deployment?: Deployment }>;

/** A stage on AWS, with its name. */
export type DeployedStage = { name: string; settings: StageSettings; deployment: Deployment };

export const deployedStages: readonly DeployedStage[] = Object.entries(stages).flatMap(
  ([name, stage]) =>
    'deployment' in stage ? [{ name, settings: stage, deployment: stage.deployment }] : [],
);

/** The table that a stage serves from. */
export const servingTableOf = ({ name, deployment }: DeployedStage): string =>
  deployment.restoredTable?.name ?? tableNameOf(name);

/** What a stage's row still lacks for real use, by a short name, in words for its operator. */
export const missingOf = ({ settings, deployment }: DeployedStage): Record<string, string> => ({
  ...(settings.reservedConcurrency === undefined && {
    'no-reserved-concurrency':
      'A caller of the public callback, or a busy application, can take executions from all ' +
      'others: set reservedConcurrency in infra/manifest/stages.ts. AWS keeps 100 executions ' +
      'of an account unreserved, so a new account with ten executions cannot reserve any. First ' +
      'request 1000 "Concurrent executions" from Service Quotas, and set accountConcurrency.',
  }),
  ...(settings.baseDomain.endsWith('.example') && {
    'no-domain': 'baseDomain is a placeholder: put your own domain into infra/manifest/stages.ts.',
  }),
  ...(deployment.alarmEmail === undefined && {
    'no-alarm-email':
      'Nobody is told of alarms, nor of what the stage costs: put an alarmEmail into ' +
      'infra/manifest/stages.ts.',
  }),
  ...(!deployment.runbookUrl.startsWith('https://') && {
    'no-runbook-url':
      'Alarms name the runbook without a link: put its https address into runbookUrl.',
  }),
});
