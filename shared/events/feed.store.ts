// Reads an application's event feed.

import { ApiError, problem } from '../errors.ts';
import { feedPages } from '../table/event-keys.ts';
import type { Table } from '../table/table.ts';
import type { NumberedEvent } from './event-types.ts';
import {
  eventsOfPage,
  type FeedPage,
  feedDays,
  lastSequenceOf,
  readFeedEnd,
  readFeedPage,
} from './feed-pages.store.ts';

/**
 * A part of a feed. `examined` is the last sequence that was looked at. `latest` is the last one of
 * the feed.
 */
type FeedPart = { events: NumberedEvent[]; examined: number; latest: number };

type FeedReading =
  | ({ outcome: 'read' } & FeedPart)
  | { outcome: 'expired'; first: number }
  | { outcome: 'beyond_end'; latest: number };

/**
 * The part of a feed that was read.
 * @param pointer to the field of the request that names the sequence
 * @throws ApiError `events_expired`, or `validation_failed` if the feed ends before the sequence
 */
export const feedPartOf = (reading: FeedReading, pointer: string): FeedPart => {
  if (reading.outcome === 'expired') {
    const params = { first_sequence: reading.first };
    throw new ApiError('events_expired', { details: [problem('events_expired', pointer, params)] });
  }
  if (reading.outcome === 'beyond_end') {
    const params = { latest_sequence: reading.latest };
    const details = [problem('sequence_not_reached', pointer, params)];
    throw new ApiError('validation_failed', { details });
  }
  return reading;
};

const feedMilliseconds = feedDays * 24 * 60 * 60_000;

export type Feed = ReturnType<typeof openFeed>;

export const openFeed = (table: Table, { clock }: { clock: () => Date }) => {
  const readPages = async (
    applicationId: string,
    range: { from?: number; to: number },
  ): Promise<FeedPage[]> => (await table.query(feedPages(applicationId, range))).map(readFeedPage);

  /** The last page that starts up to this sequence. */
  const findPage = async (
    applicationId: string,
    sequence: number,
  ): Promise<FeedPage | undefined> => {
    const range = feedPages(applicationId, { to: sequence });
    const query = { ...range, ScanIndexForward: false, Limit: 1 };
    const [item] = (await table.queryPage(query)).items;
    return item && readFeedPage(item);
  };

  const isExpired = ({ recordedAt }: FeedPage): boolean =>
    clock().getTime() - Date.parse(recordedAt) >= feedMilliseconds;

  /** Searches between a sequence that has expired and the end of the feed. */
  const findFirstSequence = async (applicationId: string, latest: number): Promise<number> => {
    let [expired, first] = [0, latest + 1];
    while (expired + 1 < first) {
      const middle = Math.floor((expired + first) / 2);
      const page = await findPage(applicationId, middle);
      const isGone = page === undefined || isExpired(page) || lastSequenceOf(page) < middle;
      if (isGone) expired = middle;
      else first = page.first;
    }
    return first;
  };

  const latestOf = async (applicationId: string): Promise<number> =>
    (await readFeedEnd(table, applicationId, clock())).sequence;

  /** The events after a sequence, and the page that has the first of them or should have it. */
  const readAfter = async (applicationId: string, after: number, window: number) => {
    const [before, following] = await Promise.all([
      after === 0 ? undefined : findPage(applicationId, after),
      readPages(applicationId, { from: after + 1, to: after + window }),
    ]);
    const pages = [...(before ? [before] : []), ...following];
    const next = pages.find((page) => lastSequenceOf(page) > after);
    const events = pages.flatMap(eventsOfPage).filter(({ sequence }) => sequence > after);
    // A page that skips sequences ends beyond the window.
    return { events: events.slice(0, window), next };
  };

  return {
    latestOf,

    /** Whether a feed that ended at this sequence still does. One call. */
    endsAt: async (applicationId: string, sequence: number): Promise<boolean> => {
      const range = feedPages(applicationId, { from: sequence + 1 });
      return (await table.queryPage({ ...range, Limit: 1 })).items.length === 0;
    },

    /**
     * Examines up to `window` events after a sequence. Each call costs what these events cost,
     * however long the feed is.
     * @returns `expired` if an event after `after` can no longer be read, and the first that can;
     *   `beyond_end` if the feed ends before `after`
     */
    read: async (
      applicationId: string,
      { after, window }: { after: number; window: number },
    ): Promise<FeedReading> => {
      let { events, next } = await readAfter(applicationId, after, window);
      const last = events.at(-1)?.sequence;
      const isToEnd = last !== undefined && last < after + window;
      const latest = isToEnd ? last : await latestOf(applicationId);
      if (after > latest) return { outcome: 'beyond_end', latest };
      if (after === latest) return { outcome: 'read', events: [], examined: after, latest };
      // The first event may have been recorded since.
      if (next === undefined) ({ events, next } = await readAfter(applicationId, after, window));
      if (next === undefined || next.first > after + 1 || isExpired(next)) {
        return { outcome: 'expired', first: await findFirstSequence(applicationId, latest) };
      }
      return { outcome: 'read', events, examined: events.at(-1)?.sequence ?? after, latest };
    },
  };
};
