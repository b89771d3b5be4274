// Accounts of a platform's chart.

import type { Account } from '#shared/domain/accounts.ts';

export const account = (code: string, name = `Account ${code}`): Account => ({
  code,
  name,
  type: 'asset',
  status: 'active',
});
