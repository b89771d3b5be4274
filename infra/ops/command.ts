// Types of the operator's commands and their dependencies.

import type { Applications } from '#shared/applications/applications.store.ts';
import type { BudgetUse } from '#shared/applications/budget-use.store.ts';
import type { KeyIssuing } from '#shared/applications/issue-api-key.service.ts';
import type { DueWork } from '#shared/background/due-index.store.ts';
import type { Connections } from '#shared/connections/connections.store.ts';
import type { DueDates } from '#shared/entries/schedule/due-dates.store.ts';
import type { Imports } from '#shared/imports/imports.store.ts';
import type { AuditLog, Details } from '#shared/operator/audit-log.store.ts';
import type { CallbackAddresses } from '#shared/operator/callback-address.store.ts';
import type { Migrations } from '#shared/operator/migrations.store.ts';
import type { OperatorQueries } from '#shared/operator/operator-queries.store.ts';
import type { KeptBooks } from '#shared/operator/recorded-books.store.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { ExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { TenantReader } from '#shared/tenants/tenant-reader.store.ts';
import type { StageSettings } from '../manifest/stages.ts';
import type { Parameters, Values } from './options.ts';
import type { FailureQueue } from './stage/failures.ts';
import type { StageFunctions } from './stage/functions.ts';
import type { StageSecrets } from './stage/stage-secrets.ts';
import type { StageTable } from './stage/stage-table.ts';
import type { UsagePlan } from './stage/usage-plan.ts';

/** Dependencies of the commands, for one stage. */
export type Dependencies = KeyIssuing & {
  /** Settings from the stage's row in infra/manifest/stages.ts. */
  rules: Pick<
    StageSettings,
    'apiKeyLifetimeDays' | 'costBudget' | 'rateMaximumAgeDays' | 'redirectRegistration'
  >;
  budgetUse: BudgetUse;
  exchangeRates: ExchangeRates;
  tenants: TenantReader;
  imports: Imports;
  connections: Connections;
  dueDates: Pick<DueDates, 'findStuck'>;
  dueWork: Pick<DueWork, 'listStuck' | 'retry'>;
  books: KeptBooks;
  platforms: Platforms;
  operatorQueries: OperatorQueries;
  migrations: Migrations;
  secrets: StageSecrets;
  /** Seals a tenant's tokens under this key version. Returns false if they already were. */
  reseal: (tokens: { name: TenantName; version: string }) => Promise<boolean>;
  /** The gateway's usage plan. The local service has none. */
  usagePlan: UsagePlan | undefined;
  failures: FailureQueue;
  stageTable: StageTable;
  /** Invokes functions outside their schedule. Undefined for the local service. */
  functions: StageFunctions | undefined;
  /** The callback address that the last deployment recorded. */
  callbackAddresses: CallbackAddresses;
  /** The base URL of the API. */
  baseUrl: () => Promise<string>;
  auditLog: AuditLog;
  /** The name of the operator: an AWS ARN, or the local user. */
  operator: () => Promise<string>;
  newImportId: () => string;
  sleep: (milliseconds: number) => Promise<unknown>;
  /** Reads a secret from a prompt or from standard input. */
  readSecret: (question: string) => Promise<string>;
  /** Writes to standard output, for commands that export a file. */
  writeOutput: (text: string) => Promise<void>;
  /** Prints the progress of a long command to standard error. */
  showProgress: (sentence: string) => void;
  /** Catches the first Ctrl-C. The returned function reports whether it happened. */
  watchInterrupt: () => () => boolean;
};

/** The verb of a noun that is a command itself. */
export const noVerb = '';

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell | Details>>;

/** The result of a command, as printed with --json. */
export type Report = Readonly<Record<string, Cell | readonly string[] | readonly Row[]>>;

/** The dependencies that cannot change a stage. */
export type Readers = Pick<
  Dependencies,
  | 'clock'
  | 'dueDates'
  | 'failures'
  | 'operatorQueries'
  | 'rules'
  | 'showProgress'
  | 'tenants'
  | 'watchInterrupt'
  | 'writeOutput'
> & {
  applications: Pick<
    Applications,
    'find' | 'findByName' | 'findWithKey' | 'list' | 'listKeys' | 'listLastUses'
  >;
  auditLog: Pick<AuditLog, 'list'>;
  budgetUse: Pick<BudgetUse, 'list'>;
  books: Omit<KeptBooks, 'restoreDueDate' | 'rewriteRows'>;
  connections: Pick<Connections, 'find'>;
  dueWork: Pick<DueWork, 'listStuck'>;
  exchangeRates: Pick<ExchangeRates, 'findLatest' | 'listCorrections'>;
  imports: Pick<Imports, 'find'>;
  migrations: Pick<Migrations, 'findFormat'>;
  secrets: Pick<StageSecrets, 'idOf' | 'read'>;
  stageTable: Pick<StageTable, 'check'>;
  usagePlan: Pick<UsagePlan, 'states'> | undefined;
};

type Description<Options extends Parameters> = {
  /** The options, with names in camel case. */
  options: Options;
  /** The rule over several options that these options break. */
  ruleBrokenBy?(options: Values<Options>): string | undefined;
  /** The command writes a file to standard output. Its report goes to standard error. */
  writesOutput?: true;
  /** Whether the tool exits with 1 although the command succeeded. */
  isBad?(report: Report): boolean;
};

/** How the audit log records a change. `before` and `after` must not contain secrets. */
export type Change<Options, Need extends keyof Dependencies = keyof Dependencies> = {
  /** Whether the command changes anything with these options. By default it does. */
  happens?(options: Options): boolean;
  /** The state before the change. A CommandFailure is ignored: `run` reports it. */
  before?(dependencies: Pick<Readers, Need & keyof Readers>, options: Options): Promise<Report>;
  /** The fields of the report that show the state after the change. */
  after: readonly string[];
};

/** A command that only reads. Its dependencies cannot write. */
type Query<Options extends Parameters, Need extends keyof Readers> = Description<Options> & {
  /** The dependencies to open. */
  needs: readonly Need[];
  change?: never;
  run(readers: Pick<Readers, Need>, options: Values<Options>): Promise<Report>;
};

/** A command that writes. Protected stages ask for confirmation; the audit log records it. */
type ChangeCommand<
  Options extends Parameters,
  Need extends keyof Dependencies,
> = Description<Options> & {
  needs: readonly Need[];
  change: Change<Values<Options>, Need>;
  run(dependencies: Pick<Dependencies, Need>, options: Values<Options>): Promise<Report>;
};

export type Command<Options extends Parameters = Parameters> =
  | Query<Options, keyof Readers>
  | ChangeCommand<Options, keyof Dependencies>;

export const isChange = <Options extends Parameters>(
  { change }: Command<Options>,
  options: Values<Options>,
): boolean => change !== undefined && (change.happens?.(options) ?? true);

/** Infers the type of `run`'s options. */
export const defineQuery = <Options extends Parameters, Need extends keyof Readers>(
  query: Query<Options, Need>,
): Query<Options, Need> => query;

export const defineChange = <Options extends Parameters, Need extends keyof Dependencies>(
  command: ChangeCommand<Options, Need>,
): ChangeCommand<Options, Need> => command;
