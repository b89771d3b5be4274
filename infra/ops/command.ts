// Types of the operator's commands and their dependencies.

import type { Details } from '#shared/operator/audit-log.store.ts';
import type { Parameters, Values } from './options.ts';
import type { FunctionVersions } from './stage/function-versions.ts';
import type { Dependencies } from './stage/open-stage.ts';
import type { UsagePlan } from './stage/usage-plan.ts';

export type { Dependencies };

/** The verb of a noun that is a command itself. */
export const noVerb = '';

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell | Details>>;

/** The result of a command, as printed with --json. */
export type Report = Readonly<Record<string, Cell | readonly string[] | readonly Row[]>>;

/** The methods that only read, of the dependencies that can also write. */
type Reading = {
  applications: 'find' | 'findByName' | 'findWithKey' | 'list' | 'listKeys' | 'listLastUses';
  auditLog: 'list';
  budgetUse: 'list';
  books: Exclude<
    keyof Dependencies['books'],
    'correctAccountCount' | 'restoreDueDate' | 'rewriteRows'
  >;
  connections: 'find';
  dueWork: 'listStuck';
  exchangeRates: 'findLatest' | 'listCorrections';
  imports: 'find';
  migrations: 'findFormat';
  releases: 'find';
  secrets: 'idOf' | 'read';
  stageTable: 'check' | 'tableName';
  webhooks: 'list';
};
type ReadOnlyName =
  | 'clock'
  | 'deployedStacks'
  | 'dueDates'
  | 'failures'
  | 'findCommit'
  | 'importReports'
  | 'listEveryTenant'
  | 'listLockChanges'
  | 'operatorQueries'
  | 'rules'
  | 'showProgress'
  | 'tenants'
  | 'watchInterrupt'
  | 'writeOutput';

/** The dependencies that cannot change a stage. */
export type Readers = Pick<Dependencies, ReadOnlyName> & {
  [Name in keyof Reading]: Pick<Dependencies[Name], Reading[Name] & keyof Dependencies[Name]>;
} & {
  functionVersions:
    | Pick<FunctionVersions, 'aliases' | 'assertTableInService' | 'findTable'>
    | undefined;
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
  /** The change must work although the table is gone, and then records itself elsewhere. */
  worksWithoutTable?: true;
  /** The command checks which table the functions use, or changes it. */
  checksTable?: true;
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
