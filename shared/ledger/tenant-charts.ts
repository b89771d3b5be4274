// The charts of accounts of tenants that requests name: read, added to and changed.

import { isDeepStrictEqual } from 'node:util';
import {
  type AccountChanges,
  accountFrom,
  changeableAccountFields,
  type NewAccount,
  problemsOfChanges,
  problemsOfCodeLength,
  problemsOfNewAccount,
} from '../domain/account-rules.ts';
import type { Account } from '../domain/accounts.ts';
import { problemsOfNoChange } from '../domain/changes.ts';
import type { Quotas } from '../domain/quotas.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '../errors.ts';
import type { ChartPage, ChartQuery, Charts } from '../store/charts.ts';
import type { TenantName } from '../store/keys.ts';
import { retryOnContention } from '../store/retry.ts';
import { tenantNameFor } from './tenant-names.ts';

/** A tenant as a request names it; `undefined` where its name could not be read. */
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

  /** The tenant, and its account of a code. @throws ApiError where there is no such tenant */
  const find = async (target: Target, code: string) => {
    const name = nameOf(target);
    const found = name && (await charts.find(name, code));
    if (!name || !found?.hasTenant) throw new ApiError('tenant_not_found');
    return { name, account: found.account };
  };

  /** What the table says of a request that is wrong already, beyond that. */
  const storeProblems = async (
    target: PartialTarget,
    code: string | undefined,
    problemsOf: (found: { hasTenant: boolean; account?: Account | undefined }) => Problem[],
  ): Promise<Problem[]> => {
    const name = nameOf(target);
    const found = name ? await charts.find(name, code) : { hasTenant: false };
    const isMissing = target.domainUrl !== undefined && !found.hasTenant;
    return [
      ...(isMissing ? [problem('tenant_not_found', '/domain_url')] : []),
      ...problemsOf(found),
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
     * Adds an account; one that is there already, as it is asked for, is answered as it stands.
     * A code of a connected tenant can be taken like any other: an account of the platform that has
     * the same code gets another one when it is imported.
     * @throws ApiError if the tenant has as many accounts as its quota
     */
    create: async (
      target: Target,
      asked: NewAccount,
      quotas: AccountQuotas,
    ): Promise<{ created: boolean; account: Account }> => {
      const { name, account: present } = await find(target, asked.code);
      throwIfProblems(creationProblems(asked, { present, quotas }));
      if (present) return { created: false, account: present };
      const maximum = quotas.accountsPerTenant;
      const addition = await charts.add(name, { account: accountFrom(asked), maximum });
      if (addition.outcome === 'quota_reached') {
        const params = { quota: 'accounts_per_tenant', maximum };
        const details = [problem('account_quota_reached', '/domain_url', params)];
        throw new ApiError('validation_failed', { details });
      }
      const { outcome, account } = addition;
      if (outcome === 'code_taken') throwIfProblems(problemsOfNewAccount(asked, account));
      return { created: outcome === 'added', account };
    },

    /** Changes fields of an account and no others, and answers it with them. */
    update: (
      target: Target,
      { code, changes }: { code: string; changes: AccountChanges },
    ): Promise<Account> =>
      retryOnContention(async () => {
        const { name, account } = await find(target, code);
        const found = account ? problemsOfChanges(changes, account) : [notFound(code)];
        throwIfProblems([...problemsOfNoChange(changes, changeableAccountFields), ...found]);
        if (account === undefined) return undefined;
        const changed = { ...account, ...changes };
        if (isDeepStrictEqual(changed, account)) return account;
        return (await charts.change(name, { account, changes })) ? changed : undefined;
      }),

    problemsOf: (target: PartialTarget): Promise<Problem[]> =>
      storeProblems(target, undefined, () => []),

    problemsOfCreation: (
      target: PartialTarget,
      asked: Partial<NewAccount>,
      quotas: AccountQuotas,
    ): Promise<Problem[]> =>
      storeProblems(target, asked.code, ({ account }) =>
        creationProblems(asked, { present: account, quotas }),
      ),

    /** @param options.named the changes that the request names, whether or not they can be read */
    problemsOfUpdate: (
      target: PartialTarget,
      options: { code: string | undefined; changes: AccountChanges; named: object },
    ): Promise<Problem[]> => {
      const { code, changes, named } = options;
      return storeProblems(target, code, ({ hasTenant, account }) => [
        ...problemsOfNoChange(named, changeableAccountFields),
        ...(hasTenant && code !== undefined && !account ? [notFound(code)] : []),
        ...(account ? problemsOfChanges(changes, account) : []),
      ]);
    },
  };
};

/** The length of a code is no matter if its account is there already. */
const creationProblems = (
  asked: Partial<NewAccount>,
  { present, quotas }: { present: Account | undefined; quotas: AccountQuotas },
): Problem[] => [
  ...problemsOfNewAccount(asked, present),
  ...(present ? [] : problemsOfCodeLength(asked.code, quotas)),
];

const notFound = (code: string): Problem =>
  problem('account_not_found', '/code', { account: code });
