// The steps after a deployment. They prepare the stage and check that it serves requests.

import { currentFormat, readableFormats } from '#shared/operator/migrations.store.ts';
import { versionedSecrets } from '../../manifest/function-row.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import { loadCommand } from '../catalog.ts';
import type { Dependencies, Report } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import type { VersionedSecret } from '../options.ts';
import { runCommand } from '../run-command.ts';
import { findMovedAliases } from './moved-aliases.ts';

export type Step = { name: string; run: () => Promise<string> };

export type Proof = {
  stage: DeployedStage;
  dependencies: Dependencies;
  /** The methods of the API that this deployment removed. */
  removedMethods: number;
  /** Deploys the gateway again. */
  deployGateway: () => Promise<void>;
  /** The API's base URL, if it is not the one of the deployment. */
  baseUrl?: string | undefined;
  withoutSmokeTest?: boolean;
  warn: (sentence: string) => void;
};

/** Runs a command as the operator's tool does, with an entry in the audit log. */
const runWords = async (
  { stage, dependencies, warn }: Proof,
  words: string,
  options: Record<string, unknown> = {},
): Promise<Report> => {
  const command = await loadCommand(words);
  return runCommand({ words, command, options }, dependencies, { stage: stage.name, warn });
};

/** Secrets since 1.3.0. An upgrade fills them, although there are applications. */
const newSecrets: readonly VersionedSecret[] = ['authenticator-keys', 'webhook-sealing-keys'];

/** @throws CommandFailure if something depends on the old content of an empty secret */
const requireNoLoss = async (
  empty: readonly VersionedSecret[],
  { applications, listWebhookSeals }: Proof['dependencies'],
): Promise<void> => {
  const lost = empty.filter((name) => !newSecrets.includes(name));
  const count = (await applications.list()).length;
  if (count > 0 && lost.length > 0) {
    throw new CommandFailure(
      `${lost.join(', ')} is empty, but ${count} applications have keys and tokens that depend ` +
        'on its old content: restore it from a backup',
    );
  }
  if (count === 0 || !empty.includes('webhook-sealing-keys')) return;
  const { length } = await listWebhookSeals();
  if (length === 0) return;
  throw new CommandFailure(
    `webhook-sealing-keys is empty, but ${length} webhooks have secrets that depend on its old ` +
      'content: restore it from a backup',
  );
};

/** Fills the empty secrets of a new stage. */
const fillSecrets = async (proof: Proof): Promise<string> => {
  const { secrets } = proof.dependencies;
  const states = await Promise.all(
    versionedSecrets.map(async (name) => ({ name, filled: (await secrets.read(name)).value })),
  );
  const empty = states.filter(({ filled }) => filled === undefined).map(({ name }) => name);
  if (empty.length === 0) return 'filled';
  await requireNoLoss(empty, proof.dependencies);
  for (const secret of empty) await runWords(proof, 'secrets set', { secret });
  return `filled ${empty.join(', ')}`;
};

/** Converts the table to the format of the deployed functions. */
const migrateTable = async (proof: Proof): Promise<string> => {
  const before = await proof.dependencies.migrations.findFormat();
  if (before === currentFormat) return `${before}`;
  const { format, items_read, steps } = await runWords(proof, 'table migrate');
  const converted = (steps as { converted: number }[]).reduce((sum, it) => sum + it.converted, 0);
  return `${format}, ${converted} of ${items_read} items converted from ${before}`;
};

const syncApplications = async (proof: Proof): Promise<string> => {
  const { checked, repaired } = await runWords(proof, 'applications sync');
  const count = Array.isArray(repaired) ? repaired.length : 0;
  return `${checked} checked, ${count} usage keys repaired`;
};

const loadRates = async (proof: Proof): Promise<string> => {
  const { rateMaximumAgeDays } = proof.stage.settings;
  try {
    const { newest_date, age_days, added } = await runWords(proof, 'rates refresh');
    const isOld = rateMaximumAgeDays !== 'any' && Number(age_days) > rateMaximumAgeDays;
    const remark = isOld ? `, OLDER THAN THE ${rateMaximumAgeDays} DAYS that entries allow` : '';
    return `newest ${newest_date}, ${added} days added${remark}`;
  } catch (error) {
    throw new CommandFailure(
      `${(error as Error).message}. Entries that convert currencies need rates of the last ` +
        `${rateMaximumAgeDays} days: load a file with rates load`,
      { cause: error },
    );
  }
};

const runSmokeTest = async (proof: Proof): Promise<string> => {
  if (proof.withoutSmokeTest) return 'skipped: run ops smoke on a machine that can reach the API';
  const { calls } = await runWords(proof, 'smoke', proof.baseUrl ? { baseUrl: proof.baseUrl } : {});
  const rows = calls as { call: string; milliseconds: number }[];
  return rows.map(({ call, milliseconds }) => `${call} ${milliseconds} ms`).join(', ');
};

/**
 * Puts the deployed versions in service that a roll-back had moved, and records all as a release.
 * Deletes versions that no release to go back to needs.
 */
const recordRelease = async (proof: Proof): Promise<string> => {
  const { functionVersions, releases, clock, findCommit } = proof.dependencies;
  if (functionVersions === undefined) throw new Error('a deployed stage has versions');
  for (const { name, version } of await findMovedAliases(proof.dependencies)) {
    await functionVersions.move(name, version);
  }
  const aliases = await functionVersions.aliases();
  const versions = Object.fromEntries(aliases.map(({ name, version }) => [name, version]));
  const before = await releases.find();
  const current = before?.releases.find(({ releasedAt }) => releasedAt === before.inService);
  const isNew = aliases.some(({ name, version }) => current?.versions[name] !== version);
  if (isNew) {
    const releasedAt = clock().toISOString();
    const commit = await findCommit();
    await releases.record({
      releasedAt,
      ...(commit !== undefined && { commit }),
      readableFormats: [...readableFormats],
      versions,
    });
  }
  const kept = (await releases.find())?.releases ?? [];
  let deleted = 0;
  for (const { name } of aliases) {
    const needed = kept.flatMap((release) => release.versions[name] ?? []);
    deleted += await functionVersions.deleteOld(name, needed);
  }
  const since = kept[0]?.releasedAt;
  return `${since}, ${kept.length} releases recorded, ${deleted} old versions deleted`;
};

const endRemovedRoutes = async ({ removedMethods, deployGateway }: Proof): Promise<string> => {
  if (removedMethods === 0) return 'none removed';
  await deployGateway();
  return `${removedMethods} removed methods end`;
};

/** Steps run in this order. A failed step does not stop the next ones. */
export const stepsOf = (proof: Proof): Step[] => [
  { name: 'table format', run: () => migrateTable(proof) },
  { name: 'release', run: () => recordRelease(proof) },
  { name: 'routes', run: () => endRemovedRoutes(proof) },
  { name: 'secrets', run: () => fillSecrets(proof) },
  { name: 'applications', run: () => syncApplications(proof) },
  { name: 'exchange rates', run: () => loadRates(proof) },
  { name: 'smoke test', run: () => runSmokeTest(proof) },
];
