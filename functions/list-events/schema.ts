// What list-events accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { pageLimit } from '#shared/endpoint/page.view.ts';
import { EventView } from '#shared/events/event.view.ts';
import { eventTypeList } from '#shared/events/event-type-fields.ts';
import { domainUrl, queryInteger } from '#shared/fields.ts';

export const Request = z.strictObject({
  after: z
    ._default(queryInteger({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 0)
    .check(z.describe('The page has the events after this sequence. Defaults to 0.')),
  limit: pageLimit,
  types: z.optional(eventTypeList),
  domain_url: z.optional(domainUrl),
});

export const Data = z.object({
  events: z.array(EventView).check(z.describe('The events, oldest first.')),
  next_after: z
    .int()
    .check(z.describe('Send it as `after` to continue. The feed was examined up to here.')),
  has_more: z.boolean().check(z.describe('Whether the feed has events after `next_after`.')),
  latest_sequence: z.int().check(z.describe('The last sequence of the feed; 0 if it is empty.')),
});
z.globalRegistry.add(Data, { id: 'EventPage', description: 'A page of the event feed.' });

export const documentation: EndpointDocumentation = {
  summary: 'List events',
  description: `Returns what happened in the books of all tenants of your application, in the order
in which it was recorded. Store \`next_after\` and send it as \`after\` in the next request. So you
miss no event: an entry with an earlier date, an accrual that posted, or a finished import.

\`sequence\` counts the events of your application from 1, without gaps, except before a
\`feed.restored\`. The events of one tenant are in the order in which they happened. An event is
recorded once, usually within a second.

With \`types\` or \`domain_url\`, a page examines up to 1,000 events, so it can be short or empty
although \`has_more\` is true. Continue with \`next_after\`.

Events can be read for 90 days. If the first event after \`after\` is older, the reply is
\`events_expired\`, and \`details[0].params.first_sequence\` is the first event that can be read:
send one less as \`after\`. A sequence that the feed has not reached is refused.

Events have no amounts, texts or names. Read the current state with the ids in \`data\`. An import
is one event, and so is a new tenant with its chart.`,
  errors: ['events_expired', 'tenant_not_found'],
  examples: [
    {
      name: 'After the first event',
      request: { after: '1', limit: '2' },
      data: {
        events: [
          {
            sequence: 2,
            event_id: 'evt_Qm9va3NBcmVCYWxhbmNl',
            type: 'journal_entry.posted',
            occurred_at: '2026-03-24T12:00:00.000Z',
            data: {
              tenant_domain_url: 'analytical-engines-k7m2xq',
              journal_entry_id: '2d25c440-0000-8010-b6c6-94a3a812c871',
              journal_number: 'MJ-20260323-0001',
              posting_date: '2026-03-23',
              status: 'posted',
              external_id: 'invoice-42',
            },
          },
        ],
        next_after: 2,
        has_more: false,
        latest_sequence: 2,
      },
    },
  ],
};
