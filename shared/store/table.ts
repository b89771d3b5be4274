// The single table through the AWS SDK: reads, conditional writes, transactions with retries
// against contention.

import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Refusal } from '../errors.ts';
import { record, recordContentionRetry } from '../usage.ts';
import { type Key, textOf } from './keys.ts';

/** An item as read; each store parses it with its own schema. */
export type Item = Record<string, unknown>;

/** One action of a transaction, without the table name. */
export type Action =
  | { put: Item; condition?: string; values?: Item }
  | UpdateAction
  | { check: Key; condition: string; names?: Names; values?: Item };
export type UpdateAction = {
  update: Key;
  expression: string;
  condition?: string;
  names?: Names;
  values?: Item;
};
type Names = Record<string, string>;

/**
 * How a transaction ended. `failed` lists the actions whose condition did not hold, by their place
 * in the list, with the item that stood in the way.
 */
export type Outcome =
  | { committed: true }
  | { committed: false; failed: Map<number, Item | undefined> };

/** How long a write goes on trying against contention, and how long it waits between tries. */
const contention = { budgetMilliseconds: 15_000, firstPause: 4, longestPause: 150 };

/** Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"). */
const pauseBefore = (attempt: number): Promise<void> => {
  const ceiling = Math.min(contention.longestPause, contention.firstPause * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ceiling));
};

/** Reasons for which the same transaction may succeed a moment later. */
const contentionReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Makes tries at a contended write until one is done or the time for it is spent. */
export const untilDone = async <Result>(
  attempt: () => Promise<Result | undefined>,
): Promise<Result> => {
  const giveUpAt = performance.now() + contention.budgetMilliseconds;
  for (let number = 0; ; number += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (performance.now() > giveUpAt) throw new Refusal('contention', { retryAfterSeconds: 1 });
    recordContentionRetry();
    await pauseBefore(number);
  }
};

const largestBatch = 100;
const largestWriteBatch = 25;
type BatchWrites = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

export type Table = ReturnType<typeof openTable>;

/**
 * Opens the table. Where it is comes from the AWS SDK's own settings (region, credentials,
 * `AWS_ENDPOINT_URL_DYNAMODB`).
 *
 * Reads are strongly consistent: a caller sees what it has written.
 */
export const openTable = (tableName: string, config: DynamoDBClientConfig = {}) => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      // A post takes two calls within a fifteen-second function; a hung call must leave time for
      // another. Throttles and lost connections are retried by the SDK.
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 4_000 },
      maxAttempts: 3,
      ...config,
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  const common = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;

  const get = async (key: Key): Promise<Item | undefined> => {
    const command = new GetCommand({ ...common, Key: key, ConsistentRead: true });
    return (await record('GetItem', () => client.send(command))).Item;
  };

  /** Reads up to a hundred keys, asking again for those that the table left out. */
  const getBatch = async (keys: Key[]): Promise<Item[]> => {
    const found: Item[] = [];
    let remaining = keys;
    for (let attempt = 0; remaining.length > 0; attempt += 1) {
      if (attempt > 0) await pauseBefore(attempt);
      if (attempt > 8) throw new Refusal('temporarily_unavailable', { retryAfterSeconds: 1 });
      const command = new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: remaining, ConsistentRead: true } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      const page = await record('BatchGetItem', () => client.send(command));
      found.push(...(page.Responses?.[tableName] ?? []));
      remaining = (page.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
    }
    return found;
  };

  /** Writes items over whatever was there, in batches of 25 one after the other. */
  const putMany = async (items: readonly Item[]): Promise<void> => {
    for (let start = 0; start < items.length; start += largestWriteBatch) {
      let remaining: BatchWrites = items
        .slice(start, start + largestWriteBatch)
        .map((item) => ({ PutRequest: { Item: item } }));
      for (let attempt = 0; remaining.length > 0; attempt += 1) {
        if (attempt > 0) await pauseBefore(attempt);
        if (attempt > 8) throw new Refusal('temporarily_unavailable', { retryAfterSeconds: 1 });
        const command = new BatchWriteCommand({
          RequestItems: { [tableName]: remaining },
          ReturnConsumedCapacity: 'TOTAL',
        });
        const page = await record('BatchWriteItem', () => client.send(command));
        remaining = page.UnprocessedItems?.[tableName] ?? [];
      }
    }
  };

  /** Reads the keys, in parallel batches, and finds each item under `textOf` its key. */
  const getMany = async (keys: readonly Key[]): Promise<Map<string, Item>> => {
    const distinct = [...new Map(keys.map((key) => [textOf(key), key])).values()];
    const batches = Array.from({ length: Math.ceil(distinct.length / largestBatch) }, (_, batch) =>
      distinct.slice(batch * largestBatch, (batch + 1) * largestBatch),
    );
    const items = (await Promise.all(batches.map(getBatch))).flat();
    return new Map(items.map((item) => [textOf(item as Key), item]));
  };

  /** Yields the pages of a query. Without `limit` it goes on to the end. */
  async function* queryPages(
    input: Omit<QueryCommandInput, 'TableName' | 'ReturnConsumedCapacity'>,
  ): AsyncGenerator<Item[]> {
    let from: Item | undefined;
    do {
      const command = new QueryCommand({
        ...common,
        ConsistentRead: input.IndexName === undefined,
        ...input,
        ...(from && { ExclusiveStartKey: from }),
      });
      const page = await record('Query', () => client.send(command));
      yield page.Items ?? [];
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  }

  const query = async (
    input: Omit<QueryCommandInput, 'TableName' | 'ReturnConsumedCapacity'>,
  ): Promise<Item[]> => {
    const items: Item[] = [];
    for await (const page of queryPages(input)) items.push(...page);
    return items;
  };

  /** Changes one item; false where the condition does not hold. */
  const update = ({ update: key, ...change }: UpdateAction): Promise<boolean> =>
    untilDone(async () => {
      const command = new UpdateCommand({
        ...common,
        Key: key,
        UpdateExpression: change.expression,
        ConditionExpression: change.condition,
        ExpressionAttributeNames: change.names,
        ExpressionAttributeValues: change.values,
      });
      const result = await singleWrite(() => record('UpdateItem', () => client.send(command)));
      return result && result !== 'refused';
    });

  /** Takes an item away and returns it; `undefined` where the condition does not hold. */
  const take = async (
    key: Key,
    { condition, values }: { condition: string; values?: Item },
  ): Promise<Item | undefined> => {
    const taken = await untilDone(() => {
      const command = new DeleteCommand({
        ...common,
        Key: key,
        ConditionExpression: condition,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_OLD',
      });
      return singleWrite(() => record('DeleteItem', () => client.send(command)));
    });
    return taken === 'refused' ? undefined : taken.Attributes;
  };

  /** Writes all or nothing, in one try: `undefined` where contention alone stood in the way. */
  const tryTransact = async (actions: readonly Action[]): Promise<Outcome | undefined> => {
    const command = new TransactWriteCommand({
      TransactItems: actions.map((action) => transactItem(action, tableName)),
      ReturnConsumedCapacity: 'TOTAL',
    });
    try {
      await record('TransactWriteItems', () => client.send(command));
      return { committed: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      return outcomeOf(error);
    }
  };

  return {
    get,
    getMany,
    putMany,
    query,
    queryPages,
    update,
    take,
    tryTransact,
    /** Writes all or nothing. Contention is retried with jitter; a failed condition is not. */
    transact: (actions: readonly Action[]): Promise<Outcome> =>
      untilDone(() => tryTransact(actions)),
    close: () => client.destroy(),
  };
};

/** Writes one item: `refused` where the condition fails, `undefined` where contention stood in. */
const singleWrite = async <Result>(
  write: () => Promise<Result>,
): Promise<Result | 'refused' | undefined> => {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'refused';
    if (error instanceof TransactionConflictException) return undefined;
    throw error;
  }
};

const transactItem = (
  action: Action,
  tableName: string,
): NonNullable<TransactWriteCommandInput['TransactItems']>[number] => {
  const common = {
    TableName: tableName,
    ...(action.condition !== undefined && { ConditionExpression: action.condition }),
    ...('names' in action && action.names && { ExpressionAttributeNames: action.names }),
    ...(action.values && { ExpressionAttributeValues: action.values }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  if ('put' in action) return { Put: { ...common, Item: action.put } };
  if ('check' in action) {
    return {
      ConditionCheck: { ...common, Key: action.check, ConditionExpression: action.condition },
    };
  }
  return { Update: { ...common, Key: action.update, UpdateExpression: action.expression } };
};

/**
 * Reads a cancelled transaction: a failed condition is an outcome, contention alone is a reason to
 * try again (`undefined`), anything else is an error.
 */
const outcomeOf = (error: TransactionCanceledException): Outcome | undefined => {
  const reasons = (error.CancellationReasons ?? []).map((reason, index) => ({ ...reason, index }));
  const failed = reasons.filter(({ Code }) => Code === 'ConditionalCheckFailed');
  if (failed.length > 0) {
    return {
      committed: false,
      failed: new Map(failed.map(({ index, Item }) => [index, Item && unmarshall(Item)])),
    };
  }
  const others = reasons.filter(({ Code }) => Code !== undefined && Code !== 'None');
  if (others.length === 0 || !others.every(({ Code }) => contentionReasons.has(Code ?? ''))) {
    throw error;
  }
  return undefined;
};

/** The condition of an item that must not exist yet. */
export const mustBeNew = 'attribute_not_exists(pk)';
