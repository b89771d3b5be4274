// The chart of accounts that a manually kept company starts with.

import { Account } from './accounts.ts';
import chart from './data/default-chart.json' with { type: 'json' };

/** The chart that `manual` tenants, and `platform_c` tenants without credentials, start with. */
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
