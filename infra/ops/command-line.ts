// Reads the operator's command line: which command, with what options, on which stage.

import { parseArgs } from 'node:util';
import type * as z from 'zod/mini';
import type { Command } from './command.ts';
import {
  changeRedirectUrls,
  createApplication,
  listApplications,
  resumeApplication,
  suspendApplication,
  syncApplications,
} from './commands/applications.ts';
import { disconnect, showConnection } from './commands/connections.ts';
import { listFailures, redriveFailures } from './commands/failures.ts';
import { restartImport, showImport } from './commands/imports.ts';
import { createKey, expireKey, listKeys, revokeKey } from './commands/keys.ts';
import { loadRates, showRates } from './commands/rates.ts';
import { resealTokens, retireSecret } from './commands/secret-versions.ts';
import { rotateSecret, setSecret, showSecrets } from './commands/secrets.ts';
import { UsageError } from './errors.ts';

/** The commands by their words. */
export const commands = new Map<string, Command>([
  ['applications create', createApplication],
  ['applications list', listApplications],
  ['applications suspend', suspendApplication],
  ['applications resume', resumeApplication],
  ['applications redirect-urls', changeRedirectUrls],
  ['applications sync', syncApplications],
  ['keys create', createKey],
  ['keys list', listKeys],
  ['keys expire', expireKey],
  ['keys revoke', revokeKey],
  ['rates load', loadRates],
  ['rates show', showRates],
  ['connections show', showConnection],
  ['connections disconnect', disconnect],
  ['imports show', showImport],
  ['imports restart', restartImport],
  ['failures list', listFailures],
  ['failures redrive', redriveFailures],
  ['secrets show', showSecrets],
  ['secrets set', setSecret],
  ['secrets rotate', rotateSecret],
  ['secrets reseal', resealTokens],
  ['secrets retire', retireSecret],
]);

export type CommandLine =
  | { help: true; words: string }
  | {
      help: false;
      command: Command;
      options: Record<string, unknown>;
      /** A deployed stage, or the service on this machine. */
      stage: string | { local: true };
      json: boolean;
      yes: boolean;
    };

const flag = { type: 'boolean' } as const;
/** Every value is collected, so that one given twice is noticed rather than dropped. */
const text = { type: 'string', multiple: true } as const;
const optionTypes = {
  add: text,
  application: text,
  at: text,
  'client-id': text,
  date: text,
  'expires-at': text,
  'expires-in-days': text,
  forget: flag,
  help: flag,
  json: flag,
  key: text,
  local: flag,
  'lose-live-keys': flag,
  name: text,
  remove: text,
  slot: text,
  stage: text,
  tenant: text,
  version: text,
  yes: flag,
} as const;

const repeatable = new Set(['add', 'remove']);

/** What some commands take without an option's name: at most one of these each. */
const operandNames = ['file', 'secret'];

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options: optionTypes, allowPositionals: true });
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
    name.replace(/-./g, (hyphenated) => hyphenated.slice(1).toUpperCase()),
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
  return `--${String(name).replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
};

const sentenceOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') {
    return `this command takes no ${issue.keys.map(flagOf).join(', ')}`;
  }
  return [...issue.path.slice(0, 1).map(flagOf), issue.message].join(' ');
};
