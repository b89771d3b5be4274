import { expect, test } from 'vitest';
import { rulesAndStores, sourcesIn, testsOf } from './tests-of.ts';

test.each(rulesAndStores)('every file of %s has tests', (folder) => {
  expect(() => sourcesIn(folder).map(testsOf)).not.toThrow();
});

test('a file or a folder that has nothing to change is named', () => {
  expect(() => sourcesIn('shared/nowhere')).toThrow('shared/nowhere');
  expect(() => testsOf('shared/table/nothing.ts')).toThrow('shared/table/nothing.ts');
});
