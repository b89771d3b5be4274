// The Idempotency-Keys of tenant creations, with their requests and tenants.

import * as z from 'zod/mini';
import { idempotencyRecordKey } from '../table/keys.ts';
import { type Action, ifNotExists, type Table } from '../table/table.ts';

/** An Idempotency-Key, and the fields of its request without credentials. */
export type IdempotentRequest = { idempotencyKey: string; request: Record<string, unknown> };

/** The stored request of an Idempotency-Key, and the tenant that it created. */
export const IdempotencyRecord = z.object({
  schemaName: z.string(),
  request: z.record(z.string(), z.unknown()),
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** The actions that use an Idempotency-Key for a tenant; none without a key. */
export const idempotencyActions = (
  { applicationId }: { applicationId: string },
  schemaName: string,
  idempotentRequest: IdempotentRequest | undefined,
): Action[] => {
  if (idempotentRequest === undefined) return [];
  const { idempotencyKey, request } = idempotentRequest;
  const item = { ...idempotencyRecordKey({ applicationId, idempotencyKey }), schemaName, request };
  return [{ put: item, condition: ifNotExists }];
};

/** The record of the request's Idempotency-Key, if an earlier request used it. */
export const findIdempotencyRecord = async (
  table: Table,
  { applicationId }: { applicationId: string },
  idempotentRequest: IdempotentRequest | undefined,
): Promise<IdempotencyRecord | undefined> => {
  if (idempotentRequest === undefined) return undefined;
  const { idempotencyKey } = idempotentRequest;
  const item = await table.get(idempotencyRecordKey({ applicationId, idempotencyKey }));
  return item && IdempotencyRecord.parse(item);
};
