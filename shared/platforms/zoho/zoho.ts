// The adapter of Zoho Books (www.zoho.com/books/api/v3): a company is called an organization there,
// and lives in one of several data centers.

import * as z from 'zod/mini';
import { type AdapterOptions, openHttp, pkceParameters } from '../http.ts';
import {
  type CompanyAccess,
  type Platform,
  PlatformFailure,
  type PlatformTokens,
} from '../platform.ts';
import { openZohoBooks, type ZohoResource } from './zoho-books.ts';
import {
  dataCenterOf,
  dataCenterOfCallback,
  type ZohoDataCenter,
  zohoHosts,
} from './zoho-data-centers.ts';
import { classifyApiError, classifyRevocation, classifyTokenError } from './zoho-errors.ts';
import { choicesFrom, companyFrom, OrganizationsReply, ZohoId } from './zoho-organizations.ts';
import { openZohoPacing } from './zoho-pacing.ts';
import { zohoPageSizes } from './zoho-pages.ts';

/** Both are for reading alone: of organizations and taxes, and of accounts and journals. */
const scope = 'ZohoBooks.settings.READ,ZohoBooks.accountants.READ';

/**
 * Zoho documents no time-out. A page is one of heads or of accounts, and a journal one of lines: no
 * more than some hundred kilobytes. What has not come in half a minute is asked for again, as fewer
 * rows, while the run that asks has time for it.
 */
const pageTimeoutMilliseconds = 30_000;

/** Zoho states where to call the API. That is known already, and must be what it says. */
const tokenReplyOf = (apiHost: string) =>
  z.object({
    token_type: z.string().check(z.regex(/^bearer$/i)),
    access_token: z.string().check(z.minLength(1)),
    refresh_token: z.optional(z.string().check(z.minLength(1))),
    expires_in: z.int().check(z.positive()),
    api_domain: z.optional(z.literal(`https://${apiHost}`)),
  });

/** A token is good for every organization of its user. */
type UserAccess = Omit<CompanyAccess, 'companyId'>;

export const createZoho = (options: AdapterOptions): Platform => {
  const { clientId, clientSecret } = options;
  const pacing = openZohoPacing(Date.now);
  const { call, urlOf } = openHttp(options, {
    onReply: ({ headers }, url) => {
      const companyId = url.searchParams.get('organization_id');
      if (companyId !== null) pacing.heed(companyId, headers);
    },
  });

  /** @param request.held the refresh token that stays good: Zoho gives one at consent only */
  const requestTokens = async (
    form: Record<string, string>,
    request: {
      dataCenter: ZohoDataCenter;
      refused: 'code_refused' | 'credentials_refused';
      held?: string;
    },
  ): Promise<PlatformTokens> => {
    const { accounts, api } = zohoHosts[request.dataCenter];
    const reply = await call({
      url: urlOf(accounts, '/oauth/v2/token'),
      headers: {},
      send: { form: { ...form, client_id: clientId, client_secret: clientSecret } },
      schema: tokenReplyOf(api),
      classify: classifyTokenError(request.refused),
    });
    const refreshToken = reply.refresh_token ?? request.held;
    if (refreshToken === undefined) {
      const cause = new Error('the code was traded for no refresh token');
      throw new PlatformFailure('reply_not_understood', { cause });
    }
    return {
      accessToken: reply.access_token,
      refreshToken,
      expiresInSeconds: reply.expires_in,
      reconnectInSeconds: null,
    };
  };

  const get = async <Wanted>(
    { dataCenter, accessToken }: UserAccess,
    { path, query, ...wanted }: ZohoResource<Wanted>,
  ): Promise<Wanted> => {
    const url = urlOf(zohoHosts[dataCenterOf({ dataCenter })].api, `/books/v3${path}`);
    url.search = new URLSearchParams(query).toString();
    const headers = { Authorization: `Zoho-oauthtoken ${accessToken}` };
    return call({ classify: classifyApiError, ...wanted, url, headers });
  };

  /** Every organization of the user, each to be read by itself. */
  const readOrganizations = async (access: UserAccess): Promise<unknown[]> => {
    const wanted = { path: '/organizations', schema: OrganizationsReply };
    return (await get(access, wanted)).organizations;
  };

  /** What belongs to the company, whose id callers give. */
  const read = async <Wanted>(
    access: CompanyAccess,
    wanted: ZohoResource<Wanted>,
  ): Promise<Wanted> => {
    const { companyId: organization_id } = access;
    if (!ZohoId.safeParse(organization_id).success) throw new PlatformFailure('company_not_found');
    return get(access, { ...wanted, query: { organization_id, ...wanted.query } });
  };

  return {
    adapter: 'zoho',
    pagesShift: true,
    pageSizes: { accounts: zohoPageSizes, journals: zohoPageSizes },
    pageTimeoutMilliseconds,
    maximumChangesDays: null,
    companyIdOf: (text) => ZohoId.safeParse(text).data,
    waitMilliseconds: ({ companyId }) => pacing.waitMilliseconds(companyId),

    // Zoho leads users of other data centers on from here. It gives a refresh token only for access
    // offline, and only at a consent, which it would otherwise not ask for a second time.
    // PKCE is optional and recommended for apps with a server, as ours
    // (www.zoho.com/accounts/protocol/oauth/web-server-applications.html).
    authorizationUrl: ({ redirectUri, state, codeChallenge }) => {
      const url = urlOf(zohoHosts.us.accounts, '/oauth/v2/auth');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        access_type: 'offline',
        prompt: 'consent',
        ...pkceParameters(codeChallenge),
      }).toString();
      return url.href;
    },

    connect: async ({ code, redirectUri, codeVerifier, callback }) => {
      const dataCenter = dataCenterOfCallback(callback);
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      };
      const tokens = await requestTokens(form, { dataCenter, refused: 'code_refused' });
      const { accessToken } = tokens;
      const organizations = await readOrganizations({ dataCenter, accessToken });
      return { tokens, choices: choicesFrom(organizations, dataCenter) };
    },

    refresh: async ({ refreshToken, dataCenter }) =>
      requestTokens(
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        {
          dataCenter: dataCenterOf({ dataCenter }),
          refused: 'credentials_refused',
          held: refreshToken,
        },
      ),

    // The token is sent twice: Zoho documents it in the query, as it does for the parameters of the
    // token endpoint, which takes a form as well. Whether this one does is unverified.
    disconnect: async ({ dataCenter, refreshToken }) => {
      const url = urlOf(zohoHosts[dataCenterOf({ dataCenter })].accounts, '/oauth/v2/token/revoke');
      url.searchParams.set('token', refreshToken);
      const send = { form: { token: refreshToken } };
      try {
        await call({ url, headers: {}, send, schema: z.object({}), classify: classifyRevocation });
      } catch (error) {
        const isOver = error instanceof PlatformFailure && error.reason === 'credentials_refused';
        if (!isOver) throw error;
      }
    },

    company: async (access) => {
      const [dataCenter, { companyId }] = [dataCenterOf(access), access];
      return companyFrom(await readOrganizations(access), { companyId, dataCenter });
    },

    ...openZohoBooks(read),
  };
};
