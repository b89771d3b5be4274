// The contract for entries: recorded once for an external_id, all or none of a batch, numbered
// without gaps, and posted when due.

import { canonicalText } from '../../support/readers/entry-hashes.ts';
import { unless } from '../../support/readers/violations.ts';
import {
  type Attempt,
  type Attempts,
  isBornScheduled,
  never,
  originalOf,
  postingDateOf,
  type SeenEntry,
} from '../attempts.ts';
import { type Data, isManual, modelledOf, type ShownEntry, tenantPlaceOf } from '../entry-data.ts';
import { mayHaveWritten, type Operation, type Span } from '../requests.ts';
import type { EntryStanding } from './entry-standing.ts';
import type { SettingsModel } from './settings.ts';

export type EntriesModel = ReturnType<typeof openEntriesModel>;

const sequenceOf = ({ number }: SeenEntry): number => Number(number.split('-').at(-1));

/** The entry that a dry run shows. */
const previewOf = (attempt: Attempt): Data => ({
  ...attempt.expected(),
  journal_entry_id: null,
  journal_number: null,
  created_at: null,
  posted_at: null,
  posting_sequence: null,
  hash: null,
  reversed_by: null,
  cancelled_at: null,
  ...(isBornScheduled(attempt) ? { status: 'scheduled', stuck: null } : { status: 'posted' }),
});

export const openEntriesModel = ({
  attempts,
  standing,
  settings,
}: {
  attempts: Attempts;
  standing: EntryStanding;
  settings: SettingsModel;
}) => {
  /** Numbers follow the order of the requests, if that order is certain. */
  const orderViolations = (entry: SeenEntry, maker: Attempt): string[] => {
    const others = attempts
      .seen()
      .filter(
        ({ attempt: it, place }) =>
          it && it !== maker && place === entry.place && it.date === maker.date,
      );
    return others.flatMap((it) => {
      const isFirst = it.since < maker.operation.startedAt;
      const [first, second] = isFirst ? [it, entry] : [entry, it];
      const isClear = first.since < (second.attempt?.operation.startedAt ?? never);
      if (it.number === entry.number) return [`${it.number} was given twice`];
      return isClear && sequenceOf(first) > sequenceOf(second)
        ? [`${first.number} was there before ${second.number}`]
        : [];
    });
  };

  /** The rules for an entry that is seen for the first time. */
  const firstViolations = (entry: SeenEntry, maker: Attempt): string[] => {
    const isNumbered = new RegExp(`^MJ-${maker.date.replaceAll('-', '')}-\\d{4,}$`);
    const isLocked = settings.mustBeLocked(entry.place, entry.postingDate, maker.operation);
    return [
      ...unless(isNumbered.test(entry.number), `${entry.number} is no number of its date`),
      ...unless(!isLocked, `${entry.number} is of ${entry.postingDate}, which was locked`),
      ...orderViolations(entry, maker),
    ];
  };

  /** How an entry stands that was seen, and how it may. */
  const standingViolations = (
    entry: SeenEntry,
    { maker, data, seen }: { maker: Attempt; data: Data; seen: Span },
  ): string[] => {
    const { status, posted_at, posting_sequence, hash, reversed_by: reversedBy } = data;
    const posting = `${posted_at} as ${posting_sequence}, ${hash}`;
    const statuses = standing.statusesOf(maker, seen);
    const { number } = entry;
    const isPosted = status === 'posted';
    attempts.keep({
      ...entry,
      postedSince: Math.min(entry.postedSince, isPosted ? seen.endedAt : never),
      cancelledSince: Math.min(entry.cancelledSince, status === 'cancelled' ? seen.endedAt : never),
      posting: entry.posting ?? (isPosted ? posting : undefined),
      cancelledAt:
        entry.cancelledAt ?? (data.cancelled_at === null ? undefined : `${data.cancelled_at}`),
    });
    return [
      ...unless(
        statuses.includes(String(status)),
        `entry ${number} is ${status}, and must be ${statuses.join(' or ')}`,
      ),
      ...unless(
        !isPosted || (entry.posting ?? posting) === posting,
        `entry ${number} was posted twice: at ${entry.posting}, and at ${posting}`,
      ),
      ...standing.cancellationViolations(entry, data, seen),
      ...standing.reversalViolations(entry, reversedBy, seen),
    ];
  };

  /** Records an observation of an entry. Its number and content never change. */
  const observe = (maker: Attempt, { data, seen }: { data: Data; seen: Span }): string[] => {
    const expected = maker.expected();
    if (expected === undefined) return ['an entry has a rate that is not to be had'];
    const { journal_entry_id: entryId, journal_number: number, ...more } = modelledOf(data);
    const { status: _status, posted_at: _postedAt, cancelled_at: _cancelledAt, ...told } = more;
    const { reversed_by: _reversal, posting_sequence: _sequence, hash: _hash, ...rest } = told;
    const { stuck, ...shown } = rest;
    const before = attempts.seenOf(maker);
    const entry: SeenEntry = before ?? {
      place: maker.place,
      entryId: String(entryId),
      number: String(number),
      externalId: maker.externalId,
      postingDate: postingDateOf(maker),
      isReversal: originalOf(maker) !== undefined,
      attempt: maker,
      content: shown,
      since: seen.endedAt,
      postedSince: never,
      cancelledSince: never,
      posting: undefined,
      cancelledAt: undefined,
    };
    return [
      ...unless(
        entry.number === number && entry.entryId === entryId,
        `entry ${entryId} is ${number}, and was ${entry.number}`,
      ),
      ...unless(
        canonicalText(shown) === canonicalText(expected),
        `${JSON.stringify(shown)} must be ${JSON.stringify(expected)}`,
      ),
      // Faults pass: none of them may make the entries of a date stuck.
      ...unless(
        (stuck ?? null) === null,
        `entry ${number} is ${data.status}, and stuck as ${JSON.stringify(stuck)}`,
      ),
      ...standingViolations(entry, { maker, data, seen }),
      ...(before === undefined ? firstViolations(entry, maker) : []),
    ];
  };

  /** Takes note of an imported entry, which others may reverse. */
  const observeImported = ({ item, data }: ShownEntry, seen: Span): string[] => {
    const place = tenantPlaceOf(item);
    const { journal_entry_id: entryId, journal_number: number, ...more } = modelledOf(data);
    const { reversed_by: reversedBy, posting_sequence: _sequence, hash: _hash, ...told } = more;
    const { status: _status, posted_at: _postedAt, cancelled_at: _cancelledAt, ...content } = told;
    const entry = attempts.find(place, entryId) ?? {
      place,
      entryId: String(entryId),
      number: String(number),
      externalId: null,
      postingDate: String(data.posting_date),
      isReversal: false,
      attempt: undefined,
      content,
      since: seen.endedAt,
      postedSince: seen.endedAt,
      cancelledSince: never,
      posting: undefined,
      cancelledAt: undefined,
    };
    attempts.keep(entry);
    return standing.reversalViolations(entry, reversedBy, seen);
  };

  /** Either every entry of a batch exists, or the batch wrote none. */
  const batchViolations = (operation: Operation, made: ReadonlySet<Attempt>): string[] => {
    const own = attempts.all.filter((it) => it.operation === operation);
    const missing = own.filter(
      (it) => !made.has(it) && attempts.recorded(it.place, it.externalId) === undefined,
    );
    const isWhole = missing.length === 0 || !own.some((it) => made.has(it));
    return unless(isWhole, `of batch ${operation.number} ${missing.length} entries are missing`);
  };

  return {
    observe,

    /** The problems of an entry that a dry run shows. */
    previewViolations: (attempt: Attempt, { replayed: _replayed, ...data }: Data): string[] => {
      const [given, meant] = [modelledOf(data), previewOf(attempt)].map(canonicalText);
      return unless(given === meant, `would make ${given}, and must ${meant}`);
    },

    compare: (shown: readonly ShownEntry[], moment: number): string[] => {
      const seen = { startedAt: moment, endedAt: moment };
      const makers = new Set<Attempt>();
      const imported = shown.filter(({ item }) => !isManual(item));
      const importedViolations = imported.flatMap((it) => observeImported(it, seen));
      const entries = shown.filter(({ item }) => isManual(item));
      const violations = entries.flatMap(({ item, data }) => {
        const maker = attempts.makerOf(tenantPlaceOf(item), data);
        if (maker === undefined) return [`entry ${item.entryId} was asked for by nobody`];
        makers.add(maker);
        return observe(maker, { data, seen });
      });
      const lost = attempts.seen().filter(({ attempt }) => attempt && !makers.has(attempt));
      const batches = attempts.all
        .map(({ operation }) => operation)
        .filter((it) => it.request.kind === 'batch' && mayHaveWritten(it));
      return [
        ...importedViolations,
        ...violations,
        ...standing.runViolations(entries),
        ...lost.map(({ number, place }) => `entry ${number} of ${place} is lost`),
        ...[...new Set(batches)].flatMap((it) => batchViolations(it, makers)),
      ];
    },
  };
};
