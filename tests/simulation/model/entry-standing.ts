// How entries may appear at a moment: posted, scheduled or cancelled, and by which entry reversed.
// It depends on the runs, cancellations and reversals before.

import { readId } from '../../support/readers/entry-ids.ts';
import { unless } from '../../support/readers/violations.ts';
import {
  type Attempt,
  type Attempts,
  isBornScheduled,
  never,
  type SeenEntry,
} from '../attempts.ts';
import type { Data, ShownEntry } from '../entry-data.ts';
import {
  type CancellationRequest,
  isDone,
  mayHaveWritten,
  type Operation,
  type RequestOf,
  type Span,
} from '../requests.ts';

type Run = Operation<RequestOf<'run'>>;
type Cancellation = { operation: Operation<CancellationRequest>; target: SeenEntry };

/** Each run has a unique moment, so the entries that it posted can be counted. */
const violationsOfRun = (
  { answer, now, number }: Run,
  entries: readonly ShownEntry[],
): string[] => {
  const told = typeof answer === 'object' ? Number(answer.data?.posted ?? 0) : 0;
  const found = entries.filter(({ data }) => data.posted_at === now.toISOString()).length;
  return unless(
    told <= found,
    `run ${number} has posted ${told} entries, of which ${found} are its`,
  );
};

export type EntryStanding = ReturnType<typeof openEntryStanding>;

export const openEntryStanding = (attempts: Attempts) => {
  const runs: Run[] = [];
  const cancellations: Cancellation[] = [];

  const cancellationsOf = (entryId: string, place: string, span: Span): Cancellation[] =>
    cancellations.filter(
      ({ operation, target }) =>
        target.entryId === entryId &&
        target.place === place &&
        operation.startedAt < span.endedAt &&
        mayHaveWritten(operation),
    );
  const mayBeCancelled = ({ entryId, place }: SeenEntry, span: Span): boolean =>
    cancellationsOf(entryId, place, span).length > 0;

  /** The statuses that an entry may show during a span. */
  const statusesOf = (attempt: Attempt, span: Span): string[] => {
    if (!isBornScheduled(attempt)) return ['posted'];
    const entry = attempts.seenOf(attempt);
    const { since = never, postedSince = never, cancelledSince = never } = entry ?? {};
    if (cancelledSince < span.startedAt) return ['cancelled'];
    if (postedSince < span.startedAt) return ['posted'];
    const fitting = runs.filter(
      ({ request: { time } }) => time.slice(0, 10) >= (attempt.accrualDate ?? ''),
    );
    const wasRun = fitting.some(
      (run) => isDone(run) && run.startedAt > since && run.endedAt < span.startedAt,
    );
    return [
      ...(wasRun ? [] : ['scheduled']),
      ...(fitting.some((run) => run.startedAt < span.endedAt) ? ['posted'] : []),
      ...(entry && mayBeCancelled(entry, span) ? ['cancelled'] : []),
    ];
  };

  /** Reversals that certainly exist during a span. */
  const certainReversals = (original: SeenEntry, span: Span): SeenEntry[] =>
    attempts
      .seen()
      .filter(
        (it) =>
          it.content.reverses === original.entryId &&
          it.place === original.place &&
          it.since < span.startedAt &&
          !mayBeCancelled(it, span),
      );

  return {
    statusesOf,
    mayBeCancelled,
    certainReversals,
    beginRun: (run: Run): void => void runs.push(run),
    beginCancellation: (operation: Cancellation['operation'], target: SeenEntry): void =>
      void cancellations.push({ operation, target }),

    /** The problems of the `reversed_by` of an entry. */
    reversalViolations: (entry: SeenEntry, reversedBy: unknown, span: Span): string[] => {
      const { number, place } = entry;
      if (reversedBy === null) {
        const missing = certainReversals(entry, span).map((it) => it.number);
        return missing.map((it) => `${number} is reversed by ${it}, and does not say so`);
      }
      const drawn = readId(String(reversedBy))?.random ?? '';
      const maker = attempts
        .before(span.endedAt)
        .find(
          ({ of, operation }) =>
            'original' in of &&
            of.original.entryId === entry.entryId &&
            of.original.place === place &&
            operation.drawn.has(drawn),
        );
      if (maker === undefined) return [`${number} is reversed by ${reversedBy}, which is nobody's`];
      const isGone = (attempts.seenOf(maker)?.cancelledSince ?? never) < span.startedAt;
      return unless(!isGone, `${number} is reversed by ${reversedBy}, which was cancelled`);
    },

    /** The problems of the `cancelled_at` of an entry. */
    cancellationViolations: (
      { number, entryId, place, cancelledAt }: SeenEntry,
      { status, cancelled_at: told }: Data,
      span: Span,
    ): string[] => {
      const moments = cancellationsOf(entryId, place, span).map(({ operation }) =>
        operation.now.toISOString(),
      );
      const isRight = status === 'cancelled' ? moments.includes(String(told)) : told === null;
      return [
        ...unless(isRight, `${number} is ${status}, and was cancelled at ${told}`),
        ...unless(
          cancelledAt === undefined || cancelledAt === told,
          `${number} was cancelled at ${cancelledAt}, and then at ${told}`,
        ),
      ];
    },

    runViolations: (entries: readonly ShownEntry[]): string[] =>
      runs.flatMap((it) => violationsOfRun(it, entries)),
  };
};
