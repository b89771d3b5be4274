// Reads the books for a financial statement: the sums of every account before and within a period.

import { accountsClassifiedOn } from '../accounts/reclassification.ts';
import { ApiError, problem } from '../errors.ts';
import type { TenantName } from '../table/keys.ts';
import { fiscalYearStartOf } from '../tenants/financial-year.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { Books, ReportBooks } from './report-books.service.ts';
import { type StatementAccount, statementAccountsOf } from './statement-sums.ts';

/** `from` is the first date of the period. The accounts are ordered by code. */
export type StatementBooks = { books: Books; from: string; accounts: StatementAccount[] };

/**
 * @param period.from defaults to the first day of the fiscal year of `to`
 * @throws ApiError `tenant_not_found`, or `validation_failed` if `from` is after `to`. The schema
 *   cannot check this if the request omits one of the dates.
 */
export const readStatementBooks = async (
  reportBooks: ReportBooks,
  tenant: TenantName,
  { to, ...period }: { from?: string | undefined; to: string },
): Promise<StatementBooks> => {
  const periodOf = ({ financialYearEnd: yearEnd }: Pick<Tenant, 'financialYearEnd'>) => {
    const from = period.from ?? fiscalYearStartOf({ date: to, yearEnd });
    if (from <= to) return { from, to };
    const details = [problem('from_after_to', '/from', { from, to })];
    throw new ApiError('validation_failed', { details });
  };
  const books = await reportBooks.readPeriods(tenant, (of) => [periodOf(of)]);
  const sums = books.sums.flat();
  const codes = new Set(sums.map(({ account }) => account));
  const chart = await reportBooks.accountsOf(books, [...codes]);
  const { from } = periodOf(books.tenant);
  const classified = accountsClassifiedOn(chart, to);
  return { books, from, accounts: statementAccountsOf(sums, classified) };
};
