// Reads the operator's command line: which command, with what options, on which stage.

import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import type { Command } from './command.ts';
import { commands } from './command-list.ts';
import { UsageError } from './errors.ts';

export type CommandLine =
  | { help: true; words: string }
  | {
      help: false;
      words: string;
      command: Command;
      options: Record<string, unknown>;
      /** A deployed stage, or the service on this machine. */
      stage: string | { local: true };
      json: boolean;
      yes: boolean;
    };

/** What some commands take without an option's name: at most one of these each. */
const operandNames = ['file', 'secret'];

/** Options that may be given more than once. */
const repeatable = new Set(['add', 'remove']);

/** A name in camel case as it stands on the command line. */
const hyphenated = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

const flag = { type: 'boolean' } as const;
/** Every value is collected, so that one given twice is noticed rather than dropped. */
const text = { type: 'string', multiple: true } as const;

/** The options of all commands by their names. Those whose schema takes `true` are flags. */
const commandOptions: Record<string, typeof flag | typeof text> = Object.fromEntries(
  [...commands.values()]
    .flatMap(({ options }) => Object.entries(options.shape))
    .filter(([name]) => !operandNames.includes(name))
    .map(([name, schema]) => [hyphenated(name), z.safeParse(schema, true).success ? flag : text]),
);
const commonOptions = { help: flag, json: flag, local: flag, stage: text, yes: flag };

const parse = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: { ...commandOptions, ...commonOptions },
      allowPositionals: true,
    });
  } catch (error) {
    // What follows is about arguments that start with a hyphen; none here do.
    const [sentence = ''] = (error as Error).message.split(/\.?\sTo specify/);
    throw new UsageError(sentence);
  }
};

const single = (name: string, given: readonly string[]): string | undefined => {
  if (given.length > 1) throw new UsageError(`--${name} was given more than once`);
  return given[0];
};

/** @throws UsageError */
export const readCommandLine = (
  args: string[],
  environment: { LEDGER_STAGE?: string | undefined },
): CommandLine => {
  const { values, positionals } = parse(args);
  const { help = false, json = false, local = false, yes = false, stage = [], ...given } = values;
  const words = positionals.slice(0, 2).join(' ');
  if (help) return { help, words };
  const command = commands.get(words);
  if (command === undefined) throw new UsageError('there is no such command');
  return {
    help,
    words,
    command,
    options: readOptions(command, { given, operands: positionals.slice(2) }),
    stage: local ? readLocal(stage) : readStage(single('stage', stage) ?? environment.LEDGER_STAGE),
    json,
    yes,
  };
};

const readLocal = (stage: readonly string[]): { local: true } => {
  if (stage.length > 0) throw new UsageError('give --local or --stage, not both');
  return { local: true };
};

const readStage = (stage: string | undefined): string => {
  if (!stage) throw new UsageError('say where: --local, or --stage NAME (or set LEDGER_STAGE)');
  if (stage === 'local') throw new UsageError('the service of this machine is --local');
  if (/^[a-z][a-z0-9-]{0,31}$/.test(stage)) return stage;
  throw new UsageError('a stage has a name of small letters, digits and hyphens');
};

const readOptions = (
  { options }: Command,
  { given, operands }: { given: Record<string, string[] | boolean>; operands: string[] },
): Record<string, unknown> => {
  const operand = operandNames.find((name) => name in options.shape);
  if (operands.length > (operand ? 1 : 0)) throw new UsageError('there is an argument too many');
  const named = Object.entries(given).map(([name, value]) => [
    name.replace(/-./g, (letter) => letter.slice(1).toUpperCase()),
    repeatable.has(name) || typeof value === 'boolean' ? value : single(name, value),
  ]);
  const parsed = options.safeParse({
    ...Object.fromEntries(named),
    ...(operand && { [operand]: operands[0] }),
  });
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(sentenceOf).join('; '));
};

const flagOf = (name: PropertyKey): string => {
  if (operandNames.includes(String(name))) return String(name).toUpperCase();
  return `--${hyphenated(String(name))}`;
};

const sentenceOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') {
    return `this command takes no ${issue.keys.map(flagOf).join(', ')}`;
  }
  return [...issue.path.slice(0, 1).map(flagOf), issue.message].join(' ');
};
