// Lists, adds and changes the accounts of a tenant.

import { isDeepStrictEqual } from 'node:util';
import { problemsOfNoChange } from '../changes.ts';
import { ApiError, type Problem, problem, tenantNotFound, throwIfProblems } from '../errors.ts';
import { byKey } from '../history/tenant-history.ts';
import type { TenantName } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import type { Tenant } from '../tenants/tenants.ts';
import {
  type AccountChanges,
  type AccountQuotas,
  accountFrom,
  type ChangeContext,
  changeableAccountFields,
  changedAccount,
  changesCash,
  type NewAccount,
  problemsOfChanges,
  problemsOfCodeLength,
  problemsOfNewAccount,
} from './account-rules.ts';
import type { AccountUse } from './account-use.store.ts';
import type { Account } from './accounts.ts';
import type { ChartPage, ChartQuery, Charts } from './charts.store.ts';

export type TenantCharts = ReturnType<typeof openTenantCharts>;

/** The account of an update, its changes, and who makes them. */
type AccountUpdate = {
  code: string;
  changes: AccountChanges;
  effectiveFrom: string | undefined;
  keyId: string;
};

/** @throws ApiError `validation_failed` */
const refuseChanges = (
  code: string,
  changes: AccountChanges,
  { account, context }: { account: Account | undefined; context: ChangeContext },
): void => {
  const problems = account ? problemsOfChanges(changes, account, context) : [notFound(code)];
  throwIfProblems([...problemsOfNoChange(changes, changeableAccountFields), ...problems]);
};

type FoundAccount = { tenant: Tenant | undefined; account?: Account | undefined };

export const openTenantCharts = (
  charts: Charts,
  { accountUse, clock }: { accountUse: Pick<AccountUse, 'isUsed'>; clock: () => Date },
) => {
  /** Finds more problems of a request that its schema has already refused. */
  const storeProblems = async (
    tenant: TenantName | undefined,
    code: string | undefined,
    problemsOf: (chart: FoundAccount) => Problem[],
  ): Promise<Problem[]> => {
    const chart = tenant ? await charts.find(tenant, code) : { tenant: undefined };
    return [...(tenant && !chart.tenant ? [tenantNotFound] : []), ...problemsOf(chart)];
  };

  /** @throws ApiError `validation_failed` if entries use the account */
  const refuseUsed = async (name: TenantName, account: Account): Promise<void> => {
    if (!(await accountUse.isUsed(name, account))) return;
    throwIfProblems([problem('cash_flow_is_fixed', '', { account: account.code })]);
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
      { quotas, keyId }: { quotas: AccountQuotas; keyId: string },
    ): Promise<{ created: boolean; account: Account }> => {
      const chart = await charts.find(tenant, newAccount.code, { withState: true });
      if (!chart.tenant) throw new ApiError('tenant_not_found');
      const { account: existing, state } = chart;
      throwIfProblems(creationProblems(newAccount, { existing, quotas }));
      if (existing) return { created: false, account: existing };
      const maximum = quotas.accountsPerTenant;
      const addition = await charts.add(tenant, {
        account: accountFrom(newAccount),
        maximum,
        state,
        change: { ...byKey(keyId), at: clock().toISOString() },
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
      name: TenantName,
      { code, changes, effectiveFrom, keyId }: AccountUpdate,
    ): Promise<Account> =>
      retryOnContention(async () => {
        const now = clock();
        const { tenant, account, state } = await charts.find(name, code, { withState: true });
        if (tenant === undefined) throw new ApiError('tenant_not_found');
        const context = { tenant, effectiveFrom, now };
        refuseChanges(code, changes, { account, context });
        if (account === undefined) return undefined;
        const after = changedAccount(changes, account, context);
        if (isDeepStrictEqual(after, account)) return account;
        if (changesCash(changes, account)) await refuseUsed(name, account);
        const opened = await charts.opened(name, state);
        // The account was read before its history began, so it may have changed.
        if (opened.changes !== state.changes) return undefined;
        const change = { ...byKey(keyId), at: now.toISOString() };
        const isReplaced = await charts.replace(name, {
          before: account,
          after,
          state: opened,
          change,
        });
        return isReplaced ? after : undefined;
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
    problemsOfUpdate: async (
      name: TenantName | undefined,
      options: {
        code: string | undefined;
        changes: AccountChanges;
        effectiveFrom: string | undefined;
        changesInBody: object;
      },
    ): Promise<Problem[]> => {
      const { code, changes, effectiveFrom, changesInBody } = options;
      return storeProblems(name, code, ({ tenant, account }) => [
        ...problemsOfNoChange(changesInBody, changeableAccountFields),
        ...(tenant && code !== undefined && !account ? [notFound(code)] : []),
        ...(account
          ? problemsOfChanges(changes, account, { tenant, effectiveFrom, now: clock() })
          : []),
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
