// Records the events of changes. Changes whose events cannot be recorded wait in the table, and
// nothing else waits for them.

import { type DueItem, type DueWork, dueKeyOf } from '../background/due-index.store.ts';
import { isTransient } from '../background/stuck-work.ts';
import type { Slot, Slots } from '../platforms/slots.ts';
import { eventSourceOf, feedHoldSort } from '../table/event-keys.ts';
import type { Log, Metrics } from '../telemetry.ts';
import { type ChangeEvents, eventsOfChange, type ItemChange } from './change-events.store.ts';
import type { FeedRecording } from './feed-recording.store.ts';
import type { HeldChangesStore } from './held-changes.store.ts';

/** A held feed gives way to the others after so many additions. */
const maximumAdditions = 100;

export type EventRecording = ReturnType<typeof openEventRecording>;

export const openEventRecording = ({
  feedRecording,
  heldChanges,
  dueWork,
  slots,
  clock,
  log,
  metrics,
}: {
  feedRecording: Pick<FeedRecording, 'record'>;
  heldChanges: HeldChangesStore;
  dueWork: Pick<DueWork, 'putBack' | 'putOff'>;
  slots: Slots;
  clock: () => Date;
  log: Log;
  metrics: Pick<Metrics, 'eventsNotRecorded'>;
}) => {
  const publicName = (platform: string): string => slots[platform as Slot]?.name ?? platform;

  const keepUnreadable = async (change: ItemChange): Promise<void> => {
    try {
      await heldChanges.keepUnreadable(change, clock());
    } catch (error) {
      if (isTransient(error)) throw error;
      log.error('a change without readable events cannot be kept', { error });
    }
  };

  /** @throws ApiError `contention` or `temporarily_unavailable`; a repeat is harmless */
  const record = async (
    applicationId: string,
    changes: readonly ChangeEvents[],
  ): Promise<{ recorded: number; isHeld?: true }> => {
    try {
      const done = await feedRecording.record(applicationId, changes, { unlessHeld: true });
      if (!done.isHeld) return done;
    } catch (error) {
      if (isTransient(error)) throw error;
      log.error('the feed is held', { application_id: applicationId, error });
    }
    metrics.eventsNotRecorded();
    await heldChanges.hold(changes, clock());
    return { recorded: 0, isHeld: true };
  };

  /** Records what a held feed holds. Returns false if it gives way before the end. */
  const resumeFeed = async (applicationId: string, hasTime: () => boolean): Promise<boolean> => {
    for (let additions = 0; additions < maximumAdditions && hasTime(); additions += 1) {
      const oldest = await heldChanges.findOldest(applicationId);
      if (oldest === undefined) return true;
      const { revision, held } = oldest;
      if (held === undefined) {
        await heldChanges.release(applicationId, revision);
      } else {
        await feedRecording.record(applicationId, held.changes);
        await heldChanges.remove(held);
      }
    }
    return false;
  };

  const retryUnreadable = async (applicationId: string, item: DueItem): Promise<true> => {
    const key = dueKeyOf(item);
    const change = await heldChanges.findUnreadable(key);
    if (change === undefined) return true;
    const read = eventsOfChange(change, publicName);
    // Later changes of its partition are recorded, so it counts as a partition of its own.
    const source = { applicationId, partition: key.sk };
    await record(applicationId, [{ ...read, source }]);
    await heldChanges.remove(key);
    return true;
  };

  return {
    record,

    /**
     * The events of a change. A change without readable ones is kept, and has none.
     * @throws ApiError `contention` or `temporarily_unavailable`; a repeat is harmless
     */
    read: async (change: ItemChange & { key: object }): Promise<ChangeEvents | undefined> => {
      try {
        return eventsOfChange(change, publicName);
      } catch (error) {
        const { key, stream, sequenceNumber } = change;
        metrics.eventsNotRecorded();
        log.error('the events of a change are not recorded', {
          key,
          stream,
          sequence_number: sequenceNumber,
          error,
        });
        await keepUnreadable(change);
        return undefined;
      }
    },

    /** Tries again to record a held feed or an unreadable change of the due index. */
    resume: async (item: DueItem, hasTime: () => boolean): Promise<'done' | 'later' | 'stuck'> => {
      const { applicationId = '' } = eventSourceOf(item) ?? {};
      const isFeed = item.sk === feedHoldSort;
      try {
        const isDone = isFeed
          ? await resumeFeed(applicationId, hasTime)
          : await retryUnreadable(applicationId, item);
        if (!isDone) await dueWork.putBack(item, { now: clock(), hasProgressed: true });
        return isDone ? 'done' : 'later';
      } catch (error) {
        const about = { application_id: applicationId, error };
        if (isTransient(error)) {
          log.warn('held events will be recorded later', about);
          return 'later';
        }
        log.error('held events cannot be recorded', about);
        await dueWork.putOff(item, { reason: 'internal_error', now: clock() });
        return 'stuck';
      }
    },
  };
};
