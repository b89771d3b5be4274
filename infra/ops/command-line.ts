// Reads the operator's command line: the command, its options and the stage.

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

/** Positional arguments. A command takes at most one. */
const operandNames = ['file', 'secret'];

/** Options that can repeat. */
const repeatable = new Set(['add', 'remove']);

/** `clientId` becomes `client-id`. */
const hyphenated = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

const flag = { type: 'boolean' } as const;
/** Collects every value, to reject an option that is passed twice. */
const text = { type: 'string', multiple: true } as const;

/** The options of all commands, by name. An option is a flag if its schema accepts `true`. */
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
    // Drop Node's advice on values that start with a hyphen. No option here takes one.
    const [sentence = ''] = (error as Error).message.split(/\.?\sTo specify/);
    throw new UsageError(sentence);
  }
};

const single = (name: string, values: readonly string[]): string | undefined => {
  if (values.length > 1) throw new UsageError(`pass --${name} only once`);
  return values[0];
};

/** @throws UsageError if the command, an option or the stage is invalid */
export const readCommandLine = (
  args: string[],
  environment: { LEDGER_STAGE?: string | undefined },
): CommandLine => {
  const { values, positionals } = parse(args);
  const { help = false, json = false, local = false, yes = false, stage = [], ...named } = values;
  const words = positionals.slice(0, 2).join(' ');
  if (help) return { help, words };
  const command = commands.get(words);
  if (command === undefined) throw new UsageError('unknown command');
  return {
    help,
    words,
    command,
    options: readOptions(command, { named, operands: positionals.slice(2) }),
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
  if (!stage) throw new UsageError('specify --local or --stage NAME, or set LEDGER_STAGE');
  if (stage === 'local') throw new UsageError('for the local service, use --local');
  if (/^[a-z][a-z0-9-]{0,31}$/.test(stage)) return stage;
  throw new UsageError('a stage name consists of lowercase letters, digits and hyphens');
};

const readOptions = (
  { options }: Command,
  { named, operands }: { named: Record<string, string[] | boolean>; operands: string[] },
): Record<string, unknown> => {
  const operand = operandNames.find((name) => name in options.shape);
  if (operands.length > (operand ? 1 : 0)) throw new UsageError('too many arguments');
  const values = Object.entries(named).map(([name, value]) => [
    name.replace(/-./g, (letter) => letter.slice(1).toUpperCase()),
    repeatable.has(name) || typeof value === 'boolean' ? value : single(name, value),
  ]);
  const parsed = options.safeParse({
    ...Object.fromEntries(values),
    ...(operand && { [operand]: operands[0] }),
  });
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(sentenceOf).join('; '));
};

const optionText = (name: PropertyKey): string => {
  if (operandNames.includes(String(name))) return String(name).toUpperCase();
  return `--${hyphenated(String(name))}`;
};

const sentenceOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') {
    return `this command takes no ${issue.keys.map(optionText).join(', ')}`;
  }
  return [...issue.path.slice(0, 1).map(optionText), issue.message].join(' ');
};
