// Runs a command. One that changes something is written down in the audit log before it is begun,
// and its outcome after it: where the tool dies in between, the log says that it was begun, and
// nothing is changed of which the log knows nothing.

import { withoutApiKeys } from '#shared/domain/api-keys.ts';
import type { ChangeEnd, Details } from '#shared/store/audit-log.ts';
import { type Change, type Command, type Dependencies, isChange, type Report } from './command.ts';
import { CommandFailure } from './errors.ts';
import { explain } from './explain.ts';

export type Call = {
  /** The words that choose the command. */
  words: string;
  command: Command;
  options: Record<string, unknown>;
};

/** How to call the stage in a sentence, and where to say what does not stop the command. */
export type Surroundings = { stage: string; warn: (sentence: string) => void };

/** Of a longer list the log keeps this many; an item of the table holds 400 KB. */
const maximumListed = 100;

/** As plain data, without the API keys that somebody typed in by mistake. */
const detailsOf = (values: Readonly<Record<string, unknown>>): Details => {
  const text = JSON.stringify(values, (_, value: unknown) =>
    Array.isArray(value) ? value.slice(0, maximumListed) : value,
  );
  return JSON.parse(withoutApiKeys(text));
};

/** What was asked for, under the names that a report would have; what was not given is left out. */
const givenOptions = (options: Call['options']): Details =>
  detailsOf(
    Object.fromEntries(
      Object.entries(options)
        .filter(([, value]) => value !== false && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => [name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`), value]),
    ),
  );

const stateBefore = async (
  { before }: Change<Call['options']>,
  { dependencies, options }: { dependencies: Dependencies; options: Call['options'] },
): Promise<Details | null> => {
  try {
    const report = await before?.(dependencies, options);
    return report ? detailsOf(report) : null;
  } catch (error) {
    // What is not there is for the command to refuse, which is written down as well.
    if (error instanceof CommandFailure) return null;
    throw error;
  }
};

const stateAfter = ({ after }: Change<Call['options']>, report: Report): Details =>
  detailsOf(Object.fromEntries(after.map((name) => [name, report[name]])));

const runAudited = async (
  { words, command, options, change }: Call & { change: Change<Call['options']> },
  dependencies: Dependencies,
  { stage, warn }: Surroundings,
): Promise<Report> => {
  const { auditLog, clock, random, operator } = dependencies;
  const begun = {
    auditId: random(8).toString('hex'),
    operator: await operator(),
    command: words,
    options: givenOptions(options),
    before: await stateBefore(change, { dependencies, options }),
    startedAt: clock().toISOString(),
  };
  await auditLog.begin(begun);
  /** What is done stays done, and its report is shown: a key is shown but once. */
  const end = async (
    outcome: 'done' | 'failed',
    found: Pick<ChangeEnd, 'after' | 'error'>,
  ): Promise<void> => {
    try {
      await auditLog.end(begun, { outcome, endedAt: clock().toISOString(), ...found });
    } catch (error) {
      const sentence = `the audit log has this as started, and not that it is ${outcome}`;
      warn(`${sentence} (${explain(error, stage)})`);
    }
  };
  const report = await command.run(dependencies, options).catch(async (error: unknown) => {
    await end('failed', { after: null, error: withoutApiKeys(explain(error, stage)) });
    throw error;
  });
  await end('done', { after: stateAfter(change, report), error: null });
  return report;
};

export const runCommand = async (
  call: Call,
  dependencies: Dependencies,
  surroundings: Surroundings,
): Promise<Report> => {
  const { command, options } = call;
  const { change } = command;
  return change && isChange(command, options)
    ? runAudited({ ...call, change }, dependencies, surroundings)
    : command.run(dependencies, options);
};
