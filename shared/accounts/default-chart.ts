// The default chart of accounts.

import { Account } from './accounts.ts';
import chart from './default-chart.json' with { type: 'json' };

/** The initial chart of `manual` tenants, and of `platform_c` tenants without credentials. */
export const defaultChart: readonly Account[] = chart.accounts.map(({ cashFlow, ...account }) =>
  Account.parse({ ...account, ...(cashFlow !== null && { cashFlow }), status: 'active' }),
);
