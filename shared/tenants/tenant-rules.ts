// The rules for changing a tenant.

import { type Problem, problem } from '../errors.ts';
import type { Tenant } from './tenants.ts';

export type TenantChanges = {
  [Field in 'companyName' | 'cashFlowMethod' | 'financialYearEnd' | 'lockDate']?: NonNullable<
    Tenant[Field]
  >;
};

/** The names of the changeable fields in requests. */
export const changeableTenantFields = [
  'lock_date',
  'financial_year_end',
  'cash_flow_method',
  'company_name',
] as const;

export const problemsOfTenantChanges = (
  { lockDate }: TenantChanges,
  { today }: { today: string },
): Problem[] =>
  lockDate === undefined || lockDate < today
    ? []
    : [problem('lock_date_not_past', '/lock_date', { lock_date: lockDate, today })];
