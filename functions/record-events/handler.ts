// Records the events of changes in the feeds of their applications.

import { createStreamBatchHandler, type StreamRecord } from '#shared/endpoint/stream.ts';
import { type ChangeEvents, eventsOfChange } from '#shared/events/change-events.store.ts';
import { passesEventFilter } from '#shared/events/event-filter.ts';
import type { FeedRecording } from '#shared/events/feed-recording.store.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import type { Slot, Slots } from '#shared/platforms/slots.ts';
import type { WebhookName } from '#shared/table/event-keys.ts';
import type { Telemetry } from '#shared/telemetry.ts';

export type Dependencies = Telemetry & {
  feedRecording: FeedRecording;
  webhooks: Pick<WebhookStore, 'find' | 'makeDue'>;
  /** Starts a delivery. */
  deliver: (name: WebhookName) => Promise<void>;
  slots: Slots;
  clock: () => Date;
};

type Eventful = { record: StreamRecord; change: ChangeEvents };

export const createHandler = ({
  feedRecording,
  webhooks,
  deliver,
  slots,
  clock,
  ...telemetry
}: Dependencies) => {
  const { log, metrics } = telemetry;
  const publicName = (platform: string): string => slots[platform as Slot]?.name ?? platform;

  /** The events of a record. One without a readable form must not block those after it. */
  const read = (record: StreamRecord): Eventful[] => {
    try {
      const change = eventsOfChange(record, publicName);
      return change.events.length === 0 ? [] : [{ record, change }];
    } catch (error) {
      const { key, stream, sequenceNumber } = record;
      metrics.eventsNotRecorded();
      log.error('the events of a change are not recorded', {
        key,
        stream,
        sequence_number: sequenceNumber,
        error,
      });
      return [];
    }
  };

  /** Starts a run. If that fails, resume-deliveries does it: the shard must not wait. */
  const start = async (name: WebhookName): Promise<void> => {
    try {
      await deliver(name);
    } catch (error) {
      log.warn('a delivery will start later', { application_id: name.applicationId, error });
      await webhooks.makeDue(name, clock());
    }
  };

  /** Starts deliveries of these events, also if an earlier try recorded them and then failed. */
  const startDeliveries = async (applicationId: string, of: readonly Eventful[]): Promise<void> => {
    const all = await webhooks.find(applicationId);
    if (all.isForbidden) return;
    const events = of.flatMap(({ change }) => change.events);
    const wanting = all.webhooks.filter(
      ({ disabledReason, types, tenants }) =>
        disabledReason === null &&
        events.some((event) =>
          passesEventFilter(event, { types: types ?? undefined, tenants: tenants ?? undefined }),
        ),
    );
    await Promise.all(wanting.map(({ webhookId }) => start({ applicationId, webhookId })));
  };

  return createStreamBatchHandler(async (records) => {
    const eventful = records.flatMap(read);
    const byApplication = Map.groupBy(eventful, ({ change }) => change.source.applicationId);
    const failed: StreamRecord[] = [];
    let recorded = 0;
    // One application must not wait for another.
    const record = async ([applicationId, of]: [string, Eventful[]]): Promise<void> => {
      try {
        const changes = of.map(({ change }) => change);
        recorded += (await feedRecording.record(applicationId, changes)).recorded;
        await startDeliveries(applicationId, of);
      } catch (error) {
        log.warn('events will be recorded later', { application_id: applicationId, error });
        failed.push(...of.map((it) => it.record));
      }
    };
    await Promise.all([...byApplication].map(record));
    return {
      outcome: failed.length === 0 ? 'success' : 'temporarily_unavailable',
      records: records.length,
      events: eventful.reduce((sum, { change }) => sum + change.events.length, 0),
      recorded,
      applications: byApplication.size,
      failed,
    };
  }, telemetry);
};
