// What operations would make of entries, by themselves, in batches or as reversals, told apart by
// the ids that were drawn for them; and the entries that were seen.

import { readId } from '../support/readers/entry-ids.ts';
import type { Data } from './entry-data.ts';
import type { AskedEntry } from './model/expected-entry.ts';
import type { AskedReversal } from './model/expected-reversal.ts';
import { type EntryName, mayHaveWritten, type Operation } from './requests.ts';

/** An entry that an operation would make. */
export type Attempt = {
  operation: Operation;
  /** The tenant that it is for. */
  place: string;
  date: string;
  accrualDate: string | null;
  externalId: string | null;
  /** The original of a reversal, or else the requested entry. */
  of: { asked: AskedEntry } | { reversal: AskedReversal; original: SeenEntry };
  /** The reply to a successful attempt, without the fields of its posting. */
  expected: () => Data | undefined;
};

/**
 * An entry that a reply or the table showed. The moments are those from which it must exist, be
 * posted and be cancelled. Imported entries have no attempt.
 */
export type SeenEntry = {
  place: string;
  entryId: string;
  number: string;
  externalId: string | null;
  postingDate: string;
  isReversal: boolean;
  attempt: Attempt | undefined;
  /** What replies show of it that never changes. */
  content: Data;
  since: number;
  postedSince: number;
  cancelledSince: number;
  posting: string | undefined;
  cancelledAt: string | undefined;
};

export const never = Number.POSITIVE_INFINITY;

export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

export const originalOf = ({ of }: Attempt): SeenEntry | undefined =>
  'original' in of ? of.original : undefined;

export const postingDateOf = ({
  date,
  accrualDate,
}: Pick<Attempt, 'date' | 'accrualDate'>): string => accrualDate ?? date;

export const isBornScheduled = ({
  accrualDate,
  operation: { now },
}: Pick<Attempt, 'accrualDate' | 'operation'>): boolean =>
  accrualDate !== null && accrualDate > dayOf(now);

/** Whether an attempt can have made an entry. Within one operation, the content decides. */
const isOf = (data: Data, { of, externalId }: Attempt): boolean =>
  'original' in of
    ? data.reverses === of.original.entryId
    : data.memo === of.asked.memo && data.external_id === externalId;

export type Attempts = ReturnType<typeof openAttempts>;

export const openAttempts = () => {
  const all: Attempt[] = [];
  const seen = new Map<string, SeenEntry>();
  const ofAttempts = new Map<Attempt, SeenEntry>();
  const keyOf = (place: string, entryId: unknown): string => `${place} ${entryId}`;

  /** Attempts that began before a moment and may have written. */
  const before = (moment: number): Attempt[] =>
    all.filter(({ operation }) => operation.startedAt < moment && mayHaveWritten(operation));

  return {
    add: (attempt: Attempt): void => void all.push(attempt),
    before,
    all: all as readonly Attempt[],
    seen: (): SeenEntry[] => [...seen.values()],
    seenOf: (attempt: Attempt): SeenEntry | undefined => ofAttempts.get(attempt),
    /** Adds an entry, or changes its record. */
    keep: (entry: SeenEntry): void => {
      seen.set(keyOf(entry.place, entry.entryId), entry);
      if (entry.attempt) ofAttempts.set(entry.attempt, entry);
    },
    find: (place: string, entryId: unknown): SeenEntry | undefined =>
      seen.get(keyOf(place, entryId)),

    /** The entry of a name, as far as it has been seen. */
    named: (place: string, name: EntryName): SeenEntry | undefined =>
      [...seen.values()].find(
        (it) =>
          it.place === place &&
          ('journal_entry_id' in name
            ? it.entryId === name.journal_entry_id
            : 'journal_number' in name
              ? it.number === name.journal_number
              : it.externalId === name.external_id),
      ),

    /** What made an entry. */
    makerOf: (place: string, data: Data): Attempt | undefined => {
      const drawn = readId(String(data.journal_entry_id))?.random ?? '';
      return before(never).find(
        (it) => it.place === place && it.operation.drawn.has(drawn) && isOf(data, it),
      );
    },

    /** The entry of this external_id, if it has been seen. */
    recorded: (place: string, externalId: string | null): SeenEntry | undefined =>
      externalId === null
        ? undefined
        : [...seen.values()].find((it) => it.place === place && it.externalId === externalId),

    /** Whether somebody else may have used an external_id before an operation ended. */
    mayBeRecorded: (
      { place, externalId, operation }: Attempt,
      isMeant: (other: Attempt) => boolean = () => true,
    ): boolean =>
      externalId !== null &&
      before(operation.endedAt).some(
        (it) =>
          it.place === place &&
          it.externalId === externalId &&
          it.operation !== operation &&
          isMeant(it),
      ),
  };
};
