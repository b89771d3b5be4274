// Runs the tests of the rules, stores and functions for a mutant: TEST_FILES in their order, in one
// process, up to the first failure. Without TEST_FILES, it runs all of them.

import { relative } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import everyTest from '../../vitest.config.ts';

const files = process.env.TEST_FILES?.split(',');

const placeOf = ({ moduleId }: TestSpecification): number =>
  files?.indexOf(relative(process.cwd(), moduleId)) ?? 0;

class GivenOrder extends BaseSequencer {
  override async sort(all: TestSpecification[]): Promise<TestSpecification[]> {
    return all.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

const { projects = [], ...shared } = (everyTest as ViteUserConfig).test ?? {};
const ledger = projects
  .map((project) => (project as ViteUserConfig).test)
  .find((test) => test?.name === 'ledger');

export default {
  test: {
    ...shared,
    ...ledger,
    ...(files && { include: files }),
    setupFiles: [...(ledger?.setupFiles ?? []), 'tests/mutation/record-coverage.ts'],
    maxWorkers: 1,
    reporters: ['dot'],
    sequence: { sequencer: GivenOrder },
  },
};
