// The books that a financial statement is made of: what every account came to in a period, and
// before it.

import { fiscalYearStartOf } from '../domain/reports/fiscal-years.ts';
import {
  type StatementAccount,
  sumStatementSheets,
  withAccounts,
} from '../domain/reports/statement-sums.ts';
import { ApiError, problem } from '../errors.ts';
import type { Books, ReportBooks } from './report-books.ts';

/** The first date of the period, and the accounts in the order of their codes. */
export type StatementBooks = { books: Books; from: string; accounts: StatementAccount[] };

/**
 * @param period.from the first day of the fiscal year of `to` where it is left out
 * @throws ApiError where there is no such tenant, or the period ends before it begins: `to` may be
 * a date that the request leaves out
 */
export const readStatementBooks = async (
  reportBooks: ReportBooks,
  target: { applicationId: string; domain: string },
  { to, ...period }: { from?: string | undefined; to: string },
): Promise<StatementBooks> => {
  const books = await reportBooks.readAll(target, { to });
  const yearEnd = books.tenant.financialYearEnd;
  const from = period.from ?? fiscalYearStartOf({ date: to, yearEnd });
  if (from > to) {
    throw new ApiError('validation_failed', {
      details: [problem('from_after_to', '/from', { from, to })],
    });
  }
  const sums = sumStatementSheets(books.sheets, from);
  const chart = await reportBooks.accountsOf(books, [...sums.keys()]);
  return { books, from, accounts: withAccounts(sums, chart) };
};
