// Reads a tenant's books for reports.

import type { Account } from '../accounts/accounts.ts';
import { type ChainHead, digestOf } from '../entries/entry-hash.ts';
import { ApiError, type Problem, problem, tenantNotFound } from '../errors.ts';
import type { TenantName } from '../table/keys.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { ReportSource, ReportSources, TenantAccounts } from './report-sources.store.ts';

/** The books of a tenant up to a date. */
export type Books = ReportSource & { name: TenantName; digest: string };

/** The fields about the books in every report. */
export const booksViewOf = ({
  tenant,
  isConnected,
  digest,
}: {
  tenant: Tenant;
  isConnected: boolean;
  digest: string;
}) => ({
  tenant_domain_url: tenant.prefix,
  currency: tenant.currency,
  coverage: isConnected ? ('journals_only' as const) : ('all_entries' as const),
  digest,
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
  const read = async (
    tenant: TenantName,
    options: { to: string; codes?: readonly string[] },
  ): Promise<Books> => {
    const source = await sources.find(tenant, options);
    if (!source) throw new ApiError('tenant_not_found');
    const heads: readonly ChainHead[] = source.sheets;
    return { ...source, name: tenant, digest: digestOf(heads) };
  };

  return {
    /**
     * Reads the books up to a date, with the whole chart of accounts.
     * @throws ApiError `tenant_not_found`
     */
    readAll: (tenant: TenantName, { to }: { to: string }): Promise<Books> => read(tenant, { to }),

    /**
     * Reads the books up to a date, with only this account of the chart.
     * @throws ApiError `tenant_not_found`, or `validation_failed` if the account does not exist
     */
    readAccount: async (
      tenant: TenantName,
      { to, account }: { to: string; account: string },
    ): Promise<Books & { account: Account }> => {
      const books = await read(tenant, { to, codes: [account] });
      return { ...books, account: getAccount(books, account) };
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
