// What the service needs of an accounting platform: one small interface, one adapter a platform.

import type Big from 'big.js';
import type { PlatformAccount } from '../domain/accounts.ts';
import type { ConnectionTokens } from '../domain/platform-connections.ts';

/** Tokens as a platform gives them; `expiresInSeconds` is the access token's. */
export type PlatformTokens = {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
};

/** An access token is not believed to live longer than a day, whatever its platform says. */
const maximumLifetimeSeconds = 24 * 60 * 60;

/** Tokens with the moment at which the access token ends; `askedAt` is before they were given. */
export const withExpiry = (
  { accessToken, refreshToken, expiresInSeconds }: PlatformTokens,
  askedAt: Date,
): ConnectionTokens => ({
  accessToken,
  refreshToken,
  expiresAt: new Date(
    askedAt.getTime() + Math.min(expiresInSeconds, maximumLifetimeSeconds) * 1000,
  ).toISOString(),
});

/**
 * A company at its platform.
 *
 * `dataCenter` is the one that keeps the company, by a name out of the adapter's fixed list, where
 * the platform has several that do not know of each other; `null` elsewhere.
 */
export type CompanyAddress = { companyId: string; dataCenter: string | null };

export type PlatformCompany = CompanyAddress & { name: string; currency: string };

/** A company with an access token that is good for it. */
export type CompanyAccess = CompanyAddress & { accessToken: string };

/** One page of a chart of accounts; `next` asks for the page that follows, if one does. */
export type AccountPage = { accounts: PlatformAccount[]; next: string | null };

/** A line of a platform's journal. At most one of the sides is above zero, and none below. */
export type PlatformJournalLine = {
  accountId: string;
  description: string;
  debit: Big;
  credit: Big;
};

/**
 * A journal that is posted at the platform.
 *
 * `reference` is the platform's own and never changes. `currency` is `null` for the company's own;
 * `exchangeRate` says what one unit of `currency` is in the company's, and is `null` where the
 * platform does not say.
 */
export type PlatformJournal = {
  reference: string;
  date: string;
  memo: string;
  currency: string | null;
  exchangeRate: Big | null;
  lines: PlatformJournalLine[];
};

/**
 * A journal that a page lists. Some platforms list it whole, others must be asked for its lines;
 * `null` is for one that turns out not to be posted.
 */
export type ListedJournal = {
  reference: string;
  read: (access: CompanyAccess) => Promise<PlatformJournal | null>;
};

/**
 * One page of the manual journals that are posted; drafts and voided ones are left out.
 *
 * Nothing but manual journals is imported: Xero sells the full ledger at another price, QuickBooks
 * and Zoho have no paged list of it. Revisit when a customer needs balances, not only what was
 * journalled.
 */
export type JournalPage = { journals: ListedJournal[]; next: string | null };

export type Platform = {
  /** The adapter's own name, kept with each connection. */
  adapter: string;
  /**
   * Whether a journal that is deleted moves those behind it to an earlier page, which was read
   * already. Such lists are walked through until a walk finds nothing new, within limits. Revisit
   * when QuickBooks and Zoho give their lists a cursor.
   */
  pagesShift: boolean;
  /**
   * Where the browser is sent for consent (RFC 6749 section 4.1.1).
   * @param request.codeChallenge by the method S256, for a platform that takes PKCE (RFC 7636)
   */
  authorizationUrl: (request: {
    redirectUri: string;
    state: string;
    codeChallenge: string;
  }) => string;
  /**
   * Trades the callback's code for tokens (RFC 6749 section 4.1.3) and finds the company that was
   * consented to.
   * @param grant.callback the callback's query, where some platforms name the company
   */
  connect: (grant: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
    callback: URLSearchParams;
  }) => Promise<{ tokens: PlatformTokens; company: PlatformCompany }>;
  /** New tokens for a refresh token, which the platform may replace (RFC 6749 section 6). */
  refresh: (held: { refreshToken: string; dataCenter: string | null }) => Promise<PlatformTokens>;
  /** Gives the access to this company back. What is not there any more counts as given back. */
  disconnect: (access: CompanyAccess & { refreshToken: string }) => Promise<void>;
  /** A company by its id, which also proves that the token may read it. */
  company: (access: CompanyAccess) => Promise<PlatformCompany>;
  /** @param cursor the `next` of the page before; `null` for the first */
  accountPage: (access: CompanyAccess, cursor: string | null) => Promise<AccountPage>;
  journalPage: (access: CompanyAccess, cursor: string | null) => Promise<JournalPage>;
};

/** Why a platform could not do its part. */
export type PlatformFailureReason =
  | 'code_refused'
  | 'credentials_refused'
  | 'company_not_found'
  | 'rate_limited'
  | 'platform_unavailable'
  | 'platform_timed_out'
  | 'reply_not_understood'
  | 'page_did_not_advance';

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
