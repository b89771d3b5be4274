// Idempotency-Keys of tenant creations: what was asked for with each, and what was made.

import * as z from 'zod/mini';
import { idempotencyRecordKey } from '../table/keys.ts';
import { type Action, ifNotExists, type Table } from '../table/table.ts';

/** An Idempotency-Key, and what the request asked for with it (never credentials). */
export type IdempotentRequest = { idempotencyKey: string; request: Record<string, unknown> };

/** What an earlier request with the same Idempotency-Key asked for and made. */
export const IdempotencyRecord = z.object({
  schemaName: z.string(),
  request: z.record(z.string(), z.unknown()),
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** The actions that use up an Idempotency-Key together with what is made; none without a key. */
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

/** What was made with the Idempotency-Key of this request, if it was used. */
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
