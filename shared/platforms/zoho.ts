// The adapter of Zoho Books (www.zoho.com/books/api/v3): a company is called an organization there,
// and lives in one of several data centers.

import * as z from 'zod/mini';
import { isCurrency } from '../domain/currencies.ts';
import { type AdapterOptions, openHttp, pkceParameters } from './http.ts';
import {
  type CompanyAccess,
  type CompanyAddress,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
  type ReadJournal,
} from './platform.ts';
import { CompanyName } from './replies.ts';
import { type ZohoDataCenter, zohoDataCenters, zohoHosts } from './zoho-data-centers.ts';
import {
  accountFrom,
  isPosted,
  journalFrom,
  mayBePosted,
  ZohoAccount,
  ZohoId,
  ZohoJournal,
  ZohoJournalHead,
} from './zoho-entities.ts';
import { classifyApiError, classifyRevocation, classifyTokenError } from './zoho-errors.ts';

/** Both are for reading alone: of organizations, and of accounts and journals. */
const scope = 'ZohoBooks.settings.READ,ZohoBooks.accountants.READ';

/** What Zoho gives where nothing is asked for; the most that it may give is not documented. */
const rowsPerPage = '200';

/** A reply can be a failure whatever its status, so its code must be the one of success. */
const replyOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object({ code: z.literal(0), ...shape });

/** Zoho states where to call the API. That is known already, and must be what it says. */
const tokenReplyOf = (apiHost: string) =>
  z.object({
    token_type: z.string().check(z.regex(/^bearer$/i)),
    access_token: z.string().check(z.minLength(1)),
    refresh_token: z.optional(z.string().check(z.minLength(1))),
    expires_in: z.int().check(z.positive()),
    api_domain: z.optional(z.literal(`https://${apiHost}`)),
  });

const Organization = z.object({
  organization_id: ZohoId,
  name: CompanyName,
  currency_code: z.string(),
  is_default_org: z.optional(z.boolean()),
});
type Organization = z.output<typeof Organization>;

const OrganizationsReply = replyOf({ organizations: z.array(Organization) });

/** What a page says of its place in a list (www.zoho.com/books/api/v3/pagination). */
const PageContext = z.object({ page: z.int(), has_more_page: z.boolean() });
type Page = { page_context: z.output<typeof PageContext> };

const AccountsReply = replyOf({ chartofaccounts: z.array(ZohoAccount), page_context: PageContext });

const JournalsReply = replyOf({ journals: z.array(ZohoJournalHead), page_context: PageContext });

const JournalReply = replyOf({ journal: ZohoJournal });

/** A token is good for every organization of its user. */
type UserAccess = Omit<CompanyAccess, 'companyId'>;

type Resource<Wanted> = {
  path: string;
  query?: Record<string, string>;
  schema: z.ZodMiniType<Wanted>;
};

/** The data center that a connection names. */
const dataCenterOf = ({ dataCenter }: Pick<CompanyAddress, 'dataCenter'>): ZohoDataCenter => {
  const found = zohoDataCenters.find((name) => dataCenter === null || name === dataCenter);
  if (found === undefined) throw new PlatformFailure('company_not_found');
  return found;
};

/**
 * The data center that a callback names, in one way or in two that must agree
 * (www.zoho.com/accounts/protocol/oauth/multi-dc/client-authorization.html).
 */
const dataCenterOfCallback = (callback: URLSearchParams): ZohoDataCenter => {
  const [location, server] = [callback.get('location'), callback.get('accounts-server')];
  const found = zohoDataCenters.find(
    (name) =>
      (location === null || location === name) &&
      (server === null || server === `https://${zohoHosts[name].accounts}`),
  );
  if (found !== undefined) return found;
  const cause = new Error('the callback does not name a data center that is known');
  throw new PlatformFailure('reply_not_understood', { cause });
};

/**
 * The organization that a consent is taken to be for. Consent is given for all organizations of a
 * user, without a choice among them, so it is the one that the user works with unless told
 * otherwise. Whoever means another one creates its tenant with tokens and its id.
 */
const chooseOrganization = (organizations: readonly Organization[]): Organization => {
  const [first] = organizations.toSorted((one, other) =>
    BigInt(one.organization_id) < BigInt(other.organization_id) ? -1 : 1,
  );
  const chosen = organizations.find((it) => it.is_default_org) ?? first;
  if (chosen === undefined) throw new PlatformFailure('company_not_found');
  return chosen;
};

const companyFrom = (
  { organization_id, name, currency_code }: Organization,
  dataCenter: ZohoDataCenter,
): PlatformCompany => {
  if (!isCurrency(currency_code)) {
    const cause = new Error('the currency of the organization is none that amounts can be held in');
    throw new PlatformFailure('reply_not_understood', { cause });
  }
  return { companyId: organization_id, dataCenter, name, currency: currency_code };
};

export const createZoho = (options: AdapterOptions): Platform => {
  const { clientId, clientSecret } = options;
  const { call, urlOf } = openHttp(options);

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
    wanted: Resource<Wanted>,
  ): Promise<Wanted> => {
    const url = urlOf(zohoHosts[dataCenterOf({ dataCenter })].api, `/books/v3${wanted.path}`);
    url.search = new URLSearchParams(wanted.query).toString();
    const headers = { Authorization: `Zoho-oauthtoken ${accessToken}` };
    return call({ url, headers, schema: wanted.schema, classify: classifyApiError });
  };

  /** Every organization of the user. Zoho does not give them in pages. */
  const readOrganizations = async (access: UserAccess): Promise<Organization[]> => {
    const wanted = { path: '/organizations', schema: OrganizationsReply };
    return (await get(access, wanted)).organizations;
  };

  /** What belongs to the company, whose id callers give. */
  const read = async <Wanted>(access: CompanyAccess, wanted: Resource<Wanted>): Promise<Wanted> => {
    const { companyId: organization_id } = access;
    if (!ZohoId.safeParse(organization_id).success) throw new PlatformFailure('company_not_found');
    return get(access, { ...wanted, query: { organization_id, ...wanted.query } });
  };

  /** A page of a list; `from` is its number, counted from 1. */
  const readPage = async <Wanted extends Page>(
    access: CompanyAccess,
    { cursor, ...wanted }: Resource<Wanted> & { cursor: string | null },
  ): Promise<{ reply: Wanted; next: string | null }> => {
    const page = Number(cursor ?? 1);
    const query = { ...wanted.query, page: String(page), per_page: rowsPerPage };
    const reply = await read(access, { ...wanted, query });
    const { page_context: context } = reply;
    if (context.page !== page) throw new PlatformFailure('page_did_not_advance');
    return { reply, next: context.has_more_page ? String(page + 1) : null };
  };

  return {
    adapter: 'zoho',
    pagesShift: true,
    pageSizes: { accounts: [Number(rowsPerPage)], journals: [Number(rowsPerPage)] },
    pageTimeoutMilliseconds: 60_000,
    maximumChangesDays: null,
    waitMilliseconds: () => 0,

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
      const { organization_id: companyId, name } = chooseOrganization(organizations);
      return { tokens, choices: [{ companyId, dataCenter, name }] };
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
      const organizations = await readOrganizations(access);
      const found = organizations.find((it) => it.organization_id === access.companyId);
      if (found === undefined) throw new PlatformFailure('company_not_found');
      return companyFrom(found, dataCenterOf(access));
    },

    accountPage: async (access, { cursor }) => {
      const { reply, next } = await readPage(access, {
        path: '/chartofaccounts',
        // Those that are not active too, which older journals may name.
        query: { filter_by: 'AccountType.All' },
        schema: AccountsReply,
        cursor,
      });
      const accounts = reply.chartofaccounts.map(accountFrom);
      return { accounts, refused: [], assumptions: [], next };
    },

    journalPage: async (access, { cursor }) => {
      const wanted = { path: '/journals', schema: JournalsReply, cursor };
      const { reply, next } = await readPage(access, wanted);
      const journals = reply.journals.filter(mayBePosted).map(({ journal_id: reference }) => ({
        reference,
        isWhole: false,
        read: async (fresh: CompanyAccess): Promise<ReadJournal> => {
          const { journal } = await read(fresh, {
            path: `/journals/${reference}`,
            schema: JournalReply,
          });
          if (journal.journal_id !== reference) throw new PlatformFailure('reply_not_understood');
          return isPosted(journal)
            ? { state: 'posted', journal: journalFrom(journal) }
            : { state: 'not_posted' };
        },
      }));
      return { journals, refused: [], next };
    },
  };
};
