// Reports a tenant's cash flows in a period, by the direct or indirect method.

import { dateOf } from '#shared/money/dates.ts';
import { cashFlowOf } from '#shared/reports/cash-flow.ts';
import { cashFlowViewOf } from '#shared/reports/cash-flow.view.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { columnsViewOf } from '#shared/reports/statement.view.ts';
import { readStatement } from '#shared/reports/statement-books.service.ts';
import { columnsOfPeriod } from '#shared/reports/statement-columns.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { to = dateOf(clock()), method } = input;
        const { books, views, periods } = await readStatement(dependencies.reportBooks, tenant, {
          columnsOf: (of) => columnsOfPeriod({ ...input, to }, of.financialYearEnd),
          statementOf: (accounts, of) => cashFlowOf(accounts, method ?? of.cashFlowMethod),
          viewOf: (flows, { period, format }) => ({ ...period, ...cashFlowViewOf(flows, format) }),
        });
        return {
          data: { ...booksViewOf(books, clock(), periods), ...columnsViewOf(views, input) },
        };
      },
    },
    dependencies,
  );
