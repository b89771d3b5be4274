// Calls platforms with a time limit, a size limit and a schema for each reply. Every failure
// becomes a PlatformFailure without secrets.

import type * as z from 'zod/mini';
import { type CircuitBreaker, maximumTimeouts } from './circuit-breaker.ts';
import {
  type CallContent,
  type FailureClass,
  platformErrorOf,
  readRetryAfter,
  reasonOfStatus,
} from './failure-classes.ts';
import { PlatformFailure, type PlatformFailureReason } from './platform.ts';
import { type Reply, ReplyTooLarge, readReply } from './replies.ts';

/** `timeoutMilliseconds` covers a call from connecting to the last byte of its reply. */
export type HttpOptions = {
  fetch?: typeof fetch | undefined;
  timeoutMilliseconds?: number | undefined;
  /** The maximum size of a reply. Only pages of books need more than the default. */
  maximumReplyBytes?: number | undefined;
  /**
   * Replaces the platform's hosts, for tests and the local sandbox. A host name then becomes the
   * first segment of the path.
   */
  baseUrlOverride?: string | undefined;
  /** Without one, every call is made. */
  circuitBreaker?: CircuitBreaker | undefined;
};

/** The client credentials and HTTP options of an adapter. */
export type AdapterOptions = HttpOptions & { clientId: string; clientSecret: string };

/** The default time limit of a call. limits.test.ts relates it to the functions' timeouts. */
export const defaultTimeoutMilliseconds = 7_000;
const defaultReplyBytes = 2 * 1024 * 1024;

/**
 * The maximum size of a page of books: all accounts, or a thousand journals with forty lines. With
 * a heap of 128 MB, a page of 18 MB could be read and a page of 28 MB could not. Larger replies are
 * requested as smaller pages.
 */
export const maximumPageBytes = 16 * 1024 * 1024;

export type PlatformCall<Schema> = CallContent & {
  /** Defaults to POST for a call with a body and to GET for other calls. */
  method?: 'DELETE';
  /** Host and path must not be secret, because failures show them. The query can be secret. */
  url: URL;
  schema: Schema;
  /** Overrides the default time limit. */
  timeoutMilliseconds?: number | undefined;
  /** Classifies the platform's own errors. `undefined` leaves the reply to its HTTP status. */
  classify?: (reply: Reply) => FailureClass | undefined;
};

/** A safe description of a call without a reply. The error of `fetch` could quote a header. */
const nameOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (error instanceof ReplyTooLarge) return 'it is too large';
  return code ?? (error instanceof Error ? error.name : 'unknown');
};

const reasonOfNoReply = (error: unknown): PlatformFailureReason => {
  if (error instanceof ReplyTooLarge) return 'reply_too_large';
  const late = error instanceof Error && error.name === 'TimeoutError';
  return late ? 'platform_timed_out' : 'platform_unavailable';
};

const bodyOf = (
  send: NonNullable<CallContent['send']>,
): { body: string | URLSearchParams; headers: Record<string, string> } =>
  'form' in send
    ? { body: new URLSearchParams(send.form), headers: {} }
    : { body: JSON.stringify(send.json), headers: { 'Content-Type': 'application/json' } };

/**
 * Opens the HTTP client of an adapter. A call throws only PlatformFailure.
 * @param platform.traceHeader the header with the reply's id for the platform's support
 * @param platform.onReply called with every reply and its URL, before the reply is classified
 */
export const openHttp = (
  options: HttpOptions,
  platform: { traceHeader?: string; onReply?: (reply: Reply, url: URL) => void } = {},
) => {
  const {
    fetch: fetchUrl = fetch,
    timeoutMilliseconds = defaultTimeoutMilliseconds,
    maximumReplyBytes = defaultReplyBytes,
    circuitBreaker,
  } = options;

  const exchange = async (call: PlatformCall<unknown>, method: string): Promise<Reply> => {
    const content = call.send && bodyOf(call.send);
    const response = await fetchUrl(call.url, {
      method,
      headers: { Accept: 'application/json', ...content?.headers, ...call.headers },
      ...(content && { body: content.body }),
      // A redirect could send a token or a code to an unknown host.
      redirect: 'manual',
      signal: AbortSignal.timeout(call.timeoutMilliseconds ?? timeoutMilliseconds),
    });
    return readReply(response, maximumReplyBytes);
  };

  const call = async <Schema extends z.ZodMiniType>(
    request: PlatformCall<Schema>,
  ): Promise<z.output<Schema>> => {
    const method = request.method ?? (request.send ? 'POST' : 'GET');
    const name = `${method} ${request.url.origin}${request.url.pathname}`;
    const failed = (what: string) => new Error(`${name} ${what}`);

    if (!Object.values(request.headers).every((value) => /^[\x20-\x7e]+$/.test(value))) {
      const cause = failed('was not sent: its credentials do not fit into a header');
      throw new PlatformFailure('credentials_refused', { cause });
    }
    const retryAfterSeconds = circuitBreaker?.secondsToWait();
    if (retryAfterSeconds !== undefined) {
      const cause = failed(`was not sent: the last ${maximumTimeouts} calls timed out`);
      throw new PlatformFailure('platform_timed_out', { retryAfterSeconds, cause });
    }
    const reply = await exchange(request, method).catch((error: unknown): never => {
      const reason = reasonOfNoReply(error);
      if (reason === 'platform_timed_out') circuitBreaker?.timedOut();
      throw new PlatformFailure(reason, { cause: failed(`got no reply: ${nameOf(error)}`) });
    });
    circuitBreaker?.replied();
    platform.onReply?.(reply, request.url);
    const { code, message, ...failureClass } = request.classify?.(reply) ?? {};
    const traceId = platform.traceHeader ? reply.headers.get(platform.traceHeader) : null;
    const platformError = () => platformErrorOf(request, { code, message, traceId });
    const reason = failureClass.reason ?? reasonOfStatus(reply);
    if (reason !== undefined) {
      throw new PlatformFailure(reason, {
        retryAfterSeconds:
          readRetryAfter(reply.headers.get('Retry-After')) ?? failureClass.retryAfterSeconds,
        platformError: platformError(),
        cause: failed(`was answered ${[reply.status, code].filter(Boolean).join(' ')}`),
      });
    }
    const parsed = request.schema.safeParse(reply.body);
    if (parsed.success) return parsed.data;
    // Only the paths of the errors, because the values could be tokens.
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'its root');
    const cause = failed(`was answered with a body that is wrong at ${places.join(', ')}`);
    throw new PlatformFailure('reply_not_understood', { platformError: platformError(), cause });
  };

  return {
    call,
    /** The URL of a path at one of the platform's hosts, or below the override. */
    urlOf: (host: string, path: string): URL =>
      options.baseUrlOverride === undefined
        ? new URL(`https://${host}${path}`)
        : new URL(`${options.baseUrlOverride.replace(/\/+$/, '')}/${host}${path}`),
  };
};
