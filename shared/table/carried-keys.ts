// The keys of a tenant's carried totals.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   which dates have totals                APP#<app>#TENANT#<schema>   CARRIED
//   the totals of a date                   APP#<app>#TENANT#<schema>   CARRIED#<date>#<part>
//   the chains of a month's carried dates  APP#<app>#TENANT#<schema>   CHAINS#<month>
//   the sheets with late rows              APP#<app>#TENANT#<schema>   LATE#<date>#<series>

import { inTenant, type Key, type TenantName } from './keys.ts';

/** The state of a tenant's carried totals. */
export const carriedKey = (tenant: TenantName): Key => inTenant(tenant, 'CARRIED');
/** The prefix of the parts of the totals of a date. */
export const carriedTotalsPrefix = (date: string): string => `CARRIED#${date}#`;
export const carriedTotalsKey = (tenant: TenantName, date: string, part: number): Key =>
  inTenant(tenant, `${carriedTotalsPrefix(date)}${String(part).padStart(3, '0')}`);
/** The ends of the chains of a month's carried dates. */
export const chainsKey = (tenant: TenantName, month: string): Key =>
  inTenant(tenant, `CHAINS#${month}`);
export const lateSheetPrefix = 'LATE#';
/** The item that names a sheet with late rows. */
export const lateSheetKey = (
  tenant: TenantName,
  { series, date }: { series: string; date: string },
): Key => inTenant(tenant, `${lateSheetPrefix}${date}#${series}`);
