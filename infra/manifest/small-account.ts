// The row of production for a smaller account.

import type { Deployment, StageSettings } from './stages.ts';

/**
 * Columns of production for an account with 1,000 concurrent executions, the usual quota. They
 * replace production's until Service Quotas grants 3,000.
 */
export const smallAccount = {
  accountConcurrency: 1_000,
  throttling: {
    method: { ratePerSecond: 200, burst: 400 },
    application: { ratePerSecond: 40, burst: 80 },
    smallerPlans: {
      small: { ratePerSecond: 10, burst: 20 },
      medium: { ratePerSecond: 20, burst: 40 },
    },
    longRead: { ratePerSecond: 10, burst: 15 },
    batch: { ratePerSecond: 5, burst: 10 },
    reversal: { ratePerSecond: 5, burst: 40 },
    webhookTest: { ratePerSecond: 1, burst: 5 },
  },
  reservedConcurrency: {
    authorizer: 100,
    'create-journal-entry': 160,
    'create-journal-entries': 18,
    'reverse-journal-entry': 50,
    'oauth-callback': 20,
    'import-tenant-data': 20,
    'deliver-events': 20,
    'test-webhook': 26,
    'create-tenant': 25,
    'disconnect-tenant': 25,
  },
} as const satisfies Pick<Deployment, 'accountConcurrency'> &
  Pick<StageSettings, 'throttling' | 'reservedConcurrency'>;
