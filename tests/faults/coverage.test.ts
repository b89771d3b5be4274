import { expect, test } from 'vitest';
import { functions } from '#infra/manifest.ts';
import { listFiles } from '../support/readers/source-files.ts';

const files = listFiles();
const withoutFaults = (names: readonly string[]): string[] =>
  names.filter((name) => !files.includes(`tests/faults/${name}.test.ts`));

test('every function has faults injected into its calls to the table', () => {
  expect(withoutFaults(Object.keys(functions))).toEqual([]);
  expect(withoutFaults(['authorizer', 'a-new-function'])).toEqual(['a-new-function']);
});
