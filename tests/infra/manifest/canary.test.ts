// The chances that a deployment passes, by the rule that takes a new version back.

import { describe, expect, test } from 'vitest';
import { canary, judgedMinutes, takenBackAt } from '#infra/manifest/canary.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';

/** The chance of at least `least` failures in `calls`, each with the chance `rate`. */
const chanceOfAtLeast = (least: number, calls: number, rate: number): number => {
  let chance = (1 - rate) ** calls;
  let fewer = 0;
  for (let failures = 0; failures < least; failures += 1) {
    fewer += chance;
    chance *= ((calls - failures) / (failures + 1)) * (rate / (1 - rate));
  }
  return 1 - fewer;
};

/** The chance that a period of a function with these calls a second takes the version back. */
const takesBack = (callsPerSecond: number, rate: number): number => {
  const calls = Math.round((callsPerSecond * canary.percent * 60 * judgedMinutes) / 100);
  const least = Math.max(takenBackAt.failures, Math.ceil((takenBackAt.percent * calls) / 100));
  return chanceOfAtLeast(least, calls, rate);
};

/** CloudWatch evaluates an alarm every minute, so each minute may end another period. */
const periods = canary.minutes + judgedMinutes;
const functions = (['api', 'authorizer', 'url'] as const).flatMap((kind) => functionsOfKind(kind));
const objective = 0.001;

describe('a deployment', () => {
  test.each([0.1, 1, 2, 5, 10, 20, 30, 50, 100, 500])(
    'of all functions at %s calls a second each passes at the objective, 99 of 100 times',
    (callsPerSecond) => {
      // At most: the periods overlap, and each might take a version back.
      const stopped = functions.length * periods * takesBack(callsPerSecond, objective);
      expect(stopped).toBeLessThan(0.01);
    },
  );

  test.each([10, 20, 50, 100, 500])(
    'of a function at %s calls a second stops if 5%% fail, 99 of 100 times',
    (callsPerSecond) => {
      // At least: the ten minutes contain one whole period at any time.
      expect(canary.minutes).toBeGreaterThanOrEqual(2 * judgedMinutes);
      expect(takesBack(callsPerSecond, 0.05)).toBeGreaterThan(0.99);
    },
  );

  test('has the chances that the rule states for 10 calls a second', () => {
    expect(functions.length * periods * takesBack(10, objective)).toBeLessThan(0.001);
    expect(takesBack(10, 0.05)).toBeGreaterThan(0.997);
  });

  test('stops for a version that always fails, with few calls', () => {
    const sixInFiveMinutes = takenBackAt.failures / ((canary.percent / 100) * 60 * judgedMinutes);
    expect(takesBack(sixInFiveMinutes, 0.999_999)).toBeGreaterThan(0.99);
  });
});
