// Reports how a tenant's equity changed in a period.

import type { AmountFormat } from '#shared/money/amounts.ts';
import { dateOf } from '#shared/money/dates.ts';
import {
  type ChangesInEquity,
  changesInEquityOf,
  type EquityComponent,
} from '#shared/reports/changes-in-equity.ts';
import { createReportHandler, type ReportDependencies } from '#shared/reports/report.endpoint.ts';
import { booksViewOf } from '#shared/reports/report-books.service.ts';
import { columnsViewOf, retainedEarningsViewOf } from '#shared/reports/statement.view.ts';
import { readStatement } from '#shared/reports/statement-books.service.ts';
import { columnsOfPeriod } from '#shared/reports/statement-columns.ts';
import { csv, Data, Request } from './schema.ts';

export type Dependencies = ReportDependencies & { clock: () => Date };

const movementViewOf = (
  { opening, movement, closing }: Pick<EquityComponent, 'opening' | 'movement' | 'closing'>,
  format: AmountFormat,
) => ({ opening: format(opening), movement: format(movement), closing: format(closing) });

const figuresViewOf = (
  { components, retainedEarnings, ...totals }: ChangesInEquity,
  format: AmountFormat,
) => ({
  components: components.map(({ subtype, accounts, ...component }) => ({
    subtype,
    accounts: accounts.map(({ account: { code, name }, ...movement }) => ({
      account: code,
      account_name: name,
      ...movementViewOf(movement, format),
    })),
    ...movementViewOf(component, format),
  })),
  retained_earnings: retainedEarningsViewOf(retainedEarnings, format),
  total: retainedEarningsViewOf(totals, format),
});

export const createHandler = ({ clock, ...dependencies }: Dependencies) =>
  createReportHandler(
    {
      request: Request,
      data: Data,
      csv,
      handle: async ({ tenant, input }) => {
        const { to = dateOf(clock()) } = input;
        const { books, views, periods } = await readStatement(dependencies.reportBooks, tenant, {
          columnsOf: (of) => columnsOfPeriod({ ...input, to }, of.financialYearEnd),
          statementOf: changesInEquityOf,
          viewOf: (changes, { period, format }) => ({
            ...period,
            ...figuresViewOf(changes, format),
          }),
        });
        return {
          data: { ...booksViewOf(books, clock(), periods), ...columnsViewOf(views, input) },
        };
      },
    },
    dependencies,
  );
