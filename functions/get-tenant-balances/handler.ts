// Compares the balances of a connected tenant with those of its platform.

import type { BalanceChecks } from '#shared/balances/balance-check.service.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { formatAmount } from '#shared/money/amounts.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { balanceChecks: BalanceChecks };

export const createHandler = ({ balanceChecks, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant: name, input }) => {
        const check = await balanceChecks.check(name, input.as_of);
        const { tenant, comparison, report, asOf, reason } = check;
        const amountText = (amount: Parameters<typeof formatAmount>[0]) =>
          formatAmount(amount, tenant.currency);
        const total = report ? amountText(report.total) : null;
        return {
          data: {
            tenant_domain_url: tenant.prefix,
            currency: tenant.currency,
            as_of: asOf,
            agrees: report !== undefined && reason === null,
            reason,
            checked_at: report?.fetchedAt ?? null,
            platform_total_debits: total,
            platform_total_credits: total,
            accounts: check.accounts.map((it) => ({
              account: it.account?.code ?? null,
              account_name: it.account?.name ?? it.accountId,
              platform: amountText(it.platform),
              ours: amountText(it.ours),
              posted_here: amountText(it.postedHere),
              difference: amountText(it.difference),
            })),
            days: comparison.days.map(({ date, reason: why }) => ({ date, reason: why })),
          },
        };
      },
    },
    tools,
  );
