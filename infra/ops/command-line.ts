// Reads the operator's command line: the command, its options and the stage.

import { CommanderError, Help, Command as Program } from 'commander';
import { catalog, findNote, loadCommand, nouns } from './catalog.ts';
import { type Command, noVerb } from './command.ts';
import { UsageError } from './errors.ts';
import type { Flag, Parameter } from './options.ts';

export type Call = {
  /** The command's noun and verb, such as `keys create`. */
  words: string;
  command: Command;
  options: Record<string, unknown>;
};
export type CommandLine =
  | { help: string }
  | (Call & {
      help?: never;
      /** A deployed stage, or the service on this machine. */
      stage: string | { local: true };
      json: boolean;
      yes: boolean;
    });

/** `--silent` keeps npm from printing a line of its own, so that the output can be piped. */
const programName = 'npm run --silent ops --';

const commonHelp = '\nEvery command takes --local or --stage <name>, --json, --yes and --help.';

/** Collects every value, to refuse an option that is passed twice. */
const collect = (text: string, previous: readonly string[] = []): string[] => [...previous, text];

/** `clientId` becomes `client-id`. */
const hyphenated = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** The name of an option or an argument in messages. */
const titleOf = (name: string, parameter: Parameter | Flag): string =>
  'isOperand' in parameter ? name.toUpperCase() : `--${hyphenated(name)}`;

const isFlag = (parameter: Parameter | Flag): parameter is Flag => 'isFlag' in parameter;

/** Adds a command's options, once the command is called. */
const declare = (target: Program, { options }: Command, note: string | undefined): void => {
  const usage: string[] = [];
  for (const [name, parameter] of Object.entries(options)) {
    const { purpose } = parameter;
    if (isFlag(parameter)) target.option(titleOf(name, parameter), purpose);
    else if (parameter.isOperand) {
      target.argument(`<${name}>`, purpose);
      usage.push(`<${name}>`);
    } else {
      const flags = `${titleOf(name, parameter)} <${parameter.value}>`;
      target.option(flags, purpose, collect);
      if (parameter.isRequired) usage.push(flags);
    }
  }
  target.usage([...usage, '[options]'].join(' '));
  if (note) target.description(`${target.summary()}.\n\n${note}`);
};

/** Checks the texts of one option. @throws UsageError with the rule that a text breaks */
const readParameter = async (
  title: string,
  { read, is, isRepeatable }: Parameter,
  texts: readonly string[],
): Promise<unknown> => {
  if (texts.length > 1 && !isRepeatable) throw new UsageError(`pass ${title} only once`);
  const values = await Promise.all(
    texts.map(async (text) => {
      // No value starts like an option: the value was forgotten.
      if (text.startsWith('--')) throw new UsageError(`${title} needs a value`);
      const value = await read(text);
      if (value === undefined) throw new UsageError(`${title} must be ${is}`);
      return value;
    }),
  );
  return isRepeatable ? values : values[0];
};

/** @throws UsageError with every rule that the options break */
const readOptions = async (
  { options, ruleBrokenBy }: Command,
  texts: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> => {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(options)) {
    const title = titleOf(name, parameter);
    if (texts[name] === undefined) {
      if ('isRequired' in parameter && parameter.isRequired) problems.push(`${title} is required`);
    } else if (isFlag(parameter)) values[name] = true;
    else {
      const read = readParameter(title, parameter, texts[name] as string[]);
      values[name] = await read.catch((error: Error) => problems.push(error.message));
    }
  }
  const broken = problems.length > 0 ? problems.join('; ') : ruleBrokenBy?.(values);
  if (broken !== undefined) throw new UsageError(broken);
  return values;
};

type CommonTexts = { stage?: string[]; local?: true; json?: true; yes?: true };

const readStage = (
  { stage: texts = [], local }: CommonTexts,
  environment: { LEDGER_STAGE?: string | undefined },
): string | { local: true } => {
  if (local && texts.length > 0) throw new UsageError('give --local or --stage, not both');
  if (texts.length > 1) throw new UsageError('pass --stage only once');
  if (local) return { local };
  const stage = texts[0] ?? environment.LEDGER_STAGE;
  if (!stage) throw new UsageError('specify --local or --stage NAME, or set LEDGER_STAGE');
  if (stage === 'local') throw new UsageError('for the local service, use --local');
  if (/^[a-z][a-z0-9-]{0,31}$/.test(stage)) return stage;
  throw new UsageError('a stage name consists of lowercase letters, digits and hyphens');
};

/** In one line, and without the operator's texts, which could be keys. */
const sentenceOf = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replace(/ but got .*$/s, '')
    .replace(/(unknown option '[^'=]*)=[^']*/, '$1')
    .replace(/lk_\w+/g, 'lk_…')
    .replace(/\s+/g, ' ');

/** The program with every noun and verb. Options of a command are added when it is called. */
const buildProgram = (
  print: (text: string) => void,
  act: (target: Program, words: string, command: Command) => Promise<void>,
): Program => {
  const program = new Program(programName)
    .usage('<noun> <verb> [options]')
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print, outputError: () => {} })
    .configureHelp({
      showGlobalOptions: true,
      formatHelp: (command, help) => {
        if (command.parent === null) help.visibleOptions = () => [];
        return Help.prototype.formatHelp.call(help, command, help);
      },
    })
    .helpCommand(false)
    .addHelpText('after', commonHelp)
    .option('--local', 'use the local service; LEDGER_DATA is its data folder')
    .option('--stage <name>', 'use a deployed stage; the default is LEDGER_STAGE', collect)
    .option('--json', 'print one line of JSON, for errors as well')
    .option('--yes', 'change a protected stage without confirmation');
  const wordsOf = new Map<Program, string>();
  const onCall = async (_parent: Program, target: Program): Promise<void> => {
    const words = wordsOf.get(target);
    if (words === undefined) return;
    const command = await loadCommand(words);
    declare(target, command, await findNote(words));
    target.action(() => act(target, words, command));
  };
  const add = (parent: Program, words: string, summary: string): Program => {
    const target = parent.command(words.split(' ').at(-1) ?? '').summary(summary);
    wordsOf.set(target, words);
    return target.description(`${summary}.`);
  };
  program.hook('preSubcommand', onCall);
  for (const [group, members] of Object.entries(catalog)) {
    program.commandsGroup(group);
    for (const [noun, verbs] of Object.entries(members)) {
      if (verbs[noVerb] !== undefined) add(program, noun, verbs[noVerb]);
      else {
        const parent = program.command(noun).summary(Object.keys(verbs).join(', '));
        parent.usage('<verb> [options]').helpCommand(false).hook('preSubcommand', onCall);
        for (const [verb, purpose] of Object.entries(verbs)) {
          add(parent, `${noun} ${verb}`, purpose);
        }
      }
    }
  }
  return program;
};

/** The longest part of a command line that names a noun or a command, for the hint on its help. */
const knownWordsOf = (args: readonly string[]): string => {
  const [noun = '', verb = ''] = args.filter((arg) => !arg.startsWith('-'));
  const verbs = nouns.get(noun);
  if (verbs === undefined) return '';
  return Object.hasOwn(verbs, verb) ? `${noun} ${verb} ` : `${noun} `;
};

/** @throws UsageError if the command, an option or the stage is invalid */
export const readCommandLine = async (
  args: readonly string[],
  environment: { LEDGER_STAGE?: string | undefined },
): Promise<CommandLine> => {
  const printed: string[] = [];
  let call: CommandLine | undefined;
  const program = buildProgram(
    (text) => printed.push(text),
    async (target, words, command) => {
      const { json = false, yes = false, ...common } = program.opts<CommonTexts>();
      const operands = Object.keys(command.options).filter(
        (name) => 'isOperand' in (command.options[name] ?? {}),
      );
      const named = operands.map((name, index) => [name, target.args.slice(index, index + 1)]);
      const texts = { ...target.opts(), ...Object.fromEntries(named) };
      const options = await readOptions(command, texts);
      call = { words, command, options, stage: readStage(common, environment), json, yes };
    },
  );
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const hint = `For help: ${programName} ${knownWordsOf(args)}--help`;
    if (error instanceof UsageError) throw new UsageError(error.message, hint);
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { help: printed.join('') };
    const isIncomplete = error.code === 'commander.help';
    if (isIncomplete) throw new UsageError('specify a command', printed.join(''));
    throw new UsageError(sentenceOf(error), hint);
  }
  if (call === undefined) throw new Error('the command has no action');
  return call;
};
