// The single table through the AWS SDK: reads, conditional writes, transactions with retries
// against contention.

import { randomUUID } from 'node:crypto';
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { callLimits, clientSettings } from '../aws-call-limits.ts';
import { refuseOrphans } from '../orphaned-work.ts';
import { type Key, keyText } from './keys.ts';
import { meterClient } from './metering.ts';
import { retryOnContention, retryUnprocessed } from './retry.ts';
import { continued } from './sort-ranges.ts';
import { translateFaults } from './transient-faults.ts';
import { type Outcome, outcomeOf, singleWrite } from './write-outcomes.ts';

/** An item as read; each store parses it with its own schema. */
export type Item = Record<string, unknown>;

export type QueryInput = Omit<QueryCommandInput, 'TableName' | 'ReturnConsumedCapacity'>;

/** One action of a transaction, without the table name. */
export type Action =
  | PutAction
  | UpdateAction
  | { delete: Key; condition?: string; values?: Item }
  | { check: Key; condition: string; names?: Names; values?: Item };
export type PutAction = { put: Item; condition?: string; values?: Item };
export type UpdateAction = {
  update: Key;
  expression: string;
  condition?: string;
  names?: Names;
  values?: Item;
};
type Names = Record<string, string>;

/**
 * Actions to be carried out together, and once however often they are tried: for ten minutes the
 * table answers the token of a transaction that is committed with success. So an attempt whose
 * reply was lost is not carried out again by the next.
 */
export type Transaction = {
  actions: readonly Action[];
  token: string;
  /** Whether an attempt may have been carried out whose reply was lost. */
  mayBeDone?: boolean;
};

export const transactionOf = (actions: readonly Action[]): Transaction => ({
  actions,
  token: randomUUID(),
});

/** A transaction takes a hundred actions (DynamoDB Developer Guide, "Quotas"). */
export const maximumTransactionActions = 100;

/** The key of the item that an action changes or checks. */
export const keyOfAction = (action: Action): Key => {
  if ('put' in action) return { pk: String(action.put.pk), sk: String(action.put.sk) };
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
};

const maximumBatchSize = 100;

const batchesOf = <Work>(all: readonly Work[], largest: number): Work[][] =>
  Array.from({ length: Math.ceil(all.length / largest) }, (_, batch) =>
    all.slice(batch * largest, (batch + 1) * largest),
  );

export type Table = ReturnType<typeof openTable>;

/**
 * Opens the table. Where it is comes from the AWS SDK's own settings (region, credentials,
 * `AWS_ENDPOINT_URL_DYNAMODB`).
 *
 * Reads are strongly consistent: a caller sees what it has written. Revisit when reads dominate the
 * bill.
 *
 * @param install adds further middleware to the client
 */
export const openTable = (
  tableName: string,
  config: DynamoDBClientConfig = {},
  install: (client: DynamoDBClient) => void = () => {},
) => {
  const plainClient = new DynamoDBClient({
    // Throttles and lost connections are retried by the SDK.
    ...clientSettings(callLimits.standard.table),
    ...config,
  });
  meterClient(plainClient);
  refuseOrphans(plainClient);
  translateFaults(plainClient);
  install(plainClient);
  const client = DynamoDBDocumentClient.from(plainClient, {
    marshallOptions: { removeUndefinedValues: true },
  });
  const common = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;

  const get = async (key: Key): Promise<Item | undefined> => {
    const command = new GetCommand({ ...common, Key: key, ConsistentRead: true });
    return (await client.send(command)).Item;
  };

  /** Reads up to a hundred keys, asking again for those that the table left out. */
  const getBatch = async (keys: Key[]): Promise<Item[]> => {
    const found: Item[] = [];
    await retryUnprocessed(keys, async (Keys) => {
      const command = new BatchGetCommand({
        RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      const page = await client.send(command);
      found.push(...(page.Responses?.[tableName] ?? []));
      return (page.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
    });
    return found;
  };

  /** Reads the keys, in parallel batches, and finds each item under `keyText` its key. */
  const getMany = async (keys: readonly Key[]): Promise<Map<string, Item>> => {
    const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
    const batches = batchesOf(distinct, maximumBatchSize);
    const items = (await Promise.all(batches.map(getBatch))).flat();
    return new Map(items.map((item) => [keyText(item as Key), item]));
  };

  /** One call of a query: its items, their count, its units, and where it goes on, if it does. */
  const queryPage = async (input: QueryInput, from?: Item) => {
    const command = new QueryCommand({
      ...common,
      ConsistentRead: input.IndexName === undefined,
      ...(from ? continued(input, from) : input),
    });
    const { Items = [], LastEvaluatedKey, ...page } = await client.send(command);
    const [count, units] = [page.Count ?? 0, page.ConsumedCapacity?.CapacityUnits ?? 0];
    return { items: Items as Item[], next: LastEvaluatedKey as Item | undefined, count, units };
  };

  /** Yields the pages of a query to its end; `Limit` is the size of a page. */
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

  /** Changes one item; false where the condition does not hold. */
  const update = ({ update: key, ...change }: UpdateAction): Promise<boolean> =>
    retryOnContention(async () => {
      const command = new UpdateCommand({
        ...common,
        Key: key,
        UpdateExpression: change.expression,
        ConditionExpression: change.condition,
        ExpressionAttributeNames: change.names,
        ExpressionAttributeValues: change.values,
      });
      const result = await singleWrite(() => client.send(command));
      return result && result !== 'condition_failed';
    });

  /**
   * Adds to numbers of an item, which begins with zeros, and returns the new numbers. An attempt
   * whose reply is lost may be counted twice.
   */
  const add = async (
    key: Key,
    { amounts, expiresAt }: { amounts: Record<string, number>; expiresAt: number },
  ): Promise<Item> => {
    const names = Object.keys(amounts);
    const command = new UpdateCommand({
      ...common,
      Key: key,
      UpdateExpression: `SET expiresAt = :end ADD ${names.map((it) => `${it} :${it}`).join(', ')}`,
      ExpressionAttributeValues: {
        ':end': expiresAt,
        ...Object.fromEntries(names.map((it) => [`:${it}`, amounts[it]])),
      },
      ReturnValues: 'UPDATED_NEW',
    });
    return (await client.send(command)).Attributes ?? {};
  };

  /** Takes an item away and returns it; `undefined` where the condition does not hold. */
  const consume = async (
    key: Key,
    { condition, values }: { condition: string; values?: Item },
  ): Promise<Item | undefined> => {
    const consumed = await retryOnContention(() => {
      const command = new DeleteCommand({
        ...common,
        Key: key,
        ConditionExpression: condition,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_OLD',
      });
      return singleWrite(() => client.send(command));
    });
    return consumed === 'condition_failed' ? undefined : consumed.Attributes;
  };

  /** Writes all or nothing, in one attempt: `undefined` where contention alone stood in the way. */
  const tryTransact = async (transaction: Transaction): Promise<Outcome | undefined> => {
    const command = new TransactWriteCommand({
      ClientRequestToken: transaction.token,
      TransactItems: transaction.actions.map((action) => transactItem(action, tableName)),
      ReturnConsumedCapacity: 'TOTAL',
    });
    try {
      await client.send(command);
      return { committed: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const outcome = outcomeOf(error);
      // The SDK tries again where a reply is lost: contention may be the answer to its second call.
      const { attempts = 1 } = error.$metadata;
      if (outcome === undefined && attempts > 1) transaction.mayBeDone = true;
      return outcome;
    }
  };

  return {
    get,
    getMany,
    query,
    queryPage,
    queryPages,
    update,
    add,
    consume,
    tryTransact,
    /** Writes all or nothing. Contention is retried with jitter; a failed condition is not. */
    transact: (actions: readonly Action[]): Promise<Outcome> => {
      const transaction = transactionOf(actions);
      return retryOnContention(() => tryTransact(transaction), {
        mayBeDone: () => transaction.mayBeDone === true,
      });
    },
    close: () => client.destroy(),
  };
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
  if ('delete' in action) return { Delete: { ...common, Key: action.delete } };
  if ('check' in action) {
    return {
      ConditionCheck: { ...common, Key: action.check, ConditionExpression: action.condition },
    };
  }
  return { Update: { ...common, Key: action.update, UpdateExpression: action.expression } };
};

/** The condition of an item that must not exist yet. */
export const ifNotExists = 'attribute_not_exists(pk)';
