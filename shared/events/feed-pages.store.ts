// The pages of an application's event feed. A page has the events that were recorded together.

import * as z from 'zod/mini';
import { feedHoldSort, feedPages, feedPagesAndHold, feedPositions } from '../table/event-keys.ts';
import type { Item, QueryInput, Table } from '../table/table.ts';
import { FeedEvent, type NumberedEvent } from './event-types.ts';

/** How long an event can be read. */
export const feedDays = 90;

/**
 * A page has the sequences from `first`. Its events have the last of them: it skips the others,
 * which is so after a restore only. `through` has the last change of each partition whose events
 * are on the page or on an earlier one.
 */
const FeedPage = z.object({
  first: z.int(),
  skipped: z.optional(z.int()),
  recordedAt: z.string(),
  through: z.record(z.string(), z.string()),
  events: z.array(FeedEvent),
});
export type FeedPage = z.infer<typeof FeedPage>;

export const readFeedPage = (item: Item): FeedPage => FeedPage.parse(item);

type Sequences = Pick<FeedPage, 'first' | 'skipped' | 'events'>;

const firstEventOf = ({ first, skipped = 0 }: Sequences): number => first + skipped;

export const lastSequenceOf = (page: Sequences): number =>
  firstEventOf(page) + page.events.length - 1;

export const eventsOfPage = (page: FeedPage): NumberedEvent[] =>
  page.events.map((event, index) => ({ ...event, sequence: firstEventOf(page) + index }));

/**
 * What was recorded of a partition. All changes up to `recorded` are in the feed. Changes up to
 * `pending` may be on the page that starts at `page`. Change numbers are those of `stream`. `last`
 * is the sequence of the last event that the page was meant to have.
 */
export const FeedPosition = z.object({
  stream: z.string(),
  recorded: z.string(),
  pending: z.string(),
  page: z.int(),
  last: z.int(),
  intendedAt: z.string(),
});
export type FeedPosition = z.infer<typeof FeedPosition>;

/** The end of a feed: the last sequence, and the time from which the next page may be. */
type FeedEnd = { sequence: number; recordedAt: string };

/** Longer than the stream delivers a change, so a page that was not written by then never is. */
const intentMilliseconds = 25 * 60 * 60_000;

/** The last sequence of a position's page, if the page was written. */
const sequenceReachedBy = ({ page, last, intendedAt }: FeedPosition, now: Date): number =>
  now.getTime() - Date.parse(intendedAt) > intentMilliseconds ? last : page - 1;

type FeedTable = Pick<Table, 'query' | 'queryPage'>;

const readLast = async (table: FeedTable, range: QueryInput): Promise<Item | undefined> =>
  (await table.queryPage({ ...range, ScanIndexForward: false, Limit: 1 })).items[0];

/**
 * The end of a feed with this last page. After 90 days without an event there is no page, but a
 * sequence must not be used again. Then the positions have it, which never expire.
 */
const endWith = async (
  table: FeedTable,
  { applicationId, last, now }: { applicationId: string; last: Item | undefined; now: Date },
): Promise<FeedEnd> => {
  if (last !== undefined) {
    const page = readFeedPage(last);
    return { sequence: lastSequenceOf(page), recordedAt: page.recordedAt };
  }
  const positions = await table.query(feedPositions(applicationId));
  const reached = positions.map((it) => sequenceReachedBy(FeedPosition.parse(it), now));
  return { sequence: Math.max(0, ...reached), recordedAt: new Date(0).toISOString() };
};

export const readFeedEnd = async (
  table: FeedTable,
  applicationId: string,
  now: Date,
): Promise<FeedEnd> => {
  const last = await readLast(table, feedPages(applicationId));
  return endWith(table, { applicationId, last, now });
};

/** The same in as many calls, or `held` if the feed is held. */
export const readFeedEndUnlessHeld = async (
  table: FeedTable,
  applicationId: string,
  now: Date,
): Promise<FeedEnd | 'held'> => {
  const last = await readLast(table, feedPagesAndHold(applicationId));
  return last?.sk === feedHoldSort ? 'held' : endWith(table, { applicationId, last, now });
};
