// The keys of what the platform of a tenant reports.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   the last comparison with the books     APP#<app>#TENANT#<schema>   COMPARISON
//   the report of a date                   APP#<app>#TENANT#<schema>   REPORT#<date>#<part>

import { inTenant, type Key, type TenantName } from './keys.ts';

/** The last comparison of the books with the platform's reports. */
export const comparisonKey = (tenant: TenantName): Key => inTenant(tenant, 'COMPARISON');

/** The prefix of the parts of a date's report. */
export const reportPrefix = (date: string): string => `REPORT#${date}#`;

/** Padding gives the parts their order. */
export const reportKey = (
  tenant: TenantName,
  { date, part }: { date: string; part: number },
): Key => inTenant(tenant, `${reportPrefix(date)}${String(part).padStart(3, '0')}`);
