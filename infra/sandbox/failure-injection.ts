// Failure injection: what goes wrong, chosen for one grant so that it disturbs no other.

import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ApiCall, Dialect } from './dialects/dialect.ts';
import type { Reply } from './http-messages.ts';

/** The failures with the words that the pages show for them. */
export const failures = {
  none: 'Nothing: everything works',
  bad_code: 'Bad code: the code handed out is not accepted',
  expired_code: 'Expired code: the code handed out has expired already',
  platform_errors: 'Platform errors: every call is answered with 500',
  rate_limited: 'Rate limited: every call is answered as one too many',
  slow: 'Slow: every reply comes later than the client waits',
  revoked: 'Revoked: tokens are handed out and then refused',
  refresh_revoked: 'Refresh revoked: access works for 30 seconds and cannot be renewed',
  accounts_error: 'Accounts fail half-way: page 2 is answered with 500',
  accounts_rate_limited: 'Accounts fail half-way: page 2 is one call too many',
  accounts_error_once: 'Accounts fail once: page 2 is answered with 500 the first time only',
  journals_error_once: 'Journals fail once: page 2 is answered with 500 the first time only',
  journals_rate_limited_once: 'Journals wait: page 2 is one call too many the first time only',
  journals_day_limit: 'Journals wait long: page 2 is once one call too many for the day',
  pages_repeat: 'Pages repeat: the first page comes again and again',
  order_ignores_pages: 'Order ignores pages: in an order, each page has all journals (Xero)',
  large_pages_slow: 'Large pages are slow: a page of more than 100 comes too late',
} as const;

export const Failure = z.enum(Object.keys(failures) as (keyof typeof failures)[]);
export type Failure = z.infer<typeof Failure>;

const codeFailures: readonly Failure[] = ['bad_code', 'expired_code'];

/** The failures of grants that are made without a browser, and so without a code. */
export const TestGrantFailure = z.enum(Failure.options.filter((it) => !codeFailures.includes(it)));

/** Short, so that whoever tries this out is not kept waiting. */
const briefWaitSeconds = 3;
const longWaitSeconds = 3_600;

/** As many rows as came in time where 1,000 did not (mcohen01/node-quickbooks, issue 89). */
const swiftRows = 100;

const tooManyPerMinute = (dialect: Dialect): Reply =>
  dialect.tooManyRequests('minute', briefWaitSeconds);
const tooManyPerDay = (dialect: Dialect): Reply => dialect.tooManyRequests('day', longWaitSeconds);
const serverError = (dialect: Dialect): Reply => dialect.serverError;

/** What a failure of every call answers; `undefined` where the call may go on. */
export type CallFailureInjector = (
  dialect: Dialect,
  failure: Failure,
) => Promise<Reply | undefined>;

export const createCallFailureInjector =
  ({
    slowMilliseconds,
    stopping,
  }: {
    slowMilliseconds: number;
    stopping: AbortSignal;
  }): CallFailureInjector =>
  async (dialect, failure) => {
    if (failure === 'platform_errors') return serverError(dialect);
    if (failure === 'rate_limited') return tooManyPerMinute(dialect);
    if (failure === 'slow') await pause(slowMilliseconds, undefined, { signal: stopping });
    return undefined;
  };

type PageFailure = {
  of: 'accounts' | 'journals';
  times: 'always' | 'once';
  reply: (dialect: Dialect) => Reply;
};

const pageFailures: Partial<Record<Failure, PageFailure>> = {
  accounts_error: { of: 'accounts', times: 'always', reply: serverError },
  accounts_rate_limited: { of: 'accounts', times: 'always', reply: tooManyPerMinute },
  accounts_error_once: { of: 'accounts', times: 'once', reply: serverError },
  journals_error_once: { of: 'journals', times: 'once', reply: serverError },
  journals_rate_limited_once: { of: 'journals', times: 'once', reply: tooManyPerMinute },
  journals_day_limit: { of: 'journals', times: 'once', reply: tooManyPerDay },
};

/**
 * Injects the failures that come half-way: on page 2, or on the only page.
 * @param grant.takeOneTimeFailure true the first time it is asked of the grant
 */
export const pageFailureInjectorOf = (
  dialect: Dialect,
  grant: { failure: Failure; takeOneTimeFailure: () => boolean },
): { inject: ApiCall['injectFailure']; isTooLarge: () => boolean } => {
  let isTooLarge = false;
  return {
    inject: ({ of, page, pages, size }) => {
      isTooLarge = grant.failure === 'large_pages_slow' && size > swiftRows;
      const failure = pageFailures[grant.failure];
      if (failure?.of !== of || page !== Math.min(2, Math.max(1, pages))) return undefined;
      return failure.times === 'always' || grant.takeOneTimeFailure()
        ? failure.reply(dialect)
        : undefined;
    },
    /** Whether the page that was asked about is one that comes too late. */
    isTooLarge: () => isTooLarge,
  };
};
