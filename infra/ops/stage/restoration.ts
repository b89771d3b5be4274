// Restores the table of a deployed stage to a point in time, and deploys the stage with it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type RestoredTable,
  readRestoredTables,
  restoredTablesFile,
} from '../../manifest/stages.ts';
import { CommandFailure } from '../errors.ts';

/** `absent` before the restore, `CREATING` during it, `ACTIVE` after it. */
export type RestoreState = 'absent' | 'CREATING' | 'ACTIVE';

export type PointInTime = { source: string; target: string; at: string };

/** The name of a restored table has the second, and so has DynamoDB's description. */
const secondOf = (time: Date): number => Math.floor(time.getTime() / 1_000);

export type Restoration = ReturnType<typeof openRestoration>;

export const openRestoration = (
  client: DynamoDBClient,
  { stage, file = restoredTablesFile }: { stage: string; file?: URL },
) => ({
  /**
   * The state of a restored table.
   * @throws CommandFailure if the table exists, and is not this restore
   */
  stateOf: async ({ source, target, at }: PointInTime): Promise<RestoreState> => {
    try {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
      const { SourceTableArn = '', RestoreDateTime } = Table?.RestoreSummary ?? {};
      const isThis =
        SourceTableArn.endsWith(`:table/${source}`) &&
        RestoreDateTime !== undefined &&
        secondOf(RestoreDateTime) === secondOf(new Date(at));
      if (!isThis) {
        throw new CommandFailure(
          `the table ${target} exists and is no restore of ${source} to ${at}: use --table if it ` +
            'is the one to restore from, or delete it',
        );
      }
      return Table?.TableStatus === 'ACTIVE' ? 'ACTIVE' : 'CREATING';
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return 'absent';
      throw error;
    }
  },

  /** @throws CommandFailure if the table cannot be restored to this time */
  checkTime: async ({ source, at }: PointInTime): Promise<void> => {
    const command = new DescribeContinuousBackupsCommand({ TableName: source });
    const { ContinuousBackupsDescription: backups } = await client.send(command);
    const { EarliestRestorableDateTime: from, LatestRestorableDateTime: to } =
      backups?.PointInTimeRecoveryDescription ?? {};
    if (!from || !to) throw new CommandFailure(`${source} has no point-in-time recovery`);
    const time = Date.parse(at);
    if (time >= from.getTime() && time <= to.getTime()) return;
    throw new CommandFailure(
      `${source} can be restored to a time from ${from.toISOString()} to ${to.toISOString()}`,
    );
  },

  start: async ({ source, target, at }: PointInTime): Promise<void> => {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        RestoreDateTime: new Date(at),
      }),
    );
  },

  /** Binds the stage to the table, from the next deployment on. */
  bind: (table: RestoredTable): void => {
    const tables = { ...readRestoredTables(file), [stage]: table };
    writeFileSync(file, `${JSON.stringify(tables, null, 2)}\n`);
  },

  /** Deploys the stage in a process of its own, which reads the binding. */
  deploy: async (table: string): Promise<void> => {
    const words = [
      ...['run', 'deploy', '--', '--require-approval', 'never'],
      ...['--to-table', table, '--all-at-once', `the restore to ${table}`],
      // Without a recipient of alarms, a restore is not less urgent.
      '--without-alarm-email',
    ];
    // Standard output is for the report of the command.
    const child = spawn('npm', words, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, LEDGER_STAGE: stage },
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new CommandFailure('the deployment failed, see above: run this again');
  },
});
