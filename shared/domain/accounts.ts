// An account of a tenant's chart of accounts.

import * as z from 'zod/mini';

/** `status` is archived where nothing more may be posted to the account. */
export const Account = z.object({
  code: z.string(),
  name: z.string(),
  type: z.enum(['asset', 'liability', 'equity', 'revenue', 'expense']),
  status: z.enum(['active', 'archived']),
  subtype: z.optional(z.string()),
  normalBalance: z.optional(z.enum(['debit', 'credit'])),
  cashFlow: z.optional(z.enum(['operating', 'investing', 'financing', 'cash'])),
  role: z.optional(z.string()),
  platformAccountId: z.optional(z.string()),
});
export type Account = z.infer<typeof Account>;

/** An account as a platform keeps it: known by its id, since not every account has a code. */
export type PlatformAccount = Pick<Account, 'name' | 'type' | 'status'> & {
  accountId: string;
  code: string | null;
};

/** Account codes and names are cut to these lengths when they are imported. */
export const maximumAccountCodeLength = 64;
export const maximumAccountNameLength = 150;
