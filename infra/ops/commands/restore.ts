// The operator's command that restores a stage: the table, its settings, its books, its feeds, the
// binding and the deployment. It can be run again after any step.

import { tableNameOf } from '../../manifest/names.ts';
import { type Dependencies, defineChange, noVerb } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { flag, optional, tableName, timestamp, type Values } from '../options.ts';
import { runCommand } from '../run-command.ts';
import type { PointInTime, Restoration } from '../stage/restoration.ts';
import { verifyBooks } from './books.ts';

const options = {
  at: optional(timestamp, 'restore the table to this time'),
  table: optional(tableName, 'use this table, which was restored from a backup'),
  acceptDifferences: flag('bind the stage although the books differ'),
  deployCheckout: flag('deploy this checkout although another commit is in service'),
  dryRun: flag('only show the steps, and check the time'),
};

/** A restore takes at least 20 minutes. */
const pollMilliseconds = 15_000;

const needs = [
  'clock',
  'findCommit',
  'functionVersions',
  'onTable',
  'operator',
  'random',
  'releases',
  'restoration',
  'showProgress',
  'sleep',
  'stageName',
  'stageTable',
] as const;
type Needs = Pick<Dependencies, (typeof needs)[number]>;
type Restoring = Needs & { restoration: Restoration };
type Options = Values<typeof options>;

/** The table's name has the time, so that a second run finds the restore of the first. */
const targetOf = (stage: string, at: string): string =>
  `${tableNameOf(stage)}-${at.replace(/[-:]|\.\d+/g, '')}`;

const pointInTimeOf = (
  { stageTable, stageName }: Needs,
  { at, table }: Options,
): { target: string; point: PointInTime | undefined } => {
  const source = stageTable.tableName;
  const target = table ?? targetOf(stageName, at ?? '');
  // Once the stage is bound to the target, its restore is complete.
  const isToRestore = at !== undefined && target !== source;
  return { target, point: isToRestore ? { source, target, at } : undefined };
};

const isBoundTo = (target: string, { tableName }: Needs['stageTable']): boolean =>
  tableName === target;

/**
 * A restore deploys the checkout. After a roll-back, that could be the code that damaged the table.
 * @throws CommandFailure if another commit is in service, unless the operator accepts that
 */
const checkCheckout = async (
  { releases, findCommit }: Needs,
  { deployCheckout = false }: Options,
): Promise<void> => {
  if (deployCheckout) return;
  const recorded = await releases.find().catch((error: Error) => {
    if (error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  });
  const inService = recorded?.releases.find(({ releasedAt }) => releasedAt === recorded.inService);
  const commit = await findCommit();
  if (inService === undefined || (commit !== undefined && commit === inService.commit)) return;
  throw new CommandFailure(
    `a restore deploys this checkout of commit ${commit ?? 'unknown'}, and the release in ` +
      `service is of ${inService.commit ?? 'an unknown commit'}: check that out and run npm ci, ` +
      'or pass --deploy-checkout',
  );
};

const restore = async (
  { restoration, showProgress, sleep }: Restoring,
  point: PointInTime,
): Promise<string> => {
  const before = await restoration.stateOf(point);
  if (before === 'ACTIVE') return 'done before';
  if (before === 'absent') {
    await restoration.checkTime(point);
    await restoration.start(point);
  }
  while ((await restoration.stateOf(point)) !== 'ACTIVE') {
    showProgress(`${point.target} is being restored, which takes at least 20 minutes`);
    await sleep(pollMilliseconds);
  }
  return 'done';
};

/** @throws CommandFailure if the books of a tenant differ, unless the operator accepts that */
const verify = async (
  { onTable }: Restoring,
  { target, acceptDifferences = false }: { target: string } & Options,
): Promise<string> => {
  const report = await verifyBooks.run(await onTable(target).open(verifyBooks.needs), {
    all: true,
  });
  const { tenants, entries, difference_count: differences, stopped_at: stoppedAt } = report;
  if (stoppedAt !== null) throw new CommandFailure('stopped: run this again');
  const result = `${tenants} tenants, ${entries} entries, ${differences} differences`;
  if (differences === 0 || acceptDifferences) return result;
  throw new CommandFailure(
    `the books of ${target} differ (${result}): see books verify. Restore to an earlier time, or ` +
      'run this again with --accept-differences',
  );
};

/** Moves the end of each feed beyond all sequences that its earlier table can have given out. */
const moveFeeds = async (
  { onTable }: Restoring,
  { target, at, acceptDifferences = false }: { target: string } & Options,
): Promise<string> => {
  const { applications, feedRecording } = await onTable(target).open([
    'applications',
    'feedRecording',
  ]);
  const failed: string[] = [];
  const all = await applications.list();
  for (const { applicationId, name, createdAt } of all) {
    const restored = { restoredTo: at ?? null, since: at ?? createdAt };
    await feedRecording.recordRestore(applicationId, restored).catch((error: unknown) => {
      failed.push(`${name} (${error instanceof Error ? error.message : error})`);
    });
  }
  if (failed.length === 0) return `${all.length} feeds`;
  if (acceptDifferences) return `${all.length} feeds, without ${failed.join(', ')}`;
  throw new CommandFailure(
    `these feeds of ${target} cannot be written: ${failed.join(', ')}. Run this again, or pass ` +
      '--accept-differences: their applications may then miss events',
  );
};

/** Binds the stage, with an entry in the audit log of the restored table. */
const bind = async (dependencies: Restoring, target: string): Promise<string> => {
  const { onTable, restoration, stageName, stageTable, showProgress } = dependencies;
  const { streamLabel } = await stageTable.check(target);
  if (streamLabel === null) throw new CommandFailure(`${target} has no stream`);
  const command = defineChange({
    needs: [],
    options: { table: optional(tableName) },
    change: { before: async () => ({ table: stageTable.tableName }), after: ['table'] },
    run: async () => {
      restoration.bind({ name: target, streamLabel });
      return { table: target };
    },
  });
  const opened = await onTable(target).open(['auditLog', 'clock', 'operator', 'random']);
  const surroundings = { stage: stageName, warn: showProgress };
  await runCommand(
    { words: 'restore', command, options: { table: target } },
    opened as Dependencies,
    surroundings,
  );
  return 'done: commit infra/manifest/restored-tables.json';
};

/** @throws CommandFailure if a function uses another table */
const checkServing = async ({ functionVersions }: Needs, target: string): Promise<string> => {
  const aliases = (await functionVersions?.aliases()) ?? [];
  for (const { name, version } of aliases) {
    const table = await functionVersions?.findTable(name, version);
    if (table !== target) throw new CommandFailure(`${name} uses ${table}: run this again`);
  }
  return `${aliases.length} functions use ${target}`;
};

/** The steps in their order, with their results. */
const stepsOf = (dependencies: Restoring, given: Options) => {
  const { stageTable, restoration } = dependencies;
  const { target, point } = pointInTimeOf(dependencies, given);
  const steps: { step: string; run: () => Promise<string> }[] = [
    ...(point ? [{ step: 'restore', run: () => restore(dependencies, point) }] : []),
    ...(isBoundTo(target, stageTable)
      ? []
      : [
          {
            step: 'prepare',
            run: async () => {
              const { after } = await stageTable.prepare(target);
              if (after.differing.length === 0) return 'done';
              const missing = after.differing.map(({ setting }) => setting).join(', ');
              throw new CommandFailure(`${target} still lacks ${missing}: run this again`);
            },
          },
          { step: 'verify the books', run: () => verify(dependencies, { ...given, target }) },
          { step: 'move the feeds', run: () => moveFeeds(dependencies, { ...given, target }) },
          { step: 'bind', run: () => bind(dependencies, target) },
        ]),
    {
      step: 'deploy',
      run: async () => {
        await restoration.deploy(target);
        return 'done';
      },
    },
    { step: 'check the functions', run: () => checkServing(dependencies, target) },
  ];
  return { target, point, steps };
};

export const restoreStage = defineChange({
  needs: [...needs],
  options,
  ruleBrokenBy: ({ at, table }) =>
    (at === undefined) === (table === undefined) ? 'pass either --at or --table' : undefined,
  change: {
    happens: ({ dryRun }) => !dryRun,
    worksWithoutTable: true,
    checksTable: true,
    after: ['table', 'steps'],
  },
  run: async (dependencies, given) => {
    const { restoration } = dependencies;
    if (!restoration)
      throw new CommandFailure('the local service has no restores: copy its folder');
    const { target, point, steps } = stepsOf({ ...dependencies, restoration }, given);
    if (!isBoundTo(target, dependencies.stageTable)) {
      await dependencies.functionVersions?.assertTableInService();
      await checkCheckout(dependencies, given);
    }
    if (given.dryRun) {
      const state = point ? await restoration.stateOf(point) : 'ACTIVE';
      if (point && state === 'absent') await restoration.checkTime(point);
      const rows = steps.map(({ step }) => ({ step, result: 'to do' }));
      return { table: target, table_state: state, dry_run: true, steps: rows };
    }
    const done: { step: string; result: string }[] = [];
    for (const { step, run } of steps) {
      dependencies.showProgress(`${step}…`);
      done.push({ step, result: await run() });
    }
    return { table: target, table_state: 'ACTIVE', dry_run: false, steps: done };
  },
});

export const commands = { [noVerb]: restoreStage };
