// Classifies error replies, and keeps the platform's own description without secrets.

import type { PlatformError } from '../imports/import-report.ts';
import { cleaned, truncate } from '../texts.ts';
import type { PlatformFailureReason } from './platform.ts';
import type { Reply } from './replies.ts';

/** The meaning of an error reply: our reason and the platform's own code. */
export type FailureClass = {
  /** Without a reason, the HTTP status decides. */
  reason?: PlatformFailureReason | undefined;
  code?: string | undefined;
  /** The platform's own message, not yet redacted. */
  message?: string | undefined;
  retryAfterSeconds?: number | undefined;
};

/** The parts of a call that its reply could repeat. */
export type CallContent = {
  headers: Record<string, string>;
  send?: { form: Record<string, string> } | { json: unknown };
};

/** The failure of a reply by its HTTP status. */
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

const maximumWaitSeconds = 24 * 60 * 60;

/** Retry-After is a number of seconds or a date (RFC 9110 section 10.2.3). */
export const readRetryAfter = (value: string | null): number | undefined => {
  if (value === null) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value))
    return Math.min(Math.ceil(Number(value)), maximumWaitSeconds);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maximumWaitSeconds);
};

/** The words of a header's value. Basic credentials are also decoded (RFC 7617). */
const partsOfHeader = (value: string): string[] => {
  const words = value.split(' ');
  if (words[0] !== 'Basic') return words;
  const pair = Buffer.from(words[1] ?? '', 'base64').toString();
  return [...words, pair, ...pair.split(':').map(decodeURIComponent)];
};

const minimumSecretLength = 8;

/** Every possible secret of a call, plain and percent-encoded, longest first. */
const secretsOf = ({ headers, send }: CallContent): string[] => {
  const sent = send && ('form' in send ? send.form : send.json);
  const { grant_type: _, ...values } = Object(sent) as Record<string, unknown>;
  const parts = [...Object.values(headers).flatMap(partsOfHeader), ...Object.values(values)];
  return parts
    .map((part) => String(part).toWellFormed())
    .filter((part) => part.length >= minimumSecretLength)
    .flatMap((part) => [part, encodeURIComponent(part)])
    .sort((one, other) => other.length - one.length);
};

/** Removes every possible secret of the call from the text. */
const redact = (text: string, sent: CallContent): string => {
  // Clean first, because a removed character could be in the middle of a secret.
  const clean = cleaned('free', text);
  return secretsOf(sent).reduce((rest, secret) => rest.replaceAll(secret, '…'), clean);
};

/**
 * A word of at least twenty characters with letters and digits, except UUIDs. A platform can quote
 * a truncated or encoded token, or a token of another call.
 */
const tokenCharacter = '[\\w+=%~-]';
const uuid = `[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}(?!${tokenCharacter})`;
const looksLikeToken = new RegExp(
  `(?<!${tokenCharacter})(?!${uuid})(?=${tokenCharacter}*[a-z])(?=${tokenCharacter}*\\d)` +
    `${tokenCharacter}{20,}`,
  'gi',
);

const maximumMessageLength = 300;

/** The platform's description of a failure, for requests to its support. */
export const platformErrorOf = (
  sent: CallContent,
  { code, message, traceId }: Pick<FailureClass, 'code' | 'message'> & { traceId: string | null },
): PlatformError => ({
  code: code ?? null,
  message: message
    ? truncate(maximumMessageLength, redact(message, sent).replaceAll(looksLikeToken, '…'))
    : null,
  // A trace id can look like a token, so only the secrets of this call are removed from it.
  traceId: traceId ? truncate(maximumMessageLength, redact(traceId, sent)) : null,
});
