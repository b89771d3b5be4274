// The adapter of Zoho Books (www.zoho.com/books/api/v3). A company is called an organization there,
// in one of several data centers.

import * as z from 'zod/mini';
import { type AdapterOptions, openHttp } from '../http.ts';
import {
  authorizationUrlOf,
  type GrantRefusal,
  pkceParameters,
  TokenReply,
  tokensFrom,
} from '../oauth.ts';
import {
  type CompanyAccess,
  ignoreFailure,
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

/** Read access to organizations and taxes, to accounts and journals, and to reports. */
const scope = 'ZohoBooks.settings.READ,ZohoBooks.accountants.READ,ZohoBooks.reports.READ';

/**
 * Zoho documents no time limit. Pages and journals have at most some hundred kilobytes. After this
 * time, a run requests fewer rows.
 */
const pageTimeoutMilliseconds = 30_000;

/** The reply can state the API's host, which must be the data center's. */
const tokenReplyOf = (apiHost: string) =>
  z.extend(TokenReply, {
    refresh_token: z.optional(TokenReply.shape.refresh_token),
    api_domain: z.optional(z.literal(`https://${apiHost}`)),
  });

/** A token gives access to every organization of its user. */
type UserAccess = Omit<CompanyAccess, 'companyId'>;

export const createZoho = (options: AdapterOptions): Platform => {
  const { clientId, clientSecret } = options;
  const pacing = openZohoPacing(Date.now);
  const { call, urlOf } = openHttp(options, {
    onReply: ({ headers }, url) => {
      const companyId = url.searchParams.get('organization_id');
      if (companyId !== null) pacing.recordReply(companyId, headers);
    },
  });

  /** @param request.refreshToken the current refresh token. Zoho issues one only at a consent. */
  const requestTokens = async (
    form: Record<string, string>,
    request: {
      dataCenter: ZohoDataCenter;
      refused: GrantRefusal;
      refreshToken?: string;
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
    const refreshToken = reply.refresh_token ?? request.refreshToken;
    if (refreshToken === undefined) {
      const cause = new Error('the reply has no refresh token');
      throw new PlatformFailure('reply_not_understood', { cause });
    }
    return tokensFrom({ ...reply, refresh_token: refreshToken });
  };

  const get = async <Reply>(
    { dataCenter, accessToken }: UserAccess,
    { path, query, ...resource }: ZohoResource<Reply>,
  ): Promise<Reply> => {
    const url = urlOf(zohoHosts[dataCenterOf(dataCenter)].api, `/books/v3${path}`);
    url.search = new URLSearchParams(query).toString();
    const headers = { Authorization: `Zoho-oauthtoken ${accessToken}` };
    return call({ classify: classifyApiError, ...resource, url, headers });
  };

  const readOrganizations = async (access: UserAccess): Promise<unknown[]> => {
    const resource = { path: '/organizations', schema: OrganizationsReply };
    return (await get(access, resource)).organizations;
  };

  /**
   * Reads a resource of a company. Validates the company id, because a caller can send any text.
   */
  const read = async <Reply>(
    access: CompanyAccess,
    resource: ZohoResource<Reply>,
  ): Promise<Reply> => {
    const { companyId: organization_id } = access;
    if (!ZohoId.safeParse(organization_id).success) throw new PlatformFailure('company_not_found');
    return get(access, { ...resource, query: { organization_id, ...resource.query } });
  };

  return {
    adapter: 'zoho',
    pagesShift: true,
    pageSizes: { accounts: zohoPageSizes, journals: zohoPageSizes },
    pageTimeoutMilliseconds,
    maximumChangesDays: null,
    companyIdOf: (text) => ZohoId.safeParse(text).data,
    waitMilliseconds: ({ companyId }) => pacing.waitMilliseconds(companyId),

    // Zoho forwards users of other data centers. It issues a refresh token only with `offline` and
    // only at a consent, which it skips the second time without `consent`. It recommends PKCE for
    // server apps (www.zoho.com/accounts/protocol/oauth/web-server-applications.html).
    authorizationUrl: ({ redirectUri, state, codeChallenge }) =>
      authorizationUrlOf(urlOf(zohoHosts.us.accounts, '/oauth/v2/auth'), {
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        access_type: 'offline',
        prompt: 'consent',
        ...pkceParameters(codeChallenge),
      }),

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
          dataCenter: dataCenterOf(dataCenter),
          refused: 'credentials_refused',
          refreshToken,
        },
      ),

    // The token is sent twice. Zoho documents it in the query, as for the token endpoint, which
    // also accepts a form. Unverified: that this endpoint accepts a form too.
    disconnect: async ({ dataCenter, refreshToken }) => {
      const url = urlOf(zohoHosts[dataCenterOf(dataCenter)].accounts, '/oauth/v2/token/revoke');
      url.searchParams.set('token', refreshToken);
      const send = { form: { token: refreshToken } };
      const classify = classifyRevocation;
      await call({ url, headers: {}, send, schema: z.object({}), classify }).catch(
        ignoreFailure('credentials_refused'),
      );
    },

    company: async (access) => {
      const dataCenter = dataCenterOf(access.dataCenter);
      const { companyId } = access;
      return companyFrom(await readOrganizations(access), { companyId, dataCenter });
    },

    ...openZohoBooks(read),
  };
};
