// Reports a tenant's cash flows in a period, by the direct or indirect method.

import { amountFormatOf } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import { cashFlowOf } from '#shared/reports/cash-flow.ts';
import { cashFlowViewOf } from '#shared/reports/cash-flow.view.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { readStatementBooks } from '#shared/reports/statement-books.service.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const period = { from: input.from, to: input.to ?? dateOf(clock()) };
        const { books, from, accounts } = await readStatementBooks(
          dependencies.reportBooks,
          tenant,
          period,
        );
        const flows = cashFlowOf(accounts, input.method ?? books.tenant.cashFlowMethod);
        const format = amountFormatOf(books.tenant.currency);
        return {
          data: {
            ...booksViewOf(books, clock()),
            from,
            to: period.to,
            ...cashFlowViewOf(flows, format),
          },
        };
      },
    },
    dependencies,
  );
