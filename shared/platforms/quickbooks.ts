// The adapter of QuickBooks Online (developer.intuit.com): its company is called a realm there.

import * as z from 'zod/mini';
import {
  type AdapterOptions,
  basicAuthorization,
  classifyOAuthError,
  type FailureClass,
  openHttp,
  type Reply,
} from './http.ts';
import {
  type CompanyAccess,
  type ListedJournal,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformFailureReason,
  type PlatformTokens,
} from './platform.ts';
import {
  accountsFrom,
  CompanyInfoReply,
  journalFrom,
  PreferencesReply,
  QuickBooksAccount,
  QuickBooksJournalEntry,
} from './quickbooks-entities.ts';

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

/** One query may ask for 1000 at the most. Entries are fewer, since each can have many lines. */
const rowsPerPage = { Account: 1000, JournalEntry: 100 } as const;

/** Without this Intuit leaves out accounts that are not active, which older entries may name. */
const whereByEntity = { Account: ' where Active in (true,false)', JournalEntry: '' } as const;

/**
 * How long Intuit asks to wait (developer.intuit.com, limits and throttles). It documents no
 * Retry-After; where one comes, that one counts.
 */
const rateLimited: FailureClass = { reason: 'rate_limited', retryAfterSeconds: 60 };

const Errors = z.array(z.object({ code: z.string().check(z.regex(/^\d{1,6}$/)) }));

/** The API has other capitals than what answers in front of it, which checks the tokens. */
const FaultReply = z.union([
  z.object({ Fault: z.object({ Error: Errors }) }),
  z.object({ fault: z.object({ error: Errors }) }),
]);

/** A query can fail in a reply whose status is 200, with the fault in its QueryResponse. */
const QueryFaultReply = z.object({ QueryResponse: z.object({ Fault: z.unknown() }) });

/**
 * What a fault's code means for a call that only reads.
 *
 * 3100 (ApplicationAuthorizationFailed, status 403) is what users report of a company that the
 * token is not good for; we know of no page of Intuit's that says so. Intuit's own people met the
 * 401 of a bad token there as well (github.com/intuit/oauth-jsclient, issue 91). 6000 is about what
 * is written, or asks to try again in a few minutes; 10000 is a failure of the system.
 */
const reasonByFault = new Map<string, PlatformFailureReason>([
  ['3100', 'company_not_found'],
  ['3200', 'credentials_refused'],
  ['6000', 'platform_unavailable'],
  ['10000', 'platform_unavailable'],
]);

const classifyFault = ({ status, body }: Reply): FailureClass | undefined => {
  const ofQuery = QueryFaultReply.safeParse(body).data?.QueryResponse;
  const reply = FaultReply.safeParse(ofQuery ?? body).data;
  const errors = reply && ('Fault' in reply ? reply.Fault.Error : reply.fault.error);
  const code = errors?.[0]?.code.replace(/^0+/, '');
  if (status === 429 || code === '3001') return { ...rateLimited, code };
  const reason = reasonByFault.get(code ?? '');
  if (reason !== undefined) return { reason, code };
  // A page that is a fault must not pass for one without entities, which would be the last.
  return status < 300 && (ofQuery || reply) ? { reason: 'reply_not_understood', code } : undefined;
};

/** Where tokens are asked for, 401 and 403 are about our own client, whatever the body says. */
const classifyTokenError =
  (refused: 'code_refused' | 'credentials_refused') =>
  (reply: Reply): FailureClass | undefined => {
    const failureClass = classifyOAuthError(refused)(reply);
    if (failureClass !== undefined) return failureClass;
    if (reply.status === 429) return rateLimited;
    const isAboutUs = reply.status === 401 || reply.status === 403;
    return isAboutUs ? { reason: 'platform_unavailable' } : undefined;
  };

/**
 * A token that is dead already is refused (github.com/intuit/oauth-jsclient, issue 18), by what is
 * reported with 400 and no body (issue 71); Intuit documents neither.
 */
const classifyRevocation = (reply: Reply): FailureClass | undefined =>
  classifyTokenError('credentials_refused')(reply) ??
  (reply.status === 400 ? { reason: 'credentials_refused' } : undefined);

const TokenReply = z.object({
  token_type: z.string().check(z.regex(/^bearer$/i)),
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.int().check(z.positive()),
});

/** A page of a query. One without entities is `{}`, and says nothing of its position. */
const PageReply = z.object({
  QueryResponse: z.object({
    startPosition: z.optional(z.int()),
    Account: z.optional(z.array(QuickBooksAccount)),
    JournalEntry: z.optional(z.array(QuickBooksJournalEntry)),
  }),
});

const isRealmId = (text: string): boolean => /^\d{1,30}$/.test(text);

/** Intuit's OAuth server, which is the same for both API hosts. */
const openTokens = (options: AdapterOptions) => {
  const { call, urlOf } = openHttp(options);
  const headers = { Authorization: basicAuthorization(options) };

  return {
    request: async (
      form: Record<string, string>,
      refused: 'code_refused' | 'credentials_refused',
    ): Promise<PlatformTokens> => {
      const reply = await call({
        url: urlOf('oauth.platform.intuit.com', '/oauth2/v1/tokens/bearer'),
        headers,
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
  const { call, urlOf } = openHttp(options);

  /** The id of a company can be anything that a caller sent: it must not reach something else. */
  const read = async <Schema extends z.ZodMiniType>(
    { companyId, accessToken }: CompanyAccess,
    { path, query, schema }: { path: string; query?: string; schema: Schema },
  ): Promise<z.output<Schema>> => {
    if (!isRealmId(companyId)) throw new PlatformFailure('company_not_found');
    const url = urlOf(apiHost, `/v3/company/${companyId}${path}`);
    if (query !== undefined) url.searchParams.set('query', query);
    url.searchParams.set('minorversion', minorVersion);
    const headers = { Authorization: `Bearer ${accessToken}` };
    return call({ url, headers, schema, classify: classifyFault });
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
      };
    },

    /** A page of entities; `cursor` is the position of its first one, counted from 1. */
    readPage: async (
      access: CompanyAccess,
      { entity, cursor }: { entity: keyof typeof rowsPerPage; cursor: string | null },
    ) => {
      const start = Number(cursor ?? 1);
      const rows = rowsPerPage[entity];
      const { QueryResponse: page } = await read(access, {
        path: '/query',
        query:
          `select * from ${entity}${whereByEntity[entity]} ` +
          `orderby Id startposition ${start} maxresults ${rows}`,
        schema: PageReply,
      });
      const count = page[entity]?.length ?? 0;
      if (count > 0 && page.startPosition !== start) {
        throw new PlatformFailure('page_did_not_advance');
      }
      // Only a full page can have another behind it, which may turn out to be empty.
      return { page, next: count < rows ? null : String(start + count) };
    },
  };
};

export const createQuickBooks = (options: AdapterOptions, apiHost: QuickBooksHost): Platform => {
  const { urlOf } = openHttp(options);
  const tokens = openTokens(options);
  const { readCompany, readPage } = openCompanies(options, apiHost);

  return {
    adapter: apiHost === quickBooksHosts.sandbox ? 'quickbooks_sandbox' : 'quickbooks',
    pagesShift: true,
    pageSizes: { accounts: [rowsPerPage.Account], journals: [rowsPerPage.JournalEntry] },
    pageTimeoutMilliseconds: 120_000,
    maximumChangesDays: null,
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

    accountPage: async (access, { cursor }) => {
      const { page, next } = await readPage(access, { entity: 'Account', cursor });
      const accounts = (page.Account ?? []).flatMap(accountsFrom);
      return { accounts, refused: [], assumptions: [], next };
    },

    journalPage: async (access, { cursor }) => {
      const { page, next } = await readPage(access, { entity: 'JournalEntry', cursor });
      const journals = (page.JournalEntry ?? []).map(
        (entry): ListedJournal => ({
          reference: entry.Id,
          isWhole: true,
          read: async () => ({ state: 'posted', journal: journalFrom(entry) }),
        }),
      );
      return { journals, refused: [], next };
    },
  };
};
