// A log that keeps its lines, for tests that assert them or want none printed.

import { expect } from 'vitest';
import type { Log } from '#shared/log.ts';

export const keepLog = (): Log & { lines: unknown[] } => {
  const lines: unknown[] = [];
  const keep = (...line: unknown[]) => void lines.push(line);
  return { lines, info: keep, warn: keep, error: keep } as Log & { lines: unknown[] };
};

/** The fields of a line that say what the work cost. */
export const costFields = (tableCalls = 0) => ({
  duration_ms: expect.any(Number),
  table_calls: tableCalls,
  capacity_units: expect.any(Number),
  contention_retries: 0,
});
