// What the model says of an answered reversal or cancellation.

import { unless } from '../support/readers/violations.ts';
import type { Data } from './entry-data.ts';
import {
  type Cancellation,
  dateOf,
  type EntryOperation,
  isReversal,
  type openCancellations,
  type Place,
  placeOf,
  type Reversal,
  refusedReversal,
  reversalMismatch,
  type Target,
} from './model-corrections.ts';
import type { Answer, Span } from './requests.ts';

/** An entry that has been seen: what made it, and its number. */
type Seen = { operation: EntryOperation; number: string };

export const openCorrectionChecks = ({
  cancellations,
  findKnown,
  makerOf,
  observe,
  statusesOf,
  seen,
}: {
  cancellations: ReturnType<typeof openCancellations>;
  findKnown: (place: Place) => Seen | undefined;
  makerOf: (place: string, entryId: unknown) => EntryOperation | undefined;
  observe: (maker: EntryOperation, shown: { data: Data; seen: Span }) => string[];
  statusesOf: (maker: EntryOperation, span: Span) => string[];
  seen: () => Seen[];
}) => {
  const targetOf = ({ operation }: Seen): Target => ({
    isReversal: isReversal(operation),
    postingDate: operation.request.asked.accrualDate ?? operation.request.asked.date,
    statusesFor: (span) => statusesOf(operation, span),
  });

  /** What is wrong with the reversal that a request was answered. */
  const checkReversed = (operation: Reversal, { data = {}, isReplay, mismatch }: Answer) => {
    const { request } = operation;
    const maker = makerOf(placeOf(request), data.journal_entry_id);
    if (maker === undefined || !isReversal(maker)) {
      return [`${data.journal_entry_id} is no reversal that was asked for`];
    }
    const isOwn = maker === operation;
    const expected = isOwn ? undefined : reversalMismatch(request, maker.request);
    return [
      ...unless(maker.request.number === request.number, 'is answered the reversal of another'),
      ...unless(isReplay === !isOwn, `says that it is ${isReplay ? 'a' : 'no'} replay`),
      ...unless(mismatch === expected, `says that ${mismatch} differs, and ${expected} does`),
      ...observe(maker, { data, seen: operation }),
    ];
  };

  const notSeen = ['names an entry that nobody has seen'];

  return {
    /** The entries of an application that have been seen, in the order in which they were. */
    seen: (applicationId: string): (Place & { isScheduled: boolean })[] =>
      seen()
        .filter(({ operation: { request } }) => request.applicationId === applicationId)
        .map(({ number, operation: { request, now } }) => {
          const { accrualDate } = request.asked;
          const isScheduled = accrualDate !== null && accrualDate > dateOf(now);
          return { applicationId, prefix: request.prefix, number, isScheduled };
        }),

    checkReversal: (operation: Reversal, answer: Answer): string[] => {
      const target = findKnown(operation.request);
      if (target === undefined) return notSeen;
      return answer.status === 200
        ? checkReversed(operation, answer)
        : refusedReversal(operation, answer, targetOf(target));
    },

    checkCancellation: (operation: Cancellation, answer: Answer): string[] => {
      const target = findKnown(operation.request);
      if (target === undefined) return notSeen;
      const { data } = answer;
      return [
        ...cancellations.check(operation, answer, targetOf(target)),
        ...(data ? observe(target.operation, { data, seen: operation }) : []),
      ];
    },
  };
};
