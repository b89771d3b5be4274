// DynamoDB for tests of restores. The engine has no continuous backups, no restores and no maximum
// throughput, so a proxy simulates them and forwards everything else.

import { text } from 'node:stream/consumers';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { tableShape } from '#infra/manifest/table.ts';
import { serve } from './serve.ts';

type Throughput = { OnDemandThroughput?: unknown };
type TableChange = Throughput & {
  TableName: string;
  GlobalSecondaryIndexUpdates?: { Update?: Throughput }[];
};
type Restore = { SourceTableName: string; TargetTableName: string; RestoreDateTime: number };

/** @param endpoint the engine's */
export const startRestores = async (endpoint: string) => {
  const engine = new DynamoDBClient({ endpoint });
  const recovered = new Set<string>();
  /** The times between which a table can be restored. */
  const window = { from: 0, to: 0 };
  /** The last throughput of each table and its index. */
  const limited = new Map<string, { ofTable: unknown; ofIndex: unknown }>();
  const restores = new Map<string, Restore>();
  /** Descriptions of a restored table that still say CREATING. */
  const creating = { times: 0 };

  const answerBackups = (operation: string, { TableName }: { TableName: string }): object => {
    if (operation === 'UpdateContinuousBackups') recovered.add(TableName);
    const PointInTimeRecoveryStatus = recovered.has(TableName) ? 'ENABLED' : 'DISABLED';
    const PointInTimeRecoveryDescription = {
      PointInTimeRecoveryStatus,
      EarliestRestorableDateTime: window.from,
      LatestRestorableDateTime: window.to,
    };
    return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription } };
  };

  const limit = ({ TableName, OnDemandThroughput, GlobalSecondaryIndexUpdates }: TableChange) => {
    const [{ Update } = {}] = GlobalSecondaryIndexUpdates ?? [];
    limited.set(TableName, { ofTable: OnDemandThroughput, ofIndex: Update?.OnDemandThroughput });
    return {};
  };

  /** A restore leaves out the stream. */
  const restore = async (request: Restore): Promise<object> => {
    const { SourceTableName, TargetTableName } = request;
    const { StreamSpecification: _left, ...shape } = tableShape;
    const input = { TableName: TargetTableName, ...shape };
    await engine.send(new CreateTableCommand(input as unknown as CreateTableCommandInput));
    for await (const { Items = [] } of paginateScan(
      { client: engine },
      { TableName: SourceTableName },
    )) {
      for (const Item of Items) {
        await engine.send(new PutItemCommand({ TableName: TargetTableName, Item }));
      }
    }
    restores.set(TargetTableName, request);
    return {};
  };

  /** Adds the throughput and the restore to the engine's description of a table. */
  const described = (reply: string): string => {
    const { Table, ...others } = JSON.parse(reply);
    if (Table === undefined) return reply;
    const { ofTable, ofIndex } = limited.get(Table.TableName) ?? {};
    const GlobalSecondaryIndexes = Table.GlobalSecondaryIndexes?.map((index: object) => ({
      ...index,
      OnDemandThroughput: ofIndex,
    }));
    const origin = restores.get(Table.TableName);
    const isCreating = origin !== undefined && creating.times > 0;
    if (isCreating) creating.times -= 1;
    const RestoreSummary = origin && {
      SourceTableArn: `arn:aws:dynamodb:us-east-1:1:table/${origin.SourceTableName}`,
      RestoreDateTime: origin.RestoreDateTime,
      RestoreInProgress: isCreating,
    };
    return JSON.stringify({
      ...others,
      Table: {
        ...Table,
        OnDemandThroughput: ofTable,
        GlobalSecondaryIndexes,
        ...(RestoreSummary && { RestoreSummary }),
        ...(isCreating && { TableStatus: 'CREATING' }),
      },
    });
  };

  const server = await serve(async (incoming, outgoing) => {
    const body = await text(incoming);
    const target = String(incoming.headers['x-amz-target']);
    const operation = target.split('.')[1] ?? '';
    outgoing.setHeader('Content-Type', 'application/x-amz-json-1.0');
    const answer = (reply: object) => outgoing.end(JSON.stringify(reply));
    if (operation.endsWith('ContinuousBackups')) {
      return answer(answerBackups(operation, JSON.parse(body)));
    }
    if (operation === 'RestoreTableToPointInTime') return answer(await restore(JSON.parse(body)));
    if (operation === 'UpdateTable' && 'OnDemandThroughput' in JSON.parse(body)) {
      return answer(limit(JSON.parse(body)));
    }
    const headers = Object.entries(incoming.headers).filter(
      ([name]) => !['connection', 'content-length', 'host'].includes(name),
    ) as [string, string][];
    const reply = await fetch(endpoint, { method: 'POST', headers, body });
    const found = await reply.text();
    outgoing.writeHead(reply.status).end(operation === 'DescribeTable' ? described(found) : found);
  });

  return {
    url: server.url,
    window,
    creating,
    /** How many restores were started. */
    started: () => restores.size,
    /** Also deletes the restored tables: other tests restore tables of the same names. */
    stop: async () => {
      for (const TableName of restores.keys()) {
        await engine.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
        await engine.send(new DeleteTableCommand({ TableName }));
      }
      engine.destroy();
      await server.stop();
    },
  };
};
