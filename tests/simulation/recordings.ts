// Runs of record-events between the operations: batches of the table's stream that overlap, one or
// two at the same time, with faults of their own. Everything else stands still meanwhile, and their
// random choices are their own, so they change nothing about the other operations.

import type { Random } from '../support/builders/random.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import type { ChangeStream } from './change-stream.ts';
import type { Operation } from './requests.ts';
import type { Scheduler } from './scheduler.ts';
import { firstMoment } from './seed-data.ts';
import type { VirtualClock } from './virtual-clock.ts';

const batchSizes = [1, 3, 20, 100];
const overlaps = [0, 0, 2, 10];
/** Clocks differ, but the stream delivers each change within a day. */
const maximumSkewMinutes = 120;

export type Recordings = ReturnType<typeof openRecordings>;

export const openRecordings = ({
  random,
  scheduler,
  changeStream,
  processClock,
}: {
  random: Random;
  scheduler: Scheduler;
  changeStream: ChangeStream;
  processClock: VirtualClock;
}) => {
  /** A batch that fails is delivered again from its first record that failed. */
  const record = async ({ recordEvents }: Instance): Promise<Operation['answer']> => {
    const batch = { size: random.pick(batchSizes), overlap: random.pick(overlaps) };
    const { records, handled } = await changeStream.next(batch);
    const { batchItemFailures } = await recordEvents({ Records: records }, lambdaContext());
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
    handled(first < 0 ? records.length : first);
    return { status: 200, retryable: false };
  };

  let begun = 0;
  const begin = (): Promise<void> => {
    begun += 1;
    const minutes = begun + random.below(maximumSkewMinutes);
    const now = new Date(firstMoment + minutes * 60_000);
    return scheduler.start(
      {
        number: 0,
        request: { kind: 'recording' },
        now,
        startedAt: 0,
        endedAt: Number.POSITIVE_INFINITY,
        drawn: new Set(),
        faults: [],
        callsUnderWay: 0,
        answer: undefined,
      },
      ({ instance }) => record(instance),
    );
  };

  const run = (): Promise<void> =>
    processClock.standStill(async () => {
      await begin();
      if (random.once(3)) {
        await scheduler.settle();
        await begin();
      }
      for (let goesOn = true; goesOn; ) {
        await scheduler.settle();
        if (scheduler.lateCalls() > 0 && random.once(6)) await scheduler.deliverLate();
        else goesOn = await scheduler.step();
      }
    });

  return {
    begun: (): number => begun,
    /** Runs sometimes. */
    mayRun: async (): Promise<void> => {
      if (random.once(40)) await run();
    },
    /** Runs without faults until all changes are recorded. */
    bringToEnd: async (): Promise<void> => {
      scheduler.endFaults();
      while (scheduler.lateCalls() > 0) await scheduler.deliverLate();
      while (!(await changeStream.isAtEnd())) await run();
    },
  };
};
