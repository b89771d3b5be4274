// The dialect of QuickBooks Online: the company's id is in the path, and errors are faults.

import type { IncomingHttpHeaders } from 'node:http';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { ApiCall, Dialect } from './dialect.ts';
import { accountIdOf, companyInfoOf, preferencesOf, realmIdOf } from './quickbooks-books.ts';
import {
  answer,
  changesReply,
  fault,
  queryReply,
  recordReply,
  replyWith,
} from './quickbooks-lists.ts';
import { trialBalanceReply } from './quickbooks-reports.ts';

const apiHosts = ['quickbooks.api.intuit.com', 'sandbox-quickbooks.api.intuit.com'];

const oneDay = 24 * 60 * 60;

const gatewayFaults = {
  AuthenticationFailed: [401, '3200', 'AUTHENTICATION', 'Token expired'],
  ApplicationAuthorizationFailed: [403, '3100', 'SERVICE', null],
  ThrottleExceeded: [429, '3001', 'SERVICE', null],
} as const;

/** A fault of the gateway before the API has other capitals. */
const gatewayFault = (name: keyof typeof gatewayFaults): Reply => {
  const [status, code, type, detail] = gatewayFaults[name];
  const message = `message=${name}; errorCode=00${code}; statusCode=${status}`;
  const error = [{ message, detail, code, element: null }];
  return replyWith(status, { fault: { error, type }, time: Date.now() });
};

const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, query, body, company } = call;
  const [, realmId, resource = '', id] =
    /^\/v3\/company\/([^/]+)\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (!apiHosts.includes(host) || realmId === undefined) return undefined;
  if (company === undefined) return gatewayFault('ApplicationAuthorizationFailed');
  const companyCall = { ...call, company };
  if (`${method} ${resource}` === 'POST query') return queryReply(companyCall, body);
  if (method !== 'GET') return undefined;
  if (resource === 'query') return queryReply(companyCall, query.get('query') ?? '');
  if (resource === 'cdc') return changesReply(companyCall);
  if (resource === 'reports' && /^TrialBalance(FR)?$/.test(`${id}`)) {
    return trialBalanceReply(companyCall, `${id}`);
  }
  if (resource === 'preferences') return answer({ Preferences: preferencesOf(company) });
  if (resource === 'companyinfo' && id === realmId) {
    return answer({ CompanyInfo: companyInfoOf(company) });
  }
  return id === undefined ? undefined : recordReply(companyCall, { resource, id });
};

/** A client requests the end of the consent with a header (intuit/oauth-jsclient 4.2.4). */
const tokenReplyExtras = (_company: DemoCompany, headers: IncomingHttpHeaders) => ({
  x_refresh_token_expires_in: 101 * oneDay,
  ...(headers['x-include-refresh-token-hard-expires-in'] === 'true' && {
    x_refresh_token_hard_expires_in: 5 * 365 * oneDay,
  }),
});

export const quickbooks: Dialect = {
  title: 'QuickBooks Online',
  scopes: ['com.intuit.quickbooks.accounting'],
  scopeSeparator: ' ',
  endpoints: {
    authorize: ['appcenter.intuit.com/connect/oauth2'],
    token: ['oauth.platform.intuit.com/oauth2/v1/tokens/bearer'],
    revoke: ['developer.api.intuit.com/v2/oauth2/tokens/revoke'],
  },
  openId: {
    issuer: 'https://oauth.platform.intuit.com/op/v1',
    // Of PyPI's intuit-oauth and of npm's node-quickbooks.
    discovery: [
      'developer.api.intuit.com/.well-known/openid_configuration',
      'developer.intuit.com/.well-known/openid_configuration',
    ],
    keys: 'oauth.platform.intuit.com/op/v1/jwks',
    userInfo: 'accounts.platform.intuit.com/v1/openid_connect/userinfo',
    // Intuit's clients expect the audience in a list.
    idTokenClaims: ({ clientId, company }) => ({ aud: [clientId], realmid: realmIdOf(company) }),
    accessTokenClaims: null,
  },
  consentTo: 'one',
  clientAuthentication: ['basic', 'form'],
  takesPkce: false,
  tokenScheme: 'Bearer',
  // Unverified: Intuit does not document the life of a code.
  codeSeconds: 600,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 100 * oneDay,
  rotationGraceSeconds: oneDay,
  revocationBody: 'json',
  callbackParameters: (company) => ({ realmId: realmIdOf(company) }),
  tokenReplyExtras,
  tokenError: (error) => replyWith(error === 'invalid_client' ? 401 : 400, { error }),
  // Source: blogs.intuit.com/2016/08/08/idg-concurrent-api-use-changes-coming-soon
  limits: {
    perMinute: 500,
    perDay: Infinity,
    concurrent: 10,
    tokensPerTenMinutes: Infinity,
    statesWait: false,
  },
  tooManyRequests: () => gatewayFault('ThrottleExceeded'),
  companyIdOf: realmIdOf,
  companyIdIn: ({ path }) => /^\/v3\/company\/([^/]+)/.exec(path)?.[1],
  accountIdOf: (_company, index) => accountIdOf(index),
  unauthorized: () => gatewayFault('AuthenticationFailed'),
  serverError: () =>
    fault({
      status: 500,
      type: 'SystemFault',
      code: '10000',
      message: 'An application error has occurred while processing your request',
      detail: 'System Failure Error',
    }),
  api,
};
