// What the sandbox must know of a platform to speak as it does: its addresses, its rules for
// tokens, the shapes of its replies and of its errors.

import type { IncomingHttpHeaders } from 'node:http';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';

/** A call of the platform's API by the holder of a live access token. */
export type ApiCall = {
  method: string;
  /** The platform's own host, and the path on it. */
  host: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** The company that the token's grant is for. */
  company: DemoCompany;
  /**
   * The failure that was chosen for this page of a collection (counted from 1), if it happens now.
   * To be asked before a page is answered.
   */
  injectFailure: (page: {
    of: 'accounts' | 'journals';
    page: number;
    pages: number;
  }) => Reply | undefined;
  /** Whether the chosen failure is that each page has the items of the first, and one follows. */
  repeatsPages: boolean;
  /** Ends the grant. */
  endGrant: () => void;
};

export type Dialect = {
  /** What people call the platform. */
  title: string;
  /** Scopes that a client may ask for, and what stands between them in a request. */
  scopes: readonly string[];
  scopeSeparator: ' ' | ',';
  /** Host and path of each OAuth endpoint; several where the platform has several data centers. */
  endpoints: Readonly<Record<'authorize' | 'token' | 'revoke', readonly string[]>>;
  /** How a client authenticates at the token endpoint (RFC 6749 section 2.3.1). */
  clientAuthentication: 'basic' | 'form';
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
  /** What a reply with tokens has beyond RFC 6749 section 5.1, given its request's headers. */
  tokenReplyExtras: (company: DemoCompany, headers: IncomingHttpHeaders) => Record<string, unknown>;
  /** How the token endpoint words an error of RFC 6749 section 5.2. */
  tokenError: (error: string) => Reply;
  /** The id by which the platform's API knows the company. */
  companyIdOf: (company: DemoCompany) => string;
  /** The platform's own id of the company's account at this place of its chart. */
  accountIdOf: (company: DemoCompany, index: number) => string;
  unauthorized: Reply;
  serverError: Reply;
  /** Too many calls in a minute or in a day; `retryAfterSeconds` as the platform would put it. */
  tooManyRequests: (limit: 'minute' | 'day', retryAfterSeconds: number) => Reply;
  /** Answers the platform's API; `undefined` where it has no such resource. */
  api: (call: ApiCall) => Reply | undefined;
};
