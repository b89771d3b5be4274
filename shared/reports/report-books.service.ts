// Reads a tenant's books for reports.

import type { Account } from '../accounts/accounts.ts';
import type { AccountsByCode } from '../accounts/chart-reader.store.ts';
import { type CoveredPeriod, coverageOf } from '../balances/coverage.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { ApiError, type Problem, problem, tenantNotFound } from '../errors.ts';
import type { Period, PeriodDays } from '../sheets/period-rows.store.ts';
import { codeInName, codesByRowName } from '../sheets/row-text.ts';
import { type AccountSums, balanceOf, type PeriodRows, sumPeriod } from '../sheets/sheet-sums.ts';
import type { TenantName } from '../table/keys.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { reportDigestOf } from './report-digest.ts';
import type { ReportSource, ReportSources, TenantAccounts } from './report-sources.store.ts';

/**
 * A tenant's books: its accounts, the digest of the entries up to the end of a period, and the
 * digest of a report of them.
 */
export type Books = TenantAccounts & { name: TenantName; digest: string; entriesDigest: string };

/** The books with the sums of every account before and within each period. */
type PeriodBooks = Books & { sums: AccountSums[][] };

/** The dates of a page of an account's ledger. `period` has the sums of the ledger's period. */
type AccountDays = Omit<PeriodDays, 'digest'> & {
  account: Account;
  period: AccountSums[] | undefined;
};

/**
 * A chart, and the balances of its accounts in thousandths of the book currency, positive for a
 * debit.
 */
type ChartBalances = {
  accounts: AccountsByCode;
  balances: ReadonlyMap<string, bigint>;
  currency: string;
};

/**
 * The fields about the books in every report.
 * @param periods those of the columns, without `from` if a column only has balances
 */
export const booksViewOf = (
  { tenant, comparison, digest, entriesDigest }: Omit<Books, 'accounts' | 'name'>,
  madeAt: Date,
  periods: readonly CoveredPeriod[],
) => ({
  tenant_domain_url: tenant.prefix,
  company_name: tenant.companyName,
  made_at: madeAt.toISOString(),
  currency: tenant.currency,
  ...coverageOf(comparison, periods),
  digest,
  entries_digest: entriesDigest,
});

const accountNotFound = (code: string): Problem =>
  problem('account_not_found', '/account', { account: code });

/** @throws ApiError `validation_failed` if the account does not exist */
const getAccount = ({ accounts }: Pick<TenantAccounts, 'accounts'>, code: string): Account => {
  const account = accounts.get(code);
  if (account === undefined) {
    throw new ApiError('validation_failed', { details: [accountNotFound(code)] });
  }
  return account;
};

export type ReportBooks = ReturnType<typeof openReportBooks>;

export const openReportBooks = (sources: ReportSources) => {
  /** @throws ApiError `tenant_not_found` */
  const find = async (tenant: TenantName, codes: readonly string[] = []): Promise<ReportSource> => {
    const source = await sources.find(tenant, codes);
    if (!source) throw new ApiError('tenant_not_found');
    return source;
  };

  const accountsOf = async (
    name: TenantName,
    { chart, accounts }: ReportSource,
  ): Promise<AccountsByCode> =>
    chart === undefined ? accounts : await sources.readChart(name, chart);

  /**
   * The sums of the accounts in each period. Reads the whole chart again if it lacks an account
   * that was added after it was read and posted to before the rows were read.
   * @throws BooksDiffer if no account has a number
   */
  const sumByCode = async (
    name: TenantName,
    { accounts, chart }: Pick<ReportSource, 'accounts' | 'chart'>,
    periods: readonly PeriodRows[],
  ): Promise<{ accounts: AccountsByCode; sums: AccountSums[][] }> => {
    const unknown = new Set<string>();
    const sumWith = (of: AccountsByCode): AccountSums[][] => {
      const codes = codesByRowName(of.values());
      unknown.clear();
      const codeOf = (rowName: string): string | undefined => {
        const code = codeInName(rowName) ?? codes.get(rowName);
        if (code === undefined) unknown.add(rowName);
        return code;
      };
      return periods.map((rows) => sumPeriod(rows, codeOf));
    };
    const sums = sumWith(accounts);
    if (chart === undefined || unknown.size === 0) return { accounts, sums };
    const latest = await sources.readChart(name, chart, { again: true });
    const again = sumWith(latest);
    const [missing] = unknown;
    if (missing !== undefined) throw new BooksDiffer(`the chart has no account number ${missing}`);
    return { accounts: latest, sums: again };
  };

  const sumsOf = async (
    name: TenantName,
    source: ReportSource,
    periods: readonly Period[],
  ): Promise<PeriodBooks> => {
    const [{ digest: entriesDigest, periods: rows }, chart] = await Promise.all([
      sources.readPeriods(name, source.carried, periods),
      accountsOf(name, source),
    ]);
    const { accounts, sums } = await sumByCode(name, { ...source, accounts: chart }, rows);
    const ends = periods.map(({ to }) => to);
    const to = ends.toSorted().at(-1) ?? '';
    const last = { accounts, sums: sums[ends.indexOf(to)] ?? [], to };
    const digest = reportDigestOf(entriesDigest, last);
    return { ...source, accounts, name, digest, entriesDigest, sums };
  };

  return {
    /**
     * Reads the books of several periods, with the whole chart of accounts.
     * @param periodsOf the periods, which may depend on the tenant. The digest covers all entries
     *   up to their last date.
     * @throws ApiError `tenant_not_found`, or what `periodsOf` throws
     */
    readPeriods: async (
      name: TenantName,
      periodsOf: (tenant: Tenant) => readonly Period[],
    ): Promise<PeriodBooks> => {
      const source = await find(name);
      return sumsOf(name, source, periodsOf(source.tenant));
    },

    /**
     * Reads the whole chart with the balances of its accounts at the end of a date. An account
     * without rows has none.
     * @throws ApiError `tenant_not_found`
     */
    readBalances: async (name: TenantName, to: string): Promise<ChartBalances> => {
      const source = await find(name);
      const [{ periods }, chart] = await Promise.all([
        sources.readPeriods(name, source.carried, [{ to }], { hasDigest: false }),
        accountsOf(name, source),
      ]);
      const { accounts, sums } = await sumByCode(name, { ...source, accounts: chart }, periods);
      const balances = sums
        .flat()
        .filter(({ currency }) => currency === null)
        .map(({ account, within }): [string, bigint] => [account, balanceOf(within)]);
      return { accounts, balances: new Map(balances), currency: source.tenant.currency };
    },

    /**
     * Reads the books of a period, with only this account of the chart.
     * @throws ApiError `tenant_not_found`, or `validation_failed` if the account does not exist
     */
    readAccount: async (
      tenant: TenantName,
      { account, ...period }: Period & { account: string },
    ): Promise<PeriodBooks> => {
      const source = await find(tenant, [account]);
      getAccount(source, account);
      return sumsOf(tenant, source, [period]);
    },

    /**
     * Reads the sheets of a page's dates, from `start` on, and the rows before them, with only this
     * account of the chart. If they are not the whole period, reads the sums of the period too.
     * @throws ApiError `tenant_not_found`, or `validation_failed` if the account does not exist
     */
    readDays: async (
      name: TenantName,
      { account, start, from, to }: { account: string; start: string; from: string; to: string },
    ): Promise<Books & AccountDays> => {
      const { carried, ...source } = await find(name, [account]);
      const ofChart = getAccount(source, account);
      const days = await sources.readDays(name, carried, { from: start, to });
      // The lines of a ledger are entries, which their digest covers.
      const books = { ...source, name, ...days, entriesDigest: days.digest, account: ofChart };
      if (start === from && days.end === undefined) return { ...books, period: undefined };
      const { digest, periods } = await sources.readPeriods(name, carried, [{ from, to }]);
      const { sums } = await sumByCode(name, source, periods);
      return { ...books, digest, entriesDigest: digest, period: sums.flat() };
    },

    /**
     * The accounts with these codes. Makes another call for accounts that were added after the
     * chart was read and posted to before the sheets were read.
     */
    accountsOf: async ({ name, accounts }: Books, codes: readonly string[]) => {
      const missing = codes.filter((code) => !accounts.has(code));
      if (missing.length === 0) return accounts;
      return new Map([...accounts, ...(await sources.findAccounts(name, missing))]);
    },

    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (
      tenant: TenantName | undefined,
      account: string | undefined,
    ): Promise<Problem[]> => {
      if (tenant === undefined) return [];
      const source = await sources.findTenant(tenant, account ? [account] : []);
      if (!source) return [tenantNotFound];
      return account && !source.accounts.has(account) ? [accountNotFound(account)] : [];
    },
  };
};
