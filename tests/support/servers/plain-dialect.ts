// Dialects of no real platform, for what the sandbox platform does whatever it stands in for.

import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import type { ApiCall, Dialect } from '#infra/sandbox/dialects/dialect.ts';
import type { Reply } from '#infra/sandbox/http-messages.ts';
import { platformLimits } from '#infra/sandbox/limits.ts';
import type { Slot } from '#shared/platforms/slots.ts';

export const apiHost = 'api.plain.example';
const loginHost = 'login.plain.example';

const companyIdOf = ({ id }: DemoCompany): string => `plain-${id}`;

const answer = (call: ApiCall): Reply | undefined => {
  const { method, host, path, company, connections } = call;
  if (host !== apiHost) return undefined;
  if (method === 'DELETE' && path === '/connection') {
    call.disconnect(company);
    return { status: 200, json: {} };
  }
  if (method !== 'GET') return undefined;
  if (path === '/company') return { status: 200, json: { id: company.id } };
  const ids = connections.map((connection) => connection.company.id);
  return path === '/companies' ? { status: 200, json: ids } : undefined;
};

const plain: Dialect = {
  title: 'Plain Books',
  scopes: ['offline_access', 'books.read'],
  scopeSeparator: ' ',
  otherScopes: /^openid$/,
  endpoints: {
    authorize: [`${loginHost}/authorize`],
    token: [`${loginHost}/token`],
    revoke: [`${loginHost}/revoke`],
  },
  openId: null,
  consentTo: 'several',
  clientAuthentication: ['basic'],
  takesQueryParameters: false,
  takesPkce: false,
  tokenScheme: 'Bearer',
  codeSeconds: 60,
  accessTokenSeconds: 1_800,
  refreshTokenSeconds: 5_184_000,
  rotationGraceSeconds: 30,
  revocationBody: 'form',
  callbackParameters: () => ({}),
  tokenReplyExtras: () => ({}),
  isHomeOf: () => true,
  tokenError: (error) => ({ status: error === 'invalid_client' ? 401 : 400, json: { error } }),
  limits: platformLimits.xero,
  limitHeaders: () => ({}),
  tooManyTokens: null,
  companyIdOf,
  companyIdIn: ({ query }) => query.get('company') ?? undefined,
  accountIdOf: (company, index) => `${company.id}-${index}`,
  unauthorized: { status: 401, json: { error: 'invalid_token' } },
  serverError: { status: 500, json: { error: 'plain_trouble' } },
  tooManyRequests: (limit, retryAfterSeconds) => ({
    status: 429,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    json: { limit },
  }),
  api: answer,
};

/** Differs from the plain one in every rule that the sandbox has to follow. */
const fancy: Dialect = {
  ...plain,
  title: 'Fancy <Books>',
  scopes: ['books.accounts', 'books.journals'],
  scopeSeparator: ',',
  endpoints: {
    authorize: ['login.fancy.example/authorize', 'login.fancy.example.eu/authorize'],
    token: ['login.fancy.example/token', 'login.fancy.example.eu/token'],
    revoke: ['login.fancy.example/token/revoke'],
  },
  consentTo: 'all',
  clientAuthentication: ['form'],
  takesQueryParameters: true,
  tokenScheme: 'Zoho-oauthtoken',
  codeSeconds: 120,
  accessTokenSeconds: 3_600,
  refreshTokenSeconds: null,
  rotationGraceSeconds: null,
  revocationBody: 'json',
  callbackParameters: ({ dataCenter }) => ({ location: dataCenter }),
  tokenReplyExtras: ({ dataCenter }) => ({ api_domain: `https://${dataCenter}.example` }),
  tokenError: (error) => ({ status: 200, json: { error: `fancy_${error}` } }),
  companyIdOf: (company) => `fancy-${company.id}`,
};

export const plainDialects: Readonly<Record<Slot, Dialect>> = {
  platform_a: plain,
  platform_b: plain,
  platform_c: fancy,
};
