// What the contract says of reversals and cancellations: an entry has one reversal at a time, and
// what is cancelled never counts.

import { unless } from '../support/readers/violations.ts';
import type { Data } from './entry-data.ts';
import {
  type Answer,
  isDone,
  mayHaveWritten,
  type Operation,
  type RequestOf,
  type Span,
} from './requests.ts';

export type Cancellation = Operation<RequestOf<'cancel'>>;
export type Reversal = Operation<RequestOf<'reverse'>>;

/** An entry that has been seen, and how it may stand for somebody who looks at it. */
export type Target = {
  isReversal: boolean;
  postingDate: string;
  statusesFor: (span: Span) => string[];
};

/** What makes an entry. */
export type EntryOperation = Operation<RequestOf<'entry'>> | Reversal;

export const isReversal = (operation: EntryOperation): operation is Reversal =>
  operation.request.kind === 'reverse';

type Tenant = { applicationId: string; prefix: string };
export type Place = Tenant & { number: string };

export const placeOf = ({ applicationId, prefix }: Tenant): string => `${applicationId} ${prefix}`;
export const dateOf = (now: Date): string => now.toISOString().slice(0, 10);

const isOf = (one: Place, other: Place): boolean =>
  placeOf(one) === placeOf(other) && one.number === other.number;

const swap = (line: Data): Data => ({
  ...line,
  ...{ debit: line.credit, credit: line.debit },
  ...{ reporting_debit: line.reporting_credit, reporting_credit: line.reporting_debit },
  ...{ book_debit: line.book_credit, book_credit: line.book_debit },
});

/** What a reply must show of a reversal, by what it must show of the original. */
export const reversalOf = <Shown extends { transactions: object[] }>(
  original: Shown,
  { request: { asked, number }, now }: Reversal,
  originalId: string,
): Shown => ({
  ...original,
  date: asked.date,
  posting_date: asked.accrualDate ?? asked.date,
  accrual_date: asked.accrualDate,
  external_id: asked.externalId,
  memo: `Reversal of ${number}`,
  reverses: originalId,
  created_at: now.toISOString(),
  transactions: original.transactions.map((line) => swap(line as Data)),
});

/** Where a repeat differs from the reversal that another request made. */
export const reversalMismatch = ({ asked }: Reversal['request'], kept: Reversal['request']) => {
  const fields = [
    ...(asked.date === kept.asked.date ? [] : ['/date']),
    ...(asked.accrualDate === kept.asked.accrualDate ? [] : ['/accrual_date']),
    ...(asked.externalId === kept.asked.externalId ? [] : ['/external_id']),
  ];
  return fields.length === 0 ? undefined : fields.join(', ');
};

export const openCancellations = () => {
  const cancellations: Cancellation[] = [];
  const of = (place: Place) => cancellations.filter(({ request }) => isOf(request, place));

  return {
    begin: (operation: Cancellation): void => void cancellations.push(operation),

    /** Whether somebody who looks from one moment to another may find the entry cancelled. */
    mayBe: (place: Place, { endedAt }: Span): boolean =>
      of(place).some((it) => it.startedAt < endedAt && mayHaveWritten(it)),
    mustBe: (place: Place, { startedAt }: Span): boolean =>
      of(place).some((it) => isDone(it) && it.endedAt < startedAt),

    /** What is wrong with an answer to a cancellation, beside what it shows of the entry. */
    check: (operation: Cancellation, answer: Answer, target: Target): string[] => {
      const { status, code, isReplay, data } = answer;
      const others = of(operation.request).filter((it) => it !== operation);
      const mayRepeat = others.some((it) => it.startedAt < operation.endedAt && mayHaveWritten(it));
      const mustRepeat = others.some((it) => isDone(it) && it.endedAt < operation.startedAt);
      if (status === 200) {
        return [
          ...unless(data?.status === 'cancelled', `is answered an entry that is ${data?.status}`),
          ...unless(!isReplay || mayRepeat, 'says that it is a replay, and nobody came before'),
          ...unless(isReplay || !mustRepeat, 'says that it is no replay, and it is one'),
        ];
      }
      const isRight = code === 'entry_not_scheduled' && status === 409;
      const mayBePosted = target.statusesFor(operation).includes('posted');
      return [
        ...unless(isRight, `is refused with ${status} ${code}`),
        ...unless(mayBePosted, 'is refused, and is not posted'),
      ];
    },
  };
};

/** What is wrong with the refusal of a reversal. */
export const refusedReversal = (
  operation: Reversal,
  { status, code, problems = [] }: Answer,
  { isReversal, postingDate, statusesFor }: Target,
): string[] => {
  const { asked } = operation.request;
  const isUnposted = statusesFor(operation).some((it) => it !== 'posted');
  const day = asked.accrualDate ?? asked.date;
  const isBefore = day < postingDate;
  const pointer = asked.accrualDate === null ? '/date' : '/accrual_date';
  const may = [
    ...(isReversal ? ['409 entry_is_a_reversal '] : []),
    ...(!isReversal && isUnposted ? ['409 entry_not_posted '] : []),
    ...(!isReversal && isBefore ? [`422 validation_failed reversal_before_entry ${pointer}`] : []),
  ];
  const given = `${status} ${code} ${problems.join(', ')}`;
  return unless(may.includes(given), `is refused with ${given}, and not with ${may.join(' or ')}`);
};
