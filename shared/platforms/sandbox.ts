// The adapter of the sandbox accounting platform: plain OAuth 2.0, plain REST, paged accounts.

import * as z from 'zod/mini';
import { Account, longestAccountCode, longestAccountName } from '../domain/accounts.ts';
import { isCurrency } from '../domain/currencies.ts';
import {
  basicAuthorization,
  bearerAuthorization,
  type HttpOptions,
  type Meanings,
  openHttp,
} from './http.ts';
import {
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformFailureReason,
  type PlatformTokens,
} from './platform.ts';

export type SandboxOptions = HttpOptions & {
  /** Where the platform's own addresses begin. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
};

const scope = 'offline_access accounting.read';

const TokenReply = z.object({
  token_type: z.string().check(z.regex(/^bearer$/i)),
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.int().check(z.positive()),
});

const CompanyReply = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  currency: z.string().check(z.refine(isCurrency)),
});

/** An access token is bound to one company, so there is exactly one connection. */
const ConnectionsReply = z.tuple([CompanyReply]);

const AccountReply = z.object({
  id: z.string().check(z.minLength(1)),
  code: z.nullable(z.string()),
  name: z.string(),
  type: Account.shape.type,
  status: Account.shape.status,
});

const AccountsReply = z.object({
  accounts: z.array(AccountReply),
  next_page: z.nullable(z.int()),
});

/**
 * `invalid_client` is about us, not about the tenant's credentials: it must not make anyone connect
 * the company again, so it counts as a platform that cannot be used just now.
 */
const tokenMeanings = (invalidGrant: PlatformFailureReason): Meanings =>
  new Map([
    ['invalid_grant', invalidGrant],
    ['invalid_client', 'platform_unavailable'],
    ['unauthorized_client', 'platform_unavailable'],
  ]);

const companyMeanings: Meanings = new Map([[404, 'company_not_found']]);

const companyFrom = ({ id, name, currency }: z.output<typeof CompanyReply>): PlatformCompany => ({
  companyId: id,
  name,
  currency,
});

/** Cut in whole characters, which a UTF-16 cut could split. */
const cutTo = (longest: number, text: string): string => [...text].slice(0, longest).join('');

/** An account without a code is posted to under its platform's id. */
const accountFrom = (reply: z.output<typeof AccountReply>): Account => ({
  code: cutTo(longestAccountCode, reply.code?.trim() || `ID-${reply.id}`),
  name: cutTo(longestAccountName, reply.name.trim()),
  type: reply.type,
  status: reply.status,
  platformAccountId: reply.id,
});

export const createSandbox = (options: SandboxOptions): Platform => {
  const { clientId } = options;
  const call = openHttp(options);
  const at = (path: string) => new URL(`${options.baseUrl.replace(/\/+$/, '')}${path}`);

  const requestTokens = async (
    form: Record<string, string>,
    { invalidGrant }: { invalidGrant: PlatformFailureReason },
  ): Promise<PlatformTokens> => {
    const reply = await call({
      url: at('/oauth/token'),
      authorization: basicAuthorization(options),
      form,
      schema: TokenReply,
      meanings: tokenMeanings(invalidGrant),
    });
    return {
      accessToken: reply.access_token,
      refreshToken: reply.refresh_token,
      expiresInSeconds: reply.expires_in,
    };
  };

  /** The address of a company, whose id callers give: it must not reach another resource. */
  const companyUrl = (companyId: string, rest = ''): URL => {
    if (!/^[\w-]{1,100}$/.test(companyId)) throw new PlatformFailure('company_not_found');
    return at(`/api/companies/${companyId}${rest}`);
  };

  return {
    adapter: 'sandbox',

    authorizationUrl: ({ redirectUri, state }) => {
      const url = at('/oauth/authorize');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
      }).toString();
      return url.href;
    },

    exchangeCode: ({ code, redirectUri }) =>
      requestTokens(
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        { invalidGrant: 'code_refused' },
      ),

    refresh: (refreshToken) =>
      requestTokens(
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        { invalidGrant: 'credentials_refused' },
      ),

    connectedCompany: async (accessToken) => {
      const [connection] = await call({
        url: at('/api/connections'),
        authorization: bearerAuthorization(accessToken),
        schema: ConnectionsReply,
      });
      return companyFrom(connection);
    },

    company: async (accessToken, companyId) => {
      const reply = await call({
        url: companyUrl(companyId),
        authorization: bearerAuthorization(accessToken),
        schema: CompanyReply.check(z.refine(({ id }) => id === companyId)),
        meanings: companyMeanings,
      });
      return companyFrom(reply);
    },

    accountPage: async (accessToken, { companyId, from }) => {
      const page = Number(from ?? 1);
      const { accounts, next_page: nextPage } = await call({
        url: companyUrl(companyId, `/accounts?page=${page}`),
        authorization: bearerAuthorization(accessToken),
        // A page that does not lead on would be asked for again and again.
        schema: AccountsReply.check(z.refine((it) => it.next_page === null || it.next_page > page)),
        meanings: companyMeanings,
      });
      return {
        accounts: accounts.map(accountFrom),
        next: nextPage === null ? undefined : String(nextPage),
      };
    },
  };
};
