// The client of the table: reads, conditional writes, and transactions that are retried after
// contention.

import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  type DynamoDBClientConfig,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Authenticators, mayHaveAuthenticators } from '../authentication/authenticators.ts';
import { callLimits, clientSettings } from '../aws-call-limits.ts';
import { refuseOrphans } from '../orphaned-work.ts';
import { itemOf, marshalled, marshallOptions } from './attribute-values.ts';
import { batchesOf } from './batches.ts';
import { openDynamoDBClient, openPostCalls } from './dynamodb-client.ts';
import { type Key, keyOfItem, keyText } from './keys.ts';
import { meterClient } from './metering.ts';
import { type Outcome, outcomeOf, translateFaults } from './outcomes.ts';
import { retryOnContention, retryUnprocessed } from './retry.ts';
import { openSingleWrites } from './single-writes.ts';
import { continued } from './sort-ranges.ts';

/** An item before a store parses it with its own schema. */
export type Item = Record<string, unknown>;

export type QueryInput = Omit<QueryCommandInput, 'TableName' | 'ReturnConsumedCapacity'>;

/** One action of a transaction, without the table name. */
export type Action =
  | PutAction
  | UpdateAction
  | { delete: Key; condition?: string; values?: Item }
  | { check: Key; condition: string; names?: Names; values?: Item };
export type PutAction = { put: Item; condition?: string; names?: Names; values?: Item };
export type UpdateAction = {
  update: Key;
  expression: string;
  condition?: string;
  names?: Names;
  values?: Item;
};
type Names = Record<string, string>;

/**
 * Actions that succeed or fail together. After an attempt that committed with a lost reply, another
 * attempt with the same token succeeds and writes nothing, for ten minutes.
 */
export type Transaction = {
  actions: readonly Action[];
  token: string;
};

export const transactionOf = (actions: readonly Action[]): Transaction => ({
  actions,
  token: randomUUID(),
});

/** Limits of TransactWriteItems and BatchGetItem (DynamoDB API Reference). */
export const maximumTransactionActions = 100;
export const maximumBatchKeys = 100;

/** The key of the item that an action changes or checks. */
export const keyOfAction = (action: Action): Key => {
  if ('put' in action) return keyOfItem(action.put);
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
};

export type Table = ReturnType<typeof openTable>;

/**
 * Opens the table. The AWS SDK's own settings say where it is (region, credentials,
 * `AWS_ENDPOINT_URL_DYNAMODB`).
 *
 * Reads are strongly consistent, except queries of an index. Revisit when reads dominate the bill.
 *
 * @param options.authenticators adds authenticators to items and checks them. A function without
 *   the permission for their keys has none, and cannot read the items either.
 * @param options.install adds middleware to the client
 */
export const openTable = (
  tableName: string,
  config: DynamoDBClientConfig = {},
  {
    authenticators,
    install = () => {},
  }: {
    authenticators?: Authenticators | undefined;
    install?: (client: DynamoDBClient) => void;
  } = {},
) => {
  const plainClient = openDynamoDBClient({
    // The SDK retries throttled calls and lost connections.
    ...clientSettings(callLimits.standard.table),
    ...config,
  });
  meterClient(plainClient);
  refuseOrphans(plainClient);
  translateFaults(plainClient);
  install(plainClient);
  const client = DynamoDBDocumentClient.from(plainClient, {
    // A copy, because the document client changes its options.
    marshallOptions: { ...marshallOptions },
  });
  const { batchGet, transactWrite } = openPostCalls(plainClient);
  const common = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;

  /** Checks the authenticators of items that were read. @throws BooksDiffer */
  const checked = async <Items extends readonly (Item | undefined)[]>(
    items: Items,
  ): Promise<Items> => {
    await authenticators?.checked(items.filter((item) => item !== undefined));
    return items;
  };

  const get = async (key: Key): Promise<Item | undefined> => {
    const command = new GetCommand({ ...common, Key: key, ConsistentRead: true });
    return (await checked([(await client.send(command)).Item] as const))[0];
  };

  /** Reads one batch. DynamoDB can return it in several parts. */
  const getBatch = async (keys: Key[]): Promise<Item[]> => {
    const items: Item[] = [];
    if (keys.some(mayHaveAuthenticators)) authenticators?.prepare();
    await retryUnprocessed(keys.map(marshalled), async (Keys) => {
      const page = await batchGet({
        RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      for (const item of page.Responses?.[tableName] ?? []) items.push(itemOf(item));
      return page.UnprocessedKeys?.[tableName]?.Keys ?? [];
    });
    return checked(items);
  };

  /** Reads any number of keys, in parallel batches. The map has existing items by `keyText`. */
  const getMany = async (keys: readonly Key[]): Promise<Map<string, Item>> => {
    const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
    const batches = batchesOf(distinct, maximumBatchKeys);
    const items = (await Promise.all(batches.map(getBatch))).flat();
    return new Map(items.map((item) => [keyText(item as Key), item]));
  };

  /** One call of a query. `next` is the key to continue after; `undefined` at the end. */
  const queryPage = async (input: QueryInput, from?: Item) => {
    const { ExpressionAttributeValues, ExclusiveStartKey, ...query } =
      from === undefined ? input : continued(input, from);
    const command = new QueryCommand({
      ...common,
      ConsistentRead: input.IndexName === undefined,
      ...query,
      ExpressionAttributeValues: marshalled(ExpressionAttributeValues ?? {}),
      ...(ExclusiveStartKey && { ExclusiveStartKey: marshalled(ExclusiveStartKey) }),
    });
    // The document client takes five times as long for the items.
    const { Items = [], LastEvaluatedKey: last, ...page } = await plainClient.send(command);
    const [count, units] = [page.Count ?? 0, page.ConsumedCapacity?.CapacityUnits ?? 0];
    // An index has only the keys of most items.
    const items = Items.map(itemOf);
    if (input.IndexName === undefined && input.ProjectionExpression === undefined) {
      await checked(items);
    }
    return { items, next: last && itemOf(last), count, units };
  };

  /** Yields all pages of a query. `Limit` is the maximum number of items that a page examines. */
  async function* queryPages(input: QueryInput): AsyncGenerator<Item[]> {
    let from: Item | undefined;
    do {
      const { items, next } = await queryPage(input, from);
      yield items;
      from = next;
    } while (from !== undefined);
  }

  const query = async (input: QueryInput): Promise<Item[]> => {
    const items: Item[] = [];
    for await (const page of queryPages(input)) items.push(...page);
    return items;
  };

  const authenticatedActions = new WeakMap<Transaction, Promise<readonly Action[]>>();
  /** All attempts send the same actions, even if the key changes. Their token requires it. */
  const authenticatedOf = (transaction: Transaction): Promise<readonly Action[]> => {
    const { actions } = transaction;
    const known = authenticatedActions.get(transaction);
    const authenticated =
      known ?? authenticators?.authenticated(actions) ?? Promise.resolve(actions);
    authenticatedActions.set(transaction, authenticated);
    return authenticated;
  };

  /**
   * One attempt. Returns `undefined` after contention alone; then nothing was written, unless the
   * reply to an earlier attempt was lost.
   */
  const tryTransact = async (transaction: Transaction): Promise<Outcome | undefined> => {
    const actions = await authenticatedOf(transaction);
    try {
      await transactWrite({
        ClientRequestToken: transaction.token,
        TransactItems: actions.map((action) => transactItem(action, tableName)),
        ReturnConsumedCapacity: 'TOTAL',
      });
      return { committed: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const outcome = outcomeOf(error);
      if (outcome?.committed === false) await checked([...outcome.failed.values()]);
      return outcome;
    }
  };

  return {
    get,
    getMany,
    query,
    queryPage,
    queryPages,
    ...openSingleWrites(client, common, authenticators),
    tryTransact,
    /**
     * Writes all or nothing. Retries after contention, but not after a failed condition.
     * @throws ApiError `contention`, or `temporarily_unavailable` if an attempt may have committed
     */
    transact: (actions: readonly Action[]): Promise<Outcome> => {
      const transaction = transactionOf(actions);
      return retryOnContention(() => tryTransact(transaction));
    },
    close: () => plainClient.destroy(),
  };
};

const transactItem = (action: Action, tableName: string): TransactWriteItem => {
  const common = {
    TableName: tableName,
    ...(action.condition !== undefined && { ConditionExpression: action.condition }),
    ...('names' in action && action.names && { ExpressionAttributeNames: action.names }),
    ...(action.values && { ExpressionAttributeValues: marshalled(action.values) }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  if ('put' in action) return { Put: { ...common, Item: marshalled(action.put) } };
  const Key = marshalled(keyOfAction(action));
  if ('delete' in action) return { Delete: { ...common, Key } };
  if ('check' in action) {
    return { ConditionCheck: { ...common, Key, ConditionExpression: action.condition } };
  }
  return { Update: { ...common, Key, UpdateExpression: action.expression } };
};

/** The condition that an item does not exist. */
export const ifNotExists = 'attribute_not_exists(pk)';

/** The condition that an item exists. */
export const ifExists = 'attribute_exists(pk)';
