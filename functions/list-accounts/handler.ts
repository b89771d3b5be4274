// Lists the accounts of a tenant's chart, page by page, with their balances if requested.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import { chartPageOf } from '#shared/accounts/charts.store.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { amountFormatOf } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import type { ReportBooks } from '#shared/reports/report-books.service.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  tenantCharts: Pick<TenantCharts, 'list'>;
  reportBooks: Pick<ReportBooks, 'readBalances'>;
  clock: () => Date;
};

export const createHandler = ({ tenantCharts, reportBooks, clock, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input }) => {
        const { balances: withBalances, ...page } = input;
        const { status, type, code, limit } = page;
        const query = { status, type, code, limit, after: cursors.positionOf(page)?.code };
        const nextOf = (next: string | undefined) =>
          cursors.next(page, next === undefined ? undefined : { code: next });
        if (!withBalances) {
          const { accounts, next } = await tenantCharts.list(tenant, query);
          return { data: { accounts: accounts.map(viewOf), next_cursor: nextOf(next) } };
        }
        const today = dateOf(clock());
        const {
          accounts: chart,
          balances,
          currency,
        } = await reportBooks.readBalances(tenant, today);
        const { accounts, next } = chartPageOf(chart, query);
        const format = amountFormatOf(currency);
        return {
          data: {
            accounts: accounts.map((account) => ({
              ...viewOf(account),
              balance: format(balances.get(account.code) ?? 0n),
            })),
            balances_as_of: today,
            next_cursor: nextOf(next),
          },
        };
      },
    },
    tools,
  );
