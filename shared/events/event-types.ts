// The types of events.

import * as z from 'zod/mini';

export const eventTypes = [
  'account.created',
  'account.updated',
  'balances.checked',
  'connection.ended',
  'connection.established',
  'connection.needs_consent',
  'feed.restored',
  'import.completed',
  'import.failed',
  'journal_entry.cancelled',
  'journal_entry.posted',
  'journal_entry.reversed',
  'journal_entry.scheduled',
  'tenant.created',
  'tenant.locked',
  'tenant.updated',
  'user.erased',
  'user.updated',
  'webhook.disabled',
] as const;
export const EventType = z.enum(eventTypes);
export type EventType = z.infer<typeof EventType>;

/** Events that the fields of an item do not show, so the writer declares them. */
type DeclaredType = Exclude<
  EventType,
  'feed.restored' | `import.${string}` | `journal_entry.${string}`
>;

/**
 * The field of an item that declares the events of its last change. Each action that changes an
 * account, a tenant or the item of a user's id sets the field or, without an event, removes it: an
 * event that another change leaves in place would be recorded again.
 */
export const declaredEvents = (...types: readonly DeclaredType[]) => ({
  events: types.length === 0 ? undefined : types.join(' '),
});

/** The types in the field, in the order of their declaration. */
export const readDeclaredEvents = (field: unknown): EventType[] =>
  String(field)
    .split(' ')
    .map((type) => EventType.parse(type));

/** The fields of an event beside its tenant. Thin on purpose: no amounts, texts or names. */
const EventData = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type EventData = z.infer<typeof EventData>;

/** An event before it has a sequence. `at` is the time at which it occurred (ISO 8601). */
export const FeedEvent = z.object({
  id: z.string(),
  type: EventType,
  at: z.string(),
  data: EventData,
});
export type FeedEvent = z.infer<typeof FeedEvent>;

/** An event with its place in the feed. */
export type NumberedEvent = FeedEvent & { sequence: number };

/** The fields of an event in the feed and in a delivery. */
export const publicFieldsOf = ({ sequence, id, type, at, data }: NumberedEvent) => ({
  sequence,
  event_id: id,
  type,
  occurred_at: at,
  data,
});
