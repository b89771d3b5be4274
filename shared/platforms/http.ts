// How the adapters call a platform: every call has a time limit, every reply a size limit and a
// schema, and every failure a PlatformFailure's reason, without a word of what was secret in it.

import type * as z from 'zod/mini';
import {
  type FailureClass,
  platformErrorOf,
  readRetryAfter,
  reasonOfStatus,
} from './failure-classes.ts';
import { PlatformFailure, type PlatformFailureReason } from './platform.ts';
import { type Reply, ReplyTooLarge, readReply } from './replies.ts';

/** `timeoutMilliseconds` covers one call, from connecting to the last byte of its reply. */
export type HttpOptions = {
  fetch?: typeof fetch | undefined;
  timeoutMilliseconds?: number | undefined;
  /** How long a reply may be. Only pages of books are longer than usual. */
  maximumReplyBytes?: number | undefined;
  /**
   * Called instead of the platform's own hosts, each of which is the first segment of a path below
   * it. Without one the platform itself is called.
   */
  baseUrlOverride?: string | undefined;
};

/** What each adapter is opened with: its client's credentials, and how it calls. */
export type AdapterOptions = HttpOptions & { clientId: string; clientSecret: string };

/** The default time limit of a call. limits.test.ts relates it to the functions' timeouts. */
export const defaultTimeoutMilliseconds = 7_000;
const usualReplyBytes = 2 * 1024 * 1024;

/**
 * How long a page of books may be: all accounts, or a thousand journals of forty lines. A page of
 * 18 MB was read with a heap of 128 MB, one of 28 MB was not; what is longer comes in smaller
 * pages.
 */
export const maximumPageBytes = 16 * 1024 * 1024;

export type PlatformCall<Schema> = {
  /** GET, or POST where there is something to send. */
  method?: 'DELETE';
  /** Neither its path nor its host is secret: both are named in failures. Its query is not. */
  url: URL;
  headers: Record<string, string>;
  send?: { form: Record<string, string> } | { json: unknown };
  schema: Schema;
  /** Where this call may take longer than others, or must be done sooner. */
  timeoutMilliseconds?: number | undefined;
  /**
   * What the reply means where it is a failure of this platform's own kind, whatever its status.
   * `undefined` leaves it to its status.
   */
  classify?: (reply: Reply) => FailureClass | undefined;
};

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
export const basicAuthorization = (client: { clientId: string; clientSecret: string }): string => {
  const pair = [client.clientId, client.clientSecret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
};

/**
 * What an authorization request carries for PKCE (RFC 7636 section 4.3). A server that does not
 * know it must ignore it (RFC 6749 section 3.1).
 */
export const pkceParameters = (codeChallenge: string) => ({
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
});

/**
 * Why no reply came, in words that are safe to keep. The error of `fetch` itself is not: its text
 * can quote a header.
 */
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
  send: NonNullable<PlatformCall<unknown>['send']>,
): { body: string | URLSearchParams; headers: Record<string, string> } =>
  'form' in send
    ? { body: new URLSearchParams(send.form), headers: {} }
    : { body: JSON.stringify(send.json), headers: { 'Content-Type': 'application/json' } };

export type Http = ReturnType<typeof openHttp>;

/**
 * How an adapter calls its platform. A call throws PlatformFailure and nothing else.
 * @param platform.traceHeader the header with a reply's id, which the platform's support asks for
 * @param platform.onReply sees every reply before it is judged, with the URL that it answers
 */
export const openHttp = (
  options: HttpOptions,
  platform: { traceHeader?: string; onReply?: (reply: Reply, url: URL) => void } = {},
) => {
  const {
    fetch: request = fetch,
    timeoutMilliseconds = defaultTimeoutMilliseconds,
    maximumReplyBytes = usualReplyBytes,
  } = options;

  const exchange = async (call: PlatformCall<unknown>, method: string): Promise<Reply> => {
    const sent = call.send && bodyOf(call.send);
    const response = await request(call.url, {
      method,
      headers: { Accept: 'application/json', ...sent?.headers, ...call.headers },
      ...(sent && { body: sent.body }),
      // A redirect would carry a token or a code to a place that nobody has checked.
      redirect: 'manual',
      signal: AbortSignal.timeout(call.timeoutMilliseconds ?? timeoutMilliseconds),
    });
    return readReply(response, maximumReplyBytes);
  };

  const call = async <Schema extends z.ZodMiniType>(
    asked: PlatformCall<Schema>,
  ): Promise<z.output<Schema>> => {
    const method = asked.method ?? (asked.send ? 'POST' : 'GET');
    const name = `${method} ${asked.url.origin}${asked.url.pathname}`;
    const failed = (what: string) => new Error(`${name} ${what}`);

    if (!Object.values(asked.headers).every((value) => /^[\x20-\x7e]+$/.test(value))) {
      const cause = failed('was not sent: its credentials do not fit into a header');
      throw new PlatformFailure('credentials_refused', { cause });
    }
    const reply = await exchange(asked, method).catch((error: unknown): never => {
      throw new PlatformFailure(reasonOfNoReply(error), {
        cause: failed(`got no reply: ${nameOf(error)}`),
      });
    });
    platform.onReply?.(reply, asked.url);
    const { code, message, ...failureClass } = asked.classify?.(reply) ?? {};
    const traceId = platform.traceHeader ? reply.headers.get(platform.traceHeader) : null;
    const platformError = () => platformErrorOf(asked, { code, message, traceId });
    const reason = failureClass.reason ?? reasonOfStatus(reply);
    if (reason !== undefined) {
      throw new PlatformFailure(reason, {
        retryAfterSeconds:
          readRetryAfter(reply.headers.get('Retry-After')) ?? failureClass.retryAfterSeconds,
        platformError: platformError(),
        cause: failed(`was answered ${[reply.status, code].filter(Boolean).join(' ')}`),
      });
    }
    const parsed = asked.schema.safeParse(reply.body);
    if (parsed.success) return parsed.data;
    // Where the reply is wrong, and not what stands there: that could be a token.
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'its root');
    const cause = failed(`was answered with a body that is wrong at ${places.join(', ')}`);
    throw new PlatformFailure('reply_not_understood', { platformError: platformError(), cause });
  };

  return {
    call,
    /** The URL of a path at one of the platform's hosts, or of both below the override. */
    urlOf: (host: string, path: string): URL =>
      options.baseUrlOverride === undefined
        ? new URL(`https://${host}${path}`)
        : new URL(`${options.baseUrlOverride.replace(/\/+$/, '')}/${host}${path}`),
  };
};
