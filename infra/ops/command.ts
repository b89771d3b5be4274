// What a command of the operator's tool is made of.

import type * as z from 'zod/mini';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Applications } from '#shared/store/applications.ts';
import type { AuditLog, Details } from '#shared/store/audit-log.ts';
import type { BudgetUse } from '#shared/store/budget-use.ts';
import type { CallbackAddresses } from '#shared/store/callback-address.ts';
import type { Connections } from '#shared/store/connections.ts';
import type { DueDates } from '#shared/store/due-dates.ts';
import type { DueWork } from '#shared/store/due-index.ts';
import type { ExchangeRates } from '#shared/store/exchange-rates.ts';
import type { Imports } from '#shared/store/imports.ts';
import type { KeptBooks } from '#shared/store/kept-books.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { Migrations } from '#shared/store/migrations.ts';
import type { OperatorQueries } from '#shared/store/operator-queries.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import type { KeyIssuing } from '../issue-api-key.ts';
import type { StageSettings } from '../stages.ts';
import type { FailureQueue } from './failures.ts';
import type { StageFunctions } from './functions.ts';
import type { StageSecrets } from './stage-secrets.ts';
import type { StageTable } from './stage-table.ts';
import type { UsagePlan } from './usage-plan.ts';

/** What the commands of one stage work with. */
export type Dependencies = KeyIssuing & {
  /** What the stage's row demands of what operators make. */
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
  /** Seals a tenant's tokens under this version, unless they are. Returns whether it did. */
  reseal: (tokens: { name: TenantName; version: string }) => Promise<boolean>;
  /** The gateway's, which counts the requests of each application; none on this machine. */
  usagePlan: UsagePlan | undefined;
  failures: FailureQueue;
  stageTable: StageTable;
  /** To let a function run out of turn; none on this machine, where they run as it starts. */
  functions: StageFunctions | undefined;
  /** Where platforms send browsers back to, as deployments have noted it. */
  callbackAddresses: CallbackAddresses;
  /** Where applications reach the API. */
  baseUrl: () => Promise<string>;
  auditLog: AuditLog;
  /** Who gives the commands: an identity of AWS, or the user of this machine. */
  operator: () => Promise<string>;
  newImportId: () => string;
  sleep: (milliseconds: number) => Promise<unknown>;
  /** Asks for a secret, or reads it from standard input. */
  readSecret: (question: string) => Promise<string>;
  /** Standard output, for a command whose result is a file. */
  writeOutput: (text: string) => Promise<void>;
  /** Says on standard error how far a command is that takes long. */
  showProgress: (sentence: string) => void;
  /** Lets the first Ctrl-C ask a command to stop; what is returned says whether it did. */
  watchInterrupt: () => () => boolean;
};

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell | Details>>;

/** What a command found or did, under the names that its JSON has. */
export type Report = Readonly<Record<string, Cell | readonly string[] | readonly Row[]>>;

/** What shows how a stage stands, and changes nothing of it. */
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

type Description<Options extends z.ZodMiniObject> = {
  /** What follows the command's words on the command line. */
  usage: string;
  purpose: string;
  /** What a person should know about the result; a program has no use for it. */
  note?: string;
  /** Its options, by their names in camel case. */
  options: Options;
  /** Whether it writes a file to standard output: then its report goes to standard error. */
  writesOutput?: true;
  /** Whether what it found ends the tool with 1, though the command itself went well. */
  isBad?(report: Report): boolean;
};

/** What a command changes, as the audit log keeps it. Neither part may hold a secret. */
export type Change<Options> = {
  /** Whether it changes anything with these options; always, where nothing else is said. */
  happens?(options: Options): boolean;
  /** How what it changes stands. What cannot be found is for the command itself to say. */
  before?(readers: Readers, options: Options): Promise<Report>;
  /** The names in its report that say how it stands after the change. */
  after: readonly string[];
};

/** A command that only reads: it is given nothing else. */
type Query<Options extends z.ZodMiniObject> = Description<Options> & {
  change?: never;
  run(readers: Readers, options: z.output<Options>): Promise<Report>;
};

/**
 * A command that changes something, which is asked about first where the stage is production, and
 * leaves an entry in the audit log.
 */
type ChangeCommand<Options extends z.ZodMiniObject> = Description<Options> & {
  change: Change<z.output<Options>>;
  run(dependencies: Dependencies, options: z.output<Options>): Promise<Report>;
};

export type Command<Options extends z.ZodMiniObject = z.ZodMiniObject> =
  | Query<Options>
  | ChangeCommand<Options>;

export const isChange = <Options extends z.ZodMiniObject>(
  { change }: Command<Options>,
  options: z.output<Options>,
): boolean => change !== undefined && (change.happens?.(options) ?? true);

/** Lets the type of what `run` takes follow from the schema. */
export const defineQuery = <Options extends z.ZodMiniObject>(
  query: Query<Options>,
): Query<Options> => query;

export const defineChange = <Options extends z.ZodMiniObject>(
  command: ChangeCommand<Options>,
): ChangeCommand<Options> => command;
