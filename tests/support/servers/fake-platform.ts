// An accounting platform in memory: tokens that expire and are replaced, a company, pages of
// accounts and journals, and planned failures.

import type { PlatformAccount } from '#shared/accounts/accounts.ts';
import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import type { Assumption, RefusedRecord } from '#shared/imports/import-report.ts';
import {
  type CompanyAccess,
  type ListedJournal,
  type PageRequest,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformJournal,
  type PlatformTokens,
  type ReadJournal,
  type TrialBalanceRequest,
} from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';

/** Everything that is called at a platform; a journal's `read` is a call like the others. */
export type Operation =
  | 'connect'
  | 'refresh'
  | 'disconnect'
  | 'company'
  | 'accountPage'
  | 'journalPage'
  | 'readJournal'
  | 'trialBalance';

/** A call's failure, or what happens between a call's work and its answer. */
export type Step = Error | (() => unknown);

export const acme: PlatformCompany = {
  companyId: 'acme-1',
  dataCenter: null,
  name: 'Acme Works',
  currency: 'EUR',
  financialYearEnd: '06-30',
};

const accessSeconds = 1800;
const defaultGraceMilliseconds = 30 * 60_000;

/** The data of the platform. */
type Books = {
  company: PlatformCompany;
  accountPages: PlatformAccount[][];
  journalPages: PlatformJournal[][];
  /** Changed accounts, on one page of a list of changes. */
  changedAccounts: PlatformAccount[];
  /** The ids of accounts that the ledger ignores. */
  unusedAccounts: string[];
  changedJournals: PlatformJournal[];
  /** Records refused on the first page of accounts and of journals. */
  refused: RefusedRecord[];
  assumptions: Assumption[];
  /** Journals that are not posted, by their references. */
  states: Record<string, ReadJournal>;
  /** Null for a platform without reports. */
  trialBalance: ((request: TrialBalanceRequest) => TrialBalance) | null;
};

type Options = Partial<Pick<Platform, 'adapter' | 'pagesShift' | 'pageSizes'>> & {
  company?: PlatformCompany;
  /** Further companies of a consent. */
  furtherCompanies?: PlatformCompany[];
  reconnectInSeconds?: number | null;
  accountPages?: PlatformAccount[][];
  journalPages?: PlatformJournal[][];
  /** Whether journals are listed with all that there is of them. */
  isWhole?: boolean;
  /** Whether lists have voided and deleted journals too. */
  listsRemoved?: boolean;
  clock?: () => Date;
  /** For how long a refresh token still works once it was replaced. */
  graceMilliseconds?: number;
};

/**
 * The grants and their tokens. The newest refresh token of a grant works. The previous one works
 * for the grace period. All others are dead.
 */
const openGrants = (
  clock: () => Date,
  {
    graceMilliseconds,
    reconnectInSeconds,
  }: Required<Pick<Options, 'graceMilliseconds' | 'reconnectInSeconds'>>,
) => {
  let issued = 0;
  const access = new Map<string, { grant: number; endsAt: number }>();
  const refresh = new Map<string, { grant: number; endsAt: number }>();
  const isGood = (token: { endsAt: number } | undefined): boolean =>
    token !== undefined && token.endsAt > clock().getTime();

  const issue = (grant?: number): PlatformTokens => {
    issued += 1;
    const tokens = {
      accessToken: `secret-access-${issued}`,
      refreshToken: `secret-refresh-${issued}`,
      expiresInSeconds: accessSeconds,
      reconnectInSeconds,
    };
    const endsAt = clock().getTime() + accessSeconds * 1000;
    access.set(tokens.accessToken, { grant: grant ?? issued, endsAt });
    refresh.set(tokens.refreshToken, { grant: grant ?? issued, endsAt: Number.POSITIVE_INFINITY });
    return tokens;
  };

  return {
    issue,
    trade: (refreshToken: string): PlatformTokens => {
      const held = refresh.get(refreshToken);
      if (held === undefined || !isGood(held)) throw new PlatformFailure('credentials_refused');
      for (const [token, { grant }] of refresh) {
        if (grant === held.grant && token !== refreshToken) refresh.delete(token);
      }
      held.endsAt = Math.min(held.endsAt, clock().getTime() + graceMilliseconds);
      return issue(held.grant);
    },
    demand: (accessToken: string): void => {
      if (!isGood(access.get(accessToken))) throw new PlatformFailure('credentials_refused');
    },
    isRefreshable: (refreshToken: string): boolean => isGood(refresh.get(refreshToken)),
    revokeAccess: (accessToken: string): void => void access.delete(accessToken),
    /** Ends the grant that the refresh token belongs to. */
    revoke: (refreshToken: string): void => {
      const grant = refresh.get(refreshToken)?.grant;
      for (const tokens of [access, refresh]) {
        for (const [token, held] of tokens) if (held.grant === grant) tokens.delete(token);
      }
    },
  };
};

/** The page that `from` asks for, and what asks for the one after it. */
const pageOf = <Row>(pages: Row[][], from: string | null): { rows: Row[]; next: string | null } => {
  const page = Number(from ?? 0);
  return { rows: pages[page] ?? [], next: page + 1 < pages.length ? String(page + 1) : null };
};

export const openFakePlatform = ({
  adapter = 'xero',
  pagesShift = false,
  pageSizes = { accounts: [100], journals: [100] },
  isWhole = false,
  listsRemoved = true,
  company = acme,
  furtherCompanies = [],
  reconnectInSeconds = null,
  accountPages = [[]],
  journalPages = [[]],
  clock = () => new Date(0),
  graceMilliseconds = defaultGraceMilliseconds,
}: Options = {}) => {
  const grants = openGrants(clock, { graceMilliseconds, reconnectInSeconds });
  const books: Books = {
    company,
    accountPages,
    journalPages,
    changedAccounts: [],
    changedJournals: [],
    unusedAccounts: [],
    refused: [],
    assumptions: [],
    states: {},
    trialBalance: null,
  };
  const pageRequests: PageRequest[] = [];
  const codes = new Map<string, string>();
  const planned = new Map<Operation, Step[]>();
  const calls: Operation[] = [];
  let codesIssued = 0;

  /** Does a call: its failure or its work, and what else was planned before its answer. */
  const serve = async <Answer>(operation: Operation, work: () => Answer): Promise<Answer> => {
    calls.push(operation);
    const step = planned.get(operation)?.shift();
    if (step instanceof Error) throw step;
    const answer = work();
    await step?.();
    return answer;
  };
  const demand = ({ accessToken, companyId, dataCenter }: CompanyAccess): void => {
    grants.demand(accessToken);
    const isOurs = [company, ...furtherCompanies].some(
      (it) => it.companyId === companyId && it.dataCenter === dataCenter,
    );
    if (!isOurs) throw new PlatformFailure('company_not_found');
  };
  /** A call that needs a good access token. */
  const read = <Answer>(operation: Operation, access: CompanyAccess, work: () => Answer) =>
    serve(operation, () => {
      demand(access);
      return work();
    });
  const listed = (journal: PlatformJournal): ListedJournal => {
    const { reference } = journal;
    const found = (): ReadJournal => books.states[reference] ?? { state: 'posted', journal };
    return {
      reference,
      isWhole,
      read: async (access) => (isWhole ? found() : read('readJournal', access, found)),
    };
  };
  /** A page of a list or of its changes, with the refused records of its kind. */
  const listPage = <Row>(
    request: PageRequest,
    { kind, pages, changed }: { kind: 'account' | 'journal'; pages: Row[][]; changed: Row[] },
  ) => {
    pageRequests.push(request);
    const { cursor, modifiedSince } = request;
    const isFirst = cursor === null;
    const isOfKind = (record: RefusedRecord | Assumption) => isFirst && record.kind === kind;
    return {
      ...pageOf(modifiedSince === null ? pages : [changed], cursor),
      refused: books.refused.filter(isOfKind),
      assumptions: books.assumptions.filter(isOfKind),
    };
  };

  const platform: Platform = {
    adapter,
    pagesShift,
    pageSizes,
    pageTimeoutMilliseconds: 120_000,
    maximumChangesDays: null,
    companyIdOf: (text) => text,
    waitMilliseconds: () => 0,
    authorizationUrl: (request) =>
      `https://platform.example/authorize?${new URLSearchParams({ ...request })}`,
    connect: ({ code, redirectUri }) =>
      serve('connect', () => {
        if (codes.get(code) !== redirectUri) throw new PlatformFailure('code_refused');
        codes.delete(code);
        const choices = [books.company, ...furtherCompanies].map(
          ({ companyId, dataCenter, name }) => ({ companyId, dataCenter, name }),
        );
        return { tokens: grants.issue(), choices };
      }),
    refresh: ({ refreshToken, dataCenter }) =>
      serve('refresh', () => {
        if (dataCenter !== company.dataCenter) throw new PlatformFailure('credentials_refused');
        return grants.trade(refreshToken);
      }),
    disconnect: ({ refreshToken }) => serve('disconnect', () => grants.revoke(refreshToken)),
    company: (access) =>
      read(
        'company',
        access,
        () => furtherCompanies.find((it) => it.companyId === access.companyId) ?? books.company,
      ),
    accountPage: (access, request) =>
      read('accountPage', access, () => {
        const { accountPages: pages, changedAccounts: changed } = books;
        const { rows: accounts, ...page } = listPage(request, { kind: 'account', pages, changed });
        return { accounts, unused: books.unusedAccounts, ...page };
      }),
    journalPage: (access, request) =>
      read('journalPage', access, () => {
        const { journalPages: pages, changedJournals: changed } = books;
        const { rows, ...page } = listPage(request, { kind: 'journal', pages, changed });
        return { journals: rows.map(listed), refused: page.refused, next: page.next };
      }),
    readJournal: listsRemoved
      ? null
      : (access, { reference }) =>
          read('readJournal', access, () => {
            const journal = books.journalPages.flat().find((it) => it.reference === reference);
            const gone = { state: 'voided' } as const;
            return books.states[reference] ?? (journal ? { state: 'posted', journal } : gone);
          }),
    trialBalance: async (access, request) => {
      const { trialBalance } = books;
      if (trialBalance === null) throw new PlatformFailure('report_refused');
      return read('trialBalance', access, () => trialBalance(request));
    },
  };

  return {
    platforms: { get: async () => platform } satisfies Platforms,
    platform,
    company,
    /** The data of the platform. A test may change it at any time. */
    books,
    /** Every call, including failed ones. */
    calls,
    /** The request of every page. */
    pageRequests,
    issueTokens: (): PlatformTokens => grants.issue(),
    /** A code that is good for one exchange with this redirect_uri. */
    issueCode: (redirectUri: string): string => {
      codesIssued += 1;
      const code = `secret-code-${codesIssued}`;
      codes.set(code, redirectUri);
      return code;
    },
    /** Plans the next calls of an operation, a step each. */
    plan: (operation: Operation, ...steps: Step[]): void => {
      planned.set(operation, [...(planned.get(operation) ?? []), ...steps]);
    },
    isRefreshable: grants.isRefreshable,
    revokeAccess: grants.revokeAccess,
    revokeGrant: grants.revoke,
  };
};
