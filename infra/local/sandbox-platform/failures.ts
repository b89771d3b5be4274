// What can be made to go wrong. The choice belongs to one grant, and disturbs no other.

import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Reply } from './replies.ts';

/** The failures with the words that the pages show for them. */
export const failures = {
  none: 'Nothing: everything works',
  bad_code: 'Bad code: the code handed out is not accepted',
  expired_code: 'Expired code: the code handed out has expired already',
  platform_errors: 'Platform errors: every call is answered with 500',
  rate_limited: 'Rate limited: every call is answered with 429 and Retry-After',
  slow: 'Slow: every reply comes later than the client waits',
  revoked: 'Revoked: tokens are handed out and then refused',
  accounts_error: 'Accounts fail half-way: page 2 is answered with 500',
  accounts_rate_limited: 'Accounts fail half-way: page 2 is answered with 429',
  accounts_error_once: 'Accounts fail once: page 2 is answered with 500 the first time only',
} as const;

export const Failure = z.enum(Object.keys(failures) as (keyof typeof failures)[]);
export type Failure = z.infer<typeof Failure>;

const codeFailures: readonly Failure[] = ['bad_code', 'expired_code'];

/** The failures of grants that are made without a browser, and so without a code. */
export const DirectFailure = z.enum(Failure.options.filter((it) => !codeFailures.includes(it)));

export const serverError: Reply = { status: 500, json: { error: 'server_error' } };

/** Short, so that whoever tries this out is not kept waiting. */
export const tooManyRequests: Reply = {
  status: 429,
  headers: { 'Retry-After': '3' },
  json: { error: 'too_many_requests' },
};

/** What a failure of every call answers; `undefined` where the call may go on. */
export type FailCall = (failure: Failure) => Promise<Reply | undefined>;

export const createFailCall =
  ({ slowMilliseconds, stopping }: { slowMilliseconds: number; stopping: AbortSignal }): FailCall =>
  async (failure) => {
    if (failure === 'platform_errors') return serverError;
    if (failure === 'rate_limited') return tooManyRequests;
    if (failure === 'slow') await pause(slowMilliseconds, undefined, { signal: stopping });
    return undefined;
  };
