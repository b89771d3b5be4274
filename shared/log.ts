// Structured logs: one JSON line each, named for the function that wrote it.

import { Logger } from '@aws-lambda-powertools/logger';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** What an error may have beyond its message, of ours, of Node's and of the AWS SDK's. */
type KnownError = Error & { code?: unknown; reason?: unknown; $metadata?: unknown };

/**
 * An error with nothing but what is known to be safe. Whatever else it carries can be an item of
 * the table, a header or a body, and a parser's message quotes what it could not read.
 */
const redacted = (error: KnownError) => ({
  name: error.name,
  message: error instanceof SyntaxError ? 'not shown: it quotes the text' : error.message,
  code: error.code,
  reason: error.reason,
  metadata: error.$metadata,
  // The frames alone: the lines before them repeat the message.
  stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  cause: error.cause instanceof Error ? error.cause : undefined,
});

export const openLog = (functionName: string): Log =>
  new Logger({
    serviceName: functionName,
    jsonReplacerFn: (_key, value) => (value instanceof Error ? redacted(value) : value),
  });
