// The keys of a tenant's history.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   changes of a tenant, in order          APP#<app>#TENANT#<schema>   HISTORY#<sequence>
//
// The number of changes and the last hash are in the item COUNT#ACCOUNTS.

import { inTenant, type Key, type TenantName } from './keys.ts';

export const historyPrefix = 'HISTORY#';
/** Padding gives sequences the order of numbers. */
export const historyKey = (tenant: TenantName, sequence: number): Key =>
  inTenant(tenant, `${historyPrefix}${String(sequence).padStart(9, '0')}`);
