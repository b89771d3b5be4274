// The adapter of Xero (developer.xero.com): its company is an organisation, one kind of tenant.

import * as z from 'zod/mini';
import { financialYearEndOn } from '../../tenants/financial-year.ts';
import { type AdapterOptions, basicAuthorization, openHttp, pkceParameters } from '../http.ts';
import {
  type AccountReference,
  type CompanyAccess,
  type CompanyChoice,
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
import { classifyApiError, classifyTokenError, traceHeader } from './xero-errors.ts';
import { journalPageSizes, pageAt } from './xero-pages.ts';

const apiHost = 'api.xero.com';

/**
 * Apps registered since 2 March 2026 can ask for granular scopes only, and the broad ones end for
 * all in September 2027 (developer.xero.com/faq/granular-scopes). Xero's specification still names
 * the broad accounting.transactions.read where the last of these stands.
 */
const scope = 'offline_access accounting.settings.read accounting.manualjournals.read';

/** Xero documents no time; a page of a thousand may well take longer than other calls. */
const pageTimeoutMilliseconds = 60_000;

const TokenReply = z.object({
  token_type: z.string().check(z.regex(/^bearer$/i)),
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.int().check(z.positive()),
});

/**
 * "A UTC timestamp", "accurate to the second"
 * (developer.xero.com/documentation/api/requests-and-responses).
 */
const modifiedSinceHeader = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;

/** Xero writes its ids in small letters. */
const companyIdOf = (text: string): string | undefined =>
  z.guid().safeParse(text).data?.toLowerCase();

/** The id goes into a header. */
const tenantIdOf = ({ companyId }: Pick<CompanyAccess, 'companyId'>): string => {
  const id = companyIdOf(companyId);
  if (id === undefined) throw new PlatformFailure('company_not_found');
  return id;
};

export const createXero = (options: AdapterOptions): Platform => {
  const { call, urlOf } = openHttp(options, { traceHeader });

  const requestTokens = async (
    form: Record<string, string>,
    refused: 'code_refused' | 'credentials_refused',
  ): Promise<PlatformTokens> => {
    const reply = await call({
      url: urlOf('identity.xero.com', '/connect/token'),
      headers: { Authorization: basicAuthorization(options) },
      send: { form },
      schema: TokenReply,
      classify: classifyTokenError(refused),
    });
    return {
      accessToken: reply.access_token,
      refreshToken: reply.refresh_token,
      expiresInSeconds: reply.expires_in,
      reconnectInSeconds: null,
    };
  };

  /** The tenants that the token's user has connected to us, or only those of one consent. */
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

  /** A user can consent to several organisations at once, and to practices, which keep no books. */
  const consentedCompanies = async (accessToken: string): Promise<CompanyChoice[]> => {
    const consent = consentOf(accessToken);
    const ofConsent = consent === undefined ? [] : await connections(accessToken, consent);
    // Consent that was given again may still be listed under the one before.
    const tenants = ofConsent.length > 0 ? ofConsent : await connections(accessToken);
    return companiesOf(tenants, { isOneConsent: tenants === ofConsent });
  };

  const getOf = <Schema extends z.ZodMiniType>(
    access: CompanyAccess,
    asked: {
      resource: 'Organisation' | 'Accounts' | 'ManualJournals';
      query?: Record<string, string>;
      schema: Schema;
      tenantRefused?: 'company_not_found';
      page?: PageRequest;
    },
  ): Promise<z.output<Schema>> => {
    const url = urlOf(apiHost, `/api.xro/2.0/${asked.resource}`);
    for (const [name, value] of Object.entries(asked.query ?? {}))
      url.searchParams.set(name, value);
    return call({
      url,
      headers: {
        Authorization: `Bearer ${access.accessToken}`,
        'xero-tenant-id': tenantIdOf(access),
        ...(asked.page?.modifiedSince && {
          'If-Modified-Since': modifiedSinceHeader(asked.page.modifiedSince),
        }),
      },
      timeoutMilliseconds: asked.page?.timeoutMilliseconds,
      schema: asked.schema,
      classify: classifyApiError(asked.tenantRefused ?? 'credentials_refused'),
    });
  };

  /** Whoever asks for a company may name any, so a tenant that is refused is one not found. */
  const company = async (access: CompanyAccess): Promise<PlatformCompany> => {
    const { Organisations } = await getOf(access, {
      resource: 'Organisation',
      schema: OrganisationsReply,
      tenantRefused: 'company_not_found',
    });
    const [{ Name: name, BaseCurrency: currency, ...organisation }] = Organisations;
    const financialYearEnd = financialYearEndOn({
      month: organisation.FinancialYearEndMonth,
      day: organisation.FinancialYearEndDay,
    });
    return { companyId: tenantIdOf(access), dataCenter: null, name, currency, financialYearEnd };
  };

  /** Where Xero posts the tax of a manual journal's lines: the system account called GST. */
  const readTaxAccount = async (access: CompanyAccess): Promise<AccountReference> => {
    const { Accounts } = await getOf(access, {
      resource: 'Accounts',
      query: { where: 'SystemAccount=="GST"' },
      schema: SystemAccountsReply,
    });
    const id = Accounts.find((account) => account?.SystemAccount === 'GST')?.AccountID;
    return id === undefined ? 'tax' : { id: id.toLowerCase(), isTax: true };
  };

  /** Every page can need it, and calls are counted by the day. */
  const taxAccount = oncePerToken(readTaxAccount);

  const journalPage = async (access: CompanyAccess, asked: PageRequest): Promise<JournalPage> => {
    const page = pageAt(asked.cursor, asked.rows);
    const read = getOf(access, {
      resource: 'ManualJournals',
      // Without a page, journals are listed without their lines.
      query: page.query,
      schema: JournalsReply,
      page: asked,
    });
    const isCutShort = asked.timeoutMilliseconds < pageTimeoutMilliseconds;
    const reply = await read.catch((error: unknown) => page.insteadAfter(error, { isCutShort }));
    if ('journals' in reply) return reply;
    const listed = reply.ManualJournals.length;
    const next = page.nextAfter({ listed, pagination: reply.pagination });
    const records = readRecords(reply.ManualJournals, {
      ...{ kind: 'journal', idField: 'ManualJournalID', first: page.first },
      schema: ApiEntry,
    });
    const isTaxed = records.some(({ read: it }) => 'record' in it && hasTax(it.record));
    const taxedTo = isTaxed ? await taxAccount(access, undefined) : 'tax';
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
    // Journals are only marked as deleted, and keep their places.
    pagesShift: false,
    pageSizes: { accounts: [1], journals: journalPageSizes },
    pageTimeoutMilliseconds,
    maximumChangesDays: null,
    companyIdOf,
    waitMilliseconds: () => 0,

    // PKCE beside the secret, as others send it (github.com/Nine-Minds/alga-psa); Xero documents it
    // for apps without one (developer.xero.com/documentation/oauth2/pkce-flow), with S256 alone.
    authorizationUrl: ({ redirectUri, state, codeChallenge }) => {
      const url = urlOf('login.xero.com', '/identity/connect/authorize');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: options.clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        ...pkceParameters(codeChallenge),
      }).toString();
      return url.href;
    },

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

    /**
     * Deletes this one connection. Revoking the refresh token, which Xero has an endpoint for as
     * well, would remove all the connections of that user, and with them those of other tenants.
     */
    disconnect: async (access) => {
      const tenantId = tenantIdOf(access);
      const found = (await connections(access.accessToken)).find(
        (connection) => connection.tenantId.toLowerCase() === tenantId,
      );
      if (found === undefined) return;
      await call({
        method: 'DELETE',
        url: urlOf(apiHost, `/connections/${found.id}`),
        headers: { Authorization: `Bearer ${access.accessToken}` },
        schema: z.unknown(),
        classify: (reply) =>
          reply.status === 404
            ? { reason: 'company_not_found' }
            : classifyApiError('credentials_refused')(reply),
      }).catch((error: unknown) => {
        const isGone = error instanceof PlatformFailure && error.reason === 'company_not_found';
        if (!isGone) throw error;
      });
    },

    company,

    /** Xero gives the whole chart at once. */
    accountPage: async (access, page) => {
      const reply = await getOf(access, { resource: 'Accounts', schema: AccountsReply, page });
      const records = readRecords(reply.Accounts, {
        ...{ kind: 'account', idField: 'AccountID', first: 1 },
        schema: XeroAccount,
      });
      return { ...accountsOf(records, accountFrom), next: null };
    },

    journalPage,
  };
};
