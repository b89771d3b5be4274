import { expect, test } from 'vitest';
import { reportLeftOut, reportRun } from './report.ts';

const differences = [
  { reason: 'It is slow.', tests: ['takes long'] },
  { reason: 'It counts otherwise.', tests: ['costs little'] },
];

const resultsOf = (...tests: [title: string, status: string][]) => ({
  testResults: [
    {
      name: '/ledger/tests/shared/some.test.ts',
      assertionResults: tests.map(([title, status]) => ({ title, status })),
    },
  ],
});

const run = resultsOf(['works', 'passed'], ['takes long', 'skipped'], ['costs little', 'skipped']);

test('a run names each test that was left out under its reason', () => {
  expect(reportRun(run, { differences, isWhole: true })).toEqual({
    lines: [
      '1 tests ran, 2 did not.',
      'It is slow.',
      '  - shared/some.test.ts: takes long',
      'It counts otherwise.',
      '  - shared/some.test.ts: costs little',
    ],
    wrongs: [],
  });
});

test('a run that leaves a test out without a reason is wrong', () => {
  const { wrongs } = reportRun(run, { differences: differences.slice(1), isWhole: true });
  expect(wrongs).toEqual([
    'did not run, and no difference says why: shared/some.test.ts: takes long',
  ]);
});

test('a whole run without a test that is to be left out is wrong, a run of a part is not', () => {
  const part = resultsOf(['works', 'passed'], ['costs little', 'skipped']);
  expect(reportRun(part, { differences, isWhole: true }).wrongs).toEqual([
    'is to be left out, and is in none of the suites: takes long',
  ]);
  expect(reportRun(part, { differences, isWhole: false }).wrongs).toEqual([]);
});

test.each([
  [
    'that passes need not be left out',
    resultsOf(['works', 'skipped'], ['takes long', 'passed'], ['costs little', 'failed']),
    ['passes, so it need not be left out: shared/some.test.ts: takes long'],
  ],
  ['that fails is rightly left out', resultsOf(['takes long', 'failed']), []],
  ['must be among those that ran', resultsOf(), ['no test that is left out was found']],
])('a left out test %s', (_title, results, wrongs) => {
  expect(reportLeftOut(results).wrongs).toEqual(wrongs);
});
