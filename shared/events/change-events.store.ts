// The events of a change to an item of the table.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Comparison, comparisonOf } from '../balances/coverage.ts';
import { importCounts, importCountsOf } from '../imports/import-checkpoint.ts';
import { eventSourceOf, userIdOf } from '../table/event-keys.ts';
import { tenantNameOf } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { prefixOfSchema } from '../tenants/domain-names.ts';
import { type EventData, type EventType, FeedEvent, readDeclaredEvents } from './event-types.ts';

/** A change from the table's stream: the item after it, and its place in the stream. */
export const ItemChange = z.object({
  item: z.record(z.string(), z.unknown()),
  isNew: z.boolean(),
  /** The name of the stream. Another table, for example a restored one, has another stream. */
  stream: z.string(),
  /** Increases with each change of a partition. */
  sequenceNumber: z.string(),
  /** The time of the change, to the second (ISO 8601). */
  changedAt: z.string(),
});
export type ItemChange = z.infer<typeof ItemChange>;

/** The changes that can have events. The stream passes no others to `record-events`. */
export const eventfulChanges = [
  // Manual journals and revaluations. Imported journals have no key.
  { kind: 'entry', createdWithKey: { exists: true } },
  // An import is one event, so its entries have none before somebody reverses them.
  { kind: 'entry', entryType: 'Imported Journal', reversedBy: { exists: true } },
  { kind: 'import', status: 'complete' },
  { kind: 'import', status: 'failed' },
  { events: { exists: true } },
] as const;

const Entry = z.object({
  kind: z.literal('entry'),
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  accrualDate: z.nullable(z.string()),
  status: z.enum(['posted', 'scheduled', 'cancelled']),
  externalId: z.nullable(z.string()),
  reversedBy: z.optional(z.string()),
  reversalCancelledAt: z.optional(z.string()),
  createdAt: z.string(),
  postedAt: z.nullable(z.string()),
  cancelledAt: z.optional(z.string()),
});
type Entry = z.infer<typeof Entry>;

const Import = z.object({
  kind: z.literal('import'),
  importId: z.string(),
  status: z.enum(['complete', 'failed']),
  reason: z.nullable(z.string()),
  finishedAt: z.string(),
  checkpoint: z.object(importCounts),
});

const Account = z.object({ kind: z.literal('account'), code: z.string() });

const Tenant = z.object({
  kind: z.literal('tenant'),
  platform: z.string(),
  lockDate: z.optional(z.string()),
});

const DisabledWebhook = z.object({
  kind: z.literal('webhooks'),
  disabledId: z.string(),
  disabledReason: z.string(),
});

type Occurrence = { type: EventType; at?: string | null | undefined; data?: EventData };

/**
 * What happened to an entry. A posted entry without a reversal shows three changes: it was created,
 * it was scheduled and posted now, or its reversal was cancelled.
 */
const entryTypeOf = (entry: Entry, isNew: boolean): EventType | undefined => {
  if (entry.status === 'cancelled') return 'journal_entry.cancelled';
  if (entry.status === 'scheduled') return isNew ? 'journal_entry.scheduled' : undefined;
  // A revaluation can be recorded together with its reversal.
  if (entry.reversedBy !== undefined && !isNew) return 'journal_entry.reversed';
  const isPostedNow = entry.accrualDate !== null && entry.reversalCancelledAt === undefined;
  return isNew || isPostedNow ? 'journal_entry.posted' : undefined;
};

const timeOfEntry = (type: EventType, entry: Entry): string | null | undefined => {
  if (type === 'journal_entry.posted') return entry.postedAt;
  return type === 'journal_entry.scheduled' ? entry.createdAt : entry.cancelledAt;
};

const ofEntry = (item: unknown, isNew: boolean): Occurrence[] => {
  const entry = Entry.parse(item);
  const type = entryTypeOf(entry, isNew);
  if (type === undefined) return [];
  const isReversed = type === 'journal_entry.reversed';
  return [
    {
      type,
      at: isReversed ? undefined : timeOfEntry(type, entry),
      data: {
        journal_entry_id: entry.entryId,
        journal_number: entry.journalNumber,
        posting_date: entry.accrualDate ?? entry.date,
        status: entry.status,
        external_id: entry.externalId,
        ...(isReversed && { reversed_by: entry.reversedBy ?? null }),
      },
    },
  ];
};

const ofImport = (item: unknown): Occurrence => {
  const { status, importId, reason, finishedAt, checkpoint } = Import.parse(item);
  return {
    type: status === 'complete' ? 'import.completed' : 'import.failed',
    at: finishedAt,
    data: {
      import_id: importId,
      reason,
      ...importCountsOf(checkpoint),
    },
  };
};

/** The public name of a tenant's platform. A stage gives its slots other names than the table. */
type PublicName = (platform: string) => string;

const checkOf = ({ lastDay, days }: Comparison): EventData => ({
  as_of: lastDay,
  agrees: days.every(({ reason }) => reason === null),
});

const declaredData = (type: EventType, item: Item, publicName: PublicName): EventData => {
  if (type === 'webhook.disabled') {
    const { disabledId, disabledReason } = DisabledWebhook.parse(item);
    return { webhook_id: disabledId, reason: disabledReason };
  }
  if (type === 'balances.checked') return checkOf(comparisonOf(item));
  if (type.startsWith('account.')) return { code: Account.parse(item).code };
  if (type.startsWith('user.')) return { user_id: userIdOf({ pk: String(item.pk) }) };
  const { platform, lockDate = null } = Tenant.parse(item);
  if (type.startsWith('connection.')) return { platform: publicName(platform) };
  return type === 'tenant.locked' ? { lock_date: lockDate } : {};
};

const occurrencesOf = ({ item, isNew }: ItemChange, publicName: PublicName): Occurrence[] => {
  if (item.kind === 'entry') return ofEntry(item, isNew);
  if (item.kind === 'import') return [ofImport(item)];
  return readDeclaredEvents(item.events).map((type) => ({
    type,
    data: declaredData(type, item, publicName),
  }));
};

/** The same for each delivery of the change, and different for every other change. */
export const eventIdOf = (
  { item, stream, sequenceNumber }: Pick<ItemChange, 'item' | 'stream' | 'sequenceNumber'>,
  type: EventType,
): string => {
  const text = [item.pk, stream, sequenceNumber, type].join('\n');
  return `evt_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
};

/** The events of a change, with its place in the stream. */
export const ChangeEvents = z.object({
  source: z.object({ applicationId: z.string(), partition: z.string() }),
  stream: z.string(),
  sequenceNumber: z.string(),
  events: z.array(FeedEvent),
});
export type ChangeEvents = z.infer<typeof ChangeEvents>;

/** @throws if the item does not have the fields that its events need */
export const eventsOfChange = (changed: ItemChange, publicName: PublicName): ChangeEvents => {
  // A stream record reads its item anew each time.
  const change = { ...changed };
  const { item, stream, sequenceNumber, changedAt } = change;
  const pk = String(item.pk);
  const source = eventSourceOf({ pk });
  if (source === undefined) throw new Error('no application owns the item');
  const tenant = tenantNameOf({ pk });
  const ofTenant = tenant && { tenant_domain_url: prefixOfSchema(tenant.schemaName) };
  const events = occurrencesOf(change, publicName).map(
    ({ type, at, data }): FeedEvent => ({
      id: eventIdOf(change, type),
      type,
      at: at ?? changedAt,
      data: { ...ofTenant, ...data },
    }),
  );
  return { source, stream, sequenceNumber, events };
};
