// How QuickBooks Online speaks: numeric ids, queries in a language of its own, and faults.

import type { IncomingHttpHeaders } from 'node:http';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import { platformLimits } from '../limits.ts';
import type { ApiCall, Dialect } from './dialect.ts';
import {
  accountAt,
  accountIdOf,
  collectionsOf,
  deletedEntryAt,
  entityNamed,
  entryAt,
  findEntity,
  realmIdOf,
} from './quickbooks-books.ts';
import { findAll, parseQuery, type Query, QueryProblem, selectFrom } from './quickbooks-query.ts';
import {
  answer,
  changesFault,
  companyFault,
  fault,
  gatewayFault,
  notFoundFault,
  parserFault,
  queryFault,
  replyWith,
} from './quickbooks-replies.ts';

const apiHosts = ['quickbooks.api.intuit.com', 'sandbox-quickbooks.api.intuit.com'];

/** A full page is what says that another one follows, so only one that is full can repeat. */
const pageReply = (call: ApiCall, query: Query): Reply => {
  const { entity, select, startPosition, maxResults } = query;
  const all = findAll(call.company, query);
  const isCounted = select === 'count';
  const of = ({ Account: 'accounts', JournalEntry: 'journals' } as const)[entity];
  if (of !== undefined && !isCounted) {
    const page = Math.ceil(startPosition / maxResults);
    const pages = Math.ceil(all.length / maxResults);
    const failure = call.injectFailure({ of, page, pages, size: maxResults });
    if (failure) return failure;
  }
  if (isCounted) return answer({ QueryResponse: { totalCount: all.length } });
  const first = call.repeatsPages ? 0 : startPosition - 1;
  const count = Math.max(0, Math.min(maxResults, all.length - first));
  if (count === 0) return answer({ QueryResponse: {} });
  const found = Array.from({ length: count }, (_, place) =>
    selectFrom(all.at(first + place), select),
  );
  return answer({ QueryResponse: { [entity]: found, startPosition, maxResults: count } });
};

const queryReply = (call: ApiCall, statement: string): Reply => {
  try {
    return pageReply(call, parseQuery(statement));
  } catch (error) {
    if (!(error instanceof QueryProblem)) throw error;
    return error.kind === 'parser' ? parserFault(error.message) : queryFault(error.message);
  }
};

const oneDay = 24 * 60 * 60;
const mostDaysBack = 30;
const mostChanges = 1000;

/** What changed of the entities that changes are told of, the deleted ones among them. */
const changedSince = (company: DemoCompany, { name, since }: { name: string; since: number }) => {
  const isLater = (moment: string | undefined) => Date.parse(moment ?? '') > since;
  if (name === 'Account') {
    return [...company.accounts.entries()].flatMap(([index, { modifiedAt }]) =>
      isLater(modifiedAt) ? [accountAt(company, index)] : [],
    );
  }
  if (name !== 'JournalEntry') return [];
  return [...Array(company.journalCount).keys()].flatMap((index): object[] => {
    const { status, modifiedAt } = company.journalAt(index);
    if (status === 'draft' || !isLater(modifiedAt)) return [];
    return [status === 'deleted' ? deletedEntryAt(company, index) : entryAt(company, index)];
  });
};

/**
 * The Change data capture page of developer.intuit.com has the limits and the shape. Clients leave
 * the plus of a time zone as it is, which in a query is a space.
 */
const changesReply = ({ company, query }: ApiCall): Reply => {
  const asked = (query.get('changedSince') ?? '').replace(' ', '+');
  const since = Date.parse(asked);
  const entities = (query.get('entities') ?? '').split(',').map((text) => entityNamed(text.trim()));
  if (Number.isNaN(since)) return changesFault(`Invalid changedSince date ${asked}`);
  if (entities.includes(undefined)) return changesFault('Invalid entity in the list of entities');
  if (since < Date.now() - mostDaysBack * oneDay * 1000) {
    const which = `with changedSince date ${asked} which is older than fixed days`;
    return changesFault(`Operation cdc ${which} is not supported.`);
  }
  let left = mostChanges;
  const responses = entities.flatMap((name) => {
    if (name === undefined) return [];
    const changed = changedSince(company, { name, since }).slice(0, left);
    left -= changed.length;
    if (changed.length === 0) return [{}];
    const position = { startPosition: 1, maxResults: changed.length };
    return [{ [name]: changed, ...position, totalCount: changed.length }];
  });
  return answer({ CDCResponse: [{ QueryResponse: responses }] });
};

const entityReply = (company: DemoCompany, { name, id }: { name: string; id: string }): Reply => {
  const entity = findEntity(company, { name, id });
  return entity === undefined ? notFoundFault() : answer({ [name]: entity });
};

const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, query, body, company } = call;
  const [, realmId, resource = '', id] =
    /^\/v3\/company\/([^/]+)\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (!apiHosts.includes(host) || realmId === undefined) return undefined;
  if (realmId !== realmIdOf(company)) return companyFault();
  if (resource === 'query' && id === undefined) {
    if (method === 'POST') return queryReply(call, body);
    return method === 'GET' ? queryReply(call, query.get('query') ?? '') : undefined;
  }
  if (method !== 'GET') return undefined;
  if (resource === 'cdc' && id === undefined) return changesReply(call);
  if (resource === 'preferences' && id === undefined) {
    return answer({ Preferences: collectionsOf.Preferences?.(company).at(0) });
  }
  const name = entityNamed(resource);
  return name === undefined || id === undefined ? undefined : entityReply(company, { name, id });
};

/** Only who asks for it is told when consent has to be given anew (intuit/oauth-jsclient 4.2.4). */
const tokenReplyExtras = (_company: DemoCompany, headers: IncomingHttpHeaders) => ({
  x_refresh_token_expires_in: 101 * oneDay,
  ...(headers['x-include-refresh-token-hard-expires-in'] === 'true' && {
    x_refresh_token_hard_expires_in: 5 * 365 * oneDay,
  }),
});

const userInfo = 'platform.intuit.com/v1/openid_connect/userinfo';

export const quickbooks: Dialect = {
  title: 'QuickBooks Online',
  scopes: ['com.intuit.quickbooks.accounting'],
  scopeSeparator: ' ',
  // Written as all of `scopes` in intuit-oauth's OAuthClient.js are.
  otherScopes: /^(openid|profile|email|phone|address|[a-z]+(-[a-z]+)*(\.[a-z-]+)+)$/,
  endpoints: {
    authorize: ['appcenter.intuit.com/connect/oauth2'],
    token: ['oauth.platform.intuit.com/oauth2/v1/tokens/bearer'],
    revoke: ['developer.api.intuit.com/v2/oauth2/tokens/revoke'],
  },
  openId: {
    issuer: 'https://oauth.platform.intuit.com/op/v1',
    // Both hosts are in the platform's own clients: intuit-oauth of PyPI and node-quickbooks.
    discovery: Object.fromEntries(
      ['developer.api.intuit.com', 'developer.intuit.com'].flatMap((host) => [
        [`${host}/.well-known/openid_configuration`, `accounts.${userInfo}`],
        [`${host}/.well-known/openid_sandbox_configuration`, `sandbox-accounts.${userInfo}`],
      ]),
    ),
    keys: 'oauth.platform.intuit.com/op/v1/jwks',
    // Its own clients look for theirs in a list.
    idTokenClaims: ({ clientId, company }) => ({ aud: [clientId], realmid: realmIdOf(company) }),
    accessTokenClaims: null,
  },
  consentTo: 'one',
  clientAuthentication: ['basic'],
  takesQueryParameters: false,
  takesPkce: false,
  tokenScheme: 'Bearer',
  // Not verified: we know of no page of Intuit's that says how long a code lasts.
  codeSeconds: 600,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 100 * oneDay,
  rotationGraceSeconds: oneDay,
  revocationBody: 'json',
  callbackParameters: (company) => ({ realmId: realmIdOf(company) }),
  tokenReplyExtras,
  isHomeOf: () => true,
  tokenError: (error) => replyWith(error === 'invalid_client' ? 401 : 400, { error }),
  limits: platformLimits.quickbooks,
  limitHeaders: () => ({}),
  tooManyTokens: null,
  companyIdOf: realmIdOf,
  companyIdIn: ({ path }) => /^\/v3\/company\/([^/]+)/.exec(path)?.[1],
  accountIdOf: (_company, index) => accountIdOf(index),
  get unauthorized() {
    return gatewayFault({
      status: 401,
      type: 'AUTHENTICATION',
      code: '3200',
      message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401',
      detail: 'Token expired',
    });
  },
  get serverError() {
    return fault({
      status: 500,
      type: 'SystemFault',
      code: '10000',
      message: 'An application error has occurred while processing your request',
      detail: 'System Failure Error',
    });
  },
  // Intuit documents a wait of 60 seconds and no header for it. The header is where a failure was
  // chosen, so that whoever tries this out is not kept waiting.
  tooManyRequests: (_limit, retryAfterSeconds) =>
    gatewayFault(
      {
        status: 429,
        type: 'SERVICE',
        code: '3001',
        message: 'message=ThrottleExceeded; errorCode=003001; statusCode=429',
        detail: null,
      },
      retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) },
    ),
  api,
};
