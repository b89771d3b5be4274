// An account as replies show it.

import * as z from 'zod/mini';
import {
  type Account,
  accountSubtypes,
  accountTypes,
  cashFlowClasses,
  normalBalanceOf,
  sides,
} from '../domain/accounts.ts';

export const accountType = z
  .enum(accountTypes)
  .check(z.describe('What the account is: it decides the statement that it is part of.'));

export const accountStatus = z
  .enum(['active', 'archived'])
  .check(z.describe('`archived` where nothing more can be posted to the account.'));

export const AccountView = z.object({
  code: z.string().check(z.describe('The code by which the lines of entries name the account.')),
  name: z.string().check(z.describe('What it is called.')),
  type: accountType,
  subtype: z
    .nullable(z.enum(accountSubtypes))
    .check(z.describe('The line of a statement that shows it; null where that is not known.')),
  normal_balance: z
    .enum(sides)
    .check(z.describe('The side on which it grows; a contra account has the other one.')),
  cash_flow: z
    .nullable(z.enum(cashFlowClasses))
    .check(
      z.describe(
        'The section of the statement of cash flows that shows what moves cash against it; ' +
          '`cash` where it is cash itself, null where it never stands against cash.',
      ),
    ),
  status: accountStatus,
  platform_account_id: z
    .nullable(z.string())
    .check(z.describe("Its id at the tenant's platform; null where it does not come from one.")),
});
z.globalRegistry.add(AccountView, {
  id: 'Account',
  description: "An account of a tenant's chart of accounts.",
});
export type AccountView = z.output<typeof AccountView>;

export const viewOf = (account: Account): AccountView => ({
  code: account.code,
  name: account.name,
  type: account.type,
  subtype: account.subtype ?? null,
  normal_balance: normalBalanceOf(account),
  cash_flow: account.cashFlow ?? null,
  status: account.status,
  platform_account_id: account.platformAccountId ?? null,
});
