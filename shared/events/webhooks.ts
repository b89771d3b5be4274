// A webhook: an address of an application that gets its events.

import * as z from 'zod/mini';
import { EventType } from './event-types.ts';

export const maximumWebhooks = 5;
export const maximumUrlLength = 1_000;

/** How long a request can resolve the name of its endpoint, and then wait for the reply. */
export const resolveMilliseconds = 5_000;
export const sendMilliseconds = 15_000;

/** A sealed secret. It signs until a time if another one replaced it. */
const SealedSecret = z.object({ sealed: z.string(), until: z.nullable(z.string()) });
export type SealedSecret = z.infer<typeof SealedSecret>;

export const disabledReasons = [
  'disabled_by_application',
  'disabled_by_operator',
  'endpoint_gone',
  'no_success_in_five_days',
] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** `types` and `tenants` (domain prefixes) are null if all events are delivered. */
export const Webhook = z.object({
  webhookId: z.string(),
  url: z.string(),
  description: z.nullable(z.string()),
  types: z.nullable(z.array(EventType)),
  tenants: z.nullable(z.array(z.string())),
  disabledReason: z.nullable(z.enum(disabledReasons)),
  secrets: z.array(SealedSecret),
  createdAt: z.string(),
  /** The Idempotency-Key of the request that created it, and a hash of the request. */
  creation: z.optional(z.object({ idempotencyKey: z.string(), request: z.string() })),
});
export type Webhook = z.infer<typeof Webhook>;

/** How long both secrets sign after a rotation. */
export const rotationMilliseconds = 24 * 60 * 60_000;

export const isSigning = ({ until }: SealedSecret, now: Date): boolean =>
  until === null || until > now.toISOString();

export const webhookStatuses = ['active', 'failing', 'disabled'] as const;

export const webhookStatusOf = (
  { disabledReason }: Webhook,
  { retryAt, failures }: Pick<Delivery, 'retryAt' | 'failures'>,
): (typeof webhookStatuses)[number] => {
  if (disabledReason !== null) return 'disabled';
  return retryAt !== null && failures > 0 ? 'failing' : 'active';
};

/** An event that was refused, and is tried again beside the others. */
const ParkedEvent = z.object({
  sequence: z.int(),
  attempts: z.int(),
  since: z.string(),
  retryAt: z.string(),
});
type ParkedEvent = z.infer<typeof ParkedEvent>;

/** What came of an attempt: the status of the reply, or what went wrong. */
export const Attempt = z.object({
  at: z.string(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

/**
 * The progress of deliveries. All events up to `deliveredThrough` are delivered, filtered or
 * parked. `failures` counts the failures in a row, `parkedInRow` the events that were parked in a
 * row. `dropped` counts the events that were given up.
 */
export const Delivery = z.object({
  deliveredThrough: z.int(),
  leaseUntil: z.nullable(z.string()),
  leaseId: z.nullable(z.string()),
  failures: z.int(),
  failingSince: z.nullable(z.string()),
  retryAt: z.nullable(z.string()),
  parked: z.array(ParkedEvent),
  parkedInRow: z.int(),
  dropped: z.int(),
  lastAttempt: z.nullable(Attempt),
});
export type Delivery = z.infer<typeof Delivery>;

export const newDelivery = (deliveredThrough: number): Delivery => ({
  deliveredThrough,
  leaseUntil: null,
  leaseId: null,
  failures: 0,
  failingSince: null,
  retryAt: null,
  parked: [],
  parkedInRow: 0,
  dropped: 0,
  lastAttempt: null,
});

/**
 * The progress of a webhook that starts again, without the failures before. Parked events stay
 * parked, unless they are delivered anyway.
 */
export const restartedDelivery = (before: Delivery, deliveredThrough: number): Delivery => ({
  ...newDelivery(deliveredThrough),
  parked: before.parked.filter(({ sequence }) => sequence <= deliveredThrough),
  dropped: before.dropped,
  lastAttempt: before.lastAttempt,
});

/** The progress after parked events were given up. */
export const withoutParked = (before: Delivery, sequences: readonly number[]): Delivery => ({
  ...before,
  parked: before.parked.filter(({ sequence }) => !sequences.includes(sequence)),
  dropped: before.dropped + sequences.length,
});

const minute = 60_000;
const hour = 60 * minute;
const backoffs = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
const longestBackoff = 12 * hour;
const longestRetryAfterSeconds = 60 * 60;
/** Part of the backoff that chance decides, so that endpoints do not come back all at once. */
const jitter = 0.2;

/**
 * The time of the next attempt after a number of failures. A `Retry-After` of up to an hour counts
 * if it is later.
 * @param chance from 0 to 1
 */
export const retryTimeOf = (
  { failures, retryAfterSeconds = 0 }: { failures: number; retryAfterSeconds?: number | undefined },
  { now, chance }: { now: Date; chance: number },
): string => {
  const backoff = (backoffs[failures - 1] ?? longestBackoff) * (1 - jitter / 2 + jitter * chance);
  const asked = Math.min(retryAfterSeconds, longestRetryAfterSeconds) * 1_000;
  return new Date(now.getTime() + Math.round(Math.max(backoff, asked))).toISOString();
};

/** An endpoint without one success for this long is disabled. */
const maximumFailingMilliseconds = 5 * 24 * hour;
/** An event that is refused for this long is dropped. */
const maximumParkedMilliseconds = 75 * hour;
/** So many events parked in a row count as a failure of the endpoint. */
const parkedAsFailure = 10;
/** More parked events than an item should have count as one too. */
const maximumParked = 500;

/** What a reply means: for the endpoint as a whole, or for one event. */
type Verdict = 'delivered' | 'endpoint_failed' | 'endpoint_gone' | 'event_refused';

const endpointStatuses = [408, 429];

export const verdictOn = (status: number | null): Verdict => {
  if (status === null || status >= 500 || endpointStatuses.includes(status)) {
    return 'endpoint_failed';
  }
  if (status === 410) return 'endpoint_gone';
  return status >= 200 && status < 300 ? 'delivered' : 'event_refused';
};

/** An attempt to deliver an event. */
export type AttemptedEvent = {
  sequence: number;
  attempt: Attempt;
  retryAfterSeconds?: number | undefined;
};

type Moment = { now: Date; chance: number };

const parkedAgain = (event: ParkedEvent, { now, chance }: Moment): ParkedEvent => {
  const attempts = event.attempts + 1;
  return { ...event, attempts, retryAt: retryTimeOf({ failures: attempts }, { now, chance }) };
};

/** The progress after one attempt, apart from the cursor. */
const afterAttempt = (
  before: Delivery,
  { sequence, attempt, retryAfterSeconds }: AttemptedEvent,
  moment: Moment,
): Delivery => {
  const nowText = moment.now.toISOString();
  const others = before.parked.filter((it) => it.sequence !== sequence);
  const parked = before.parked.find((it) => it.sequence === sequence);
  const attempted = { ...before, lastAttempt: attempt };
  const verdict = verdictOn(attempt.status);
  if (verdict === 'delivered') {
    const healthy = { failures: 0, failingSince: null, retryAt: null, parkedInRow: 0 };
    return { ...attempted, ...healthy, parked: others };
  }
  const failingSince = before.failingSince ?? nowText;
  if (verdict === 'event_refused') {
    const again = parkedAgain(
      parked ?? { sequence, attempts: 0, since: nowText, retryAt: nowText },
      moment,
    );
    const age = moment.now.getTime() - Date.parse(again.since);
    const isDropped = age >= maximumParkedMilliseconds;
    const parkedInRow = before.parkedInRow + (parked ? 0 : 1);
    const refused = {
      ...attempted,
      failingSince,
      parkedInRow,
      parked: isDropped ? others : [...others, again],
      dropped: before.dropped + (isDropped ? 1 : 0),
    };
    const isTooMany = refused.parked.length >= maximumParked;
    if (parkedInRow < parkedAsFailure && !isTooMany) return refused;
    const failures = before.failures + 1;
    return { ...refused, failures, retryAt: retryTimeOf({ failures }, moment), parkedInRow: 0 };
  }
  const failures = before.failures + 1;
  const retryAt = retryTimeOf({ failures, retryAfterSeconds }, moment);
  return { ...attempted, failingSince, failures, retryAt };
};

/**
 * The progress after a round of attempts, in the order of their sequences. The cursor moves up to
 * `examined`, or to the event before the first one at which the endpoint failed.
 */
export const afterRound = (
  before: Delivery,
  {
    attempts,
    examined,
  }: {
    attempts: readonly AttemptedEvent[];
    examined: number;
  },
  moment: Moment,
): { delivery: Delivery; disabledReason: DisabledReason | undefined } => {
  const failed = attempts.find(({ attempt }) =>
    ['endpoint_failed', 'endpoint_gone'].includes(verdictOn(attempt.status)),
  );
  const counted = failed ? attempts.slice(0, attempts.indexOf(failed) + 1) : attempts;
  let delivery = before;
  for (const attempt of counted) delivery = afterAttempt(delivery, attempt, moment);
  const isNew = failed !== undefined && failed.sequence > before.deliveredThrough;
  const reached = isNew ? failed.sequence - 1 : failed ? before.deliveredThrough : examined;
  const moved = { ...delivery, deliveredThrough: Math.max(before.deliveredThrough, reached) };
  if (failed && verdictOn(failed.attempt.status) === 'endpoint_gone') {
    return { delivery: moved, disabledReason: 'endpoint_gone' };
  }
  const since = moved.failingSince === null ? undefined : Date.parse(moved.failingSince);
  const isHopeless =
    since !== undefined && moment.now.getTime() - since >= maximumFailingMilliseconds;
  return { delivery: moved, disabledReason: isHopeless ? 'no_success_in_five_days' : undefined };
};
