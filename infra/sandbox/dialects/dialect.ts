// What the sandbox must know of a platform to speak as it does: its addresses, its rules for
// tokens, the shapes of its replies and of its errors.

import type { IncomingHttpHeaders } from 'node:http';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { Allowance, LimitName, Limits } from '../limits.ts';

/** A company that a user has connected to the client, and the consent that did it last. */
export type Connection = { company: DemoCompany; consentId: string };

/** A call of the platform's API by the holder of a live access token. */
export type ApiCall = {
  method: string;
  /** The platform's own host, and the path on it. */
  host: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** All that the token is good for. */
  connections: readonly Connection[];
  /** Whose token it is. */
  user: string;
  /** The company that the call names, or the first one where it names none that it may. */
  company: DemoCompany;
  /**
   * The failure that was chosen for this page of a collection (counted from 1), if it happens now.
   * To be asked before a page is answered.
   */
  injectFailure: (page: {
    of: 'accounts' | 'journals';
    page: number;
    pages: number;
    size: number;
  }) => Reply | undefined;
  /** Whether the chosen failure is that each page has the items of the first, and one follows. */
  repeatsPages: boolean;
  /** Whether the chosen failure is that each page in an order has all journals. */
  orderIgnoresPages: boolean;
  /** Ends the user's connection to one company, and the tokens with the last. */
  disconnect: (company: DemoCompany) => void;
};

/** Who a token was given to, for claims about it. */
export type TokenHolder = {
  clientId: string;
  user: string;
  consentId: string;
  scopes: string[];
  company: DemoCompany;
};

/** OpenID Connect: where the platform keeps it (host and path), and what its tokens say. */
export type OpenId = {
  issuer: string;
  /** The place of each discovery document, with that of the user's particulars that it names. */
  discovery: Readonly<Record<string, string>>;
  keys: string;
  /** What an id token says beyond whose it is and how long it is good. */
  idTokenClaims: (holder: TokenHolder) => Record<string, unknown>;
  /** The same of an access token, where that is one to be read; `null` where it means nothing. */
  accessTokenClaims: ((holder: TokenHolder) => Record<string, unknown>) | null;
};

export type Dialect = {
  /** What people call the platform. */
  title: string;
  /** The scopes that our client asks for, and what stands between them in a request. */
  scopes: readonly string[];
  scopeSeparator: ' ' | ',';
  /** What else the platform has of scopes. */
  otherScopes: RegExp;
  /** Host and path of each OAuth endpoint; several where the platform has several data centers. */
  endpoints: Readonly<Record<'authorize' | 'token' | 'revoke', readonly string[]>>;
  /** `null` where the sandbox does not know the platform's. */
  openId: OpenId | null;
  /** What a consent is for: a company, any of those shown, or all that the user has. */
  consentTo: 'one' | 'several' | 'all';
  /** How a client may authenticate at the token endpoint (RFC 6749 section 2.3.1). */
  clientAuthentication: readonly ('basic' | 'form')[];
  /** Whether parameters of the OAuth endpoints may be in the query, too. */
  takesQueryParameters: boolean;
  /** Whether a code is tied to a verifier where its request had a challenge (RFC 7636). */
  takesPkce: boolean;
  /** What comes before an access token in the Authorization header. */
  tokenScheme: 'Bearer' | 'Zoho-oauthtoken';
  codeSeconds: number;
  accessTokenSeconds: number;
  /** `null` where refresh tokens do not end. */
  refreshTokenSeconds: number | null;
  /** How long a refresh token works on when it was replaced; `null` where it is never replaced. */
  rotationGraceSeconds: number | null;
  /** Where the client revokes a token: which parameter of what kind of body names it. */
  revocationBody: 'form' | 'json';
  /** What the callback's query carries beyond `code` and `state`. */
  callbackParameters: (company: DemoCompany) => Record<string, string>;
  /** What a reply with tokens carries beyond RFC 6749 section 5.1, by its request's headers. */
  tokenReplyExtras: (company: DemoCompany, headers: IncomingHttpHeaders) => Record<string, unknown>;
  /** Whether a host of the token endpoint is of the data center that has the company's tokens. */
  isHomeOf: (company: DemoCompany, host: string) => boolean;
  /** How the token endpoint words an error of RFC 6749 section 5.2. */
  tokenError: (error: string) => Reply;
  limits: Limits;
  /** What each reply says of the calls that are left. */
  limitHeaders: (allowance: Allowance) => Record<string, string>;
  /** The refusal of a call, with the wait where the platform states one. */
  tooManyRequests: (limit: LimitName, retryAfterSeconds: number | null) => Reply;
  /** The refusal of a token, where tokens are limited. */
  tooManyTokens: Reply | null;
  /** The id by which the platform's API knows the company. */
  companyIdOf: (company: DemoCompany) => string;
  /** The id by which a call names the company that it is about, if it does. */
  companyIdIn: (call: Pick<ApiCall, 'path' | 'query' | 'headers'>) => string | undefined;
  /** The platform's own id of the company's account at this place of its chart. */
  accountIdOf: (company: DemoCompany, index: number) => string;
  unauthorized: Reply;
  serverError: Reply;
  /** Answers the platform's API; `undefined` where it has no such resource. */
  api: (call: ApiCall) => Reply | undefined;
};
