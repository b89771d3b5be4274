// Writes of one item, without a transaction.

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Authenticators } from '../authentication/authenticators.ts';
import type { Item } from './attribute-values.ts';
import type { Key } from './keys.ts';
import { singleWrite } from './outcomes.ts';
import { retryOnContention } from './retry.ts';

type Write = { condition?: string; names?: Record<string, string>; values?: Item };

export const openSingleWrites = (
  client: DynamoDBDocumentClient,
  common: { TableName: string; ReturnConsumedCapacity: 'TOTAL' },
  authenticators: Authenticators | undefined,
) => {
  /**
   * Changes one item. Returns false if the condition fails. If a reply is lost, the SDK tries
   * again, and the condition may then fail because of the first attempt.
   * @throws ApiError `contention`
   */
  const update = ({
    update: key,
    ...change
  }: Write & { update: Key; expression: string }): Promise<boolean> =>
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
   * Puts one item. Returns false if the condition fails.
   * @throws ApiError `contention`
   */
  const put = (action: Write & { put: Item }): Promise<boolean> =>
    retryOnContention(async () => {
      const [authenticated = action] = (await authenticators?.authenticated([action])) ?? [];
      const command = new PutCommand({
        ...common,
        Item: authenticated.put,
        ConditionExpression: action.condition,
        ExpressionAttributeNames: action.names,
        ExpressionAttributeValues: action.values,
      });
      const result = await singleWrite(() => client.send(command));
      return result && result !== 'condition_failed';
    });

  /**
   * Adds to number fields of an item and returns their new values; `undefined` if the condition
   * fails. A missing field counts as zero. If a reply is lost, the SDK's retry may add the amounts
   * twice.
   */
  const add = async (
    key: Key,
    {
      amounts,
      expiresAt,
      condition,
      values,
    }: Pick<Write, 'condition' | 'values'> & { amounts: Record<string, number>; expiresAt: number },
  ): Promise<Item | undefined> => {
    const names = Object.keys(amounts);
    const command = new UpdateCommand({
      ...common,
      Key: key,
      UpdateExpression: `SET expiresAt = :end ADD ${names.map((it) => `${it} :${it}`).join(', ')}`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ...values,
        ':end': expiresAt,
        ...Object.fromEntries(names.map((it) => [`:${it}`, amounts[it]])),
      },
      ReturnValues: 'UPDATED_NEW',
    });
    const result = await singleWrite(() => client.send(command));
    return result === 'condition_failed' ? undefined : result?.Attributes;
  };

  /**
   * Deletes an item and returns it. Returns `undefined` if the condition fails or, without a
   * condition on it, if the item does not exist. If a reply is lost, the SDK tries again, and the
   * result may be `undefined` although the first attempt deleted the item.
   * @throws ApiError `contention`
   */
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

  return { update, put, add, consume };
};
