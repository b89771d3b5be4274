// `npm run ops`: the operator's tool. Runs one command and prints its report.

import { deployedStages } from '../manifest/stages.ts';
import { findNote } from './catalog.ts';
import { isChange } from './command.ts';
import { type CommandLine, readCommandLine } from './command-line.ts';
import { UsageError } from './errors.ts';

/** Whether changes need confirmation. A stage that the manifest does not list is protected. */
const isProtected = (stage: string): boolean =>
  deployedStages.find(({ name }) => name === stage)?.deployment.removalProtection ?? true;

const execute = async (
  commandLine: Extract<CommandLine, { help?: never }>,
  stageTitle: string,
): Promise<void> => {
  const { words, command, options, stage, json, yes } = commandLine;
  const printTo = (name: 'progress' | 'warning') => (sentence: string) =>
    console.error(json ? JSON.stringify({ [name]: sentence }) : `ops: ${sentence}`);
  const mustConfirm = typeof stage === 'string' && isProtected(stage) && !yes;
  if (mustConfirm && isChange(command, options)) {
    const { confirmChange } = await import('./terminal.ts');
    await confirmChange(stage);
  }
  const { needsOf, runCommand } = await import('./run-command.ts');
  const { open, close } =
    typeof stage === 'string'
      ? (await import('./stage/deployed-stage.ts')).openDeployedStage(stage)
      : await (await import('./stage/local-stage.ts')).openLocalStage(
          process.env.LEDGER_DATA || '.ledger',
        );
  try {
    const dependencies = await open(needsOf(commandLine));
    const report = await runCommand(
      commandLine,
      { ...dependencies, showProgress: printTo('progress') },
      { stage: stageTitle, warn: printTo('warning') },
    );
    const print = command.writesOutput ? console.error : console.log;
    const { renderReport } = await import('./print.ts');
    print(json ? JSON.stringify(report) : renderReport(report));
    const note = json ? undefined : await findNote(words);
    if (note) print(`\n${note}`);
    if (command.isBad?.(report)) process.exitCode = 1;
  } finally {
    close();
  }
};

const args = process.argv.slice(2);
let stageTitle = 'the stage';
try {
  const commandLine = await readCommandLine(args, process.env);
  if (commandLine.help === undefined) {
    if (typeof commandLine.stage === 'string') stageTitle = commandLine.stage;
    await execute(commandLine, stageTitle);
  } else process.stdout.write(commandLine.help);
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.exitCode = isUsage ? 2 : 1;
  const { explain } = await import('./explain.ts');
  const message = explain(error, stageTitle);
  if (args.includes('--json')) console.error(JSON.stringify({ error: message }));
  else
    console.error(`ops: ${message}${isUsage && error.help ? `\n\n${error.help.trimEnd()}` : ''}`);
}
