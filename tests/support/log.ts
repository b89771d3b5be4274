// A log that keeps its lines, for tests that assert them or want none printed.

import type { Log } from '#shared/log.ts';

export const keepLog = (): Log & { lines: unknown[] } => {
  const lines: unknown[] = [];
  const keep = (...line: unknown[]) => void lines.push(line);
  return { lines, info: keep, warn: keep, error: keep } as Log & { lines: unknown[] };
};
