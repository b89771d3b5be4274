// What the service needs of an accounting platform: one small interface, one adapter a platform.

import type Big from 'big.js';
import type { PlatformAccount } from '../accounts/accounts.ts';
import type { ConnectionTokens } from '../connections/platform-connections.ts';
import type { Assumption, PlatformError, RefusedRecord } from '../imports/import-report.ts';

/**
 * Tokens as a platform gives them; `expiresInSeconds` is the access token's. `reconnectInSeconds`
 * is when consent must be given anew, however often the tokens are refreshed; `null` where the
 * platform says nothing of it.
 */
export type PlatformTokens = {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  reconnectInSeconds: number | null;
};

/** The moment at which a connection with these tokens ends whatever is done (ISO 8601), if any. */
export const reconnectByOf = (
  { reconnectInSeconds }: Pick<PlatformTokens, 'reconnectInSeconds'>,
  askedAt: Date,
): string | null =>
  reconnectInSeconds === null
    ? null
    : new Date(askedAt.getTime() + reconnectInSeconds * 1000).toISOString();

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

/** `financialYearEnd` is MM-DD: the calendar year's where the platform says nothing of it. */
export type PlatformCompany = CompanyAddress & {
  name: string;
  currency: string;
  financialYearEnd: string;
};

/** A company with an access token that is good for it. */
export type CompanyAccess = CompanyAddress & { accessToken: string };

/** A company that a consent is good for; `name` is `null` where the platform does not say it. */
export type CompanyChoice = CompanyAddress & { name: string | null };

/**
 * What is asked of a list.
 *
 * `cursor` is the `next` of the page before, and `null` for the first. `rows` is one of the
 * platform's `pageSizes`, which may get smaller from page to page. With `modifiedSince` the list is
 * of what was made or changed since then. `timeoutMilliseconds` is for each call.
 */
export type PageRequest = {
  cursor: string | null;
  rows: number;
  modifiedSince: Date | null;
  timeoutMilliseconds: number;
};

/**
 * One page of a chart of accounts; `unused` are the ids of those that the ledger has no use for,
 * and `next` asks for the page that follows, if one does.
 */
export type AccountPage = {
  accounts: PlatformAccount[];
  unused: string[];
  refused: RefusedRecord[];
  assumptions: Assumption[];
  next: string | null;
};

/**
 * How a line names its account: by the platform's id, by its code where it has no id, or as tax of
 * which the platform does not say where it is posted. With `isTax` the line is one for tax that the
 * journal itself does not have, and the account is where the company's settings have such tax now.
 */
export type AccountReference = { id: string; isTax?: true } | { code: string } | 'tax';

/** Whether the line is one for tax that the journal itself does not have. */
export const isTaxAccount = (account: AccountReference): boolean =>
  account === 'tax' || ('isTax' in account && account.isTax === true);

/**
 * A line of a platform's journal. At most one of the sides is above zero, and none below.
 * `reportingAmount` is what the platform states the line to be in the company's own currency, of
 * the side that is above zero; `null` where it states nothing.
 */
export type PlatformJournalLine = {
  account: AccountReference;
  description: string;
  debit: Big;
  credit: Big;
  reportingAmount: Big | null;
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
 * What a journal turns out to be: posted; a draft or another that is not posted; voided or deleted;
 * or one that cannot be read, with the field that it fails at.
 */
export type ReadJournal =
  | { state: 'posted'; journal: PlatformJournal }
  | { state: 'not_posted' }
  | { state: 'voided' }
  | { state: 'refused'; reason: 'record_not_understood'; field: string };

/**
 * A journal that a page lists. Some platforms list it whole, so that reading it costs no call;
 * others must be asked for its lines.
 */
export type ListedJournal = {
  reference: string;
  isWhole: boolean;
  read: (
    access: CompanyAccess,
    options: Pick<PageRequest, 'timeoutMilliseconds'>,
  ) => Promise<ReadJournal>;
};

/**
 * One page of the manual journals; `refused` are those without an id.
 *
 * Nothing but manual journals is imported: Xero sells the full ledger at another price, QuickBooks
 * and Zoho have no paged list of it. Revisit when a customer needs balances, not only what was
 * journalled.
 */
export type JournalPage = {
  journals: ListedJournal[];
  refused: RefusedRecord[];
  next: string | null;
  /** Whether this list's pages shift, though those of its platform do not as a rule. */
  pagesShift?: boolean;
};

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
   * How many rows a page may have, the most first. Each number is a multiple of the next, so that a
   * list can go on with smaller pages where one took too long or was too large.
   */
  pageSizes: { accounts: readonly number[]; journals: readonly number[] };
  /** How long a page may take at the most. */
  pageTimeoutMilliseconds: number;
  /**
   * How long a list of changes may reach back, in days: of more none is asked for. One that is not
   * whole fails as `changes_incomplete`, and a complete list is asked for instead.
   */
  maximumChangesDays: number | null;
  /** A company's id as the platform writes it; `undefined` where the text is no id of its. */
  companyIdOf: (text: string) => string | undefined;
  /** How long the platform's last replies ask to wait before the company's next call. */
  waitMilliseconds: (company: CompanyAddress) => number;
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
   * Trades the callback's code for tokens (RFC 6749 section 4.1.3) and finds the companies that
   * they are good for, one or more. Those that are not active any more are none of them.
   * @param grant.callback the callback's query, where some platforms name the company
   */
  connect: (grant: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
    callback: URLSearchParams;
  }) => Promise<{ tokens: PlatformTokens; choices: CompanyChoice[] }>;
  /** New tokens for a refresh token, which the platform may replace (RFC 6749 section 6). */
  refresh: (held: { refreshToken: string; dataCenter: string | null }) => Promise<PlatformTokens>;
  /** Gives the access to this company back. What is not there any more counts as given back. */
  disconnect: (access: CompanyAccess & { refreshToken: string }) => Promise<void>;
  /** A company by its id, which also proves that the token may read it. */
  company: (access: CompanyAccess) => Promise<PlatformCompany>;
  accountPage: (access: CompanyAccess, page: PageRequest) => Promise<AccountPage>;
  journalPage: (access: CompanyAccess, page: PageRequest) => Promise<JournalPage>;
};

/**
 * Why a platform could not do its part. `subscription_lapsed`: the company does not pay its
 * platform any more. `changes_incomplete`: its list of changes does not have all that was asked
 * for.
 */
export type PlatformFailureReason =
  | 'code_refused'
  | 'credentials_refused'
  | 'company_not_found'
  | 'subscription_lapsed'
  | 'rate_limited'
  | 'platform_unavailable'
  | 'platform_timed_out'
  | 'reply_not_understood'
  | 'reply_too_large'
  | 'page_did_not_advance'
  | 'changes_incomplete';

/** Thrown by every adapter. Nothing in it holds a token or a code. */
export class PlatformFailure extends Error {
  readonly reason: PlatformFailureReason;
  readonly retryAfterSeconds: number | undefined;
  readonly platformError: PlatformError | undefined;

  constructor(
    reason: PlatformFailureReason,
    options: {
      retryAfterSeconds?: number | undefined;
      platformError?: PlatformError | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(reason, { cause: options.cause });
    this.name = 'PlatformFailure';
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.platformError = options.platformError;
  }
}
