// When a failing webhook is tried again.

import { expect, test } from 'vitest';
import { retryTimeOf } from '#shared/events/webhooks.ts';

const now = new Date('2026-03-23T12:00:00.000Z');
const minutesUntil = (
  failure: { failures: number; retryAfterSeconds?: number },
  chance: number,
): number => (Date.parse(retryTimeOf(failure, { now, chance })) - now.getTime()) / 60_000;

test.each([
  [1, 1],
  [2, 5],
  [3, 30],
  [4, 2 * 60],
  [5, 5 * 60],
  [6, 10 * 60],
  [7, 12 * 60],
  [30, 12 * 60],
])('after %i failures, in about %i minutes', (failures, minutes) => {
  expect(minutesUntil({ failures }, 0.5)).toBeCloseTo(minutes);
  expect(minutesUntil({ failures }, 0)).toBeCloseTo(0.9 * minutes);
  expect(minutesUntil({ failures }, 1)).toBeCloseTo(1.1 * minutes);
});

test.each([
  ['a shorter Retry-After does not count', 5, 5],
  ['a longer one does', 40 * 60, 40],
  ['up to an hour', 90 * 60, 60],
])('%s', (_, retryAfterSeconds, minutes) => {
  expect(minutesUntil({ failures: 2, retryAfterSeconds }, 0.5)).toBeCloseTo(minutes);
});
