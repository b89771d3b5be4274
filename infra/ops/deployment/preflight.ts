// Checks before a deployment. They refuse changes that would break a stage in use.

import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { currentFormat, FormatNotReadable } from '#shared/operator/migrations.store.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import type { Dependencies } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import type { StageTable } from '../stage/stage-table.ts';
import { findConcurrencyProblem } from './account-concurrency.ts';

/** Resolves to `undefined` if the table or the secret does not exist yet. */
const unlessAbsent = async <Result>(result: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await result;
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

const bindings = 'infra/manifest/restored-tables.json';

/** Refuses to change to another table, for example in a checkout without the last restore. */
export const checkTableChange = async (
  { functionVersions, stageTable: { tableName } }: Dependencies,
  { toTable }: { toTable?: string },
): Promise<void> => {
  if (toTable === tableName) return;
  await functionVersions?.assertTableInService(
    `take ${bindings} of the last restore. To change the table, pass --to-table ${tableName}`,
  );
};

/** The stream's view type in the template. */
const plannedViewType = (template: string): string => {
  const { Resources } = JSON.parse(template) as { Resources: Record<string, unknown> };
  const [table] = Object.values(Resources).flatMap((it) => Table.safeParse(it).data ?? []);
  if (table === undefined) throw new Error('the data stack has no table with a stream');
  return table.Properties.StreamSpecification.StreamViewType;
};

/**
 * Refuses to replace the stream that functions read, and a restored table that is not ready.
 * CloudFormation also refuses to replace an imported stream, but only during the deployment. After
 * its rollback, others found a new stream that the functions did not read
 * (github.com/aws-amplify/amplify-cli, issues 4054 and 4624).
 */
export const checkServingTable = async (
  { restoredTable }: Pick<DeployedStage['deployment'], 'restoredTable'>,
  {
    stageTable,
    plannedTemplate,
  }: { stageTable: Pick<StageTable, 'check' | 'tableName'>; plannedTemplate: string },
): Promise<void> => {
  const current = await unlessAbsent(stageTable.check());
  if (current === undefined) {
    if (restoredTable === undefined) return;
    throw new CommandFailure(
      `the restored table ${restoredTable.name} in ${bindings} does not exist`,
    );
  }
  const differing = restoredTable
    ? current.differing
    : current.settings
        .map((it) =>
          it.setting === 'stream' ? { ...it, wanted: plannedViewType(plannedTemplate) } : it,
        )
        .filter(({ setting }) => ['keys and indexes', 'stream'].includes(setting))
        .filter((it) => it.found !== it.wanted);
  const [first] = differing;
  if (first) {
    const { setting, found, wanted } = first;
    const problem = `${stageTable.tableName}: ${setting} is ${found}, must be ${wanted}`;
    const remedy = restoredTable
      ? 'run table prepare, or ops restore, before you deploy a stage that uses it'
      : 'the deployment would replace it and lose the records that functions have not read yet; ' +
        'changing the keys or the stream needs a migration';
    throw new CommandFailure(`${problem}: ${remedy}`);
  }
  if (restoredTable && restoredTable.streamLabel !== current.streamLabel) {
    throw new CommandFailure(
      `the stream of ${restoredTable.name} is ${current.streamLabel}, but ` +
        `${bindings} has ${restoredTable.streamLabel}: the functions would read ` +
        'nothing from it',
    );
  }
};

/** Refuses a table with a format that this version cannot read. */
export const checkFormat = async ({
  migrations,
}: Pick<Dependencies, 'migrations'>): Promise<void> => {
  try {
    await unlessAbsent(migrations.assertReadable());
  } catch (error) {
    throw error instanceof FormatNotReadable ? new CommandFailure(error.message) : error;
  }
};

/**
 * Whether this version writes items that the versions in service cannot read. Both must not serve
 * at the same time.
 */
export const changesFormat = async ({
  migrations,
}: Pick<Dependencies, 'migrations'>): Promise<boolean> => {
  const format = await unlessAbsent(migrations.findFormat());
  return format !== undefined && format < currentFormat;
};

/** Refuses to reserve more concurrency than the account has. */
export const checkConcurrency = async (stage: DeployedStage): Promise<void> => {
  const problem = await findConcurrencyProblem(stage);
  if (problem !== undefined) throw new CommandFailure(problem);
};
