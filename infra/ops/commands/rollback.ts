// The operator's command that puts an earlier release in service.

import type { Release, Releases } from '#shared/operator/releases.store.ts';
import type { FunctionName } from '../../manifest/manifest.ts';
import { defineChange, noVerb, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { flag, optional, timestamp } from '../options.ts';
import type { Alias, FunctionVersions } from '../stage/function-versions.ts';

type Move = { function: FunctionName; from: string; to: string };

const movesTo = ({ versions }: Release, aliases: readonly Alias[]): Move[] =>
  aliases.flatMap(({ name, version: from, isShifting }) => {
    const to = versions[name];
    return to === undefined || (to === from && !isShifting) ? [] : [{ function: name, from, to }];
  });

/**
 * The release before the one in service. If the aliases differ from the one in service, it is that
 * one: a deployment failed after it, or a roll-back to it was interrupted.
 */
const targetOf = (
  { inService, releases }: Releases,
  aliases: readonly Alias[],
): Release | undefined => {
  const current = releases.find(({ releasedAt }) => releasedAt === inService);
  if (current && movesTo(current, aliases).length > 0) return current;
  return releases.find(({ releasedAt }) => releasedAt < inService);
};

const getTarget = async (
  { releases }: Pick<Readers, 'releases'>,
  { aliases, to }: { aliases: readonly Alias[]; to: string | undefined },
): Promise<Release> => {
  const recorded = await releases.find();
  const target =
    to === undefined
      ? recorded && targetOf(recorded, aliases)
      : recorded?.releases.find(({ releasedAt }) => releasedAt === to);
  if (target) return target;
  const known = recorded?.releases.map(({ releasedAt }) => releasedAt).join(', ') || 'none';
  throw new CommandFailure(
    `there is no ${to === undefined ? 'earlier release' : `release of ${to}`}. Recorded ` +
      `releases: ${known}`,
  );
};

/** @throws CommandFailure if the release cannot serve with the data of today */
const assertServes = async (
  { migrations, stageTable }: Pick<Readers, 'migrations' | 'stageTable'>,
  {
    release: { releasedAt, readableFormats },
    moves,
    functionVersions,
  }: {
    release: Release;
    moves: readonly Move[];
    functionVersions: Pick<FunctionVersions, 'findTable'>;
  },
): Promise<void> => {
  const format = await migrations.findFormat();
  if (!readableFormats.includes(format)) {
    throw new CommandFailure(
      `the table has stored format ${format}, and the release of ${releasedAt} reads ` +
        `${readableFormats.join(' and ')}: deploy a fix instead`,
    );
  }
  const { tableName } = stageTable;
  for (const { function: name, to } of moves) {
    const table = await functionVersions.findTable(name, to);
    if (table === tableName) continue;
    throw new CommandFailure(
      table === undefined
        ? `version ${to} of ${name} was deleted`
        : `version ${to} of ${name} uses the table ${table}, and the stage ${tableName}: deploy ` +
            'the earlier commit with the current restored-tables.json instead',
    );
  }
};

export const rollBack = defineChange({
  needs: ['deployedStacks', 'functionVersions', 'migrations', 'releases', 'stageTable'],
  options: {
    to: optional(timestamp, 'the time of a recorded release; by default the one before'),
    dryRun: flag('only show what would be moved'),
  },
  change: {
    happens: ({ dryRun }) => !dryRun,
    checksTable: true,
    after: ['release', 'commit', 'moved'],
  },
  run: async (dependencies, { to, dryRun = false }) => {
    const { deployedStacks, functionVersions, releases } = dependencies;
    if (!functionVersions) throw new CommandFailure('the local service has no earlier versions');
    await functionVersions.assertTableInService();
    await deployedStacks?.assertNotUpdating();
    const aliases = await functionVersions.aliases();
    const target = await getTarget(dependencies, { aliases, to });
    const moves = movesTo(target, aliases);
    await assertServes(dependencies, { release: target, moves, functionVersions });
    const { releasedAt: release, commit = null } = target;
    const report = { release, commit, dry_run: dryRun, moved: moves };
    if (dryRun) return report;
    // First, so that an interrupted roll-back continues to the same release.
    await releases.putInService(target.releasedAt);
    const failures: unknown[] = [];
    for (const { function: name, to } of moves) {
      await functionVersions.move(name, to).catch((error: unknown) => failures.push(error));
    }
    if (failures.length === 0) return report;
    const [cause] = failures;
    const moved = moves.length - failures.length;
    throw new CommandFailure(
      `${moved} of ${moves.length} functions are moved (${cause}): run this again`,
      { cause },
    );
  },
});

export const commands = { [noVerb]: rollBack };
