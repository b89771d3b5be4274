// The interface that each platform's adapter implements.

import type Big from 'big.js';
import type { PlatformAccount } from '../accounts/accounts.ts';
import type { TrialBalance } from '../balances/trial-balance.ts';
import type { ConnectionTokens } from '../connections/platform-connections.ts';
import type { Assumption, PlatformError, RefusedRecord } from '../imports/import-report.ts';

/**
 * A platform's tokens. `expiresInSeconds` is the lifetime of the access token. `reconnectInSeconds`
 * is the time after which the user must consent again. It is null if the platform states none.
 */
export type PlatformTokens = {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  reconnectInSeconds: number | null;
};

/** The time at which the user must consent again (ISO 8601), if the platform states one. */
export const reconnectTimeOf = (
  { reconnectInSeconds }: Pick<PlatformTokens, 'reconnectInSeconds'>,
  requestedAt: Date,
): string | null =>
  reconnectInSeconds === null
    ? null
    : new Date(requestedAt.getTime() + reconnectInSeconds * 1000).toISOString();

/** The maximum lifetime of an access token, even if its platform states a longer one. */
const maximumLifetimeSeconds = 24 * 60 * 60;

/** @param requestedAt a time before the platform issued the tokens */
export const withExpiry = (
  { accessToken, refreshToken, expiresInSeconds }: PlatformTokens,
  requestedAt: Date,
): ConnectionTokens => ({
  accessToken,
  refreshToken,
  expiresAt: new Date(
    requestedAt.getTime() + Math.min(expiresInSeconds, maximumLifetimeSeconds) * 1000,
  ).toISOString(),
});

/**
 * The address of a company at its platform. `dataCenter` is a name from the adapter's list, and
 * null for platforms without separate data centers.
 */
export type CompanyAddress = { companyId: string; dataCenter: string | null };

/** `financialYearEnd` is MM-DD. Defaults to the end of the calendar year. */
export type PlatformCompany = CompanyAddress & {
  name: string;
  currency: string;
  financialYearEnd: string;
};

/** A company with a valid access token. */
export type CompanyAccess = CompanyAddress & { accessToken: string };

/** A company in a consent. `name` is null if the platform does not provide it. */
export type CompanyChoice = CompanyAddress & { name: string | null };

/**
 * A request for a page of a list.
 *
 * `cursor` is `next` of the previous page, and null for the first page. `rows` is one of the
 * platform's `pageSizes` and can become smaller from page to page. `modifiedSince` limits the list
 * to records created or changed since then. `timeoutMilliseconds` is the limit for each call.
 */
export type PageRequest = {
  cursor: string | null;
  rows: number;
  modifiedSince: Date | null;
  timeoutMilliseconds: number;
};

/**
 * A page of a chart of accounts. `unused` lists the ids of accounts that the ledger does not need.
 * `next` is the cursor of the next page, and null on the last page.
 */
export type AccountPage = {
  accounts: PlatformAccount[];
  unused: string[];
  refused: RefusedRecord[];
  assumptions: Assumption[];
  next: string | null;
};

/**
 * The account of a line: the platform's id, the code if there is no id, or `tax` if the platform
 * does not name the account of a tax. `isTax` marks the account of a tax that is missing in the
 * journal's lines. It comes from the company's current settings.
 */
export type AccountReference = { id: string; isTax?: true } | { code: string } | 'tax';

/** Whether the line is for a tax that is missing in the journal's own lines. */
export const isTaxAccount = (account: AccountReference): boolean =>
  account === 'tax' || 'isTax' in account;

/**
 * A line of a platform's journal. At most one side is positive, and none is negative.
 * `reportingAmount` is the platform's amount of the positive side in the company's currency. It is
 * null if the platform states none.
 */
export type PlatformJournalLine = {
  account: AccountReference;
  description: string;
  debit: Big;
  credit: Big;
  reportingAmount: Big | null;
};

/**
 * A posted journal of a platform.
 *
 * `reference` is the platform's own id and never changes. `currency` is null for the company's
 * currency. `exchangeRate` is the units of the company's currency for one unit of `currency`, and
 * null if the platform states none.
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
 * A journal after reading. `not_posted` includes drafts, and `voided` includes deleted journals.
 */
export type ReadJournal =
  | { state: 'posted'; journal: PlatformJournal }
  | { state: 'not_posted' }
  | { state: 'voided' }
  | { state: 'refused'; reason: 'record_not_understood'; field: string };

/**
 * A journal in a list. If `isWhole`, the list contained the whole journal and `read` makes no call.
 * Otherwise `read` requests the journal's lines.
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
 * A page of manual journals. `refused` lists only records without an id.
 *
 * Only manual journals are imported. Xero sells the full ledger at a higher price, and QuickBooks
 * and Zoho have no paged list of it. Trial balances make the books complete.
 */
export type JournalPage = {
  journals: ListedJournal[];
  refused: RefusedRecord[];
  next: string | null;
  /** Whether the pages of this list shift, if that differs from the platform's `pagesShift`. */
  pagesShift?: boolean;
};

/**
 * A request for the trial balance at the end of a date. `fiscalYearStart` is the first day of the
 * company's fiscal year that contains the date.
 */
export type TrialBalanceRequest = Pick<PageRequest, 'timeoutMilliseconds'> & {
  date: string;
  fiscalYearStart: string;
};

export type Platform = {
  /** The adapter's name, stored with each connection. */
  adapter: string;
  /**
   * Whether a deleted journal moves later journals to an earlier page, which was already read. The
   * import reads such lists repeatedly until a pass finds nothing new, within limits. Revisit when
   * QuickBooks and Zoho offer a cursor.
   */
  pagesShift: boolean;
  /**
   * The possible numbers of rows per page, largest first. Each is a multiple of the next, so a list
   * can continue with smaller pages after a timeout or a reply that was too large.
   */
  pageSizes: { accounts: readonly number[]; journals: readonly number[] };
  /** The maximum time for a page. */
  pageTimeoutMilliseconds: number;
  /**
   * The maximum age of changes in a list of changes, in days. Older changes need a complete import.
   * An incomplete list fails as `changes_incomplete`, and a complete import replaces it.
   */
  maximumChangesDays: number | null;
  /** Normalizes a company id. Returns `undefined` if the text is not an id of this platform. */
  companyIdOf: (text: string) => string | undefined;
  /** The delay before the company's next call, according to the platform's last replies. */
  waitMilliseconds: (company: CompanyAddress) => number;
  /**
   * The URL of the consent page (RFC 6749 section 4.1.1).
   * @param request.codeChallenge the S256 challenge for platforms with PKCE (RFC 7636)
   */
  authorizationUrl: (request: {
    redirectUri: string;
    state: string;
    codeChallenge: string;
  }) => string;
  /**
   * Exchanges a code for tokens (RFC 6749 section 4.1.3) and lists the active companies that they
   * give access to. There is at least one.
   * @param grant.callback the callback's query, which can contain the company
   */
  connect: (grant: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
    callback: URLSearchParams;
  }) => Promise<{ tokens: PlatformTokens; choices: CompanyChoice[] }>;
  /** Refreshes the tokens. The platform may replace the refresh token (RFC 6749 section 6). */
  refresh: (tokens: { refreshToken: string; dataCenter: string | null }) => Promise<PlatformTokens>;
  /** Ends the access to this company. Does nothing if the access has already ended. */
  disconnect: (access: CompanyAccess & { refreshToken: string }) => Promise<void>;
  /** Reads a company. This also proves that the token gives access to it. */
  company: (access: CompanyAccess) => Promise<PlatformCompany>;
  accountPage: (access: CompanyAccess, page: PageRequest) => Promise<AccountPage>;
  journalPage: (access: CompanyAccess, page: PageRequest) => Promise<JournalPage>;
  /**
   * Reads a journal that a complete list lacks: it may be deleted. Null if the platform lists
   * voided and deleted journals too.
   */
  readJournal:
    | ((
        access: CompanyAccess,
        request: { reference: string } & Pick<PageRequest, 'timeoutMilliseconds'>,
      ) => Promise<ReadJournal>)
    | null;
  /**
   * Reads a trial balance in one call.
   * @throws PlatformFailure `report_refused` if the report cannot be believed
   */
  trialBalance: (access: CompanyAccess, request: TrialBalanceRequest) => Promise<TrialBalance>;
};

/**
 * `subscription_lapsed`: the company has not paid its platform. `changes_incomplete`: the list of
 * changes can be incomplete. `reports_not_permitted`: the consent does not cover reports.
 * `report_refused`: a report contradicts itself.
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
  | 'changes_incomplete'
  | 'reports_not_permitted'
  | 'report_refused';

/** The only error that adapters throw. It contains no token and no code. */
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

/** Whether the error is a PlatformFailure with this reason. */
export const isFailure = (error: unknown, reason: PlatformFailureReason): boolean =>
  error instanceof PlatformFailure && error.reason === reason;

/** An error handler that ignores failures with this reason. */
export const ignoreFailure =
  (reason: PlatformFailureReason) =>
  (error: unknown): undefined => {
    if (!isFailure(error, reason)) throw error;
  };
