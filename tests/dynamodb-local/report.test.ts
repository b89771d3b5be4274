import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listFiles } from '../support/readers/source-files.ts';
import { differences } from './differences.ts';
import { reportLeftOut, reportRun } from './report.ts';

test('the tests that do not run on DynamoDB Local are there', () => {
  const texts = listFiles()
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'));
  const titles = differences.flatMap(({ tests }) => tests);
  expect(titles.filter((it) => !texts.some((text) => text.includes(`'${it}'`)))).toEqual([]);
});

const two = [
  { reason: 'It is slow.', tests: ['takes long'] },
  { reason: 'It counts otherwise.', tests: ['costs little'] },
];
const place = (title: string) => `shared/some.test.ts: ${title}`;

const resultsOf = (...tests: [title: string, status: string][]) => ({
  testResults: [
    {
      name: '/ledger/tests/shared/some.test.ts',
      assertionResults: tests.map(([title, status]) => ({ title, status })),
    },
  ],
});

const run = resultsOf(['works', 'passed'], ['takes long', 'skipped'], ['costs little', 'skipped']);
const part = resultsOf(['works', 'passed'], ['costs little', 'skipped']);
const isWhole = true;

test.each([
  ['each test left out has its reason', run, { differences: two, isWhole }, []],
  [
    'a test left out without a reason',
    run,
    { differences: two.slice(1), isWhole },
    [`did not run, and no difference says why: ${place('takes long')}`],
  ],
  [
    'a whole run without a test that is to be left out',
    part,
    { differences: two, isWhole },
    ['is to be left out, and is in none of the suites: takes long'],
  ],
  ['a run of a part without it', part, { differences: two, isWhole: false }, []],
])('a run is looked at: %s', (_, results, options, violations) => {
  expect(reportRun(results, options).violations).toEqual(violations);
});

test.each([
  [
    'that passes need not be left out',
    resultsOf(['works', 'skipped'], ['takes long', 'passed'], ['costs little', 'failed']),
    [`passes, so it need not be left out: ${place('takes long')}`],
  ],
  ['that fails is rightly left out', resultsOf(['takes long', 'failed']), []],
  ['must be among those that ran', resultsOf(), ['no test that is left out was found']],
])('a left out test %s', (_title, results, violations) => {
  expect(reportLeftOut(results).violations).toEqual(violations);
});
