import { expect, test } from 'vitest';
import { sourcesIn, testsOf } from './tests-of.ts';

test.each(['shared/domain', 'shared/store'])('every file of %s has tests', (folder) => {
  expect(() => sourcesIn(folder).map(testsOf)).not.toThrow();
});

test('a file or a folder that has nothing to change is named', () => {
  expect(() => sourcesIn('shared/nowhere')).toThrow('shared/nowhere');
  expect(() => testsOf('shared/store/nothing.ts')).toThrow('shared/store/nothing.ts');
});
