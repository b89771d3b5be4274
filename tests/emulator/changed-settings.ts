// The changes to a stage's row, for a deployment of a change.

import type { StageSettings } from '#infra/manifest/stages.ts';

export const changedSettings = {
  rateMaximumAgeDays: 5,
  throttling: {
    method: { ratePerSecond: 60, burst: 120 },
    application: { ratePerSecond: 30, burst: 60 },
    smallerPlans: {
      small: { ratePerSecond: 10, burst: 20 },
      medium: { ratePerSecond: 20, burst: 40 },
    },
    longRead: { ratePerSecond: 9, burst: 30 },
    batch: { ratePerSecond: 6, burst: 12 },
    reversal: { ratePerSecond: 6, burst: 24 },
  },
} as const satisfies Partial<StageSettings>;
