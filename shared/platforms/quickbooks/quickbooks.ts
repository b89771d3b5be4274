// The adapter of QuickBooks Online (developer.intuit.com): its company is called a realm there.

import * as z from 'zod/mini';
import { financialYearEndBefore, monthNamed } from '../../tenants/financial-year.ts';
import { type AdapterOptions, basicAuthorization, openHttp } from '../http.ts';
import {
  type CompanyAccess,
  type ListedJournal,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from '../platform.ts';
import { accountsOf, journalsOf, readRecords } from '../records.ts';
import { accountFrom, QuickBooksAccount } from './quickbooks-accounts.ts';
import {
  CompanyInfoReply,
  PreferencesReply,
  QuickBooksJournalEntry,
  stateOf,
} from './quickbooks-entities.ts';
import {
  classifyFault,
  classifyRevocation,
  classifyTokenError,
  traceHeader,
} from './quickbooks-errors.ts';
import {
  maximumChangesDays,
  openPages,
  pageSizes,
  pageTimeoutMilliseconds,
} from './quickbooks-pages.ts';

/** The sandbox has companies of its own, for the development keys of an Intuit app. */
export const quickBooksHosts = {
  production: 'quickbooks.api.intuit.com',
  sandbox: 'sandbox-quickbooks.api.intuit.com',
} as const;
type QuickBooksHost = (typeof quickBooksHosts)[keyof typeof quickBooksHosts];

/** There is no scope for reading alone. */
const scope = 'com.intuit.quickbooks.accounting';

/** Which version of the replies' fields is wanted. */
const minorVersion = '75';

const TokenReply = z.object({
  token_type: z.string().check(z.regex(/^bearer$/i)),
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.int().check(z.positive()),
  /** Of the five years that a consent is good for at the most, where it is asked for. */
  x_refresh_token_hard_expires_in: z.catch(z.nullable(z.int().check(z.positive())), null),
});

/** In CHANGELOG.md of github.com/intuit/oauth-jsclient, version 4.2.4. */
const askForHardExpiry = { 'x-include-refresh-token-hard-expires-in': 'true' };

const isRealmId = (text: string): boolean => /^\d{1,30}$/.test(text);

/** Intuit's OAuth server, which is the same for both API hosts. */
const openTokens = (options: AdapterOptions) => {
  const { call, urlOf } = openHttp(options, { traceHeader });
  const headers = { Authorization: basicAuthorization(options) };

  return {
    request: async (
      form: Record<string, string>,
      refused: 'code_refused' | 'credentials_refused',
    ): Promise<PlatformTokens> => {
      const reply = await call({
        url: urlOf('oauth.platform.intuit.com', '/oauth2/v1/tokens/bearer'),
        headers: { ...headers, ...askForHardExpiry },
        send: { form },
        schema: TokenReply,
        classify: classifyTokenError(refused),
      });
      return {
        accessToken: reply.access_token,
        refreshToken: reply.refresh_token,
        expiresInSeconds: reply.expires_in,
        reconnectInSeconds: reply.x_refresh_token_hard_expires_in,
      };
    },

    /** Ends the grant. One that has ended already is as good. */
    revoke: async (refreshToken: string): Promise<void> => {
      try {
        await call({
          url: urlOf('developer.api.intuit.com', '/v2/oauth2/tokens/revoke'),
          headers,
          send: { json: { token: refreshToken } },
          schema: z.unknown(),
          classify: classifyRevocation,
        });
      } catch (error) {
        const isOver = error instanceof PlatformFailure && error.reason === 'credentials_refused';
        if (!isOver) throw error;
      }
    },
  };
};

/** What is read of a company. */
const openCompanies = (options: AdapterOptions, apiHost: QuickBooksHost) => {
  const { call, urlOf } = openHttp(options, { traceHeader });

  /** The id of a company can be anything that a caller sent: it must not reach something else. */
  const read = async <Schema extends z.ZodMiniType>(
    { companyId, accessToken }: CompanyAccess,
    asked: {
      path: string;
      query?: Record<string, string>;
      schema: Schema;
      timeoutMilliseconds?: number;
    },
  ): Promise<z.output<Schema>> => {
    if (!isRealmId(companyId)) throw new PlatformFailure('company_not_found');
    const { path, query, schema, timeoutMilliseconds } = asked;
    const url = urlOf(apiHost, `/v3/company/${companyId}${path}`);
    url.search = new URLSearchParams({ ...query, minorversion: minorVersion }).toString();
    const headers = { Authorization: `Bearer ${accessToken}` };
    return call({ url, headers, schema, timeoutMilliseconds, classify: classifyFault });
  };

  return {
    readCompany: async (access: CompanyAccess): Promise<PlatformCompany> => {
      const { companyId } = access;
      const [{ CompanyInfo }, { Preferences }] = await Promise.all([
        read(access, { path: `/companyinfo/${companyId}`, schema: CompanyInfoReply }),
        read(access, { path: '/preferences', schema: PreferencesReply }),
      ]);
      return {
        companyId,
        dataCenter: null,
        name: CompanyInfo.CompanyName,
        currency: Preferences.CurrencyPrefs.HomeCurrency.value,
        financialYearEnd: financialYearEndBefore(monthNamed(CompanyInfo.FiscalYearStartMonth)),
      };
    },

    readPage: openPages(read),
  };
};

export const createQuickBooks = (options: AdapterOptions, apiHost: QuickBooksHost): Platform => {
  const { urlOf } = openHttp(options);
  const tokens = openTokens(options);
  const { readCompany, readPage } = openCompanies(options, apiHost);

  return {
    adapter: apiHost === quickBooksHosts.sandbox ? 'quickbooks_sandbox' : 'quickbooks',
    pagesShift: true,
    pageSizes: { accounts: pageSizes, journals: pageSizes },
    pageTimeoutMilliseconds,
    maximumChangesDays,
    companyIdOf: (text) => (isRealmId(text) ? text : undefined),
    waitMilliseconds: () => 0,

    // Intuit takes no PKCE: its discovery document (developer.api.intuit.com/.well-known/
    // openid_configuration) lists no code_challenge_methods_supported, which means just that (RFC
    // 8414 section 2). Revisit when it does.
    authorizationUrl: ({ redirectUri, state }) => {
      const url = urlOf('appcenter.intuit.com', '/connect/oauth2');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: options.clientId,
        redirect_uri: redirectUri,
        scope,
        state,
      }).toString();
      return url.href;
    },

    connect: async ({ code, redirectUri, callback }) => {
      const companyId = callback.get('realmId') ?? '';
      if (!isRealmId(companyId)) throw new PlatformFailure('company_not_found');
      const given = await tokens.request(
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        'code_refused',
      );
      return { tokens: given, choices: [{ companyId, dataCenter: null, name: null }] };
    },

    // The reply can repeat the refresh token or bring another one, and the one before that ends
    // within 24 hours (README of github.com/intuit/oauth-jsclient): what came is what counts.
    refresh: ({ refreshToken }) =>
      tokens.request(
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        'credentials_refused',
      ),

    // A grant is for one company, so ending it takes no other company's access away.
    disconnect: ({ refreshToken }) => tokens.revoke(refreshToken),

    company: readCompany,

    accountPage: async (access, asked) => {
      const { records, first, next } = await readPage(access, 'Account', asked);
      const list = { kind: 'account', idField: 'Id', first, schema: QuickBooksAccount } as const;
      return { ...accountsOf(readRecords(records, list), accountFrom), next };
    },

    journalPage: async (access, asked) => {
      const { records, removed, first, next } = await readPage(access, 'JournalEntry', asked);
      const list = { kind: 'journal', idField: 'Id', first } as const;
      const read = readRecords(records, { ...list, schema: QuickBooksJournalEntry });
      const { journals, refused } = journalsOf(read, stateOf);
      const voided = removed.map(
        (reference): ListedJournal => ({
          reference,
          isWhole: true,
          read: async () => ({ state: 'voided' }),
        }),
      );
      return { journals: [...journals, ...voided], refused, next };
    },
  };
};
