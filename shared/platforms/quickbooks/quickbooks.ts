// The adapter of QuickBooks Online (developer.intuit.com). A company is called a realm there.

import * as z from 'zod/mini';
import { monthNamed } from '../../money/dates.ts';
import { financialYearEndBefore } from '../../tenants/financial-year.ts';
import { type AdapterOptions, openHttp } from '../http.ts';
import {
  authorizationUrlOf,
  basicAuthorization,
  type GrantRefusal,
  TokenReply,
  tokensFrom,
} from '../oauth.ts';
import {
  type CompanyAccess,
  ignoreFailure,
  type ListedJournal,
  type Platform,
  PlatformFailure,
  type PlatformTokens,
} from '../platform.ts';
import { accountsOf, journalsOf, readRecords } from '../records.ts';
import { oncePerToken } from '../token-cache.ts';
import { accountFrom, QuickBooksAccount, QuickBooksId } from './quickbooks-accounts.ts';
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
  type QuickBooksResource,
} from './quickbooks-pages.ts';
import { TrialBalanceReply, trialBalanceFrom, trialBalanceName } from './quickbooks-reports.ts';

/** The sandbox has its own companies, for the development keys of an Intuit app. */
export const quickBooksHosts = {
  production: 'quickbooks.api.intuit.com',
  sandbox: 'sandbox-quickbooks.api.intuit.com',
} as const;
type QuickBooksHost = (typeof quickBooksHosts)[keyof typeof quickBooksHosts];

/** Intuit has no read-only scope. */
const scope = 'com.intuit.quickbooks.accounting';

/** The version of the fields in replies. */
const minorVersion = '75';

/** The remaining lifetime of a consent, which is at most five years. */
const HardExpiry = z.catch(z.nullable(z.int().check(z.positive())), null);

const companyIdOf = (text: string): string | undefined => QuickBooksId.safeParse(text).data;

/** This header adds the lifetime to the reply (CHANGELOG.md of intuit/oauth-jsclient, 4.2.4). */
const requestHardExpiry = { 'x-include-refresh-token-hard-expires-in': 'true' };

/** Reads whole entries of a list. @param first the position of the first one in the list */
const readEntries = (records: readonly unknown[], first: number) => {
  const list = { kind: 'journal', idField: 'Id', first, schema: QuickBooksJournalEntry } as const;
  return journalsOf(readRecords(records, list), stateOf);
};

export const createQuickBooks = (options: AdapterOptions, apiHost: QuickBooksHost): Platform => {
  const { call, urlOf } = openHttp(options, { traceHeader });
  const clientHeaders = { Authorization: basicAuthorization(options) };

  const requestTokens = async (
    form: Record<string, string>,
    refused: GrantRefusal,
  ): Promise<PlatformTokens> => {
    const reply = await call({
      url: urlOf('oauth.platform.intuit.com', '/oauth2/v1/tokens/bearer'),
      headers: { ...clientHeaders, ...requestHardExpiry },
      send: { form },
      schema: z.extend(TokenReply, { x_refresh_token_hard_expires_in: HardExpiry }),
      classify: classifyTokenError(refused),
    });
    return tokensFrom(reply, reply.x_refresh_token_hard_expires_in);
  };

  /** Validates the company id, because a caller can send any text, and it becomes a path. */
  const read = async <Schema extends z.ZodMiniType>(
    { companyId, accessToken }: CompanyAccess,
    { path, query, ...resource }: QuickBooksResource<Schema>,
  ): Promise<z.output<Schema>> => {
    if (companyIdOf(companyId) === undefined) throw new PlatformFailure('company_not_found');
    const url = urlOf(apiHost, `/v3/company/${companyId}${path}`);
    url.search = new URLSearchParams({ ...query, minorversion: minorVersion }).toString();
    const headers = { Authorization: `Bearer ${accessToken}` };
    return call({ ...resource, url, headers, classify: classifyFault });
  };

  const { readPage, readRow } = openPages(read);

  const readCompanyInfo = (access: CompanyAccess, timeoutMilliseconds?: number) => {
    const path = `/companyinfo/${access.companyId}`;
    return read(access, { path, schema: CompanyInfoReply, timeoutMilliseconds });
  };
  const reportName = oncePerToken(async (access, timeoutMilliseconds: number) =>
    trialBalanceName(await readCompanyInfo(access, timeoutMilliseconds)),
  );

  return {
    adapter: apiHost === quickBooksHosts.sandbox ? 'quickbooks_sandbox' : 'quickbooks',
    pagesShift: true,
    pageSizes: { accounts: pageSizes, journals: pageSizes },
    pageTimeoutMilliseconds,
    maximumChangesDays,
    companyIdOf,
    waitMilliseconds: () => 0,

    // Intuit does not support PKCE: its discovery document (developer.api.intuit.com/.well-known/
    // openid_configuration) has no code_challenge_methods_supported (RFC 8414 section 2). Revisit
    // when it does.
    authorizationUrl: ({ redirectUri, state }) =>
      authorizationUrlOf(urlOf('appcenter.intuit.com', '/connect/oauth2'), {
        client_id: options.clientId,
        redirect_uri: redirectUri,
        scope,
        state,
      }),

    connect: async ({ code, redirectUri, callback }) => {
      const companyId = companyIdOf(callback.get('realmId') ?? '');
      if (companyId === undefined) throw new PlatformFailure('company_not_found');
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const tokens = await requestTokens(form, 'code_refused');
      return { tokens, choices: [{ companyId, dataCenter: null, name: null }] };
    },

    // The reply can contain the same refresh token or a new one. After a new one, the old one
    // expires within 24 hours (README of github.com/intuit/oauth-jsclient).
    refresh: ({ refreshToken }) =>
      requestTokens(
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        'credentials_refused',
      ),

    // A token is for one company, so revoking it does not affect other companies.
    disconnect: async ({ refreshToken }) => {
      await call({
        url: urlOf('developer.api.intuit.com', '/v2/oauth2/tokens/revoke'),
        headers: clientHeaders,
        send: { json: { token: refreshToken } },
        schema: z.unknown(),
        classify: classifyRevocation,
      }).catch(ignoreFailure('credentials_refused'));
    },

    company: async (access) => {
      const { companyId } = access;
      const [{ CompanyInfo }, { Preferences }] = await Promise.all([
        readCompanyInfo(access),
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

    accountPage: async (access, page) => {
      const { records, first, next } = await readPage(access, 'Account', page);
      const list = { kind: 'account', idField: 'Id', first, schema: QuickBooksAccount } as const;
      return { ...accountsOf(readRecords(records, list), accountFrom), next };
    },

    journalPage: async (access, page) => {
      const { records, removed, first, next } = await readPage(access, 'JournalEntry', page);
      const { journals, refused } = readEntries(records, first);
      const voided = removed.map(
        (reference): ListedJournal => ({
          reference,
          isWhole: true,
          read: async () => ({ state: 'voided' }),
        }),
      );
      return { journals: [...journals, ...voided], refused, next };
    },

    // A list contains no deleted entry.
    readJournal: async (access, { reference, timeoutMilliseconds }) => {
      const id = QuickBooksId.parse(reference);
      const records = await readRow(access, 'JournalEntry', { id, timeoutMilliseconds });
      const [journal] = readEntries(records, 1).journals;
      return journal ? journal.read(access, { timeoutMilliseconds }) : { state: 'voided' };
    },

    // Accounts of profit and loss may start at `start_date`, so it is the start of the fiscal year.
    // Intuit advises periods of at most six months, for reports with a row per transaction.
    trialBalance: async (access, { date, fiscalYearStart, timeoutMilliseconds }) => {
      const name = await reportName(access, timeoutMilliseconds);
      const reply = await read(access, {
        path: `/reports/${name}`,
        query: { start_date: fiscalYearStart, end_date: date, accounting_method: 'Accrual' },
        schema: TrialBalanceReply,
        timeoutMilliseconds,
      });
      return trialBalanceFrom(reply, date);
    },
  };
};
