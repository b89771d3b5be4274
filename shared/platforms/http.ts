// How the adapters call a platform: every call has a time limit, every reply a size limit and a
// schema, and every failure a PlatformFailure's reason, without a word of what was secret in it.

import Big from 'big.js';
import * as z from 'zod/mini';
import type { PlatformError } from '../domain/import-report.ts';
import { cleaned, truncate } from '../domain/texts.ts';
import { PlatformFailure, type PlatformFailureReason } from './platform.ts';

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

const defaultTimeoutMilliseconds = 8_000;
const maximumNumberLength = 60;
const maximumWaitSeconds = 24 * 60 * 60;
const usualReplyBytes = 2 * 1024 * 1024;

/** How long a page of books may be: all accounts, or a thousand journals of any number of lines. */
export const maximumPageBytes = 32 * 1024 * 1024;

/**
 * A reply of the largest size may have a comma or an opening bracket for every so many bytes.
 * Memory goes by values, not by bytes: 32 MiB of `[],` take 1.5 GB to parse, and what passes this
 * limit 0.35 GB.
 */
const bytesPerSeparator = 8;

/** A reply as it came; `body` is `undefined` where it is not JSON. */
export type Reply = {
  status: number;
  headers: Headers;
  body: unknown;
  /** Whether it is text that is not JSON: somebody on the way has answered, not the platform. */
  isFromIntermediary: boolean;
};

/** What a reply means: the reason of a failure, and the platform's own code of it. */
export type FailureClass = {
  /** Left to the status where it is not given. */
  reason?: PlatformFailureReason;
  code?: string | undefined;
  /** The platform's own words, in which nothing that was sent to it is kept. */
  message?: string | undefined;
  retryAfterSeconds?: number | undefined;
};

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

/** The error of RFC 6749 section 5.2, where a platform states one. */
const OAuthError = z.object({ error: z.string().check(z.regex(/^[a-z_]{1,40}$/)) });

/** What a token endpoint's `error` means; `refused` stands for a grant that is not good. */
export const classifyOAuthError =
  (refused: 'code_refused' | 'credentials_refused') =>
  ({ body }: Reply): FailureClass | undefined => {
    const code = OAuthError.safeParse(body).data?.error;
    if (code === 'invalid_grant') return { reason: refused, code };
    // This is about us, not about the tenant's credentials: it must not make anyone connect the
    // company again, so it counts as a platform that cannot be used just now.
    const isAboutUs = code === 'invalid_client' || code === 'unauthorized_client';
    if (isAboutUs) return { reason: 'platform_unavailable', code };
    return code === undefined ? undefined : { code };
  };

/** What a status means for every call of every platform. */
const reasonOfStatus = ({
  status,
  isFromIntermediary,
}: Pick<Reply, 'status' | 'isFromIntermediary'>): PlatformFailureReason | undefined => {
  if (status >= 200 && status <= 299) return undefined;
  if (status === 401 || status === 403) {
    return isFromIntermediary ? 'platform_unavailable' : 'credentials_refused';
  }
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'platform_unavailable' : 'reply_not_understood';
};

/** RFC 9110 section 10.2.3: a number of seconds or a date. */
const readRetryAfter = (value: string | null): number | undefined => {
  if (value === null) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value))
    return Math.min(Math.ceil(Number(value)), maximumWaitSeconds);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maximumWaitSeconds);
};

/**
 * A number that a float cannot hold becomes the text that it was written as. Half a character, as
 * platforms leave behind that cut texts, becomes U+FFFD: the table takes none that is not whole.
 */
const losslessReviver = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  // What is longer is no amount, and would take long to compare.
  if (source.length > maximumNumberLength) return source;
  return Number.isFinite(value) && new Big(source).eq(String(value)) ? value : source;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text, losslessReviver);
  } catch {
    return undefined;
  }
};

/** An amount or a rate in a reply, as a number or as text; nothing passes through a float. */
export const Decimal = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,30}(?:\.\d{1,30})?$/))]),
  z.transform((value) => new Big(String(value))),
);

/** How many of these bytes begin another value, in JSON: `,`, `[` and `{`. */
const countSeparators = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  return count;
};

/** A company's name in a reply, as ours are. */
export const CompanyName = z.pipe(
  z.string().check(z.trim(), z.minLength(1)),
  z.transform((name) => cleaned('name', name)),
);

/** @throws RangeError where the body goes on beyond the limit, or has more values than fit */
const readText = async (response: Response, maximumBytes: number): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let separators = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    separators += countSeparators(chunk);
    const isTooLong = bytes > maximumBytes || separators > maximumBytes / bytesPerSeparator;
    if (isTooLong) throw new RangeError('too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
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

const reasonOfNoReply = (error: unknown): PlatformFailureReason => {
  if (error instanceof RangeError) return 'reply_too_large';
  const late = error instanceof Error && error.name === 'TimeoutError';
  return late ? 'platform_timed_out' : 'platform_unavailable';
};

const bodyOf = (
  send: NonNullable<PlatformCall<unknown>['send']>,
): { body: string | URLSearchParams; headers: Record<string, string> } =>
  'form' in send
    ? { body: new URLSearchParams(send.form), headers: {} }
    : { body: JSON.stringify(send.json), headers: { 'Content-Type': 'application/json' } };

const maximumMessageLength = 300;
const minimumSecretLength = 8;

/** The platform's words without anything secret that it repeats, and not too many of them. */
const redact = (message: string, { headers, send }: PlatformCall<unknown>): string => {
  const form = send && 'form' in send ? Object.values(send.form) : [];
  const json = send && 'json' in send ? Object.values(send.json as object) : [];
  const sent = [...Object.values(headers).flatMap((value) => value.split(' ')), ...form, ...json];
  const secrets = sent.filter((text) => String(text).length >= minimumSecretLength);
  const without = secrets.reduce((text: string, secret) => text.replaceAll(secret, '…'), message);
  return truncate(maximumMessageLength, cleaned('free', without));
};

export type Http = ReturnType<typeof openHttp>;

/**
 * How an adapter calls its platform. A call throws PlatformFailure and nothing else.
 * @param platform.traceHeader the header with the id of a reply that the platform's support asks for
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
    const { status, headers } = response;
    const text = await readText(response, maximumReplyBytes);
    const body = parseJson(text);
    return { status, headers, body, isFromIntermediary: body === undefined && text.trim() !== '' };
  };

  const platformErrorOf = (
    asked: PlatformCall<unknown>,
    { reply, failureClass }: { reply: Reply; failureClass: FailureClass },
  ): PlatformError => {
    const { code = null, message } = failureClass;
    const traceId = platform.traceHeader && reply.headers.get(platform.traceHeader);
    return {
      code,
      message: message ? redact(message, asked) : null,
      traceId: traceId ? redact(traceId, asked) : null,
    };
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
    const failureClass = asked.classify?.(reply) ?? {};
    const reason = failureClass.reason ?? reasonOfStatus(reply);
    if (reason !== undefined) {
      throw new PlatformFailure(reason, {
        retryAfterSeconds:
          readRetryAfter(reply.headers.get('Retry-After')) ?? failureClass.retryAfterSeconds,
        platformError: platformErrorOf(asked, { reply, failureClass }),
        cause: failed(
          `was answered ${[reply.status, failureClass.code].filter(Boolean).join(' ')}`,
        ),
      });
    }
    const parsed = asked.schema.safeParse(reply.body);
    if (parsed.success) return parsed.data;
    // Where the reply is wrong, and not what stands there: that could be a token.
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'its root');
    const cause = failed(`was answered with a body that is wrong at ${places.join(', ')}`);
    throw new PlatformFailure('reply_not_understood', { cause });
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
