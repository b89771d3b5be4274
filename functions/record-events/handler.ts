// Records the events of changes in the feeds of their applications.

import { isTransient } from '#shared/background/stuck-work.ts';
import { createStreamBatchHandler, type StreamRecord } from '#shared/endpoint/stream.ts';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { passesEventFilter } from '#shared/events/event-filter.ts';
import type { EventRecording } from '#shared/events/event-recording.service.ts';
import type { WebhookStore, Webhooks } from '#shared/events/webhooks.store.ts';
import type { WebhookName } from '#shared/table/event-keys.ts';
import type { Telemetry } from '#shared/telemetry.ts';

export type Dependencies = Telemetry & {
  eventRecording: Pick<EventRecording, 'read' | 'record'>;
  webhooks: Pick<WebhookStore, 'find' | 'makeDue'>;
  /** Starts a delivery. */
  deliver: (name: WebhookName) => Promise<void>;
  clock: () => Date;
};

type Eventful = { record: StreamRecord; change: ChangeEvents };

export const createHandler = ({
  eventRecording,
  webhooks,
  deliver,
  clock,
  ...telemetry
}: Dependencies) => {
  const { log } = telemetry;

  /** Starts a run. If that fails, resume-deliveries does it: the shard must not wait. */
  const start = async (name: WebhookName): Promise<void> => {
    try {
      await deliver(name);
    } catch (error) {
      log.warn('a delivery will start later', { application_id: name.applicationId, error });
      await webhooks.makeDue(name, clock());
    }
  };

  /** The webhooks of an application. The shard does not wait for ones that cannot be read. */
  const findWebhooks = async (applicationId: string): Promise<Webhooks | undefined> => {
    try {
      return await webhooks.find(applicationId);
    } catch (error) {
      if (isTransient(error)) throw error;
      log.error('webhooks cannot be read', { application_id: applicationId, error });
      return undefined;
    }
  };

  /** Starts deliveries of these events, also if an earlier try recorded them and then failed. */
  const startDeliveries = async (applicationId: string, of: readonly Eventful[]): Promise<void> => {
    const all = await findWebhooks(applicationId);
    if (all === undefined || all.isForbidden) return;
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
    const failed: StreamRecord[] = [];
    const eventful: Eventful[] = [];
    for (const record of records) {
      try {
        const change = await eventRecording.read(record);
        if (change !== undefined && change.events.length > 0) eventful.push({ record, change });
      } catch (error) {
        log.warn('a change will be read later', { error });
        failed.push(record);
      }
    }
    const byApplication = Map.groupBy(eventful, ({ change }) => change.source.applicationId);
    let [recorded, held] = [0, 0];
    // One application must not wait for another.
    const record = async ([applicationId, of]: [string, Eventful[]]): Promise<void> => {
      try {
        const changes = of.map(({ change }) => change);
        const done = await eventRecording.record(applicationId, changes);
        if (done.isHeld) {
          held += 1;
          return;
        }
        recorded += done.recorded;
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
      ...(held > 0 && { held }),
      failed,
    };
  }, telemetry);
};
