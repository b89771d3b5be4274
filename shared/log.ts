// Structured logs: one JSON line per message, with the function's name.

import { Logger } from '@aws-lambda-powertools/logger';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Fields of our own errors, Node's errors and the AWS SDK's errors. */
type KnownError = Error & { code?: unknown; reason?: unknown; $metadata?: unknown };

/**
 * An error with only its safe fields. Other fields can contain a table item, a header or a body,
 * and a parser's message quotes the text.
 */
const redacted = (error: KnownError) => ({
  name: error.name,
  message: error instanceof SyntaxError ? 'not shown: it quotes the text' : error.message,
  code: error.code,
  reason: error.reason,
  metadata: error.$metadata,
  // Only the stack frames, because the lines above them repeat the message.
  stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  cause: error.cause instanceof Error ? error.cause : undefined,
});

export const openLog = (functionName: string): Log =>
  new Logger({
    serviceName: functionName,
    jsonReplacerFn: (_key, value) => (value instanceof Error ? redacted(value) : value),
  });
