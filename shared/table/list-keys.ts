// The keys of items that list other items, or exclude them from lists: entry blocks exclude the
// entries that do not have an account, and markers list the entries with an accrual date.
//
//   access pattern                     pk                         sk
//   ---------------------------------  -------------------------  -------------------------------
//   an application's tenants, by age   APP#<app>#TENANTS          <created at>#<schema>
//   the blocks of a date and series    APP#<app>#TENANT#<schema>  BLOCK#<date>#<series>#<last n>
//   posted entries, by posting date    APP#<app>#TENANT#<schema>  ACCRUAL#<date>#<entry's sk>
//   scheduled ones, by posting date    APP#<app>#TENANT#<schema>  SCHEDULED#<date>#<entry's sk>
//   cancelled ones, by their own date  APP#<app>#TENANT#<schema>  CANCELLED#<date>#<entry's sk>
//   entries with certain metadata      APP#<app>#TENANT#<schema>  META-<hash>#<date>#<entry's sk>

import { createHash } from 'node:crypto';
import type { MetadataPair } from '../tenants/indexed-metadata.ts';
import { dateOfPlace, entryPrefix, inTenant, type Key, ownedBy, type TenantName } from './keys.ts';

/** The partition that lists an application's tenants. */
export const tenantListPartition = (applicationId: string): string =>
  `${ownedBy(applicationId)}#TENANTS`;
/** The item that lists a tenant by the time of its creation. */
export const listedTenantKey = (tenant: TenantName & { createdAt: string }): Key => ({
  pk: tenantListPartition(tenant.applicationId),
  sk: `${tenant.createdAt}#${tenant.schemaName}`,
});
export const isListedTenant = ({ pk }: Pick<Key, 'pk'>): boolean => /^APP#[^#]+#TENANTS$/.test(pk);
/** When a listed tenant was created, and its schema name. */
export const readListedTenantKey = ({
  sk,
}: Pick<Key, 'sk'>): { createdAt: string; schemaName: string } => {
  const [createdAt = '', schemaName = ''] = sk.split('#');
  return { createdAt, schemaName };
};

/** The accounts of the entries up to the sequence `last`. */
export const blockKey = (
  tenant: TenantName,
  { series, date }: { series: string; date: string },
  last: number,
): Key => inTenant(tenant, `BLOCK#${date}#${series}#${String(last).padStart(9, '0')}`);

/** The sequence in the key of a block. */
export const lastInBlockKey = ({ sk }: Pick<Key, 'sk'>): number =>
  Number(sk.slice(sk.lastIndexOf('#') + 1));

/** The prefixes of markers, for each status of their entries. */
export const markerPrefixes = {
  posted: 'ACCRUAL#',
  scheduled: 'SCHEDULED#',
  cancelled: 'CANCELLED#',
} as const;
export type MarkedStatus = keyof typeof markerPrefixes;
/** The prefix of the items that name the scheduled entries of a posting date. */
export const scheduledOn = (postingDate: string): string =>
  `${markerPrefixes.scheduled}${postingDate}#`;
/**
 * The keys that name an entry with an accrual date, for each status: by its posting date, or by its
 * own date once it is cancelled.
 */
export const markerKeys = (entry: Key, postingDate: string): Record<MarkedStatus, Key> => {
  const markerOn = (status: MarkedStatus, date: string): Key => ({
    pk: entry.pk,
    sk: `${markerPrefixes[status]}${date}#${entry.sk}`,
  });
  return {
    posted: markerOn('posted', postingDate),
    scheduled: markerOn('scheduled', postingDate),
    cancelled: markerOn('cancelled', dateOfPlace(entry)),
  };
};
/** The key of the entry that an item of `markerKeys` names. */
export const entryKeyUnderDate = ({ pk, sk }: Key): Key => ({
  pk,
  sk: sk.slice(sk.indexOf(entryPrefix)),
});

/** A key and a value together are hashed, because the longest do not fit into a sort key. */
export const metadataPrefix = ({ key, value }: MetadataPair): string =>
  `META-${createHash('sha256').update(`${key}\n${value}`).digest('base64url')}#`;
/** The key that names an entry with this metadata, by its own date. */
export const metadataEntryKey = (entry: Key, pair: MetadataPair): Key => ({
  pk: entry.pk,
  sk: `${metadataPrefix(pair)}${dateOfPlace(entry)}#${entry.sk}`,
});
