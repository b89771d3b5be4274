// The view of an entry's events, among the latest of the application's feed.

import { get } from './api.js';
import { h, tableOf } from './elements.js';
import { entryLink, figure, text, whole } from './parts.js';

const types = ['posted', 'scheduled', 'cancelled', 'reversed'].map((it) => `journal_entry.${it}`);
const maximumExamined = 5_000;

/** The entry's events among the latest of the feed, the earliest first. */
const eventsOf = async (tenant, id) => {
  const { latest_sequence: latest } = await get('events/list', { limit: 1 });
  const events = [];
  const query = { domain_url: tenant, types: types.join(','), limit: 200 };
  for (let after = Math.max(0, latest - maximumExamined); after < latest; ) {
    const page = await get('events/list', { ...query, after });
    events.push(...page.events.filter(({ data }) => data.journal_entry_id === id));
    after = page.next_after;
  }
  return events;
};

/** @param id the id of the entry */
export const events = async (tenant, id) => {
  const found = await eventsOf(tenant, id);
  return [
    h('h2', { tabindex: '-1' }, 'Events of a journal entry'),
    h('p', {}, 'The entry: ', entryLink(id)),
    found.length === 0
      ? h('p', {}, `The latest ${maximumExamined} events of the application have none.`)
      : tableOf({
          caption: 'Events, the earliest first',
          columns: [
            figure('Sequence', ({ sequence }) => String(sequence)),
            text('Type', ({ type }) => type),
            whole('Occurred', ({ occurred_at }) => occurred_at),
            text('Status', ({ data }) => data.status),
            text('Id', ({ event_id }) => event_id),
          ],
          rows: found,
        }),
  ];
};
