// How replies show an event.

import * as z from 'zod/mini';
import { dateText } from '../reports/report.view.ts';
import { EventType, type NumberedEvent, publicFieldsOf } from './event-types.ts';

const text = (description: string) => z.optional(z.string().check(z.describe(description)));
const textOrNull = (description: string) =>
  z.optional(z.nullable(z.string()).check(z.describe(description)));
const count = (description: string) => z.optional(z.int().check(z.describe(description)));

/** Every event has the tenant, if it belongs to one. The other fields depend on the type. */
const EventDataView = z.object({
  tenant_domain_url: text('The tenant, for every event of a tenant.'),
  journal_entry_id: text('`journal_entry.*`: the entry.'),
  journal_number: text('`journal_entry.*`: its number.'),
  posting_date: z.optional(dateText('`journal_entry.*`: its posting date.')),
  status: text('`journal_entry.*`: its status after the event.'),
  external_id: textOrNull('`journal_entry.*`: its external_id.'),
  reversed_by: text('`journal_entry.reversed`: the reversal.'),
  code: text('`account.*`: the code of the account.'),
  as_of: z.optional(dateText('`balances.checked`: the last day that was compared.')),
  agrees: z.optional(
    z
      .boolean()
      .check(z.describe("`balances.checked`: whether all compared days equal the platform's.")),
  ),
  lock_date: z.optional(dateText('`tenant.locked`: the last date of the locked period.')),
  platform: text('`connection.*`: the platform.'),
  restored_to: textOrNull(
    '`feed.restored`: the time of the restored state (UTC), if known. What came later is undone.',
  ),
  user_id: text('`user.*`: the user.'),
  import_id: text('`import.*`: the import.'),
  webhook_id: text('`webhook.disabled`: the webhook.'),
  reason: textOrNull(
    '`import.*`: why it failed or is not complete, as in its `reason`. `webhook.disabled`: why.',
  ),
  accounts_imported: count('`import.*`: accounts imported.'),
  journals_imported: count('`import.*`: journals imported until now.'),
  journals_revised: count('`import.*`: edits of imported journals followed until now.'),
  journals_voided: count('`import.*`: voided or deleted journals reversed until now.'),
  accounts_refused: count('`import.*`: accounts refused.'),
  journals_refused: count('`import.*`: journals refused.'),
});
z.globalRegistry.add(EventDataView, {
  id: 'EventData',
  description: 'What the event is about. Read the current state with the ids in it.',
});

export const EventView = z.object({
  sequence: z
    .int()
    .check(
      z.describe(
        'Position in the feed of the application, without gaps except before `feed.restored`.',
      ),
    ),
  event_id: z.string().check(z.describe('Id of the event.')),
  type: EventType.check(
    z.describe('What happened. New types can appear: ignore the types that you do not know.'),
  ),
  occurred_at: z.string().check(
    z.meta({
      format: 'date-time',
      description: 'When it happened (UTC), precise to a second or better.',
    }),
  ),
  data: EventDataView,
});
z.globalRegistry.add(EventView, { id: 'Event', description: 'An event of the feed.' });
export type EventView = z.input<typeof EventView>;

export const eventViewOf = (event: NumberedEvent): EventView => publicFieldsOf(event) as EventView;
