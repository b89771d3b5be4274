// An accounting platform in memory: tokens that are checked, end and are replaced, a company, pages
// of accounts and of journals, and what a test plans for the next calls.

import type { PlatformAccount } from '#shared/domain/accounts.ts';
import {
  type CompanyAccess,
  type ListedJournal,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformJournal,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';

/** Everything that is called at a platform; a journal's `read` is a call like the others. */
export type Operation = Exclude<keyof Platform, 'adapter' | 'authorizationUrl'> | 'readJournal';

/** A call's failure, or what happens between a call's work and its answer. */
export type Step = Error | (() => unknown);

export const acme: PlatformCompany = {
  companyId: 'acme-1',
  dataCenter: null,
  name: 'Acme Works',
  currency: 'EUR',
};

const accessSeconds = 1800;
const defaultGraceMilliseconds = 30 * 60_000;

type Options = {
  adapter?: string;
  company?: PlatformCompany;
  /** Companies that a consent is good for besides. */
  furtherCompanies?: PlatformCompany[];
  reconnectInSeconds?: number | null;
  accountPages?: PlatformAccount[][];
  journalPages?: PlatformJournal[][];
  pagesShift?: boolean;
  clock?: () => Date;
  /** For how long a refresh token still works once it was replaced. */
  graceMilliseconds?: number;
};

/**
 * The grants and their tokens. Of a grant the newest refresh token is good, and the one that was
 * traded for it, for the time of its grace; every other one is dead.
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
  company = acme,
  furtherCompanies = [],
  reconnectInSeconds = null,
  accountPages = [[]],
  journalPages = [[]],
  clock = () => new Date(0),
  graceMilliseconds = defaultGraceMilliseconds,
}: Options = {}) => {
  const grants = openGrants(clock, { graceMilliseconds, reconnectInSeconds });
  const books = { company, accountPages, journalPages };
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
  const listed = (journal: PlatformJournal): ListedJournal => ({
    reference: journal.reference,
    read: (access) => read('readJournal', access, () => journal),
  });

  const platform: Platform = {
    adapter,
    pagesShift,
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
    accountPage: (access, from) =>
      read('accountPage', access, () => {
        const { rows, next } = pageOf(books.accountPages, from);
        return { accounts: rows, next };
      }),
    journalPage: (access, from) =>
      read('journalPage', access, () => {
        const { rows, next } = pageOf(books.journalPages, from);
        return { journals: rows.map(listed), next };
      }),
  };

  return {
    platforms: { get: async () => platform } satisfies Platforms,
    platform,
    company,
    /** What the platform has; a test may change it at any time. */
    books,
    /** Every call so far, failed ones too. */
    calls,
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
