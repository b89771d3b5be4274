import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listFiles } from '../support/readers/source-files.ts';
import { differences } from './differences.ts';

/** `SIGINT stops it` stands for `%s stops it` in a table of cases. */
const patternOf = (title: string): RegExp =>
  new RegExp(`'(?:%s|${title.split(' ')[0]}) ${title.split(' ').slice(1).join(' ')}'`);

test('the tests that do not run on DynamoDB Local are there, and each has its reason', () => {
  const tests = listFiles()
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'));
  const titles = differences.flatMap((difference) => difference.tests);
  const lost = titles.filter((title) => !tests.some((text) => patternOf(title).test(text)));
  expect(lost).toEqual([]);
  expect(patternOf(['a test', 'that is lost'].join(' ')).test(tests.join())).toBe(false);
  for (const { reason } of differences) expect(reason).toMatch(/^[A-Z].*\.$/);
});
