// Failures on demand. The user of the sandbox selects one for a consent. Other consents succeed.

import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Dialect, ListPage } from './dialects/dialect.ts';
import { Refusal, type Reply, withRetryAfter } from './http-messages.ts';

/** The failures, with the text of the pages. */
export const failures = {
  none: 'No failure',
  bad_code: 'Bad code: the token endpoint does not know the code',
  expired_code: 'Expired code: the code has already expired',
  platform_errors: 'Platform errors: every call returns 500',
  rate_limited: 'Rate limited: every call returns 429',
  slow: 'Slow: every reply comes after the timeout of the client',
  revoked: 'Revoked: the platform refuses the new tokens',
  refresh_revoked: 'Refresh revoked: access ends after 30 seconds and cannot be renewed',
  accounts_error_once: 'Accounts fail once: page 2 returns 500 the first time',
  journals_error_once: 'Journals fail once: page 2 returns 500 the first time',
  journals_rate_limited_once: 'Journals wait: page 2 returns 429 the first time',
  journals_day_limit: 'Journals wait long: page 2 returns 429 for the daily limit the first time',
  reports_unbalanced: 'Reports do not balance: the debits exceed the credits',
  reports_unknown_row: 'Reports have a row of an unknown type',
  reports_move: 'Books move: each report differs from the one before',
  reports_not_consented: 'No reports: the consent does not cover them',
} as const;

export const Failure = z.enum(Object.keys(failures) as (keyof typeof failures)[]);
export type Failure = z.infer<typeof Failure>;

const codeFailures: readonly Failure[] = ['bad_code', 'expired_code'];

/** The failures of tokens that are issued without a browser, and therefore without a code. */
export const TestTokenFailure = z.enum(Failure.options.filter((it) => !codeFailures.includes(it)));

/** Short, because a person waits. Real platforms state longer waits, or none. */
const briefWaitSeconds = 3;
const longWaitSeconds = 3_600;

const serverError = (dialect: Dialect) => dialect.serverError();
const tooManyPerMinute = (dialect: Dialect) =>
  withRetryAfter(dialect.tooManyRequests('minute'), briefWaitSeconds);
const tooManyPerDay = (dialect: Dialect) =>
  withRetryAfter(dialect.tooManyRequests('day'), longWaitSeconds);

/** The failures of every call. @throws {Refusal} */
export type FailCall = (dialect: Dialect, failure: Failure) => Promise<void>;

export const createFailCall =
  ({ slowMilliseconds, signal }: { slowMilliseconds: number; signal: AbortSignal }): FailCall =>
  async (dialect, failure) => {
    if (failure === 'platform_errors') throw new Refusal(serverError(dialect));
    if (failure === 'rate_limited') throw new Refusal(tooManyPerMinute(dialect));
    if (failure === 'slow') await pause(slowMilliseconds, undefined, { signal });
  };

type PageFailure = { of: ListPage['of']; reply: (dialect: Dialect) => Reply };

const pageFailures: Partial<Record<Failure, PageFailure>> = {
  accounts_error_once: { of: 'accounts', reply: serverError },
  journals_error_once: { of: 'journals', reply: serverError },
  journals_rate_limited_once: { of: 'journals', reply: tooManyPerMinute },
  journals_day_limit: { of: 'journals', reply: tooManyPerDay },
};

/** The failures of page 2, or of the only page. @throws {Refusal} the first time */
export const failPage = (
  { of, page, pages }: ListPage,
  about: { dialect: Dialect; failure: Failure; takeOneTimeFailure: () => boolean },
): void => {
  const chosen = pageFailures[about.failure];
  if (chosen?.of !== of || page !== Math.min(2, Math.max(1, pages))) return;
  if (about.takeOneTimeFailure()) throw new Refusal(chosen.reply(about.dialect));
};
