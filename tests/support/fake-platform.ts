// An accounting platform in memory: tokens that are really checked and rotated, a company, pages of
// accounts, and failures that a test plans.

import type { Account } from '#shared/domain/accounts.ts';
import {
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';

export type Operation = 'exchangeCode' | 'refresh' | 'connectedCompany' | 'company' | 'accountPage';

export const acme: PlatformCompany = { companyId: 'acme-1', name: 'Acme Works', currency: 'EUR' };

export const openFakePlatform = ({
  company = acme,
  pages = [[]],
}: {
  company?: PlatformCompany;
  pages?: Account[][];
} = {}) => {
  let issued = 0;
  const live = { access: new Set<string>(), refresh: new Set<string>() };
  const codes = new Map<string, string>();
  const planned = new Map<Operation, Error[]>();
  const calls: Operation[] = [];

  const begin = (operation: Operation): void => {
    calls.push(operation);
    const failure = planned.get(operation)?.shift();
    if (failure) throw failure;
  };
  const issueTokens = (): PlatformTokens => {
    issued += 1;
    const tokens = {
      accessToken: `secret-access-${issued}`,
      refreshToken: `secret-refresh-${issued}`,
      expiresInSeconds: 1800,
    };
    live.access.add(tokens.accessToken);
    live.refresh.add(tokens.refreshToken);
    return tokens;
  };
  const demand = (accessToken: string): void => {
    if (!live.access.has(accessToken)) throw new PlatformFailure('credentials_refused');
  };

  const platform: Platform = {
    adapter: 'sandbox',
    authorizationUrl: (request) =>
      `https://platform.example/authorize?${new URLSearchParams({ ...request })}`,
    exchangeCode: async ({ code, redirectUri }) => {
      begin('exchangeCode');
      if (codes.get(code) !== redirectUri) throw new PlatformFailure('code_refused');
      codes.delete(code);
      return issueTokens();
    },
    refresh: async (refreshToken) => {
      begin('refresh');
      if (!live.refresh.delete(refreshToken)) throw new PlatformFailure('credentials_refused');
      return issueTokens();
    },
    connectedCompany: async (accessToken) => {
      begin('connectedCompany');
      demand(accessToken);
      return company;
    },
    company: async (accessToken, companyId) => {
      begin('company');
      demand(accessToken);
      if (companyId !== company.companyId) throw new PlatformFailure('company_not_found');
      return company;
    },
    accountPage: async (accessToken, { from }) => {
      begin('accountPage');
      demand(accessToken);
      const page = Number(from ?? 0);
      return {
        accounts: pages[page] ?? [],
        next: page + 1 < pages.length ? String(page + 1) : undefined,
      };
    },
  };

  return {
    platforms: { get: async () => platform } satisfies Platforms,
    platform,
    company,
    /** Every call so far, failed ones too. */
    calls,
    issueTokens,
    /** A code that is good for one exchange with this redirect_uri. */
    issueCode: (redirectUri: string): string => {
      issued += 1;
      const code = `secret-code-${issued}`;
      codes.set(code, redirectUri);
      return code;
    },
    /** Makes the next calls of an operation fail, one failure each. */
    failNext: (operation: Operation, ...failures: Error[]): void => {
      planned.set(operation, [...(planned.get(operation) ?? []), ...failures]);
    },
    revokeAccess: (accessToken: string): void => void live.access.delete(accessToken),
    revokeRefresh: (refreshToken: string): void => void live.refresh.delete(refreshToken),
  };
};
