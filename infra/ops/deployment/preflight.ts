// What must be so before a stage is deployed: nothing in use may be changed under its users.

import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { slotNames } from '#shared/platforms/slots.ts';
import { FormatNotReadable, readableFormats } from '#shared/store/migrations.ts';
import type { DeployedStage } from '../../stages.ts';
import type { Dependencies } from '../command.ts';
import type { DeployedStacks } from '../deployed-stacks.ts';
import { CommandFailure } from '../errors.ts';
import type { StageTable } from '../stage-table.ts';
import { findConcurrencyProblem } from './account-concurrency.ts';
import { changedAddress, keepsCallbackAddress } from './callback-address.ts';

/** Resolves to `undefined` where the table, the secret or the stack is not there yet. */
const unlessAbsent = async <Found>(found: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await found;
  } catch (error) {
    const isAbsent = (error as Error).name === ResourceNotFoundException.name;
    if (isAbsent) return undefined;
    throw error;
  }
};

const Table = z.object({
  Type: z.literal('AWS::DynamoDB::Table'),
  Properties: z.object({ StreamSpecification: z.object({ StreamViewType: z.string() }) }),
});

/** The view type that the stream of the stage's own table is to have. */
const plannedViewType = (template: string): string => {
  const { Resources } = JSON.parse(template) as { Resources: Record<string, unknown> };
  const [table] = Object.values(Resources).flatMap((it) => Table.safeParse(it).data ?? []);
  if (table === undefined) throw new Error('the data stack has no table with a stream');
  return table.Properties.StreamSpecification.StreamViewType;
};

/**
 * Refuses to replace the stream that functions follow, and a restored table that is not ready.
 * CloudFormation would refuse the former too, since the service imports the stream; but it does so
 * while it rolls the table back, and others found a stream after it that was neither the one before
 * nor the one that is imported (github.com/aws-amplify/amplify-cli, issues 4054 and 4624).
 */
export const checkServingTable = async (
  { restoredTable }: Pick<DeployedStage['deployment'], 'restoredTable'>,
  {
    stageTable,
    plannedTemplate,
  }: { stageTable: Pick<StageTable, 'check' | 'tableName'>; plannedTemplate: string },
): Promise<void> => {
  const found = await unlessAbsent(stageTable.check());
  if (found === undefined) {
    if (restoredTable === undefined) return;
    throw new CommandFailure(
      `there is no table ${restoredTable.name}, which the stage's row names`,
    );
  }
  const differing = restoredTable
    ? found.differing
    : found.settings
        .map((it) =>
          it.setting === 'stream' ? { ...it, wanted: plannedViewType(plannedTemplate) } : it,
        )
        .filter(({ setting }) => ['keys and indexes', 'stream'].includes(setting))
        .filter((it) => it.found !== it.wanted);
  const [first] = differing;
  if (first) {
    const { setting, found: has, wanted } = first;
    const what = `${stageTable.tableName} has as ${setting} ${has}, and is to have ${wanted}`;
    const remedy = restoredTable
      ? 'run table prepare before the stage is bound to it'
      : 'a deployment would put another in its place, and lose what the functions still have to ' +
        'read; a table of another form is a migration';
    throw new CommandFailure(`${what}: ${remedy}`);
  }
  if (restoredTable && restoredTable.streamLabel !== found.streamLabel) {
    throw new CommandFailure(
      `the stream of ${restoredTable.name} is ${found.streamLabel}, and the stage's row says ` +
        `${restoredTable.streamLabel}: nothing would be read from it`,
    );
  }
};

/** Refuses a table whose items this version cannot read, before its functions serve from it. */
export const checkFormat = async ({
  migrations,
}: Pick<Dependencies, 'migrations'>): Promise<void> => {
  const format = await unlessAbsent(migrations.findFormat());
  if (format === undefined || readableFormats.includes(format)) return;
  throw new CommandFailure(new FormatNotReadable(format).message);
};

/** Refuses to reserve more executions than the account can. */
export const checkConcurrency = async (stage: DeployedStage): Promise<void> => {
  const problem = await findConcurrencyProblem(stage);
  if (problem !== undefined) throw new CommandFailure(problem);
};

/** The public names of the platforms that know the service as a client. */
export const connectedPlatforms = async (
  { settings }: DeployedStage,
  { secrets }: Pick<Dependencies, 'secrets'>,
): Promise<string[]> => {
  const clients = (await unlessAbsent(secrets.read('platform-clients')))?.value;
  return slotNames
    .filter((slot) => clients?.[slot] !== undefined)
    .map((slot) => settings.platforms[slot].name);
};

/** Refuses a deployment that gives the callback another address than platforms know. */
export const checkCallbackAddress = async (
  stage: DeployedStage,
  {
    dependencies,
    stacks,
    plannedTemplate,
  }: { dependencies: Dependencies; stacks: DeployedStacks; plannedTemplate: string },
): Promise<void> => {
  const noted = await unlessAbsent(dependencies.callbackAddresses.find());
  const platforms = await connectedPlatforms(stage, dependencies);
  if (noted === undefined || platforms.length === 0) return;
  const deployed = await stacks.findTemplate();
  if (keepsCallbackAddress({ deployed, planned: plannedTemplate })) return;
  throw new CommandFailure(changedAddress({ before: noted.callbackUrl, platforms }));
};
