// An accounting platform with many companies. Tokens expire and are replaced, pages are short, and
// calls fail now and then.

import Big from 'big.js';
import {
  type CompanyAccess,
  type PageRequest,
  type Platform,
  PlatformFailure,
  type PlatformJournal,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Random } from '../support/builders/random.ts';
import { companies, isCash, type JournalData, type PlatformData } from './platform-data.ts';
import type { Company } from './requests.ts';

const accessSeconds = 1800;
/** For how long a refresh token still works once it was replaced. */
const graceMilliseconds = 30 * 60_000;
const pageSizes = { accounts: [3, 1], journals: [3, 1] } as const;

/** The process that calls, with its clock and its source of randomness. */
type Asker = { clock: () => Date; random: () => Random; failOnceIn: () => number } & {
  /** Is told what befell a call. */
  recordFault: (fault: string) => void;
};

/** Of a grant the newest refresh token is good, and for a while the one before it. */
type Grant = { companyId: string; newest: number; replacedAt: number };

const openGrants = () => {
  const grants: Grant[] = [];
  const access = new Map<string, { companyId: string; endsAt: number }>();

  const issue = (number: number, now: number): PlatformTokens => {
    const grant = grants[number];
    if (grant === undefined) throw new Error('there is no such grant');
    grant.newest += 1;
    grant.replacedAt = now;
    const accessToken = `access ${number} ${grant.newest}`;
    access.set(accessToken, { companyId: grant.companyId, endsAt: now + accessSeconds * 1000 });
    const refreshToken = `refresh ${number} ${grant.newest}`;
    return {
      accessToken,
      refreshToken,
      expiresInSeconds: accessSeconds,
      reconnectInSeconds: null,
    };
  };

  return {
    begin: ({ companyId }: Company, now: number): PlatformTokens => {
      grants.push({ companyId, newest: 0, replacedAt: now });
      return issue(grants.length - 1, now);
    },
    /** `undefined` if the refresh token is dead. */
    trade: (refreshToken: string, now: number): PlatformTokens | undefined => {
      const [number = -1, version = -1] = refreshToken.split(' ').slice(1).map(Number);
      const grant = grants[number];
      const age = grant ? grant.newest - version : 2;
      const isGood = age === 0 || (age === 1 && now - (grant?.replacedAt ?? 0) < graceMilliseconds);
      return isGood ? issue(number, now) : undefined;
    },
    isGood: ({ accessToken, companyId }: CompanyAccess, now: number): boolean => {
      const held = access.get(accessToken);
      return held?.companyId === companyId && held.endsAt > now;
    },
  };
};

const amountOf = (hundredths: bigint): Big => new Big(String(hundredths)).div(100);

const journalOf = ({ reference, date, memo, currency, rate, lines }: JournalData) =>
  ({
    reference,
    date,
    memo,
    currency,
    exchangeRate: rate === null ? null : new Big(String(rate)).div(new Big(10).pow(11)),
    lines: lines.map(({ account, side, hundredths, description = '' }) => ({
      account: { id: account },
      description,
      debit: amountOf(side === 'debit' ? hundredths : 0n),
      credit: amountOf(side === 'credit' ? hundredths : 0n),
      reportingAmount: null,
    })),
  }) satisfies PlatformJournal;

const pageOf = <Row>(all: readonly Row[], { cursor, rows }: PageRequest) => {
  const first = Number(cursor ?? 0);
  const next = first + rows < all.length ? String(first + rows) : null;
  return { rows: all.slice(first, first + rows), next };
};

const failures = [
  () => new PlatformFailure('platform_unavailable'),
  () => new PlatformFailure('platform_timed_out'),
  () => new PlatformFailure('rate_limited', { retryAfterSeconds: 20 }),
  () => new PlatformFailure('rate_limited', { retryAfterSeconds: 7200 }),
];

export type SimulatedPlatforms = ReturnType<typeof openSimulatedPlatforms>;

export const openSimulatedPlatforms = (platformData: PlatformData) => {
  const grants = openGrants();
  const codes = new Map<string, Company>();
  let codesIssued = 0;

  const detailsOf = (company: Company) => ({
    ...company,
    dataCenter: null,
    financialYearEnd: '12-31',
  });

  /** The platform as a process meets it. */
  const openFor = ({ clock, random, failOnceIn, recordFault }: Asker): Platform => {
    const now = (): number => clock().getTime();

    /** Serves a call. A failure happens before its work, or loses the reply after it. */
    const serve = async <Answer>(work: () => Answer): Promise<Answer> => {
      const source = random();
      const once = failOnceIn();
      const failure = once > 0 && source.once(once) ? source.pick(failures)() : undefined;
      if (failure !== undefined) recordFault(`${failure.reason} of the platform`);
      if (failure !== undefined && failure.reason !== 'platform_timed_out') throw failure;
      const answer = work();
      if (failure !== undefined) throw failure;
      return answer;
    };
    const refused = (reason: 'code_refused' | 'credentials_refused'): never => {
      throw new PlatformFailure(reason);
    };
    const companyOf = (access: CompanyAccess): Company => {
      const company = companies.find(({ companyId }) => companyId === access.companyId);
      const isLetIn = company !== undefined && grants.isGood(access, now());
      return isLetIn ? company : refused('credentials_refused');
    };

    return {
      adapter: 'xero',
      pagesShift: true,
      pageSizes,
      pageTimeoutMilliseconds: 120_000,
      maximumChangesDays: null,
      companyIdOf: (text) => text,
      waitMilliseconds: () => 0,
      authorizationUrl: (request) =>
        `https://platform.example/authorize?${new URLSearchParams({ ...request })}`,
      connect: ({ code }) =>
        serve(() => {
          const company = codes.get(code) ?? refused('code_refused');
          codes.delete(code);
          const { companyId, dataCenter, name } = detailsOf(company);
          return {
            tokens: grants.begin(company, now()),
            choices: [{ companyId, dataCenter, name }],
          };
        }),
      company: (access) => serve(() => detailsOf(companyOf(access))),
      refresh: ({ refreshToken }) =>
        serve(() => {
          const tokens = grants.trade(refreshToken, now());
          if (tokens === undefined) recordFault('dead grant at the platform');
          return tokens ?? refused('credentials_refused');
        }),
      disconnect: async () => {
        throw new Error('nobody gives access back here');
      },
      accountPage: (access, page) =>
        serve(() => {
          const { rows, next } = pageOf(platformData.accountsOf(companyOf(access)), page);
          const fields = { type: 'asset', status: 'active' } as const;
          const accounts = rows.map((account) => ({
            ...account,
            ...fields,
            ...(isCash(account)
              ? ({ subtype: 'cash', cashFlow: 'cash' } as const)
              : ({ subtype: null, cashFlow: 'operating' } as const)),
          }));
          return { accounts, unused: [], refused: [], assumptions: [], next };
        }),
      journalPage: (access, page) =>
        serve(() => {
          const { rows, next } = pageOf(platformData.journalsOf(companyOf(access)), page);
          const listed = rows.map((journal) => ({
            reference: journal.reference,
            isWhole: false,
            read: (reader: CompanyAccess) =>
              serve(() => {
                companyOf(reader);
                return { state: 'posted' as const, journal: journalOf(journal) };
              }),
          }));
          return { journals: listed, refused: [], next };
        }),
      readJournal: null,
      trialBalance: () =>
        serve(() => {
          throw new PlatformFailure('report_refused');
        }),
    };
  };

  return {
    openFor: (asker: Asker): Platforms => {
      const platform = openFor(asker);
      return { get: async () => platform };
    },
    /** A code that is good for one exchange. */
    issueCode: (company: Company): string => {
      codesIssued += 1;
      const code = `code ${codesIssued}`;
      codes.set(code, company);
      return code;
    },
    /** Tokens for a caller that connected the company elsewhere. */
    issueTokens: (company: Company, now: Date): PlatformTokens =>
      grants.begin(company, now.getTime()),
  };
};
