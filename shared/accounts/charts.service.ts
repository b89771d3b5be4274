// Lists, adds and changes the accounts of a tenant.

import { isDeepStrictEqual } from 'node:util';
import type { Quotas } from '../applications/quotas.ts';
import { problemsOfNoChange } from '../changes.ts';
import { ApiError, type Problem, problem, tenantNotFound, throwIfProblems } from '../errors.ts';
import type { TenantName } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import {
  type AccountChanges,
  accountFrom,
  changeableAccountFields,
  type NewAccount,
  problemsOfChanges,
  problemsOfCodeLength,
  problemsOfNewAccount,
} from './account-rules.ts';
import type { Account } from './accounts.ts';
import type { ChartPage, ChartQuery, Charts } from './charts.store.ts';

type AccountQuotas = Pick<Quotas, 'accountsPerTenant' | 'accountCodeBytes'>;

export type TenantCharts = ReturnType<typeof openTenantCharts>;

export const openTenantCharts = (charts: Charts) => {
  /** @throws ApiError `tenant_not_found` */
  const find = async (tenant: TenantName, code: string): Promise<Account | undefined> => {
    const { hasTenant, account } = await charts.find(tenant, code);
    if (!hasTenant) throw new ApiError('tenant_not_found');
    return account;
  };

  /** Finds more problems of a request that its schema has already refused. */
  const storeProblems = async (
    tenant: TenantName | undefined,
    code: string | undefined,
    problemsOf: (chart: { hasTenant: boolean; account?: Account | undefined }) => Problem[],
  ): Promise<Problem[]> => {
    const chart = tenant ? await charts.find(tenant, code) : { hasTenant: false };
    return [...(tenant && !chart.hasTenant ? [tenantNotFound] : []), ...problemsOf(chart)];
  };

  return {
    /** @throws ApiError `tenant_not_found` */
    list: async (tenant: TenantName, query: ChartQuery): Promise<ChartPage> => {
      const page = await charts.list(tenant, query);
      if (page === undefined) throw new ApiError('tenant_not_found');
      return page;
    },

    /**
     * Adds an account. Returns the existing account if it has the same fields. On a connected
     * tenant any free code can be used: an imported account with the same code gets another one.
     * @throws ApiError `validation_failed` if a rule is broken or the quota of accounts is reached
     */
    create: async (
      tenant: TenantName,
      newAccount: NewAccount,
      quotas: AccountQuotas,
    ): Promise<{ created: boolean; account: Account }> => {
      const chart = await charts.find(tenant, newAccount.code, { withState: true });
      if (!chart.hasTenant) throw new ApiError('tenant_not_found');
      const { account: existing, state } = chart;
      throwIfProblems(creationProblems(newAccount, { existing, quotas }));
      if (existing) return { created: false, account: existing };
      const maximum = quotas.accountsPerTenant;
      const addition = await charts.add(tenant, {
        account: accountFrom(newAccount),
        maximum,
        state,
      });
      if (addition.outcome === 'quota_reached') {
        const params = { quota: 'accounts_per_tenant', maximum };
        const details = [problem('account_quota_reached', '/domain_url', params)];
        throw new ApiError('validation_failed', { details });
      }
      const { outcome, account } = addition;
      if (outcome === 'code_taken') throwIfProblems(problemsOfNewAccount(newAccount, account));
      return { created: outcome === 'added', account };
    },

    /** Changes fields of an account and returns the account. */
    update: (
      tenant: TenantName,
      { code, changes }: { code: string; changes: AccountChanges },
    ): Promise<Account> =>
      retryOnContention(async () => {
        const account = await find(tenant, code);
        const problems = account ? problemsOfChanges(changes, account) : [notFound(code)];
        throwIfProblems([...problemsOfNoChange(changes, changeableAccountFields), ...problems]);
        if (account === undefined) return undefined;
        const changed = { ...account, ...changes };
        if (isDeepStrictEqual(changed, account)) return account;
        return (await charts.change(tenant, { account, changes })) ? changed : undefined;
      }),

    problemsOfCreation: (
      tenant: TenantName | undefined,
      newAccount: Partial<NewAccount>,
      quotas: AccountQuotas,
    ): Promise<Problem[]> =>
      storeProblems(tenant, newAccount.code, ({ account }) =>
        creationProblems(newAccount, { existing: account, quotas }),
      ),

    /** @param options.changesInBody the changes in the request, including unreadable ones */
    problemsOfUpdate: (
      tenant: TenantName | undefined,
      options: { code: string | undefined; changes: AccountChanges; changesInBody: object },
    ): Promise<Problem[]> => {
      const { code, changes, changesInBody } = options;
      return storeProblems(tenant, code, ({ hasTenant, account }) => [
        ...problemsOfNoChange(changesInBody, changeableAccountFields),
        ...(hasTenant && code !== undefined && !account ? [notFound(code)] : []),
        ...(account ? problemsOfChanges(changes, account) : []),
      ]);
    },
  };
};

/** The length of the code is only checked if the account does not exist yet. */
const creationProblems = (
  newAccount: Partial<NewAccount>,
  { existing, quotas }: { existing: Account | undefined; quotas: AccountQuotas },
): Problem[] => [
  ...problemsOfNewAccount(newAccount, existing),
  ...(existing ? [] : problemsOfCodeLength(newAccount.code, quotas)),
];

const notFound = (code: string): Problem =>
  problem('account_not_found', '/code', { account: code });
