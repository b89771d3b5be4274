// What the table of a stage must have beside its items, which a restored one comes without: its
// stream, its time to live, its point-in-time recovery, its protection and its tags.

import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTagsOfResourceCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Deployment } from '../stages.ts';
import { tableShape, timeToLiveAttribute } from '../table.ts';
import { CommandFailure } from './errors.ts';

/** A setting as the stage wants it and as the table has it. */
export type TableSetting = {
  setting: string;
  wanted: string;
  found: string;
};

/** What the stage wants of its table beyond what every table of the ledger has. */
export type TableWishes = {
  stage: string;
  isProtected: boolean;
  /** The most that the table and its index give in a second, if the stage has such a limit. */
  throughput: Deployment['tableThroughput'] | undefined;
};

/** A table of this size is active seconds after a change; DynamoDB's own limit is not known. */
const maximumWaitSeconds = 300;

const onOrOff = (isOn: boolean | undefined): string => (isOn ? 'on' : 'off');

const keysText = (keys: readonly { AttributeName?: string | undefined }[] = []): string =>
  keys.map(({ AttributeName }) => AttributeName).join(', ');

/** The keys of the table and of its indexes in words. */
const shapeText = ({
  KeySchema,
  GlobalSecondaryIndexes = [],
}: Pick<TableDescription, 'KeySchema' | 'GlobalSecondaryIndexes'>): string =>
  [
    keysText(KeySchema),
    ...GlobalSecondaryIndexes.map((it) => `${it.IndexName} (${keysText(it.KeySchema)})`),
  ].join('; ');

/** What the table and its indexes give in a second, or that nothing limits one of them. */
const throughputText = (table: TableDescription): string => {
  const limits = [table, ...(table.GlobalSecondaryIndexes ?? [])].map(
    ({ OnDemandThroughput: { MaxReadRequestUnits = -1, MaxWriteRequestUnits = -1 } = {} }) =>
      // DynamoDB's -1 is no limit.
      Math.min(MaxReadRequestUnits, MaxWriteRequestUnits) < 0
        ? 'no limit'
        : `${MaxReadRequestUnits} read, ${MaxWriteRequestUnits} write`,
  );
  return [...new Set(limits)].join('; ');
};

const wantedShape = shapeText(tableShape as unknown as TableDescription);
const { StreamViewType } = tableShape.StreamSpecification;

/** The moment at which a stream was enabled, the last part of its ARN. */
const labelOf = (table: TableDescription): string | null => table.LatestStreamLabel ?? null;

export type StageTable = ReturnType<typeof openStageTable>;

export const openStageTable = (
  config: DynamoDBClientConfig,
  { tableName: servingTable, stage, isProtected, throughput }: TableWishes & { tableName: string },
) => {
  const client = new DynamoDBClient(config);
  const tags = { service: 'ledger', stage };

  const describe = async (TableName: string): Promise<TableDescription> => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table?.TableStatus === 'ACTIVE') return Table;
    throw new CommandFailure(`${TableName} is ${Table?.TableStatus}: wait until it is ACTIVE`);
  };

  const tagsOf = async ({ TableArn: ResourceArn }: TableDescription): Promise<string> => {
    const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    const ours = Tags.filter(({ Key = '' }) => Key in tags);
    return ours
      .map(({ Key, Value }) => `${Key}=${Value}`)
      .sort()
      .join(', ');
  };

  const settingsOf = async (table: TableDescription): Promise<TableSetting[]> => {
    const TableName = table.TableName;
    const [timeToLive, backups] = await Promise.all([
      client.send(new DescribeTimeToLiveCommand({ TableName })),
      client.send(new DescribeContinuousBackupsCommand({ TableName })),
    ]);
    const { AttributeName = '', TimeToLiveStatus = '' } = timeToLive.TimeToLiveDescription ?? {};
    const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    const { StreamEnabled, StreamViewType: found } = table.StreamSpecification ?? {};
    const isDeleting = ['ENABLED', 'ENABLING'].includes(TimeToLiveStatus);
    return [
      { setting: 'keys and indexes', wanted: wantedShape, found: shapeText(table) },
      { setting: 'stream', wanted: StreamViewType, found: (StreamEnabled && found) || 'off' },
      {
        setting: 'time to live',
        wanted: timeToLiveAttribute,
        found: isDeleting ? AttributeName : 'off',
      },
      {
        setting: 'point-in-time recovery',
        wanted: 'on',
        found: onOrOff(recovery?.PointInTimeRecoveryStatus === 'ENABLED'),
      },
      {
        setting: 'deletion protection',
        wanted: onOrOff(isProtected),
        found: onOrOff(table.DeletionProtectionEnabled),
      },
      ...(throughput === undefined
        ? []
        : [
            {
              setting: 'maximum throughput',
              wanted: `${throughput.readUnits} read, ${throughput.writeUnits} write`,
              found: throughputText(table),
            },
          ]),
      {
        setting: 'tags',
        wanted: Object.entries(tags)
          .map(([key, value]) => `${key}=${value}`)
          .join(', '),
        found: await tagsOf(table),
      },
    ];
  };

  /** Each change of a table waits for the one before it. */
  const settled = async (TableName: string): Promise<void> => {
    await waitUntilTableExists({ client, maxWaitTime: maximumWaitSeconds }, { TableName });
  };

  /** How to give a table a setting that it lacks. */
  const remedies: Record<string, (table: TableDescription) => Promise<unknown>> = {
    stream: ({ TableName }) => {
      const StreamSpecification = { StreamEnabled: true, StreamViewType };
      return client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    },
    'time to live': ({ TableName }) =>
      client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
        }),
      ),
    'point-in-time recovery': ({ TableName }) =>
      client.send(
        new UpdateContinuousBackupsCommand({
          TableName,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ),
    'deletion protection': ({ TableName }) =>
      client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: isProtected })),
    'maximum throughput': ({ TableName, GlobalSecondaryIndexes = [] }) => {
      const OnDemandThroughput = throughput && {
        MaxReadRequestUnits: throughput.readUnits,
        MaxWriteRequestUnits: throughput.writeUnits,
      };
      return client.send(
        new UpdateTableCommand({
          ...{ TableName, OnDemandThroughput },
          GlobalSecondaryIndexUpdates: GlobalSecondaryIndexes.map(({ IndexName }) => ({
            Update: { IndexName, OnDemandThroughput },
          })),
        }),
      );
    },
    tags: ({ TableArn }) =>
      client.send(
        new TagResourceCommand({
          ResourceArn: TableArn,
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        }),
      ),
  };

  const check = async (tableName = servingTable) => {
    const table = await describe(tableName);
    const settings = await settingsOf(table);
    return {
      tableName,
      streamLabel: labelOf(table),
      encryptionKey: table.SSEDescription?.KMSMasterKeyArn ?? null,
      settings,
      differing: settings.filter(({ wanted, found }) => wanted !== found),
    };
  };

  return {
    tableName: servingTable,
    check,

    /**
     * Gives a table the settings that it lacks, and says which. The table that serves is left to
     * its stack: another stream would take the place of the one that the functions follow.
     * @throws CommandFailure
     */
    prepare: async (tableName: string) => {
      if (tableName === servingTable) {
        throw new CommandFailure(`${tableName} serves already: look at it by table check`);
      }
      const before = await check(tableName);
      for (const { setting, found, wanted } of before.differing) {
        const remedy = remedies[setting];
        // A stream of another kind has to be ended first, which is for people to decide.
        if (remedy === undefined || (setting === 'stream' && found !== 'off')) {
          throw new CommandFailure(`${tableName} has as ${setting} ${found}, and not ${wanted}`);
        }
        await remedy(await describe(tableName));
        await settled(tableName);
      }
      return { before, after: await check(tableName) };
    },

    close: (): void => client.destroy(),
  };
};
