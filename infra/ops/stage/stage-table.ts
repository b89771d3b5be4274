// Checks the settings of a stage's table, and sets them on a restored table. A restore does not
// copy the stream, time to live, point-in-time recovery, deletion protection and tags.

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
import type { Deployment } from '../../manifest/stages.ts';
import { tableShape, timeToLiveAttribute } from '../../manifest/table.ts';
import { CommandFailure } from '../errors.ts';

export type TableSetting = {
  setting: string;
  wanted: string;
  found: string;
};

/** The settings that vary by stage. */
export type TableRequirements = {
  stage: string;
  isProtected: boolean;
  /** Maximum units per second of the table and of its index, if the stage limits them. */
  throughput: Deployment['tableThroughput'] | undefined;
};

/** A change usually takes seconds. DynamoDB documents no limit. */
const maximumWaitSeconds = 300;

const onOrOff = (isOn: boolean | undefined): string => (isOn ? 'on' : 'off');

const keysText = (keys: readonly { AttributeName?: string | undefined }[] = []): string =>
  keys.map(({ AttributeName }) => AttributeName).join(', ');

/** The keys of the table and its indexes as text. */
const shapeText = ({
  KeySchema,
  GlobalSecondaryIndexes = [],
}: Pick<TableDescription, 'KeySchema' | 'GlobalSecondaryIndexes'>): string =>
  [
    keysText(KeySchema),
    ...GlobalSecondaryIndexes.map((it) => `${it.IndexName} (${keysText(it.KeySchema)})`),
  ].join('; ');

/** The maximum throughput as text: one value if the table and its indexes agree. */
const throughputText = (table: TableDescription): string => {
  const limits = [table, ...(table.GlobalSecondaryIndexes ?? [])].map(
    ({ OnDemandThroughput: { MaxReadRequestUnits = -1, MaxWriteRequestUnits = -1 } = {} }) =>
      // -1 means no limit.
      Math.min(MaxReadRequestUnits, MaxWriteRequestUnits) < 0
        ? 'no limit'
        : `${MaxReadRequestUnits} read, ${MaxWriteRequestUnits} write`,
  );
  return [...new Set(limits)].join('; ');
};

const wantedShape = shapeText(tableShape as unknown as TableDescription);
const { StreamViewType } = tableShape.StreamSpecification;

/** The time the stream was enabled: the last part of its ARN. */
const labelOf = (table: TableDescription): string | null => table.LatestStreamLabel ?? null;

export type StageTable = ReturnType<typeof openStageTable>;

export const openStageTable = (
  config: DynamoDBClientConfig,
  {
    tableName: servingTable,
    stage,
    isProtected,
    throughput,
  }: TableRequirements & { tableName: string },
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

  /** `undefined` for an engine without backups, such as the embedded one. */
  const findRecovery = async (TableName: string | undefined): Promise<string | undefined> => {
    try {
      const reply = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
      const recovery = reply.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      return onOrOff(recovery?.PointInTimeRecoveryStatus === 'ENABLED');
    } catch (error) {
      if ((error as Error).name === 'UnknownOperationException') return undefined;
      throw error;
    }
  };

  const settingsOf = async (table: TableDescription): Promise<TableSetting[]> => {
    const TableName = table.TableName;
    const [timeToLive, recovery] = await Promise.all([
      client.send(new DescribeTimeToLiveCommand({ TableName })),
      findRecovery(TableName),
    ]);
    const { AttributeName = '', TimeToLiveStatus = '' } = timeToLive.TimeToLiveDescription ?? {};
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
      ...(recovery === undefined
        ? []
        : [{ setting: 'point-in-time recovery', wanted: 'on', found: recovery }]),
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

  /** Waits until the table is active: it rejects a change while another is in progress. */
  const waitUntilActive = async (TableName: string): Promise<void> => {
    await waitUntilTableExists({ client, maxWaitTime: maximumWaitSeconds }, { TableName });
  };

  /** How to apply each setting. `keys and indexes` has no entry: they cannot be changed here. */
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
          TableName,
          OnDemandThroughput,
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
     * Applies the missing settings to a restored table. Refuses the serving table, which its
     * stack manages: a new stream would replace the stream that functions read.
     * @throws CommandFailure if the table serves already, or a setting cannot be applied
     */
    prepare: async (tableName: string) => {
      if (tableName === servingTable) {
        throw new CommandFailure(`${tableName} serves already: check it with table check`);
      }
      const before = await check(tableName);
      for (const { setting, found, wanted } of before.differing) {
        const remedy = remedies[setting];
        // An operator must disable a stream with another view type first.
        if (remedy === undefined || (setting === 'stream' && found !== 'off')) {
          throw new CommandFailure(`${tableName}: ${setting} is ${found}, must be ${wanted}`);
        }
        await remedy(await describe(tableName));
        await waitUntilActive(tableName);
      }
      return { before, after: await check(tableName) };
    },

    close: (): void => client.destroy(),
  };
};
