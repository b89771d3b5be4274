// An account in a reply.

import * as z from 'zod/mini';
import { amountPattern } from '../money/amounts.ts';
import {
  type Account,
  accountSubtypes,
  accountTypes,
  cashFlowClasses,
  normalBalanceOf,
  sides,
} from './accounts.ts';

export const accountType = z
  .enum(accountTypes)
  .check(z.describe('Decides which statement shows the account.'));

export const accountSubtype = z
  .enum(accountSubtypes)
  .check(
    z.describe('Line of the statement that shows the account. Each type has its own subtypes.'),
  );

export const accountStatus = z
  .enum(['active', 'archived'])
  .check(z.describe('`archived`: nothing can be posted to the account.'));

export const AccountView = z.object({
  code: z
    .string()
    .check(z.describe('Code of the account. Journal lines refer to the account by it.')),
  name: z.string().check(z.describe('Name of the account.')),
  type: accountType,
  subtype: z
    .nullable(z.enum(accountSubtypes))
    .check(z.describe('Line of the statement that shows the account; null if unknown.')),
  normal_balance: z
    .enum(sides)
    .check(z.describe('Side that increases the balance. A contra account has the opposite side.')),
  cash_flow: z
    .nullable(z.enum(cashFlowClasses))
    .check(
      z.describe(
        'Section of the statement of cash flows for cash that moves against this account. ' +
          '`cash`: the account is cash. Null: cash never moves against it.',
      ),
    ),
  current_part: z.optional(z.string()).check(
    z.meta({
      pattern: amountPattern.source,
      description:
        'The part of a non-current balance that is due within a year. Missing if there is none.',
    }),
  ),
  status: accountStatus,
  earlier_classifications: z
    .optional(
      z.array(
        z.object({
          before: z
            .string()
            .check(
              z.meta({ format: 'date', description: 'First date of the next classification.' }),
            ),
          subtype: z.nullable(z.enum(accountSubtypes)).check(z.describe('Subtype until then.')),
          cash_flow: z.nullable(z.enum(cashFlowClasses)).check(z.describe('Class until then.')),
          current_part: z.optional(z.string()).check(z.describe('Current part until then.')),
        }),
      ),
    )
    .check(
      z.describe(
        'Classifications of earlier dates, ordered by date. Missing if the account has always ' +
          'had the current one.',
      ),
    ),
  platform_account_id: z
    .nullable(z.string())
    .check(z.describe("Id on the tenant's platform; null if the account was not imported.")),
});
z.globalRegistry.add(AccountView, {
  id: 'Account',
  description: "An account in a tenant's chart of accounts.",
});
export type AccountView = z.output<typeof AccountView>;

export const viewOf = (account: Account): AccountView => ({
  code: account.code,
  name: account.name,
  type: account.type,
  subtype: account.subtype ?? null,
  normal_balance: normalBalanceOf(account),
  cash_flow: account.cashFlow ?? null,
  ...(account.currentPart !== undefined && { current_part: account.currentPart }),
  status: account.status,
  ...(account.earlier && {
    earlier_classifications: account.earlier.map(({ before, subtype, cashFlow, currentPart }) => ({
      before,
      subtype: subtype ?? null,
      cash_flow: cashFlow ?? null,
      ...(currentPart !== undefined && { current_part: currentPart }),
    })),
  }),
  platform_account_id: account.platformAccountId ?? null,
});
