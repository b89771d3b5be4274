// The keys of the items that list other items in an order of their own.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   an application's tenants, by age       APP#<app>#TENANTS           <created at>#<schema>

import { type Key, ownedBy, type TenantName } from './keys.ts';

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
