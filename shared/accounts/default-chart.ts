// The default chart of accounts.

import { Account } from './accounts.ts';
import chart from './default-chart.json' with { type: 'json' };

/** The initial chart of `manual` tenants, and of `platform_c` tenants without credentials. */
export const defaultChart: readonly Account[] = chart.accounts.map((row) => {
  const { code, name, type, subtype, normalBalance, cashFlow, role } = row as typeof row & {
    role?: string;
  };
  return Account.parse({
    code,
    name,
    type,
    subtype,
    normalBalance,
    status: 'active',
    ...(cashFlow !== null && { cashFlow }),
    ...(role !== undefined && { role }),
  });
});
