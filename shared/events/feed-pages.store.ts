// The pages of an application's event feed. A page has the events that were recorded together.

import * as z from 'zod/mini';
import { feedPages, feedPositions } from '../table/event-keys.ts';
import type { Item, Table } from '../table/table.ts';
import { FeedEvent } from './event-types.ts';

/** How long an event can be read. */
export const feedDays = 90;

/**
 * `first` is the sequence of the first event. `through` has the last change of each partition whose
 * events are on the page or on an earlier one.
 */
const FeedPage = z.object({
  first: z.int(),
  recordedAt: z.string(),
  through: z.record(z.string(), z.string()),
  events: z.array(FeedEvent),
});
export type FeedPage = z.infer<typeof FeedPage>;

export const readFeedPage = (item: Item): FeedPage => FeedPage.parse(item);

export const lastSequenceOf = ({ first, events }: Pick<FeedPage, 'first' | 'events'>): number =>
  first + events.length - 1;

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
export type FeedEnd = { sequence: number; recordedAt: string };

/** Longer than the stream delivers a change, so a page that was not written by then never is. */
const intentMilliseconds = 25 * 60 * 60_000;

/** The last sequence of a position's page, if the page was written. */
const sequenceReachedBy = ({ page, last, intendedAt }: FeedPosition, now: Date): number =>
  now.getTime() - Date.parse(intendedAt) > intentMilliseconds ? last : page - 1;

/**
 * The end of the feed. After 90 days without an event there is no page, but a sequence must not be
 * used again. Then the positions have it, which never expire.
 */
export const readFeedEnd = async (
  table: Pick<Table, 'query' | 'queryPage'>,
  applicationId: string,
  now: Date,
): Promise<FeedEnd> => {
  const { items } = await table.queryPage({
    ...feedPages(applicationId),
    ScanIndexForward: false,
    Limit: 1,
  });
  const [item] = items;
  if (item !== undefined) {
    const page = readFeedPage(item);
    return { sequence: lastSequenceOf(page), recordedAt: page.recordedAt };
  }
  const positions = await table.query(feedPositions(applicationId));
  const reached = positions.map((it) => sequenceReachedBy(FeedPosition.parse(it), now));
  return { sequence: Math.max(0, ...reached), recordedAt: new Date(0).toISOString() };
};
