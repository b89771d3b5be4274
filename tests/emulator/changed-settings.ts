// The changes to a stage's row, for a deployment of a change. Its limits still agree.

import type { StageSettings } from '#infra/manifest/stages.ts';

export const changedRateAgeDays = 5;

export const withChanges = ({ throttling, ...settings }: StageSettings): StageSettings => ({
  ...settings,
  rateMaximumAgeDays: changedRateAgeDays,
  throttling: { ...throttling, longRead: { ...throttling.longRead, ratePerSecond: 9 } },
});
