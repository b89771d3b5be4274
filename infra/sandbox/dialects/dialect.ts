// The description of a platform: its addresses, its rules for tokens, its replies and errors.

import type { IncomingHttpHeaders } from 'node:http';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { Allowance, LimitName, Limits } from '../limits.ts';

/** A page of a list, counted from 1. */
export type ListPage = { of: 'accounts' | 'journals'; page: number; pages: number };

/** A call of the platform's API with a live access token. */
export type ApiCall = {
  method: string;
  /** The platform's host and the path on it. */
  host: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  consentId: string;
  user: string;
  /** The companies of the consent. */
  companies: readonly [DemoCompany, ...DemoCompany[]];
  /** The company that the call names, if the consent covers it. */
  company: DemoCompany | undefined;
  /** @throws {Refusal} if the user chose a failure for this page */
  failPage: (page: ListPage) => void;
  /** The scopes of the consent. */
  scopes: readonly string[];
  /** The failure that the user chose, which reports may show. */
  failure: string;
  /** Takes the company out of the consent; without companies its tokens end. */
  disconnect: (company: DemoCompany) => void;
};

/** A call for a company of the consent. */
export type CompanyCall = ApiCall & { company: DemoCompany };

/** The user, client and consent that a token contains claims about. */
export type TokenHolder = {
  clientId: string;
  user: string;
  consentId: string;
  scopes: string[];
  company: DemoCompany;
};

/** OpenID Connect. Addresses are a host and a path. */
export type OpenId = {
  issuer: string;
  /** The addresses of the discovery document. */
  discovery: readonly string[];
  keys: string;
  userInfo: string;
  /** The platform's additions to the standard claims of an id token. */
  idTokenClaims: (holder: TokenHolder) => Record<string, unknown>;
  /** The claims of an access token; `null` if access tokens are opaque. */
  accessTokenClaims: ((holder: TokenHolder) => Record<string, unknown>) | null;
};

export type Dialect = {
  /** The platform's name on pages. */
  title: string;
  /** The scopes that our client requests. */
  scopes: readonly string[];
  scopeSeparator: ' ' | ',';
  /** Host and path of each OAuth endpoint, one for each data center. */
  endpoints: Readonly<Record<'authorize' | 'token' | 'revoke', readonly string[]>>;
  /** `null` if clients do not use the platform's OpenID Connect. */
  openId: OpenId | null;
  /** The companies that a consent covers: one, several selected ones, or all of the user. */
  consentTo: 'one' | 'several' | 'all';
  /** How a client may authenticate at the token endpoint (RFC 6749 section 2.3.1). */
  clientAuthentication: readonly ('basic' | 'form')[];
  /** Whether the platform supports PKCE (RFC 7636). */
  takesPkce: boolean;
  /** The scheme of an access token in the Authorization header. */
  tokenScheme: 'Bearer' | 'Zoho-oauthtoken';
  codeSeconds: number;
  accessTokenSeconds: number;
  refreshTokenSeconds: number;
  /** How long a replaced refresh token still works; `null` if none is ever replaced. */
  rotationGraceSeconds: number | null;
  /** The kind of body in which our adapter revokes a token. */
  revocationBody: 'form' | 'json';
  /** Additional parameters of the callback. */
  callbackParameters?: (company: DemoCompany) => Record<string, string>;
  /** Fields of a token reply that RFC 6749 section 5.1 does not have. */
  tokenReplyExtras?: (
    company: DemoCompany,
    headers: IncomingHttpHeaders,
  ) => Record<string, unknown>;
  /** Whether the host of a token endpoint is in the company's data center. */
  isHomeOf?: (company: DemoCompany, host: string) => boolean;
  /** How the token endpoint words an error of RFC 6749 section 5.2. */
  tokenError: (error: string) => Reply;
  limits: Limits;
  /** The headers of each reply about the daily limit. */
  limitHeaders?: (day: Allowance) => Record<string, string>;
  /** The reply to a call over a limit. */
  tooManyRequests: (limit: LimitName) => Reply;
  /** The reply to a refresh over the limit, if refreshes are limited. */
  tooManyTokens?: Reply;
  /** The platform's id of the company. */
  companyIdOf: (company: DemoCompany) => string;
  /** The id of the company that a call names. */
  companyIdIn: (call: Pick<ApiCall, 'path' | 'query' | 'headers'>) => string | undefined;
  /** The platform's id of the company's account at this index. */
  accountIdOf: (company: DemoCompany, index: number) => string;
  unauthorized: () => Reply;
  serverError: () => Reply;
  /** The platform's API; `undefined` if it has no such resource. */
  api: (call: ApiCall) => Reply | undefined;
};
