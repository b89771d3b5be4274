// How the tests run: one embedded DynamoDB for all, a table of its own for each file. Apart from
// them, with commands of their own: what tries for long to break the service, the walks in a
// browser, and what goes over the wire against a platform's own specification.

import { defineConfig } from 'vitest/config';

/** Every fault at every call, every saboteur, kills, and whole commands: `npm run test:proof`. */
const longTests = [
  'tests/faults/{requests,background-runs,combinations,long-import,saboteurs}.test.ts',
  'tests/faults/{batches,many}-at-once.test.ts',
  'tests/faults/hostile-schedule.test.ts',
  'tests/functions/{entry-states,hostile-requests}.test.ts',
  'tests/shared/store/day-sheets.test.ts',
  'tests/simulation/{saboteurs,simulation}.test.ts',
  'tests/end-to-end/{kills,operator}.test.ts',
  'tests/infra/ops/{books-hledger,books-statements,books-verify,main}.test.ts',
  'tests/infra/{aws/synth,sandbox/dialects,sandbox/limits}.test.ts',
  'tests/worst-costs/full.test.ts',
];

/**
 * The rules, stores and functions, which take all that they need as arguments. Their test files
 * share a process and its modules: loading the modules anew for each file took a third of the time.
 */
const inProcess = ['tests/shared/**/*.test.ts', 'tests/functions/*.test.ts'];

const onTheTable = {
  globalSetup: ['tests/support/dynamodb/global-setup.ts'],
  setupFiles: ['tests/support/recorders/watch-secrets.ts'],
};

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'ledger',
          include: inProcess,
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
          exclude: [...inProcess, 'tests/browser/**', 'tests/specification/**', ...longTests],
          ...onTheTable,
        },
      },
      { extends: true, test: { name: 'proof', include: longTests, ...onTheTable } },
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
