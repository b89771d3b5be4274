// A log that keeps its lines, for tests that assert them or want none printed.

import type { Logger } from '@aws-lambda-powertools/logger';
import { expect } from 'vitest';
import { type Log, openLog } from '#shared/telemetry.ts';
import { secrets } from './secrets-collector.ts';

const realLog = openLog('test') as Logger;
realLog.setLogLevel('INFO');

type LogLine = [message: string, fields?: Record<string, unknown>];

/** A line as a function would write it, to be searched for secrets; nothing is printed. */
export const writtenAs = ([message, fields = {}]: LogLine): string => {
  const { stderr, stdout } = process;
  const writes = [stderr.write, stdout.write] as const;
  let text = '';
  const keep = (chunk: string | Uint8Array): boolean => {
    text += chunk.toString();
    return true;
  };
  [stderr.write, stdout.write] = [keep, keep];
  try {
    realLog.error(message, fields);
  } finally {
    [stderr.write, stdout.write] = writes;
  }
  return text;
};

export const keepLog = (): Log & { lines: unknown[] } => {
  const lines: unknown[] = [];
  const keep = (...line: LogLine) => {
    secrets.keep('a log line', writtenAs(line));
    lines.push(line);
  };
  return { lines, info: keep, warn: keep, error: keep } as Log & { lines: unknown[] };
};

/** The fields of a log line for the cost of the work. */
export const costFields = (tableCalls = 0) => ({
  duration_ms: expect.any(Number),
  table_calls: tableCalls,
  capacity_units: expect.any(Number),
  write_units: expect.any(Number),
});
