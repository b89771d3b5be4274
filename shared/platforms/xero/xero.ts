// The adapter of Xero (developer.xero.com). A company is called an organisation there.

import * as z from 'zod/mini';
import { financialYearEndOn } from '../../tenants/financial-year.ts';
import { type AdapterOptions, openHttp } from '../http.ts';
import {
  authorizationUrlOf,
  basicAuthorization,
  type GrantRefusal,
  pkceParameters,
  TokenReply,
  tokensFrom,
} from '../oauth.ts';
import {
  type AccountReference,
  type CompanyAccess,
  type CompanyChoice,
  ignoreFailure,
  type JournalPage,
  type PageRequest,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from '../platform.ts';
import { accountsOf, journalsOf, readRecords } from '../records.ts';
import { oncePerToken } from '../token-cache.ts';
import { accountFrom, XeroAccount } from './xero-accounts.ts';
import { ConnectionsReply, companiesOf, consentOf } from './xero-connections.ts';
import {
  AccountsReply,
  ApiEntry,
  hasTax,
  JournalsReply,
  OrganisationsReply,
  SystemAccountsReply,
  stateOf,
} from './xero-entities.ts';
import {
  classifyApiError,
  classifyReportError,
  classifyTokenError,
  traceHeader,
} from './xero-errors.ts';
import { journalPageSizes, pageAt } from './xero-pages.ts';
import { TrialBalanceReply, trialBalanceFrom } from './xero-reports.ts';

const apiHost = 'api.xero.com';

/**
 * Apps registered since 2 March 2026 can only request granular scopes, and the broad scopes end for
 * all apps in September 2027 (developer.xero.com/faq/granular-scopes). Xero's specification still
 * has the broad scope accounting.transactions.read instead of the last one here.
 */
const scope =
  'offline_access accounting.settings.read accounting.manualjournals.read ' +
  'accounting.reports.trialbalance.read';

/** Xero documents no time limit. A page of a thousand journals can be slower than other calls. */
const pageTimeoutMilliseconds = 60_000;

/**
 * "A UTC timestamp", "accurate to the second"
 * (developer.xero.com/documentation/api/requests-and-responses).
 */
const modifiedSinceHeader = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;

/** Xero writes its ids in lower case. */
const companyIdOf = (text: string): string | undefined =>
  z.guid().safeParse(text).data?.toLowerCase();

/** Validates the id, because it becomes a header. */
const tenantIdOf = ({ companyId }: Pick<CompanyAccess, 'companyId'>): string => {
  const id = companyIdOf(companyId);
  if (id === undefined) throw new PlatformFailure('company_not_found');
  return id;
};

export const createXero = (options: AdapterOptions): Platform => {
  const { call, urlOf } = openHttp(options, { traceHeader });

  const requestTokens = async (
    form: Record<string, string>,
    refused: GrantRefusal,
  ): Promise<PlatformTokens> => {
    const reply = await call({
      url: urlOf('identity.xero.com', '/connect/token'),
      headers: { Authorization: basicAuthorization(options) },
      send: { form },
      schema: TokenReply,
      classify: classifyTokenError(refused),
    });
    return tokensFrom(reply);
  };

  /** The connections of the token's user, or only those of one consent. */
  const connections = (accessToken: string, consent?: string) => {
    const url = urlOf(apiHost, '/connections');
    if (consent !== undefined) url.searchParams.set('authEventId', consent);
    return call({
      url,
      headers: { Authorization: `Bearer ${accessToken}` },
      schema: ConnectionsReply,
      classify: classifyApiError('credentials_refused'),
    });
  };

  const consentedCompanies = async (accessToken: string): Promise<CompanyChoice[]> => {
    const consent = consentOf(accessToken);
    const ofConsent = consent === undefined ? [] : await connections(accessToken, consent);
    // After a repeated consent, Xero may still list a connection under the earlier consent.
    const tenants = ofConsent.length > 0 ? ofConsent : await connections(accessToken);
    return companiesOf(tenants, { isOneConsent: tenants === ofConsent });
  };

  const read = async <Schema extends z.ZodMiniType>(
    access: CompanyAccess,
    {
      resource,
      query = {},
      schema,
      page,
      classify = classifyApiError('credentials_refused'),
    }: {
      resource: 'Organisation' | 'Accounts' | 'ManualJournals' | 'Reports/TrialBalance';
      query?: Record<string, string>;
      schema: Schema;
      page?: Partial<PageRequest>;
      classify?: typeof classifyReportError;
    },
  ): Promise<z.output<Schema>> => {
    const tenantId = tenantIdOf(access);
    const url = urlOf(apiHost, `/api.xro/2.0/${resource}`);
    url.search = new URLSearchParams(query).toString();
    return call({
      url,
      headers: {
        Authorization: `Bearer ${access.accessToken}`,
        'xero-tenant-id': tenantId,
        ...(page?.modifiedSince && {
          'If-Modified-Since': modifiedSinceHeader(page.modifiedSince),
        }),
      },
      timeoutMilliseconds: page?.timeoutMilliseconds,
      schema,
      classify,
    });
  };

  /** A caller can send any company id, so a refused tenant counts as not found. */
  const company = async (access: CompanyAccess): Promise<PlatformCompany> => {
    const { Organisations } = await read(access, {
      resource: 'Organisation',
      schema: OrganisationsReply,
      classify: classifyApiError('company_not_found'),
    });
    const [{ Name: name, BaseCurrency: currency, ...organisation }] = Organisations;
    const financialYearEnd = financialYearEndOn({
      month: organisation.FinancialYearEndMonth,
      day: organisation.FinancialYearEndDay,
    });
    return { companyId: tenantIdOf(access), dataCenter: null, name, currency, financialYearEnd };
  };

  /** The system account GST, to which Xero posts the taxes of manual journals. */
  const readTaxAccount = async (access: CompanyAccess): Promise<AccountReference> => {
    const { Accounts } = await read(access, {
      resource: 'Accounts',
      query: { where: 'SystemAccount=="GST"' },
      schema: SystemAccountsReply,
    });
    const id = Accounts.find((account) => account?.SystemAccount === 'GST')?.AccountID;
    return id === undefined ? 'tax' : { id: id.toLowerCase(), isTax: true };
  };

  /** Cached, because each page can need it and Xero limits the calls per day. */
  const taxAccount = oncePerToken(readTaxAccount);

  const journalPage = async (access: CompanyAccess, request: PageRequest): Promise<JournalPage> => {
    const page = pageAt(request.cursor, request.rows);
    const isCutShort = request.timeoutMilliseconds < pageTimeoutMilliseconds;
    const reply = await read(access, {
      resource: 'ManualJournals',
      // Xero lists journals without their lines if the query has no page.
      query: page.query,
      schema: JournalsReply,
      page: request,
    }).catch((error: unknown) => page.insteadAfter(error, { isCutShort }));
    if ('journals' in reply) return reply;
    const listed = reply.ManualJournals.length;
    const next = page.nextAfter({ listed, pagination: reply.pagination });
    const records = readRecords(reply.ManualJournals, {
      kind: 'journal',
      idField: 'ManualJournalID',
      first: page.first,
      schema: ApiEntry,
    });
    const isTaxed = records.some((it) => 'record' in it.read && hasTax(it.read.record));
    const taxedTo = isTaxed ? await taxAccount(access) : 'tax';
    const { journals, refused } = journalsOf(records, (journal) => stateOf(journal, taxedTo));
    return {
      journals: journals.map((it) => ({ ...it, reference: it.reference.toLowerCase() })),
      refused,
      next,
      pagesShift: page.pagesShift,
    };
  };

  return {
    adapter: 'xero',
    // Xero only marks journals as deleted, so they keep their positions.
    pagesShift: false,
    pageSizes: { accounts: [1], journals: journalPageSizes },
    pageTimeoutMilliseconds,
    maximumChangesDays: null,
    companyIdOf,
    waitMilliseconds: () => 0,

    // PKCE in addition to the secret, as in github.com/Nine-Minds/alga-psa. Xero documents PKCE,
    // only with S256, for apps without a secret
    // (developer.xero.com/documentation/oauth2/pkce-flow).
    authorizationUrl: ({ redirectUri, state, codeChallenge }) =>
      authorizationUrlOf(urlOf('login.xero.com', '/identity/connect/authorize'), {
        client_id: options.clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        ...pkceParameters(codeChallenge),
      }),

    connect: async ({ code, redirectUri, codeVerifier }) => {
      const proof = { redirect_uri: redirectUri, code_verifier: codeVerifier };
      const form = { grant_type: 'authorization_code', code, ...proof };
      const tokens = await requestTokens(form, 'code_refused');
      const choices = await consentedCompanies(tokens.accessToken);
      if (choices.length === 0) throw new PlatformFailure('company_not_found');
      return { tokens, choices };
    },

    refresh: ({ refreshToken }) =>
      requestTokens(
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        'credentials_refused',
      ),

    // Deletes only this connection. Revoking the refresh token would delete all connections of the
    // user, including those of other tenants.
    disconnect: async (access) => {
      const tenantId = tenantIdOf(access);
      const connection = (await connections(access.accessToken)).find(
        (it) => it.tenantId.toLowerCase() === tenantId,
      );
      if (connection === undefined) return;
      await call({
        method: 'DELETE',
        url: urlOf(apiHost, `/connections/${connection.id}`),
        headers: { Authorization: `Bearer ${access.accessToken}` },
        schema: z.unknown(),
        classify: (reply) =>
          reply.status === 404
            ? { reason: 'company_not_found' }
            : classifyApiError('credentials_refused')(reply),
      }).catch(ignoreFailure('company_not_found'));
    },

    company,

    // Xero returns the whole chart in one reply.
    accountPage: async (access, page) => {
      const reply = await read(access, { resource: 'Accounts', schema: AccountsReply, page });
      const records = readRecords(reply.Accounts, {
        kind: 'account',
        idField: 'AccountID',
        first: 1,
        schema: XeroAccount,
      });
      return { ...accountsOf(records, accountFrom), next: null };
    },

    journalPage,
    // Only drafts can be deleted, and voided journals stay in the list.
    readJournal: null,

    trialBalance: async (access, { date, timeoutMilliseconds }) => {
      const reply = await read(access, {
        resource: 'Reports/TrialBalance',
        query: { date, paymentsOnly: 'false' },
        schema: TrialBalanceReply,
        page: { timeoutMilliseconds },
        classify: classifyReportError,
      });
      return trialBalanceFrom(reply);
    },
  };
};
