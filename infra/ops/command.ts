// What a command of the operator's tool is made of.

import type * as z from 'zod/mini';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Connections } from '#shared/store/connections.ts';
import type { ExchangeRates } from '#shared/store/exchange-rates.ts';
import type { Imports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { OperatorQueries } from '#shared/store/operator-queries.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import type { KeyIssuing } from '../issue-api-key.ts';
import type { StageSettings } from '../stages.ts';
import type { FailureQueue } from './failures.ts';
import type { StageSecrets } from './stage-secrets.ts';
import type { UsagePlan } from './usage-plan.ts';

/** What the commands of one stage work with. */
export type Dependencies = KeyIssuing & {
  /** What the stage's row demands of what operators make. */
  rules: Pick<StageSettings, 'apiKeyLifetimeDays' | 'redirectRegistration'>;
  exchangeRates: ExchangeRates;
  tenants: TenantReader;
  imports: Imports;
  connections: Connections;
  platforms: Platforms;
  operatorQueries: OperatorQueries;
  secrets: StageSecrets;
  /** Seals a tenant's tokens under this version, unless they are. Returns whether it did. */
  reseal: (tokens: { name: TenantName; version: string }) => Promise<boolean>;
  /** The gateway's, which counts the requests of each application; none on this machine. */
  usagePlan: UsagePlan | undefined;
  failures: FailureQueue;
  newImportId: () => string;
  sleep: (milliseconds: number) => Promise<unknown>;
  /** Asks for a secret, or reads it from standard input. */
  readSecret: (question: string) => Promise<string>;
};

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** What a command found or did, under the names that its JSON has. */
export type Report = Readonly<Record<string, Cell | readonly string[] | readonly Row[]>>;

export type Command<Options extends z.ZodMiniObject = z.ZodMiniObject> = {
  /** What follows the command's words on the command line. */
  usage: string;
  purpose: string;
  /** What a person should know about the result; a program has no use for it. */
  note?: string;
  /** Its options, by their names in camel case. */
  options: Options;
  /** Whether it changes anything, which is asked about first where the stage is production. */
  changes(options: z.output<Options>): boolean;
  run(dependencies: Dependencies, options: z.output<Options>): Promise<Report>;
};

/** Lets the type of what `run` takes follow from the schema. */
export const defineCommand = <Options extends z.ZodMiniObject>(
  command: Command<Options>,
): Command<Options> => command;
