// How the tests run: one embedded DynamoDB for all, a table of its own for each file. Apart from
// them, with commands of their own: what tries for long to break the service, the walks in a
// browser, and what goes over the wire against a platform's own specification.

import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The processes of the tests, and those that they start, keep compiled modules for later ones. */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

/** The guards of the core: `npm test` runs a slice of each, `npm run test:proof` every case. */
const guards = [
  'tests/faults/{requests,background-runs,long-import,saboteurs}.test.ts',
  'tests/functions/{entry-states,reports/account-ledger-pages}.test.ts',
  'tests/functions/import-tenant-data/balances.test.ts',
  'tests/shared/sheets/{carry-forward,day-sheets}.store.test.ts',
  'tests/simulation/{drawn-seed,saboteurs}.test.ts',
  'tests/end-to-end/kills.test.ts',
  'tests/infra/ops/books/verify-tenant.test.ts',
];

/** The seed that draws the slices. SLICE_SEED repeats them. */
const sliceSeed = process.env.SLICE_SEED ?? String(randomInt(1_000));
console.log(`SLICE_SEED=${sliceSeed}`);

/** The loads, the commands and the searches that take long: `npm run test:proof`. */
const longTests = [
  'tests/faults/{hostile-schedule,many-at-once,many-imports,one-date}.test.ts',
  'tests/dynamodb-local/posts-at-once.test.ts',
  'tests/security/hostile-requests.test.ts',
  'tests/shared/table/page-bounds.test.ts',
  'tests/simulation/simulation.test.ts',
  'tests/end-to-end/{data-migration,noticed-kills,operator,start-up}.test.ts',
  'tests/functions/{events/webhook-outages,import-tenant-data/demo-companies}.test.ts',
  'tests/infra/ops/{books/hledger,books/statements,main}.test.ts',
  'tests/infra/{aws/deployed-service,aws/synth,sandbox/limits}.test.ts',
  'tests/{long-books,worst-costs/full}.test.ts',
];

/** The rules, stores and functions. */
const ledgerTests = ['tests/shared/**/*.test.ts', 'tests/functions/**/*.test.ts'];

/**
 * Tests that load the functions with an environment of their own, and so need modules of their own.
 * All other test files share a process: loading the modules for each file took a third of the time.
 */
const isolated = ['tests/{infra/manifest/every-function,security/read-only-keys}.test.ts'];

/** The longest files of the proof begin first, so that none of them runs alone at the end. */
const longest = ['simulation/saboteurs', 'faults/background-runs', 'faults/requests'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A file that is out of the order of its project starts a process of its own.
    const isLong = ({ moduleId, project }: TestSpecification) =>
      project.name === 'proof' && longest.some((it) => moduleId.includes(it));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const onTheTable = {
  globalSetup: ['tests/support/dynamodb/global-setup.ts'],
  setupFiles: ['tests/support/recorders/watch-secrets.ts'],
};

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than the cores of CI: some wait for timers and processes.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
      SLICE_SEED: sliceSeed,
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'ledger',
          include: ledgerTests,
          exclude: longTests,
          isolate: false,
          ...onTheTable,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['tests/**/*.test.ts'],
          exclude: [
            ...['tests/browser/**', 'tests/specification/**'],
            ...[...ledgerTests, ...isolated, ...longTests],
          ],
          isolate: false,
          ...onTheTable,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, ...onTheTable } },
      {
        extends: true,
        test: {
          name: 'proof',
          include: [...guards, ...longTests],
          env: { GUARDS: 'whole' },
          ...onTheTable,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/*.test.ts'],
          setupFiles: onTheTable.setupFiles,
          globalSetup: ['tests/browser/support/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'specification',
          include: ['tests/specification/*.test.ts'],
          setupFiles: onTheTable.setupFiles,
          globalSetup: ['tests/specification/prism.ts'],
        },
      },
    ],
  },
});
