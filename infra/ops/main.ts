// `npm run ops`: the operator's tool. Runs one command and prints its report.

import { deployedStages } from '../manifest/stages.ts';
import { isChange } from './command.ts';
import { type CommandLine, readCommandLine } from './command-line.ts';
import { commands } from './command-list.ts';
import { UsageError } from './errors.ts';
import { explain } from './explain.ts';
import { renderHelp, renderReport } from './print.ts';
import { confirmChange } from './prompts.ts';
import { runCommand } from './run-command.ts';
import { openDeployedStage, openLocalStage } from './stage.ts';

/** Whether changes need confirmation. A stage that the manifest does not list is protected. */
const isProtected = (stage: string): boolean =>
  deployedStages.find(({ name }) => name === stage)?.deployment.removalProtection ?? true;

const execute = async (
  commandLine: Extract<CommandLine, { help: false }>,
  stageTitle: string,
): Promise<void> => {
  const { command, options, stage, json, yes } = commandLine;
  const printTo = (name: 'progress' | 'warning') => (sentence: string) =>
    console.error(json ? JSON.stringify({ [name]: sentence }) : `ops: ${sentence}`);
  const mustConfirm = typeof stage === 'string' && isProtected(stage) && !yes;
  if (mustConfirm && isChange(command, options)) await confirmChange(stage);
  const { dependencies, close } =
    typeof stage === 'string'
      ? openDeployedStage(stage)
      : await openLocalStage(process.env.LEDGER_DATA || '.ledger');
  try {
    const report = await runCommand(
      commandLine,
      { ...dependencies, showProgress: printTo('progress') },
      { stage: stageTitle, warn: printTo('warning') },
    );
    const print = command.writesOutput ? console.error : console.log;
    print(json ? JSON.stringify(report) : renderReport(report));
    if (!json && command.note) print(`\n${command.note}`);
    if (command.isBad?.(report)) process.exitCode = 1;
  } finally {
    close();
  }
};

const args = process.argv.slice(2);
let stageTitle = 'the stage';
try {
  const commandLine = readCommandLine(args, process.env);
  if (!commandLine.help && typeof commandLine.stage === 'string') {
    stageTitle = commandLine.stage;
  }
  if (commandLine.help) console.log(renderHelp(commands, commandLine.words));
  else await execute(commandLine, stageTitle);
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.exitCode = isUsage ? 2 : 1;
  const message = explain(error, stageTitle);
  if (args.includes('--json')) console.error(JSON.stringify({ error: message }));
  else {
    console.error(`ops: ${message}`);
    const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2);
    if (isUsage) console.error(`\n${renderHelp(commands, words.join(' '))}`);
  }
}
