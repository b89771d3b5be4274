// The whole service, its database included, is killed under load: a few of the kills that
// `npm run test:kills` does by the hundred.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKills } from '../kills/kill-rounds.ts';

const seed = 20_260_323;

test('killed under load, it loses and doubles nothing', { timeout: 120_000 }, async () => {
  const report = await runKills({ times: 2, seed });
  expect(report.violations).toEqual([]);
  expect(report.kills).toBe(2);
  expect(report.entriesAcknowledged).toBeGreaterThan(0);
  expect(report.repeatsCompared).toBeGreaterThan(0);
});

test('what is lost all the same is noticed', { timeout: 120_000 }, async () => {
  // A database without the end of its log is as it was some moments before.
  const { violations } = await runKills({
    times: 1,
    seed,
    meddle: (folder) => copyFile('/dev/null', join(folder, 'dynamodb.sqlite-wal')),
  });
  expect(violations.join('\n')).toMatch(/is lost|was refused/);
});
