// `npm run ops`: the operator's tool. Does one command and prints what came of it.

import { createInterface } from 'node:readline/promises';
import { Refusal } from '#shared/errors.ts';
import { CommandFailure, UsageError } from './command.ts';
import { type CommandLine, commands, readCommandLine } from './command-line.ts';
import { renderHelp, renderReport } from './print.ts';
import { openDeployedStage, openLocalStage } from './stage.ts';

/** Asks before production is changed. @throws CommandFailure where the answer is not its name */
const confirm = async (stage: string): Promise<void> => {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(`this changes ${stage}, and nobody is here to ask: pass --yes`);
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`This changes ${stage}. Type its name to go on: `);
  prompt.close();
  if (answer.trim() !== stage) throw new CommandFailure('nothing was changed');
};

const carryOut = async ({
  command,
  options,
  stage,
  json,
  yes,
}: Extract<CommandLine, { help: false }>): Promise<void> => {
  if (stage === 'production' && !yes && command.changes(options)) await confirm(stage);
  const { dependencies, close } =
    typeof stage === 'string'
      ? openDeployedStage(stage)
      : await openLocalStage(process.env.LEDGER_DATA || '.ledger');
  try {
    const report = await command.run(dependencies, options);
    console.log(json ? JSON.stringify(report) : renderReport(report));
    if (!json && command.note) console.log(`\n${command.note}`);
  } finally {
    close();
  }
};

/** One line about what went wrong, of a failure nobody planned for also its name. */
const lineOf = (error: unknown): string => {
  const told = error instanceof Refusal && error.cause instanceof Error ? error.cause : error;
  const isPlanned = told instanceof CommandFailure || told instanceof UsageError;
  const line = isPlanned ? told.message : String(told);
  return line.replace(/\s+/g, ' ');
};

const args = process.argv.slice(2);
try {
  const commandLine = readCommandLine(args, process.env);
  if (commandLine.help) console.log(renderHelp(commands, commandLine.words));
  else await carryOut(commandLine);
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.exitCode = isUsage ? 2 : 1;
  if (args.includes('--json')) console.error(JSON.stringify({ error: lineOf(error) }));
  else {
    console.error(`ops: ${lineOf(error)}`);
    const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2);
    if (isUsage) console.error(`\n${renderHelp(commands, words.join(' '))}`);
  }
}
