// What keeps an entry from being recorded twice: the guards of external ids and Idempotency-Keys,
// and the entries that they stand for.

import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import { type Key, type TenantName, tenantKey } from './keys.ts';
import type { Item } from './table.ts';

/**
 * What stands under an external_id or an Idempotency-Key: the entry that was posted with it. The
 * Idempotency-Key of a request for many stands for all of them, in its order.
 */
export const EntryGuard = z.object({
  entrySk: z.string(),
  furtherSks: z.optional(z.array(z.string())),
});

/** What a request may be known by when it comes again. */
export type RequestIdentity = {
  /** The external_id of each of its entries. */
  externalIds: readonly (string | null)[];
  idempotencyKey?: string | undefined;
  /** Whether it asks for many, be it for one of them. */
  isBatch: boolean;
};

/** The guards of a request that are there already. */
export type FoundGuards = {
  byExternalId: ReadonlyMap<string, Item>;
  byIdempotencyKey: Item | undefined;
};

/**
 * Where each entry of a request is that was recorded before; `undefined` for what is new.
 * @throws ApiError `idempotency_key_reused` where its key stands for others than it asks for
 */
export const recordedBefore = (
  name: TenantName,
  { externalIds, isBatch }: RequestIdentity,
  { byExternalId, byIdempotencyKey }: FoundGuards,
): (Key | undefined)[] => {
  const { pk } = tenantKey(name);
  const keyOf = (sk: string): Key => ({ pk, sk });
  const byOwnIds = externalIds.map((externalId) => {
    const guard = externalId === null ? undefined : byExternalId.get(externalId);
    return guard && keyOf(EntryGuard.parse(guard).entrySk);
  });
  if (byIdempotencyKey === undefined) return byOwnIds;
  const { entrySk, furtherSks } = EntryGuard.parse(byIdempotencyKey);
  const sorts = [entrySk, ...(furtherSks ?? [])];
  const isSame =
    (furtherSks !== undefined) === isBatch &&
    sorts.length === externalIds.length &&
    byOwnIds.every((own, index) => own === undefined || own.sk === sorts[index]);
  if (!isSame) throw new ApiError('idempotency_key_reused');
  return sorts.map(keyOf);
};
