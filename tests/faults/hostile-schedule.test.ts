// One application schedules 9,000 entries for a date and then fills it. Before, no run ever posted
// an entry of anybody else in the same shard.

import { expect, test } from 'vitest';
import { openNeighbours } from '../support/harnesses/hostile-neighbours.ts';

test('innocent entries post in the first run beside 9,000 that cannot be posted', {
  timeout: 600_000,
}, async () => {
  const neighbours = await openNeighbours();
  await neighbours.fillDate(9_000);
  const run = await neighbours.run(15);
  expect(run).toMatchObject({ posted: 40, stuck: 1, stopped_early: 'no' });
  expect(run.seconds).toBeLessThan(60);
  expect(await neighbours.countWaiting()).toBe(0);
});
