// The turn of a run. It ends when the run's time is up: a page can take longer than a run, because
// imports write at a pace. It also ends if many imports want to run, so that the company that waits
// longest comes next. The import then continues from its checkpoint in another run.

import { type RunBudget, reserveMilliseconds } from './platform-retry.ts';

/** The run's turn is over. */
export class TurnOver extends Error {
  /** Whether the import waits for the turns of other imports. */
  readonly givesWay: boolean;

  constructor({ givesWay }: { givesWay: boolean }) {
    super('the turn of the run is over');
    this.givesWay = givesWay;
  }
}

/**
 * The length of a turn beside many imports, which the end of a page ends. A turn ends within a page
 * if it has lasted twice as long. The imports that gave way continue every minute.
 */
export const turnMilliseconds = 45_000;

export type RunTurn = {
  /** Call before each write of records. @throws TurnOver if there is no time for it */
  assertTime: () => Promise<void>;
  /** Call after progress. @throws TurnOver after saving the progress, if others want to run */
  giveWay: (options: { isWithinPage: boolean }) => Promise<void>;
};

/**
 * @param options.saveProgress saves that the run has recorded something since its checkpoint
 * @param options.areManyUnfinished whether more imports want to run than can run at the same time
 */
export const openRunTurn = ({
  remainingMilliseconds,
  clock,
  saveProgress,
  areManyUnfinished,
}: Pick<RunBudget, 'remainingMilliseconds'> & {
  clock: () => Date;
  saveProgress: () => Promise<void>;
  areManyUnfinished: () => Promise<boolean>;
}): RunTurn => {
  let hasRecorded = false;
  let endsAt = clock().getTime() + turnMilliseconds;
  return {
    assertTime: async () => {
      if (remainingMilliseconds() < reserveMilliseconds) {
        if (hasRecorded) await saveProgress();
        throw new TurnOver({ givesWay: false });
      }
      hasRecorded = true;
    },

    giveWay: async ({ isWithinPage }) => {
      if (isWithinPage && !hasRecorded) return;
      if (clock().getTime() < endsAt + (isWithinPage ? turnMilliseconds : 0)) return;
      if (await areManyUnfinished()) {
        await saveProgress();
        throw new TurnOver({ givesWay: true });
      }
      endsAt = clock().getTime() + turnMilliseconds;
    },
  };
};
