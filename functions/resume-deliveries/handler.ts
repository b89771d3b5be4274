// Starts the deliveries that are due: after a failure, or for a check. Then tries again to record
// events that could not be recorded.

import { type DueItem, listDueItems } from '#shared/background/due-index.store.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import type { EventRecording } from '#shared/events/event-recording.service.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { dueDeliveryPartition, dueFeedPartition } from '#shared/table/due-keys.ts';
import { type WebhookName, webhookOfDelivery } from '#shared/table/event-keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Telemetry } from '#shared/telemetry.ts';

export type Dependencies = Telemetry & {
  table: Pick<Table, 'queryPages'>;
  webhooks: Pick<WebhookStore, 'postpone'>;
  eventRecording: Pick<EventRecording, 'resume'>;
  /** Starts a run. A second run is harmless: without the lease, it does nothing. */
  deliver: (name: WebhookName) => Promise<void>;
  clock: () => Date;
};

/** The next run starts the rest. */
const maximumStarts = 500;
const reserveMilliseconds = 5_000;

export const createHandler = ({
  table,
  webhooks,
  eventRecording,
  deliver,
  clock,
  ...telemetry
}: Dependencies) =>
  createScheduleHandler(async ({ scheduledFor, remainingMilliseconds }) => {
    const by = scheduledFor.toISOString();
    const hasTime = () => remainingMilliseconds() >= reserveMilliseconds;
    let started = 0;
    const start = async (item: DueItem): Promise<void> => {
      // First, so that an invocation that is lost is made up for by a later run.
      if (!(await webhooks.postpone(item, clock()))) return;
      await deliver(webhookOfDelivery(item));
      started += 1;
    };
    for await (const item of listDueItems(table, { partitions: [dueDeliveryPartition], by })) {
      if (started >= maximumStarts || !hasTime()) break;
      await start(item);
    }
    const held = { done: 0, later: 0, stuck: 0 };
    for await (const item of listDueItems(table, { partitions: [dueFeedPartition], by })) {
      if (!hasTime()) break;
      held[await eventRecording.resume(item, hasTime)] += 1;
    }
    return {
      started,
      recorded: held.done,
      unfinished: held.later,
      stuck: held.stuck,
    };
  }, telemetry);
