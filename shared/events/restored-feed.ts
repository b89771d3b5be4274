// What a restore of the table records in each feed. The table before it gave out more sequences
// than the restored feed has. The feed skips all that it can have given out, so that an application
// that read them misses nothing of what is recorded from now on.

import { feedHoldKey } from '../table/event-keys.ts';
import { type ChangeEvents, eventIdOf } from './change-events.store.ts';

/**
 * More than a feed can record. Its pages are in one partition, which takes 1,000 write units a
 * second (DynamoDB Developer Guide, "Designing partition keys"), and an event takes a third of one.
 */
const maximumPerSecond = 10_000;

/** The table before it may still record events until the deployment. */
const secondsUntilDeployed = 60 * 60;

const stream = 'restores';

/** @param since the earlier table recorded nothing beyond the restored state before this time */
export const restoredFeed = (
  applicationId: string,
  { restoredTo, since, now }: { restoredTo: string | null; since: string; now: Date },
): { change: ChangeEvents; skipped: number } => {
  const { pk } = feedHoldKey(applicationId);
  const sequenceNumber = String(now.getTime());
  const type = 'feed.restored' as const;
  const seconds = Math.ceil((now.getTime() - Date.parse(since)) / 1_000) + secondsUntilDeployed;
  return {
    change: {
      source: { applicationId, partition: 'RESTORES' },
      stream,
      sequenceNumber,
      events: [
        {
          id: eventIdOf({ item: { pk }, stream, sequenceNumber }, type),
          type,
          at: now.toISOString(),
          data: { restored_to: restoredTo },
        },
      ],
    },
    skipped: seconds * maximumPerSecond,
  };
};
