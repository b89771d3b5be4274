// Reads the books for a financial statement and computes its columns.

import { accountsClassifiedOn } from '../accounts/reclassification.ts';
import { throwIfProblems } from '../errors.ts';
import { type AmountFormat, amountFormatOf } from '../money/amounts.ts';
import type { TenantName } from '../table/keys.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { Books, ReportBooks } from './report-books.service.ts';
import { type PeriodsOfColumns, type StatementPeriod, withoutZeros } from './statement-columns.ts';
import { codesIn, type StatementAccount, statementAccountsOf } from './statement-sums.ts';

/** How a statement is made of the books. */
type StatementOfBooks<Statement, View> = {
  /** The columns of a tenant's statement; the first one is its own period. */
  columnsOf: (tenant: Tenant) => PeriodsOfColumns;
  /** The statement with all accounts, also those whose amounts are zero. */
  statementOf: (accounts: StatementAccount[], tenant: Tenant) => Statement;
  viewOf: (statement: Statement, column: { period: StatementPeriod; format: AmountFormat }) => View;
};

/** @throws ApiError `tenant_not_found`, or `validation_failed` with the problems of the columns */
export const readStatement = async <Statement, View>(
  reportBooks: ReportBooks,
  name: TenantName,
  { columnsOf, statementOf, viewOf }: StatementOfBooks<Statement, View>,
): Promise<{ books: Books; views: View[]; periods: StatementPeriod[] }> => {
  const periodsOf = (tenant: Tenant): StatementPeriod[] => {
    const { periods, problems } = columnsOf(tenant);
    throwIfProblems(problems);
    return periods;
  };
  const books = await reportBooks.readPeriods(name, periodsOf);
  const codes = codesIn(books.sums.flat());
  const chart = await reportBooks.accountsOf(books, codes);
  const periods = periodsOf(books.tenant);
  // Other columns have the classification of the statement's own period (IAS 1.41).
  const ownDate = periods[0]?.to ?? '';
  const statements = periods.map(({ to }, index) => {
    const classified = accountsClassifiedOn(chart, ownDate, to);
    const accounts = statementAccountsOf(books.sums[index] ?? [], classified, codes);
    return statementOf(accounts, books.tenant);
  });
  const format = amountFormatOf(books.tenant.currency);
  const shown = withoutZeros(statements);
  const views = periods.map((period, index) =>
    viewOf(shown[index] as Statement, { period, format }),
  );
  return { books, views, periods };
};
