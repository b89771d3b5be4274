// The report of a run on DynamoDB Local: the tests that did not run, and the reasons.

import * as z from 'zod/mini';
import type { Difference } from './differences.ts';

/** The part of the results, as vitest writes them in JSON, that is looked at here. */
export const Results = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});
export type Results = z.infer<typeof Results>;

type Report = {
  lines: string[];
  /** Problems of the run, even if every test passed. */
  violations: string[];
};

const testsOf = ({ testResults }: Results) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status }) => ({
      title,
      place: `${name.split('/tests/').at(-1)}: ${title}`,
      hasRun: status === 'passed' || status === 'failed',
      hasPassed: status === 'passed',
    })),
  );

/**
 * The report of a run without the excluded tests. @param isWhole whether all suites ran; then each
 * excluded test must be in one of them
 */
export const reportRun = (
  results: Results,
  { differences, isWhole }: { differences: readonly Difference[]; isWhole: boolean },
): Report => {
  const tests = testsOf(results);
  const externalModules = tests.filter(({ hasRun }) => !hasRun);
  const named = new Set(differences.flatMap((difference) => difference.tests));
  const titles = new Set(externalModules.map(({ title }) => title));
  const unnamed = externalModules.filter(({ title }) => !named.has(title));
  const absent = isWhole ? [...named].filter((title) => !titles.has(title)) : [];
  return {
    lines: [
      `${tests.length - externalModules.length} tests ran, ${externalModules.length} did not.`,
      ...differences.flatMap((difference) => {
        const concerned = externalModules.filter(({ title }) => difference.tests.includes(title));
        const places = concerned.map(({ place }) => `  - ${place}`);
        return places.length > 0 ? [difference.reason, ...places] : [];
      }),
    ],
    violations: [
      ...unnamed.map(({ place }) => `did not run, and no difference says why: ${place}`),
      ...absent.map((title) => `is excluded, but no suite has it: ${title}`),
    ],
  };
};

/** The report of a run of the excluded tests. A test that passes need not be excluded. */
export const reportLeftOut = (results: Results): Report => {
  const tests = testsOf(results).filter(({ hasRun }) => hasRun);
  const passed = tests.filter(({ hasPassed }) => hasPassed);
  return {
    lines: [`Of ${tests.length} excluded tests ${tests.length - passed.length} fail here.`],
    violations: [
      ...(tests.length > 0 ? [] : ['no excluded test was found']),
      ...passed.map(({ place }) => `passes, so it need not be excluded: ${place}`),
    ],
  };
};
