// How the adapters call a platform: every call has a time limit, every reply is parsed, and every
// failure gets a PlatformFailure's reason, without a word of what was secret in the call.

import * as z from 'zod/mini';
import { PlatformFailure, type PlatformFailureReason } from './platform.ts';

/** `timeoutMilliseconds` covers one call, from connecting to the last byte of its reply. */
export type HttpOptions = {
  fetch?: typeof fetch | undefined;
  timeoutMilliseconds?: number | undefined;
};

const defaultTimeoutMilliseconds = 8_000;

/** What an OAuth error code, or else an HTTP status, means for one call in particular. */
export type Meanings = ReadonlyMap<string | number, PlatformFailureReason>;

export type PlatformCall<Schema> = {
  /** Neither its path nor its host is secret: both are named in failures. Its query is not. */
  url: URL;
  authorization: string;
  /** A form to POST; without one the call is a GET. */
  form?: Record<string, string>;
  schema: Schema;
  meanings?: Meanings;
};

type Reply = { status: number; retryAfter: string | null; body: unknown };

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
export const basicAuthorization = (client: { clientId: string; clientSecret: string }): string => {
  const pair = [client.clientId, client.clientSecret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
};

export const bearerAuthorization = (accessToken: string): string => `Bearer ${accessToken}`;

/** What a status means for every call of every platform. */
const generalMeaning = (status: number): PlatformFailureReason => {
  if (status === 401 || status === 403) return 'credentials_refused';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'platform_unavailable' : 'reply_not_understood';
};

/** RFC 9110 section 10.2.3: a number of seconds or a date. */
const readRetryAfter = (value: string | null): number | undefined => {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** The error of RFC 6749 section 5.2, where a platform states one. */
const OAuthError = z.object({ error: z.string().check(z.regex(/^[a-z_]{1,40}$/)) });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Why no reply came, in words that are safe to keep. The error of `fetch` itself is not: its text
 * can quote a header.
 */
const nameOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? (error instanceof Error ? error.name : 'unknown');
};

/** How an adapter calls its platform. A call throws PlatformFailure and nothing else. */
export const openHttp = (options: HttpOptions) => {
  const { fetch: send = fetch, timeoutMilliseconds = defaultTimeoutMilliseconds } = options;

  const exchange = async ({ url, authorization, form }: PlatformCall<unknown>): Promise<Reply> => {
    const response = await send(url, {
      headers: { Accept: 'application/json', Authorization: authorization },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      // A redirect would carry a token or a code to a place that nobody has checked.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const body = parseJson(await response.text());
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), body };
  };

  return async <Schema extends z.ZodMiniType>(
    call: PlatformCall<Schema>,
  ): Promise<z.output<Schema>> => {
    const name = `${call.form ? 'POST' : 'GET'} ${call.url.origin}${call.url.pathname}`;
    const failed = (what: string) => new Error(`${name} ${what}`);

    if (!/^[\x20-\x7e]+$/.test(call.authorization)) {
      const cause = failed('was not sent: its credentials do not fit into a header');
      throw new PlatformFailure('credentials_refused', { cause });
    }
    const reply = await exchange(call).catch((error: unknown): never => {
      const late = error instanceof Error && error.name === 'TimeoutError';
      throw new PlatformFailure(late ? 'platform_timed_out' : 'platform_unavailable', {
        cause: failed(`got no reply: ${nameOf(error)}`),
      });
    });
    if (reply.status < 200 || reply.status > 299) {
      const { error } = OAuthError.safeParse(reply.body).data ?? {};
      const meaning = call.meanings?.get(error ?? '') ?? call.meanings?.get(reply.status);
      throw new PlatformFailure(meaning ?? generalMeaning(reply.status), {
        retryAfterSeconds: readRetryAfter(reply.retryAfter),
        cause: failed(`was answered ${[reply.status, error].filter(Boolean).join(' ')}`),
      });
    }
    const parsed = call.schema.safeParse(reply.body);
    if (parsed.success) return parsed.data;
    // Where the reply is wrong, and not what stands there: that could be a token.
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'its root');
    const cause = failed(`was answered with a body that is wrong at ${places.join(', ')}`);
    throw new PlatformFailure('reply_not_understood', { cause });
  };
};
