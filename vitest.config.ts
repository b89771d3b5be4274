// How the tests run: one embedded DynamoDB for all, a table of its own for each file; and the walks
// in a browser, which start whole services.

import { defineConfig } from 'vitest/config';

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
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**'],
          globalSetup: ['tests/support/global-setup.ts'],
          setupFiles: ['tests/support/watch-secrets.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/*.test.ts'],
          globalSetup: ['tests/browser/support/global-setup.ts'],
        },
      },
    ],
  },
});
