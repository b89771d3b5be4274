// Delivers the events of a feed to a webhook, from its cursor to the end of the feed.

import type { Sealing } from '../sealing.ts';
import { type WebhookName, webhookSealBinding } from '../table/event-keys.ts';
import { passesEventFilter } from './event-filter.ts';
import { type NumberedEvent, publicFieldsOf } from './event-types.ts';
import type { Feed } from './feed.store.ts';
import type { WebhookSending } from './webhook-sending.service.ts';
import { signedHeaders } from './webhook-signature.ts';
import type { WebhookStore } from './webhooks.store.ts';
import {
  type AttemptedEvent,
  afterRound,
  type Delivery,
  isSigning,
  type SealedSecret,
  verdictOn,
  type Webhook,
  withoutParked,
} from './webhooks.ts';

/** Requests at the same time. */
const maximumAtOnce = 10;
/** The events that a round examines. */
const roundWindow = 200;
/** Longer than a round: it sends once, 15 seconds at most, and writes. */
const leaseMilliseconds = 60_000;
/** A run starts no round when less time than this remains. */
const reserveMilliseconds = 25_000;

type Message = { id: string; body: string };

/**
 * A round: the events to send, the parked events that expired, how far the feed was examined, and
 * whether it ended there.
 */
type Plan = {
  events: readonly NumberedEvent[];
  expired: readonly number[];
  examined: number;
  isToEnd: boolean;
};

type RunEnd =
  | 'delivered'
  | 'waits'
  | 'leased'
  | 'failed'
  | 'disabled'
  | 'unfinished'
  | 'events_expired';

/** `reached` is the cursor. */
type DeliveryRun = { end: RunEnd; delivered: number; reached: number };

/** `end` is undefined if the run may go on. */
type Step = Omit<DeliveryRun, 'end'> & { end: RunEnd | undefined };

export type Deliveries = ReturnType<typeof openDeliveries>;

export const openDeliveries = ({
  webhooks,
  feed,
  sealing,
  sending,
  clock,
  chance = Math.random,
  newLeaseId,
}: {
  webhooks: Pick<WebhookStore, 'disable' | 'makeDue' | 'readDelivery' | 'saveDelivery'>;
  feed: Pick<Feed, 'read' | 'endsAt'>;
  sealing: Pick<Sealing, 'open'>;
  sending: Pick<WebhookSending, 'send'>;
  clock: () => Date;
  chance?: () => number;
  newLeaseId: () => string;
}) => {
  const openSecrets = (name: WebhookName, secrets: readonly SealedSecret[]): Promise<string[]> =>
    Promise.all(
      secrets
        .filter((it) => isSigning(it, clock()))
        .map(({ sealed }) => sealing.open(sealed, webhookSealBinding(name))),
    );

  const sendMessage = async (
    { url }: Pick<Webhook, 'url'>,
    { id, body }: Message,
    secrets: readonly string[],
  ) => {
    const now = clock();
    return sending.send(url, { headers: signedHeaders({ id, at: now, body }, secrets), body }, now);
  };

  const messageOf = (event: NumberedEvent): Message => ({
    id: event.id,
    body: JSON.stringify(publicFieldsOf(event)),
  });

  /** The parked events that are due. `expired` has those that the feed no longer has. */
  const readParked = async (name: WebhookName, { parked }: Delivery) => {
    const now = clock().toISOString();
    const due = parked.filter(({ retryAt }) => retryAt <= now).slice(0, maximumAtOnce);
    const readings = await Promise.all(
      due.map(async ({ sequence }) => ({
        sequence,
        reading: await feed.read(name.applicationId, { after: sequence - 1, window: 1 }),
      })),
    );
    return {
      events: readings.flatMap(({ reading }) => (reading.outcome === 'read' ? reading.events : [])),
      expired: readings.flatMap(({ sequence, reading }) =>
        reading.outcome === 'expired' ? [sequence] : [],
      ),
    };
  };

  /** The next events to send, and how far the feed was examined for them. */
  const readNext = async (name: WebhookName, webhook: Webhook, delivery: Delivery) => {
    const after = delivery.deliveredThrough;
    const reading = await feed.read(name.applicationId, { after, window: roundWindow });
    // A restored table has a shorter feed. The events are then delivered when it gets there.
    if (reading.outcome === 'beyond_end') return { events: [], examined: after, isToEnd: true };
    if (reading.outcome === 'expired') return 'expired';
    const filter = { types: webhook.types ?? undefined, tenants: webhook.tenants ?? undefined };
    const wanted = reading.events.filter((event) => passesEventFilter(event, filter));
    const events = wanted.slice(0, maximumAtOnce);
    const isCut = wanted.length > events.length;
    const examined = isCut ? (events.at(-1)?.sequence ?? after) : reading.examined;
    return { events, examined, isToEnd: examined === reading.latest };
  };

  const takeLease = async (name: WebhookName, before: Delivery): Promise<Delivery | undefined> => {
    const now = clock();
    const leaseUntil = new Date(now.getTime() + leaseMilliseconds).toISOString();
    const leased: Delivery = { ...before, leaseId: newLeaseId(), leaseUntil };
    if (await webhooks.saveDelivery(name, { before, after: leased, now })) return leased;
    // The call may have been repeated after its reply was lost.
    const read = await webhooks.readDelivery(name);
    return read?.delivery.leaseId === leased.leaseId ? leased : undefined;
  };

  /** What is to be sent now; `undefined` if there is nothing, and the cursor is at the end. */
  const planRound = async (name: WebhookName, webhook: Webhook, delivery: Delivery) => {
    const next = await readNext(name, webhook, delivery);
    if (next === 'expired') return next;
    const parked = await readParked(name, delivery);
    const { expired } = parked;
    const events = [...parked.events, ...next.events];
    const isAtEnd = events.length + expired.length === 0;
    if (isAtEnd && next.examined === delivery.deliveredThrough) return undefined;
    return { ...next, events, expired };
  };

  const sendRound = async (
    name: WebhookName,
    webhook: Webhook,
    { delivery, events, expired, examined }: Omit<Plan, 'isToEnd'> & { delivery: Delivery },
  ) => {
    const secrets = await openSecrets(name, webhook.secrets);
    const attempts = await Promise.all(
      events.map(async (event): Promise<AttemptedEvent> => {
        const sent = await sendMessage(webhook, messageOf(event), secrets);
        return { sequence: event.sequence, ...sent };
      }),
    );
    const before = withoutParked(delivery, expired);
    const after = afterRound(before, { attempts, examined }, { now: clock(), chance: chance() });
    const delivered = attempts.filter(({ attempt }) => verdictOn(attempt.status) === 'delivered');
    return { ...after, delivered: delivered.length };
  };

  const isWaiting = ({ retryAt }: Delivery): boolean =>
    retryAt !== null && retryAt > clock().toISOString();

  const isLeased = ({ leaseUntil }: Delivery): boolean =>
    leaseUntil !== null && leaseUntil > clock().toISOString();

  /** Why nothing may be sent now. */
  const obstacleOf = (
    read: Awaited<ReturnType<typeof webhooks.readDelivery>>,
  ): 'disabled' | 'leased' | 'waits' | undefined => {
    if (!read || read.isForbidden || read.webhook.disabledReason !== null) return 'disabled';
    if (isLeased(read.delivery)) return 'leased';
    return isWaiting(read.delivery) ? 'waits' : undefined;
  };

  /** Sends what is planned, and saves what came of it. */
  const carryOut = async (
    name: WebhookName,
    webhook: Webhook,
    { leased, isToEnd, ...plan }: Plan & { leased: Delivery },
  ): Promise<Step> => {
    const round = await sendRound(name, webhook, { ...plan, delivery: leased });
    const { delivered, disabledReason } = round;
    const reached = round.delivery.deliveredThrough;
    const after: Delivery = { ...round.delivery, leaseId: null, leaseUntil: null };
    const isSaved = await webhooks.saveDelivery(name, { before: leased, after, now: clock() });
    // Another run has the lease, or the reply of this call was lost: the next look shows it.
    if (!isSaved) return { end: undefined, delivered, reached: leased.deliveredThrough };
    if (disabledReason !== undefined) {
      await webhooks.disable(name, disabledReason);
      return { end: 'disabled', delivered, reached };
    }
    if (isWaiting(after)) return { end: 'failed', delivered, reached };
    // The lease has ended, so no event waits for another run.
    const isDone = isToEnd && (await feed.endsAt(name.applicationId, reached));
    return { end: isDone ? 'delivered' : undefined, delivered, reached };
  };

  /** One look at the feed, and one round of attempts. */
  const step = async (name: WebhookName, hasTime: () => boolean): Promise<Step> => {
    const read = await webhooks.readDelivery(name);
    const reached = read?.delivery.deliveredThrough ?? 0;
    const ended = (end: RunEnd) => ({ end, delivered: 0, reached });
    const obstacle = obstacleOf(read);
    if (obstacle !== undefined || read === undefined) return ended(obstacle ?? 'disabled');
    const { webhook, delivery } = read;
    // Read after the lease of the last round had ended, so no event waits for another run.
    const plan = await planRound(name, webhook, delivery);
    if (plan === 'expired') return ended('events_expired');
    if (plan === undefined) return ended('delivered');
    if (!hasTime()) {
      await webhooks.makeDue(name, clock());
      return ended('unfinished');
    }
    const leased = await takeLease(name, delivery);
    if (leased === undefined) return { end: undefined, delivered: 0, reached };
    return carryOut(name, webhook, { ...plan, leased });
  };

  return {
    /** Delivers until the end of the feed, a failure, or the end of the time. */
    run: async (
      name: WebhookName,
      { remainingMilliseconds }: { remainingMilliseconds: () => number },
    ): Promise<DeliveryRun> => {
      const hasTime = () => remainingMilliseconds() > reserveMilliseconds;
      for (let delivered = 0; ; ) {
        const done = await step(name, hasTime);
        delivered += done.delivered;
        if (done.end !== undefined) return { end: done.end, delivered, reached: done.reached };
      }
    },

    /** Sends `webhook.test` at once. It is not in the feed and has no sequence. */
    test: async (name: WebhookName, webhook: Webhook, id: string) => {
      const secrets = await openSecrets(name, webhook.secrets);
      const body = JSON.stringify({
        sequence: null,
        event_id: id,
        type: 'webhook.test',
        occurred_at: clock().toISOString(),
        data: {},
      });
      return (await sendMessage(webhook, { id, body }, secrets)).attempt;
    },
  };
};
