// A webhook whose receiver is off for a night, while events are recorded every minute: what arrives
// afterwards, in which order, how late and how often.

import type { WebhookName } from '#shared/table/event-keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openTestFeed } from '../events/feed-events.ts';
import { lambdaContext } from '../events/lambda-events.ts';
import { accepted, openReceiver } from '../servers/webhook-receiver.ts';
import { callsOf } from './calls.ts';
import { openInstance } from './instances.ts';

const minute = 60_000;
const nightMinutes = 8 * 60;
/** Longer than the longest pause between attempts. */
const maximumMinutes = 13 * 60;

export type Night = {
  events: number;
  arrived: number;
  twice: number;
  /** The greatest number of later events that arrived before one. */
  overtaken: number;
  /** From the return of the receiver to the first and to the last event. */
  minutesToFirst: number;
  minutesToLast: number;
  /** Attempts while the receiver was off. */
  attempts: number;
};

const figuresOf = (events: number, sequences: readonly number[]) => {
  let highest = 0;
  let overtaken = 0;
  for (const sequence of sequences) {
    highest = Math.max(highest, sequence);
    overtaken = Math.max(overtaken, highest - sequence);
  }
  const arrived = new Set(sequences).size;
  return { events, arrived, twice: sequences.length - arrived, overtaken };
};

/**
 * @param options.stepMinutes how often events are recorded and the schedule runs
 * @param options.isHelped whether the application sets the status `active` in the morning
 */
export const passNight = async (
  table: Table,
  {
    applicationId,
    eventsPerMinute,
    stepMinutes,
    isHelped,
  }: {
    applicationId: string;
    eventsPerMinute: number;
    stepMinutes: number;
    isHelped: boolean;
  },
): Promise<Night> => {
  const time = { now: Date.parse('2026-03-23T20:00:00.000Z') };
  const clock = () => new Date(time.now);
  const queue: WebhookName[] = [];
  const deliver = async (name: WebhookName) => void queue.push(name);
  const instance = openInstance({ table, clock, deliver });
  const { call } = callsOf(instance, { applicationId });
  const { recordMany } = openTestFeed(table, { applicationId, clock });
  const receiver = await openReceiver();
  const { webhook_id: webhookId } = await call('createWebhook', { url: receiver.url });
  const arrivals: { sequence: number; at: number }[] = [];
  let events = 0;

  /** What happens in a step: events, the schedule, and the runs that both start. */
  const passStep = async (): Promise<void> => {
    time.now += stepMinutes * minute;
    if (arrivals.length === 0) {
      await recordMany(eventsPerMinute * stepMinutes);
      events += eventsPerMinute * stepMinutes;
      queue.push({ applicationId, webhookId });
    }
    await instance.resumeDeliveries({ time: clock().toISOString() }, lambdaContext(60_000));
    for (const name of queue.splice(0)) await instance.deliverEvents(name, lambdaContext(100_000));
  };

  receiver.reply(() => ({ status: 503 }));
  for (let passed = 0; passed < nightMinutes; passed += stepMinutes) await passStep();
  const attempts = receiver.received.length;
  const backAt = time.now;
  receiver.reply(({ sequence }) => {
    arrivals.push({ sequence, at: time.now });
    return accepted;
  });
  if (isHelped) await call('updateWebhook', { webhook_id: webhookId, status: 'active' });
  for (let passed = 0; passed < maximumMinutes && arrivals.length < events; passed += stepMinutes) {
    await passStep();
  }
  await receiver.stop();
  const minutesTo = (arrival: { at: number } | undefined) =>
    ((arrival?.at ?? Number.NaN) - backAt) / minute;
  return {
    ...figuresOf(
      events,
      arrivals.map(({ sequence }) => sequence),
    ),
    minutesToFirst: minutesTo(arrivals[0]),
    minutesToLast: minutesTo(arrivals.at(-1)),
    attempts,
  };
};
