// What can be wrong with a request to change a tenant.

import { type Problem, problem } from '../errors.ts';
import type { Tenant } from './tenants.ts';

/** What callers may change of a tenant. */
export type TenantChanges = {
  [Field in 'companyName' | 'cashFlowMethod' | 'financialYearEnd' | 'lockDate']?: NonNullable<
    Tenant[Field]
  >;
};

/** The same, as requests call it. */
export const changeableTenantFields = [
  'lock_date',
  'financial_year_end',
  'cash_flow_method',
  'company_name',
] as const;

/** What is wrong with changes of a tenant, as far as they could be read. */
export const problemsOfTenantChanges = (
  { lockDate }: TenantChanges,
  { today }: { today: string },
): Problem[] =>
  lockDate === undefined || lockDate < today
    ? []
    : [problem('lock_date_not_past', '/lock_date', { lock_date: lockDate, today })];
