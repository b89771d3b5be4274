// Guards prevent that an entry is recorded twice. Each external id and each Idempotency-Key has a
// guard with the key of its entry.

import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import {
  entryIdempotencyKey,
  externalIdKey,
  type Key,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { itemIn, type Snapshot } from '../table/optimistic-write.ts';
import { type Action, ifNotExists } from '../table/table.ts';

/**
 * Only the guard of a batch's Idempotency-Key has `furtherSks`, the other entries in order.
 *
 * `recorded` says which entries were recorded with the Idempotency-Key: all, or those at these
 * places. The sheets count the same entries. Guards of formats before 6 do not have it.
 */
export const EntryGuard = z.object({
  entrySk: z.string(),
  furtherSks: z.optional(z.array(z.string())),
  recorded: z.optional(z.union([z.literal(true), z.array(z.int())])),
});

/** Identifies repeated requests. */
export type RequestIdentity = {
  /** The external id of each of its entries. */
  externalIds: readonly (string | null)[];
  idempotencyKey?: string | undefined;
  /** Whether it is a batch, even if it has one entry. */
  isBatch: boolean;
};

export const guardKeysOf = (
  name: TenantName,
  { externalIds, idempotencyKey }: Omit<RequestIdentity, 'isBatch'>,
): Key[] => [
  ...externalIds.flatMap((it) => (it === null ? [] : [externalIdKey(name, it)])),
  ...(idempotencyKey === undefined ? [] : [entryIdempotencyKey(name, idempotencyKey)]),
];

/**
 * The action that puts the guard of an Idempotency-Key for these entries, if there is a key.
 * @param entries.recorded the places of those that it counts, by default of all
 */
export const idempotencyGuardActions = (
  name: TenantName,
  idempotencyKey: string | undefined,
  {
    keys: [first, ...further],
    recorded = true,
    isBatch,
  }: { keys: readonly Key[]; recorded?: true | number[]; isBatch: boolean },
): Action[] => {
  if (idempotencyKey === undefined) return [];
  const guard = {
    ...entryIdempotencyKey(name, idempotencyKey),
    entrySk: first?.sk,
    ...(isBatch && { furtherSks: further.map(({ sk }) => sk) }),
    recorded,
  };
  return [{ put: guard, condition: ifNotExists }];
};

/**
 * The key of each entry of a request that was recorded before; undefined for a new entry.
 * @throws ApiError `idempotency_key_reused` if the Idempotency-Key belongs to other entries
 */
export const recordedKeys = (
  name: TenantName,
  { externalIds, idempotencyKey, isBatch }: RequestIdentity,
  snapshot: Snapshot,
): (Key | undefined)[] => {
  const { pk } = tenantKey(name);
  const keyOf = (sk: string): Key => ({ pk, sk });
  const byExternalId = externalIds.map((externalId) => {
    const guard =
      externalId === null ? undefined : itemIn(snapshot, externalIdKey(name, externalId));
    return guard && keyOf(EntryGuard.parse(guard).entrySk);
  });
  const guard =
    idempotencyKey === undefined
      ? undefined
      : itemIn(snapshot, entryIdempotencyKey(name, idempotencyKey));
  if (guard === undefined) return byExternalId;
  const { entrySk, furtherSks } = EntryGuard.parse(guard);
  const sorts = [entrySk, ...(furtherSks ?? [])];
  const isSameRequest =
    (furtherSks !== undefined) === isBatch &&
    sorts.length === externalIds.length &&
    byExternalId.every((key, index) => key === undefined || key.sk === sorts[index]);
  if (!isSameRequest) throw new ApiError('idempotency_key_reused');
  return sorts.map(keyOf);
};
