// The adapter of Xero (developer.xero.com): its company is an organisation, one kind of tenant.

import * as z from 'zod/mini';
import { type AdapterOptions, basicAuthorization, openHttp, pkceParameters } from './http.ts';
import {
  type CompanyAccess,
  type JournalPage,
  type PageRequest,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from './platform.ts';
import {
  AccountsReply,
  accountsFrom,
  hasTax,
  JournalsReply,
  journalFrom,
  OrganisationsReply,
  postedIn,
  SystemAccountsReply,
} from './xero-entities.ts';
import { classifyApiError, classifyTokenError } from './xero-errors.ts';

const apiHost = 'api.xero.com';

/**
 * Apps registered since 2 March 2026 can ask for granular scopes only, and the broad ones end for
 * all in September 2027 (developer.xero.com/faq/granular-scopes). Xero's specification still names
 * the broad accounting.transactions.read where the last of these stands.
 */
const scope = 'offline_access accounting.settings.read accounting.manualjournals.read';

/**
 * "Optimised for ordering" are this, Date and UpdatedDateUTC, the default
 * (developer.xero.com/documentation/api/accounting/manualjournals). Pages are counted anew with
 * every call, so a journal that moves towards the end while pages are read would draw another
 * across the border to a page that has been read. An id never changes, and a new journal only
 * pushes others on, where they are met again. For the same reason drafts and voided journals are
 * not filtered out by Xero: one that is voided would leave the list.
 */
const journalOrder = 'ManualJournalID ASC';
const journalsPerPage = 100;

const TokenReply = z.object({
  token_type: z.string().check(z.regex(/^bearer$/i)),
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.int().check(z.positive()),
});

const ConnectionsReply = z.array(
  z.object({
    id: z.guid(),
    tenantId: z.guid(),
    tenantType: z.string(),
    /** As in 2019-12-07T18:46:19.5187840, whose later one is the greater text. */
    updatedDateUtc: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT/)),
  }),
);

const AccessTokenClaims = z.object({ authentication_event_id: z.guid() });

/**
 * Which consent an access token came from. Nothing is believed because a token says so: the claim
 * only narrows what Xero lists for that token. It is in no documentation of Xero's that we know of,
 * so without it the connection that was made or renewed last is taken.
 */
const consentOf = (accessToken: string): string | undefined => {
  try {
    const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
    return AccessTokenClaims.safeParse(JSON.parse(claims)).data?.authentication_event_id;
  } catch {
    return undefined;
  }
};

/** The id goes into a header, and Xero writes it in small letters. */
const tenantIdOf = ({ companyId }: Pick<CompanyAccess, 'companyId'>): string => {
  if (!z.guid().safeParse(companyId).success) throw new PlatformFailure('company_not_found');
  return companyId.toLowerCase();
};

const noTaxAccount = 'GST';

export const createXero = (options: AdapterOptions): Platform => {
  const { call, urlOf } = openHttp(options);

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
  const consentedTenantId = async (accessToken: string): Promise<string> => {
    const consent = consentOf(accessToken);
    const ofConsent = consent === undefined ? [] : await connections(accessToken, consent);
    // Consent that was given again may still be listed under the one before.
    const tenants = ofConsent.length > 0 ? ofConsent : await connections(accessToken);
    const [latest] = tenants
      .filter(({ tenantType }) => tenantType === 'ORGANISATION')
      .sort((one, other) => other.updatedDateUtc.localeCompare(one.updatedDateUtc));
    if (latest === undefined) throw new PlatformFailure('company_not_found');
    return latest.tenantId;
  };

  const getOf = <Schema extends z.ZodMiniType>(
    access: CompanyAccess,
    asked: {
      resource: 'Organisation' | 'Accounts' | 'ManualJournals';
      query?: Record<string, string>;
      schema: Schema;
      tenantRefused?: 'company_not_found';
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
      },
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
    const [{ Name: name, BaseCurrency: currency }] = Organisations;
    return { companyId: tenantIdOf(access), dataCenter: null, name, currency };
  };

  /**
   * Where Xero posts the tax of a manual journal's lines: the system account called GST. Without
   * one, the tax has an account that no chart has, and its journal is set aside.
   */
  const readTaxAccountId = async (access: CompanyAccess): Promise<string> => {
    const { Accounts } = await getOf(access, {
      resource: 'Accounts',
      query: { where: 'SystemAccount=="GST"' },
      schema: SystemAccountsReply,
    });
    const found = Accounts.find(({ SystemAccount }) => SystemAccount === 'GST')?.AccountID;
    return found ?? noTaxAccount;
  };

  /** Asked for once a company: every page can need it, and calls are counted by the day. */
  const taxAccountIds = new Map<string, string>();
  const taxAccountId = async (access: CompanyAccess): Promise<string> => {
    const known = taxAccountIds.get(access.companyId) ?? (await readTaxAccountId(access));
    taxAccountIds.set(access.companyId, known);
    return known;
  };

  const journalPage = async (
    access: CompanyAccess,
    { cursor }: PageRequest,
  ): Promise<JournalPage> => {
    const page = Number(cursor ?? 1);
    const reply = await getOf(access, {
      resource: 'ManualJournals',
      // Without a page, journals are listed without their lines.
      query: { page: String(page), pageSize: String(journalsPerPage), order: journalOrder },
      schema: JournalsReply,
    });
    const listed = reply.ManualJournals.length;
    const isAnotherPage = reply.pagination && reply.pagination.page !== page;
    const mayGoOn = reply.pagination
      ? page < reply.pagination.pageCount
      : listed >= journalsPerPage;
    if (isAnotherPage || (mayGoOn && listed === 0)) {
      throw new PlatformFailure('page_did_not_advance');
    }
    const posted = postedIn(reply);
    const taxAccount = posted.some(hasTax) ? await taxAccountId(access) : null;
    return {
      journals: posted.map((journal) => ({
        reference: journal.ManualJournalID.toLowerCase(),
        isWhole: true,
        read: async () => ({ state: 'posted', journal: journalFrom(journal, taxAccount) }),
      })),
      refused: [],
      next: mayGoOn ? String(page + 1) : null,
    };
  };

  return {
    adapter: 'xero',
    // Journals are only marked as deleted, and keep their places.
    pagesShift: false,
    pageSizes: { accounts: [1], journals: [journalsPerPage] },
    pageTimeoutMilliseconds: 30_000,
    maximumChangesDays: null,
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
      const { accessToken } = tokens;
      const companyId = await consentedTenantId(accessToken);
      return { tokens, choices: [{ companyId, dataCenter: null, name: null }] };
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
    accountPage: async (access) => {
      const reply = await getOf(access, { resource: 'Accounts', schema: AccountsReply });
      return { accounts: accountsFrom(reply), refused: [], assumptions: [], next: null };
    },

    journalPage,
  };
};
