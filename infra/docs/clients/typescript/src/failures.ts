// Failures of a call, and when to try again.

import type { Failure } from './calls.ts';

/** A request that failed. `code` is `no_reply` if nothing readable came back. */
export class LedgerError extends Error {
  readonly status: number | undefined;
  readonly code: string;
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;
  /** Every problem of the request, each with a code, a pointer and parameters. */
  readonly details: Failure['error']['details'];
  readonly requestId: string | undefined;

  constructor(status: number | undefined, error: Partial<Failure['error']>, cause?: unknown) {
    super(`${error.code ?? 'no_reply'}: ${error.message ?? 'no readable reply'}`, { cause });
    this.name = 'LedgerError';
    this.status = status;
    this.code = error.code ?? 'no_reply';
    this.retryable = error.retryable || status === undefined || status >= 500;
    this.details = error.details ?? [];
    this.requestId = error.request_id;
  }
}

/** The failure in a reply that is no success, or in a lost reply. */
export const failureOf = async (reply: Response | Error): Promise<LedgerError> => {
  if (reply instanceof Error) return new LedgerError(undefined, {}, reply);
  const text = await reply.text();
  try {
    return new LedgerError(reply.status, (JSON.parse(text) as Failure).error);
  } catch (cause) {
    return new LedgerError(reply.status, { message: text.slice(0, 200) }, cause);
  }
};

/** Longer pauses are for the caller to decide. */
const maximumSeconds = 60;

/** The seconds until the next attempt; `undefined` if another attempt would not help. */
export const secondsUntilRetry = (
  reply: Response | Error,
  { failure, attempt }: { failure: LedgerError; attempt: number },
): number | undefined => {
  if (!failure.retryable) return undefined;
  const asked = reply instanceof Error ? null : reply.headers.get('Retry-After');
  const backoff = Math.random() * Math.min(8, 0.25 * 2 ** attempt);
  const seconds = asked === null ? backoff : Number(asked) + backoff;
  return seconds <= maximumSeconds ? seconds : undefined;
};

export const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));
