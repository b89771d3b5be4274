// What a command of the operator's tool is made of.

import type * as z from 'zod/mini';
import type { Secret, VersionedKeys } from '#shared/secrets.ts';
import type { Applications } from '#shared/store/applications.ts';
import type { ExchangeRates } from '#shared/store/exchange-rates.ts';

/** What the commands of one stage work with. */
export type Dependencies = {
  applications: Applications;
  exchangeRates: ExchangeRates;
  pepper: Secret<VersionedKeys>;
  clock: () => Date;
  random: (bytes: number) => Buffer;
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

/** What was asked for cannot be done; the message says why in one line. */
export class CommandFailure extends Error {}

/** The command line itself is wrong. */
export class UsageError extends Error {}
