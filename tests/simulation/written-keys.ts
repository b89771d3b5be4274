// What a call to the table may have changed.

import type { Key } from '#shared/store/keys.ts';
import type { TableCall } from '../support/dynamodb/table-calls.ts';

type WireKey = { pk?: { S?: string }; sk?: { S?: string } };
type WireAction = { Put?: { Item: WireKey }; Update?: { Key: WireKey } };

const keyOf = ({ pk, sk }: WireKey): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });

/** The items of this sort key that a call writes. */
export const keysWritten = ({ operation, request }: TableCall, sort: string): Key[] => {
  const { TransactItems = [], Key } = request as { TransactItems?: WireAction[]; Key?: WireKey };
  const updated = operation === 'UpdateItem' && Key ? [Key] : [];
  const written = TransactItems.flatMap(({ Put, Update }) => Put?.Item ?? Update?.Key ?? []);
  return [...updated, ...written].map(keyOf).filter(({ sk }) => sk === sort);
};
