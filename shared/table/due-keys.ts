// The keys of the due index, which lists work by the time at which it is due, and the action that
// lists a date.
//
//   access pattern                         due_pk                      due_sk
//   -------------------------------------  --------------------------  -------------------------
//   dates to be posted                     DUE-DATE#<shard>            <date or moment>#<pk>#<sk>
//   imports that have not ended            DUE-IMPORT                  <moment>#<set>#<pk>#<sk>
//   tokens to be renewed                   DUE-CONNECTION              <moment>#<pk>#<sk>
//   deliveries to webhooks                 DUE-DELIVERY                <moment>#<pk>#<sk>
//   changes whose events are not recorded  DUE-FEED                    <moment>#<pk>#<sk>
//   totals to be carried                   DUE-CARRY                   <date or moment>#<pk>#<sk>
//   books to be verified                   DUE-VERIFICATION            <moment>#<pk>#<sk>
//   until format 3: scheduled entries      DUE#<shard>                 <accrual date>#<pk>#<sk>

import { createHash } from 'node:crypto';
import { carriedKey } from './carried-keys.ts';
import { updateAction } from './field-updates.ts';
import {
  connectionKey,
  dateOfPlace,
  dueDateKey,
  importKey,
  inTenant,
  type Key,
  type TenantName,
} from './keys.ts';
import type { UpdateAction } from './table.ts';

export const dueIndex = 'due';

/** Several shards, because most dates become due in the first minutes of a day. */
const dueShards = [0, 1, 2, 3, 4, 5, 6, 7];
const dueShardOf = ({ pk }: Pick<Key, 'pk'>): number =>
  createHash('sha256').update(pk).digest().readUInt32BE() % dueShards.length;
export const dueDatePartition = (shard: number | string): string => `DUE-DATE#${shard}`;
export const dueDatePartitions: readonly string[] = dueShards.map(dueDatePartition);
/** Up to format 3 of the table, the index listed each scheduled entry. */
export const earlierDuePartition = (shard: number | string): string => `DUE#${shard}`;
export const earlierDuePartitions: readonly string[] = dueShards.map(earlierDuePartition);

/** The sort key, in the due index, of an item that is due on a date or at a moment. */
export const dueSortOf = ({ pk, sk }: Key, dateOrMoment: string): string =>
  `${dateOrMoment}#${pk}#${sk}`;
const duePlace = (due_pk: string, key: Key, time: string) =>
  ({ due_pk, due_sk: dueSortOf(key, time) }) as const;
/** The first place of a due date in the due index. Attempts to post its entries can move it. */
export const dueDatePlace = (dueDate: Key) =>
  duePlace(dueDatePartition(dueShardOf(dueDate)), dueDate, dateOfPlace(dueDate));
/** The date or moment in a sort key of the due index. */
export const dueTimeOf = (dueSort: string): string => dueSort.slice(0, dueSort.indexOf('#'));
/** A bound after all sort keys up to a date or moment, and before later ones. */
export const dueUntil = (dateOrMoment: string): string => `${dateOrMoment}#~`;

/**
 * The place of an unfinished import in the due index. The background run looks at it at `dueAt`,
 * which was decided at `setAt`.
 */
export const dueImportPartition = 'DUE-IMPORT';
export const dueImportKey = (
  tenant: TenantName,
  { dueAt, setAt }: { dueAt: string; setAt: string },
) => duePlace(dueImportPartition, importKey(tenant), `${dueAt}#${setAt}`);
/** The `setAt` in a sort key of the due index; `null` in keys of earlier versions, without one. */
export const dueSetAtOf = (dueSort: string): string | null =>
  /^[^#]+#(\d[^#]+)#/.exec(dueSort)?.[1] ?? null;
/** The place of a connection in the due index, at the time of its next token renewal. */
export const dueConnectionPartition = 'DUE-CONNECTION';
export const dueConnectionKey = (tenant: TenantName, moment: string) =>
  duePlace(dueConnectionPartition, connectionKey(tenant), moment);

/** The place of the deliveries to a webhook in the due index, at the time of the next check. */
export const dueDeliveryPartition = 'DUE-DELIVERY';
export const dueDeliveryPlace = (delivery: Key, moment: string) =>
  duePlace(dueDeliveryPartition, delivery, moment);

/** The place of a held feed or an unreadable change in the due index. */
export const dueFeedPartition = 'DUE-FEED';
export const dueFeedPlace = (held: Key, moment: string) => duePlace(dueFeedPartition, held, moment);

/** The place of a tenant in the due index, at the time when its totals are carried next. */
export const dueCarryPartition = 'DUE-CARRY';
export const dueCarryKey = (tenant: TenantName, dateOrMoment: string) =>
  duePlace(dueCarryPartition, carriedKey(tenant), dateOrMoment);

/** The verification of a tenant's books, in the due index from the time when it is due. */
export const verificationKey = (tenant: TenantName): Key => inTenant(tenant, 'VERIFICATION');
export const dueVerificationPartition = 'DUE-VERIFICATION';
export const dueVerificationPlace = (tenant: TenantName, moment: string) =>
  duePlace(dueVerificationPartition, verificationKey(tenant), moment);

/**
 * The action that lists a date in the due index. It is part of the transaction that schedules an
 * entry, and it increases the revision. A run removes the date only at the revision that it read
 * before it found no entries, so it cannot lose an entry.
 *
 * All requests that schedule entries for a tenant and date write this item. Revisit, with several
 * items per date, when a tenant schedules more than some tens of requests per second for one date.
 */
export const dueDateAction = (name: TenantName, date: string): UpdateAction => {
  const key = dueDateKey(name, date);
  const { due_pk, due_sk } = dueDatePlace(key);
  return updateAction(key, { set: { due_pk }, initial: { due_sk }, increment: ['revision'] });
};
