// What the service needs of an accounting platform: one small interface, one adapter a platform.

import type { Account } from '../domain/accounts.ts';

/** Tokens as a platform gives them; `expiresInSeconds` is the access token's. */
export type PlatformTokens = {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
};

export type PlatformCompany = { companyId: string; name: string; currency: string };

/** One page of a chart of accounts; `next` asks for the page that follows, if one does. */
export type AccountPage = { accounts: Account[]; next: string | undefined };

export type Platform = {
  /** The adapter's own name, kept with each connection. */
  adapter: string;
  /** Where the browser is sent for consent (RFC 6749 section 4.1.1). */
  authorizationUrl: (request: { redirectUri: string; state: string }) => string;
  /** Trades the callback's code for tokens (RFC 6749 section 4.1.3). */
  exchangeCode: (grant: { code: string; redirectUri: string }) => Promise<PlatformTokens>;
  /** New tokens for a refresh token, which the platform may replace (RFC 6749 section 6). */
  refresh: (refreshToken: string) => Promise<PlatformTokens>;
  /**
   * The company that was consented to.
   * @param callback the callback's query, where some platforms name the company
   */
  connectedCompany: (accessToken: string, callback: URLSearchParams) => Promise<PlatformCompany>;
  /** A company by its id, which also proves that the token may read it. */
  company: (accessToken: string, companyId: string) => Promise<PlatformCompany>;
  accountPage: (
    accessToken: string,
    request: { companyId: string; from: string | undefined },
  ) => Promise<AccountPage>;
};

/** Why a platform could not do its part. */
export type PlatformFailureReason =
  | 'code_refused'
  | 'credentials_refused'
  | 'company_not_found'
  | 'rate_limited'
  | 'platform_unavailable'
  | 'platform_timed_out'
  | 'reply_not_understood';

/** Thrown by every adapter. Its message and cause hold no token and no code. */
export class PlatformFailure extends Error {
  readonly reason: PlatformFailureReason;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: PlatformFailureReason,
    options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(reason, { cause: options.cause });
    this.name = 'PlatformFailure';
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
