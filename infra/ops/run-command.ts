// Runs a command. The audit log records a change before it starts, and its outcome afterwards. If
// the tool dies halfway, the log still shows that the change was started.

import { withoutApiKeys } from '#shared/applications/api-keys.ts';
import type { ChangeEnd, Details } from '#shared/operator/audit-log.store.ts';
import { type Change, type Dependencies, isChange, type Report } from './command.ts';
import type { Call } from './command-line.ts';
import { getTenant } from './commands/tenants.ts';
import { CommandFailure } from './errors.ts';
import { recordCommand } from './record-command.ts';

/** `stage` is the stage's name for messages. */
export type Surroundings = { stage: string; warn: (sentence: string) => void };

/** Loaded on a failure only: it knows the errors of AWS and the platforms. */
const explain = async (error: unknown, stage: string): Promise<string> =>
  (await import('./explain.ts')).explain(error, stage);

/** The audit log truncates longer lists: an item can have at most 400 KB. */
const maximumListed = 100;

/** As plain data, without API keys that an operator typed by mistake. */
const detailsOf = (values: Readonly<Record<string, unknown>>): Details => {
  const text = JSON.stringify(values, (_, value: unknown) =>
    Array.isArray(value) ? value.slice(0, maximumListed) : value,
  );
  return JSON.parse(withoutApiKeys(text));
};

/** The options that were passed, with names in snake case. */
const detailsOfOptions = (options: Call['options']): Details =>
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
    // The command will refuse for the same reason, and the log will have it.
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
  const { auditLog, clock, functionVersions, random, operator } = dependencies;
  if (!change.checksTable) await functionVersions?.assertTableInService();
  const start = {
    auditId: random(8).toString('hex'),
    operator: await operator(),
    command: words,
    options: detailsOfOptions(options),
    before: await stateBefore(change, { dependencies, options }),
    startedAt: clock().toISOString(),
  };
  try {
    await auditLog.begin(start);
  } catch (error) {
    const isGone = (error as Error).name === 'ResourceNotFoundException';
    if (!isGone || !change.worksWithoutTable) throw error;
    warn('the table is gone, so its audit log cannot show this change');
    return command.run(dependencies, options);
  }
  /** Only warns on failure: the report must be printed, since it can hold a new API key. */
  const end = async (
    outcome: 'done' | 'failed',
    result: Pick<ChangeEnd, 'after' | 'error'>,
  ): Promise<void> => {
    try {
      await auditLog.end(start, { outcome, endedAt: clock().toISOString(), ...result });
    } catch (error) {
      const sentence = `the audit log shows this change as started, not as ${outcome}`;
      warn(`${sentence} (${await explain(error, stage)})`);
    }
  };
  /** The history of the tenant that a command names shows what the command did to it. */
  const recordInHistory = async (after: Details): Promise<void> => {
    const { tenant, application } = options;
    if (typeof tenant !== 'string' || typeof application !== 'string') return;
    const { name } = await getTenant(dependencies, { tenant, application });
    const { operator: by, before } = start;
    const at = clock().toISOString();
    await recordCommand(dependencies, name, {
      by,
      at,
      command: words,
      before: before ?? {},
      after,
    });
  };
  const report = await command.run(dependencies, options).catch(async (error: unknown) => {
    await end('failed', { after: null, error: withoutApiKeys(await explain(error, stage)) });
    throw error;
  });
  const after = stateAfter(change, report);
  await end('done', { after, error: null });
  await recordInHistory(after).catch(async (error: unknown) => {
    warn(`the history of the tenant lacks this command (${await explain(error, stage)})`);
  });
  return report;
};

/** What each change needs, and the history of the tenant that it names. */
const auditNeeds = ['auditLog', 'clock', 'functionVersions', 'operator', 'random'] as const;
const historyNeeds = ['applications', 'history', 'tenants'] as const;

/** The dependencies that a call needs. */
export const needsOf = ({ command, options }: Pick<Call, 'command' | 'options'>) => [
  ...command.needs,
  ...(isChange(command, options) ? auditNeeds : []),
  ...(isChange(command, options) && options.tenant !== undefined ? historyNeeds : []),
];

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
