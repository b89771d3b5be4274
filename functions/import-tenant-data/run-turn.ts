// The turn of a run. A page can take longer than a run, because imports write at a pace. So the run
// checks before each write of records whether its time is up, and another run continues the page.

import { type RunBudget, reserveMilliseconds } from './platform-retry.ts';

/** The run's turn is over, and the next run continues. */
export class TurnOver extends Error {}

export type RunTurn = {
  /** Call before each write of records. @throws TurnOver after saving the progress */
  check: () => Promise<void>;
};

/** @param options.saveProgress saves that the run has recorded something since its checkpoint */
export const openRunTurn = ({
  remainingMilliseconds,
  saveProgress,
}: Pick<RunBudget, 'remainingMilliseconds'> & { saveProgress: () => Promise<void> }): RunTurn => {
  let hasRecorded = false;
  return {
    check: async () => {
      if (remainingMilliseconds() < reserveMilliseconds) {
        if (hasRecorded) await saveProgress();
        throw new TurnOver();
      }
      hasRecorded = true;
    },
  };
};
