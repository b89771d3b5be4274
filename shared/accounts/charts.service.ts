// Lists, adds and changes the accounts of a tenant.

import { isDeepStrictEqual } from 'node:util';
import type { Quotas } from '../applications/quotas.ts';
import { problemsOfNoChange } from '../changes.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '../errors.ts';
import type { TenantName } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { tenantNameFor } from '../tenants/tenant-names.service.ts';
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

/** The tenant that a request names. The domain is `undefined` if it could not be read. */
type Target<Domain = string> = { applicationId: string; domainUrl: Domain };
type PartialTarget = Target<string | undefined>;

type AccountQuotas = Pick<Quotas, 'accountsPerTenant' | 'accountCodeBytes'>;

export type TenantCharts = ReturnType<typeof openTenantCharts>;

export const openTenantCharts = ({
  charts,
  baseDomain,
}: {
  charts: Charts;
  baseDomain: string;
}) => {
  const nameOf = ({ applicationId, domainUrl }: PartialTarget): TenantName | undefined =>
    tenantNameFor({ applicationId, domainUrl, baseDomain });

  /** Finds the tenant and the account with this code. @throws ApiError `tenant_not_found` */
  const find = async (target: Target, code: string) => {
    const name = nameOf(target);
    const chart = name && (await charts.find(name, code));
    if (!name || !chart?.hasTenant) throw new ApiError('tenant_not_found');
    return { name, account: chart.account };
  };

  /** Finds more problems of a request that its schema has already refused. */
  const storeProblems = async (
    target: PartialTarget,
    code: string | undefined,
    problemsOf: (chart: { hasTenant: boolean; account?: Account | undefined }) => Problem[],
  ): Promise<Problem[]> => {
    const name = nameOf(target);
    const chart = name ? await charts.find(name, code) : { hasTenant: false };
    const isMissing = target.domainUrl !== undefined && !chart.hasTenant;
    return [
      ...(isMissing ? [problem('tenant_not_found', '/domain_url')] : []),
      ...problemsOf(chart),
    ];
  };

  return {
    list: async (target: Target, query: ChartQuery): Promise<ChartPage> => {
      const name = nameOf(target);
      const page = name && (await charts.list(name, query));
      if (page === undefined) throw new ApiError('tenant_not_found');
      return page;
    },

    /**
     * Adds an account. Returns the existing account if it has the same fields. On a connected
     * tenant any free code can be used: an imported account with the same code gets another one.
     * @throws ApiError `validation_failed` if a rule is broken or the quota of accounts is reached
     */
    create: async (
      target: Target,
      newAccount: NewAccount,
      quotas: AccountQuotas,
    ): Promise<{ created: boolean; account: Account }> => {
      const { name, account: existing } = await find(target, newAccount.code);
      throwIfProblems(creationProblems(newAccount, { existing, quotas }));
      if (existing) return { created: false, account: existing };
      const maximum = quotas.accountsPerTenant;
      const addition = await charts.add(name, { account: accountFrom(newAccount), maximum });
      if (addition.outcome === 'quota_reached') {
        const params = { quota: 'accounts_per_tenant', maximum };
        const details = [problem('account_quota_reached', '/domain_url', params)];
        throw new ApiError('validation_failed', { details });
      }
      const { outcome, account } = addition;
      if (outcome === 'code_taken') throwIfProblems(problemsOfNewAccount(newAccount, account));
      return { created: outcome === 'added', account };
    },

    /** Changes the given fields of an account and returns the account. */
    update: (
      target: Target,
      { code, changes }: { code: string; changes: AccountChanges },
    ): Promise<Account> =>
      retryOnContention(async () => {
        const { name, account } = await find(target, code);
        const problems = account ? problemsOfChanges(changes, account) : [notFound(code)];
        throwIfProblems([...problemsOfNoChange(changes, changeableAccountFields), ...problems]);
        if (account === undefined) return undefined;
        const changed = { ...account, ...changes };
        if (isDeepStrictEqual(changed, account)) return account;
        return (await charts.change(name, { account, changes })) ? changed : undefined;
      }),

    problemsOf: (target: PartialTarget): Promise<Problem[]> =>
      storeProblems(target, undefined, () => []),

    problemsOfCreation: (
      target: PartialTarget,
      newAccount: Partial<NewAccount>,
      quotas: AccountQuotas,
    ): Promise<Problem[]> =>
      storeProblems(target, newAccount.code, ({ account }) =>
        creationProblems(newAccount, { existing: account, quotas }),
      ),

    /** @param options.changesInBody the changes in the request, including unreadable ones */
    problemsOfUpdate: (
      target: PartialTarget,
      options: { code: string | undefined; changes: AccountChanges; changesInBody: object },
    ): Promise<Problem[]> => {
      const { code, changes, changesInBody } = options;
      return storeProblems(target, code, ({ hasTenant, account }) => [
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
