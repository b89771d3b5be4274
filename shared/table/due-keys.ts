// The places of items in the due index, which lists what has to be done at a moment. The chart of
// keys.ts has its access patterns.

import { createHash } from 'node:crypto';
import { connectionKey, dateOfPlace, importKey, type Key, type TenantName } from './keys.ts';

export const dueIndex = 'due';

/** Shards of the due index, so that the first minutes of a day do not heat one partition. */
const dueShards = [0, 1, 2, 3, 4, 5, 6, 7];
const dueShardOf = ({ pk }: Pick<Key, 'pk'>): number =>
  createHash('sha256').update(pk).digest().readUInt32BE() % dueShards.length;
export const dueDatePartition = (shard: number | string): string => `DUE-DATE#${shard}`;
export const dueDatePartitions: readonly string[] = dueShards.map(dueDatePartition);
/** Until format 3 of the table, the index listed every scheduled entry by itself. */
export const earlierDuePartition = (shard: number | string): string => `DUE#${shard}`;
export const earlierDuePartitions: readonly string[] = dueShards.map(earlierDuePartition);

/** The sort key in the due index of what is due on this date or at this moment. */
export const dueSortOf = ({ pk, sk }: Key, dateOrMoment: string): string =>
  `${dateOrMoment}#${pk}#${sk}`;
const duePlace = (due_pk: string, key: Key, time: string) =>
  ({ due_pk, due_sk: dueSortOf(key, time) }) as const;
/** The place of a date in the due index, until somebody has tried to post its entries. */
export const dueDatePlace = (dueDate: Key) =>
  duePlace(dueDatePartition(dueShardOf(dueDate)), dueDate, dateOfPlace(dueDate));
/** The date or the moment at which something is due, by its sort key in the due index. */
export const dueTimeOf = (dueSort: string): string => dueSort.slice(0, dueSort.indexOf('#'));
/** Comes after everything due on or before this date, or at or before this moment. */
export const dueUntil = (dateOrMoment: string): string => `${dateOrMoment}#~`;

/**
 * The place in the due index of an import that has not ended: when somebody looks at it, and when
 * that was decided.
 */
export const dueImportPartition = 'DUE-IMPORT';
export const dueImportKey = (
  tenant: TenantName,
  { dueAt, setAt }: { dueAt: string; setAt: string },
) => duePlace(dueImportPartition, importKey(tenant), `${dueAt}#${setAt}`);
/** When an import's place in the due index was decided; `null` if it was not kept yet. */
export const dueSetAtOf = (dueSort: string): string | null =>
  /^[^#]+#(\d[^#]+)#/.exec(dueSort)?.[1] ?? null;
/** The place of a connection in the due index: its tokens are renewed then, so that none ends. */
export const dueConnectionPartition = 'DUE-CONNECTION';
export const dueConnectionKey = (tenant: TenantName, moment: string) =>
  duePlace(dueConnectionPartition, connectionKey(tenant), moment);
