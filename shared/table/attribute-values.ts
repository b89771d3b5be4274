// Items in DynamoDB's JSON. The SDK's `unmarshall` gives the same items and takes five times as
// long, which a post notices.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** An item with plain values. */
export type Item = Record<string, unknown>;

export const marshallOptions = { removeUndefinedValues: true };

/** The item for DynamoDB, without undefined values. */
export const marshalled = (item: Item): Record<string, AttributeValue> =>
  marshall(item, marshallOptions);

/** @throws Error for a binary value or a set; the table has none */
const plainValueOf = (value: AttributeValue): unknown => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.M !== undefined) return itemOf(value.M);
  if (value.L !== undefined) return value.L.map(plainValueOf);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  throw new Error(`the table has no values of type ${Object.keys(value)}`);
};

/** The item with plain values: texts, numbers, booleans, nulls, arrays and objects. */
export const itemOf = (attributes: Record<string, AttributeValue>): Item => {
  const item: Item = {};
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value) item[name] = plainValueOf(value);
  }
  return item;
};
