// What a deployment ends with: that what it has made serves, or which part of it does not.

import { currentFormat } from '#shared/store/migrations.ts';
import type { DeployedStage } from '../../stages.ts';
import type { Dependencies, Report } from '../command.ts';
import { commands } from '../command-list.ts';
import type { DeployedStacks } from '../deployed-stacks.ts';
import { CommandFailure } from '../errors.ts';
import { runCommand } from '../run-command.ts';
import { versionedSecrets } from '../stage-secrets.ts';
import { changedAddress } from './callback-address.ts';
import { connectedPlatforms } from './preflight.ts';

export type Step = { name: string; run: () => Promise<string> };

export type Proof = {
  stage: DeployedStage;
  dependencies: Dependencies;
  stacks: DeployedStacks;
  /** Where the API is reached, where it is not the deployment's own address. */
  baseUrl?: string | undefined;
  acceptsNewCallbackAddress: boolean;
  leavesOutSmokeTest: boolean;
  warn: (sentence: string) => void;
};

/** Runs a command as the operator's tool does, with its entry in the audit log. */
const runWords = (
  { stage, dependencies, warn }: Proof,
  words: string,
  options: Record<string, unknown> = {},
): Promise<Report> => {
  const command = commands.get(words);
  if (command === undefined) throw new Error(`there is no command ${words}`);
  return runCommand({ words, command, options }, dependencies, { stage: stage.name, warn });
};

/**
 * Fills the secrets of a stage that nothing depends on yet. Where there are applications, a new
 * pepper would lock all of them out: the old one has to be put back.
 */
const fillSecrets = async (proof: Proof): Promise<string> => {
  const { secrets, applications } = proof.dependencies;
  const states = await Promise.all(
    versionedSecrets.map(async (name) => ({ name, filled: (await secrets.read(name)).value })),
  );
  const empty = states.filter(({ filled }) => filled === undefined).map(({ name }) => name);
  if (empty.length === 0) return 'filled';
  const known = (await applications.list()).length;
  if (known > 0) {
    throw new CommandFailure(
      `${empty.join(', ')} not filled, though the table has ${known} applications, whose keys ` +
        'and tokens were made with what was in there: put it back from its copy',
    );
  }
  for (const secret of empty) await runWords(proof, 'secrets set', { secret });
  return `filled ${empty.join(', ')}`;
};

/** Brings the table to the format of the functions that serve from now on. */
const migrateTable = async (proof: Proof): Promise<string> => {
  const found = await proof.dependencies.migrations.findFormat();
  if (found === currentFormat) return `${found}`;
  const { format, items_read, steps } = await runWords(proof, 'table migrate');
  const converted = (steps as { converted: number }[]).reduce((sum, it) => sum + it.converted, 0);
  return `${format}, ${converted} of ${items_read} items converted from ${found}`;
};

const syncApplications = async (proof: Proof): Promise<string> => {
  const { checked, repaired } = await runWords(proof, 'applications sync');
  const count = Array.isArray(repaired) ? repaired.length : 0;
  return `${checked} checked, ${count} given their key in the gateway again`;
};

const loadRates = async (proof: Proof): Promise<string> => {
  const { rateMaximumAgeDays } = proof.stage.settings;
  try {
    const { newest_date, age_days, added } = await runWords(proof, 'rates refresh');
    const isOld = rateMaximumAgeDays !== 'any' && Number(age_days) > rateMaximumAgeDays;
    const remark = isOld ? `, OLDER THAN THE ${rateMaximumAgeDays} DAYS that entries need` : '';
    return `of ${newest_date}, ${added} days added${remark}`;
  } catch (error) {
    throw new CommandFailure(
      `${(error as Error).message}. Entries across currencies need rates of the last ` +
        `${rateMaximumAgeDays} days: load them from a file, by rates load`,
      { cause: error },
    );
  }
};

const noteCallbackAddress = async (proof: Proof): Promise<string> => {
  const { stage, dependencies, stacks, acceptsNewCallbackAddress } = proof;
  const { callbackAddresses, clock } = dependencies;
  const now = await stacks.getOutput('CallbackUrl');
  const noted = await callbackAddresses.find();
  if (noted?.callbackUrl === now) return `${now}, since ${noted.since}`;
  const platforms = await connectedPlatforms(stage, dependencies);
  const changed = noted && changedAddress({ before: noted.callbackUrl, now, platforms });
  if (changed && platforms.length > 0 && !acceptsNewCallbackAddress) {
    throw new CommandFailure(changed);
  }
  await callbackAddresses.record({ callbackUrl: now, since: clock().toISOString() });
  return changed && platforms.length > 0 ? changed : now;
};

const testSmoke = async (proof: Proof): Promise<string> => {
  if (proof.leavesOutSmokeTest) return 'left out: run ops smoke from where the API is reached';
  const { calls } = await runWords(proof, 'smoke', proof.baseUrl ? { baseUrl: proof.baseUrl } : {});
  const rows = calls as { call: string; milliseconds: number }[];
  return rows.map(({ call, milliseconds }) => `${call} ${milliseconds} ms`).join(', ');
};

/** In this order; each is tried whatever came of those before it. */
export const stepsOf = (proof: Proof): Step[] => [
  { name: 'table format', run: () => migrateTable(proof) },
  { name: 'secrets', run: () => fillSecrets(proof) },
  { name: 'applications', run: () => syncApplications(proof) },
  { name: 'exchange rates', run: () => loadRates(proof) },
  { name: 'callback address', run: () => noteCallbackAddress(proof) },
  { name: 'smoke test', run: () => testSmoke(proof) },
];
