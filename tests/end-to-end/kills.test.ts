// The whole service, its database included, is killed under load: one or two of the kills that
// `npm run test:kills` does by the hundred.

import { expect, test } from 'vitest';
import { runKills } from '../kills/kill-rounds.ts';
import { isWhole, sliceSeed } from '../support/slices.ts';

/** A kill takes about ten seconds, and many times that if other tests run at the same time. */
const timeout = 400_000;

test('killed under load, it loses and doubles nothing', { timeout }, async () => {
  const times = isWhole ? 2 : 1;
  const report = await runKills({ times, seed: sliceSeed });
  expect(report.violations).toEqual([]);
  expect(report.kills).toBe(times);
  expect(report.entriesAcknowledged).toBeGreaterThan(0);
  expect(report.repeatsCompared).toBeGreaterThan(0);
});
