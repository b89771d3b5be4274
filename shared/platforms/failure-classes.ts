// What a reply that is a failure means: its reason, and what the platform says of it, without a
// word of what was secret in the call.

import * as z from 'zod/mini';
import type { PlatformError } from '../imports/import-report.ts';
import { cleaned, truncate } from '../texts.ts';
import type { PlatformFailureReason } from './platform.ts';
import type { Reply } from './replies.ts';

/** What a reply means: the reason of a failure, and the platform's own code of it. */
export type FailureClass = {
  /** Left to the status where it is not given. */
  reason?: PlatformFailureReason | undefined;
  code?: string | undefined;
  /** The platform's own words, in which nothing that was sent to it is kept. */
  message?: string | undefined;
  retryAfterSeconds?: number | undefined;
};

/** What was sent with a call, as far as its reply may repeat it. */
export type Sent = {
  headers: Record<string, string>;
  send?: { form: Record<string, string> } | { json: unknown };
};

const maximumWaitSeconds = 24 * 60 * 60;
const maximumMessageLength = 300;
const minimumSecretLength = 8;

/** The error of RFC 6749 section 5.2, where a platform states one. */
const OAuthError = z.object({
  error: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  error_description: z.catch(z.optional(z.string()), undefined),
});

/** What a token endpoint's `error` means; `refused` stands for a grant that is not good. */
export const classifyOAuthError =
  (refused: 'code_refused' | 'credentials_refused') =>
  ({ body }: Reply): FailureClass | undefined => {
    const error = OAuthError.safeParse(body).data;
    if (error === undefined) return undefined;
    const { error: code, error_description: message } = error;
    if (code === 'invalid_grant') return { reason: refused, code, message };
    // This is about us, not about the tenant's credentials: it must not make anyone connect the
    // company again, so it counts as a platform that cannot be used just now.
    const isAboutUs = code === 'invalid_client' || code === 'unauthorized_client';
    return { reason: isAboutUs ? 'platform_unavailable' : undefined, code, message };
  };

/** What a status means for every call of every platform. */
export const reasonOfStatus = ({
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
export const readRetryAfter = (value: string | null): number | undefined => {
  if (value === null) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value))
    return Math.min(Math.ceil(Number(value)), maximumWaitSeconds);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maximumWaitSeconds);
};

/** The words of a header's value, and for Basic also what they are made of (RFC 7617). */
const partsOfHeader = (value: string): string[] => {
  const words = value.split(' ');
  if (words[0] !== 'Basic') return words;
  const pair = Buffer.from(words[1] ?? '', 'base64').toString();
  return [...words, pair, ...pair.split(':').map(decodeURIComponent)];
};

/** Everything in a call that could be secret, in every form in which a reply may repeat it. */
const secretsOf = ({ headers, send }: Sent): string[] => {
  const sent = send && ('form' in send ? send.form : send.json);
  const { grant_type: _, ...values } = Object(sent) as Record<string, unknown>;
  const parts = [...Object.values(headers).flatMap(partsOfHeader), ...Object.values(values)];
  return parts
    .map((part) => String(part).toWellFormed())
    .filter((part) => part.length >= minimumSecretLength)
    .flatMap((part) => [part, encodeURIComponent(part)])
    .sort((one, other) => other.length - one.length);
};

/** What the platform says, without anything that it repeats of the call. */
const redact = (text: string, sent: Sent): string => {
  // Cleaned first: what is taken out of a text could stand within a secret.
  const clean = cleaned('free', text);
  return secretsOf(sent).reduce((rest, secret) => rest.replaceAll(secret, '…'), clean);
};

/**
 * A word of twenty characters or more with letters and digits, which is no UUID. A platform may
 * quote a token cut short, or in Base64, or one that was not sent in this call.
 */
const tokenCharacter = '[\\w+=%~-]';
const uuid = `[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}(?!${tokenCharacter})`;
const looksLikeToken = new RegExp(
  `(?<!${tokenCharacter})(?!${uuid})(?=${tokenCharacter}*[a-z])(?=${tokenCharacter}*\\d)` +
    `${tokenCharacter}{20,}`,
  'gi',
);

/** What is kept of a failure for whoever asks the platform's support. */
export const platformErrorOf = (
  sent: Sent,
  { code, message, traceId }: Pick<FailureClass, 'code' | 'message'> & { traceId: string | null },
): PlatformError => ({
  code: code ?? null,
  message: message
    ? truncate(maximumMessageLength, redact(message, sent).replaceAll(looksLikeToken, '…'))
    : null,
  // Ids of replies look like tokens.
  traceId: traceId ? truncate(maximumMessageLength, redact(traceId, sent)) : null,
});
