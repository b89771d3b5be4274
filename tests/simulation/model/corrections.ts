// The contract for corrections: a posted entry is reversed once, a scheduled one is cancelled, and
// the cancellation of a reversal frees its original.

import { unless } from '../../support/readers/violations.ts';
import {
  type Attempt,
  type Attempts,
  never,
  originalOf,
  postingDateOf,
  type SeenEntry,
} from '../attempts.ts';
import { type Answer, type Of, type Operation, placeOf } from '../requests.ts';
import type { EntriesModel } from './entries.ts';
import type { EntryStanding } from './entry-standing.ts';
import { isSaid } from './expected-refusal.ts';
import { expectedReversal, isSameReversal } from './expected-reversal.ts';
import type { SettingsModel } from './settings.ts';

type Reversal = Of<'reversal'>;
type Cancellation = Of<'cancellation'>;

const givenBy = ({ status, code, problems = [] }: Answer): string =>
  [status, code, ...problems].filter((it) => it !== undefined).join(' ');

const notFound = '404 journal_entry_not_found';
const noTenant = '404 tenant_not_found';

export const openCorrectionsModel = ({
  attempts,
  entries,
  standing,
  settings,
}: {
  attempts: Attempts;
  entries: EntriesModel;
  standing: EntryStanding;
  settings: SettingsModel;
}) => {
  const reversals = new Map<Reversal, Attempt>();
  const targets = new Map<Cancellation, SeenEntry>();

  /** The statuses that an entry may show to an operation. */
  const statusesOf = ({ attempt }: SeenEntry, seen: Operation): string[] =>
    attempt ? standing.statusesOf(attempt, seen) : ['posted'];

  /** The certain and the possible problems of a reversal, apart from the status of its original. */
  const problemsOf = (
    operation: Reversal,
    original: SeenEntry | undefined,
  ): Record<'must' | 'may', string[]> => {
    const { asked } = operation.request;
    const place = placeOf(operation.request);
    const pointer = asked.accrualDate === null ? '/date' : '/accrual_date';
    const date = postingDateOf(asked);
    const isBefore = original !== undefined && date < original.postingDate;
    const ofDates = (isLocked: boolean): string[] => [
      ...unless(!isLocked, `period_locked ${pointer}`),
      ...unless(!isBefore, `reversal_before_entry ${pointer}`),
    ];
    const attempt = reversals.get(operation);
    const before = attempts.recorded(place, asked.externalId);
    const isOthers = (of: SeenEntry | undefined): boolean => of?.entryId !== original?.entryId;
    const isTaken =
      before !== undefined &&
      before.since < operation.startedAt &&
      isOthers(before.attempt && originalOf(before.attempt));
    const mayBeTaken =
      isTaken ||
      (attempt !== undefined &&
        attempts.mayBeRecorded(attempt, (other) => isOthers(originalOf(other))));
    const taken = 'external_id_taken /external_id';
    return {
      must: [...ofDates(settings.mustBeLocked(place, date, operation)), ...unless(!isTaken, taken)],
      may: [
        ...ofDates(settings.mayBeLocked(place, date, operation)),
        ...unless(!mayBeTaken, taken),
      ],
    };
  };

  /** The problems of a reversal that was just recorded. */
  const newViolations = (operation: Reversal, original: SeenEntry, must: string[]): string[] => {
    const earlier = standing.certainReversals(original, operation).map(({ number }) => number);
    return [
      ...unless(must.length === 0, `must be refused: ${must.join(', ')}`),
      ...earlier.map((number) => `${original.number} is reversed by ${number} already`),
      ...unless(!original.isReversal, `${original.number} is a reversal itself`),
      ...unless(
        statusesOf(original, operation).includes('posted'),
        `${original.number} is not posted, and is reversed`,
      ),
    ];
  };

  const checkDone = (operation: Reversal, answer: Answer, attempt: Attempt): string[] => {
    const { data = {}, isReplay, isMismatch } = answer;
    const { asked, isDryRun } = operation.request;
    const original = originalOf(attempt);
    if (original === undefined) return ['reverses what nobody has seen'];
    const { must } = problemsOf(operation, original);
    const isNew = newViolations(operation, original, must);
    if (isDryRun && !isReplay) return [...isNew, ...entries.previewViolations(attempt, data)];
    const maker = attempts.makerOf(attempt.place, data);
    const of = maker?.of;
    if (maker === undefined || of === undefined || !('original' in of)) {
      return [`reversal ${data.journal_entry_id} was asked for by nobody`];
    }
    const isOwn = maker.operation === operation;
    const isSame = isOwn || isSameReversal(asked, of.reversal);
    const isGone = (attempts.seenOf(maker)?.cancelledSince ?? never) < operation.startedAt;
    const isByName = asked.externalId !== null && asked.externalId === maker.externalId;
    return [
      ...(isOwn ? isNew : []),
      ...unless(isReplay === !isOwn, `says that it is ${isReplay ? 'a' : 'no'} replay`),
      ...unless(of.original.entryId === original.entryId, 'shows the reversal of another entry'),
      ...unless(isMismatch === !isSame, `says that it is ${isMismatch ? 'not ' : ''}the same`),
      ...unless(!isGone || isByName, 'shows a reversal that was cancelled'),
      ...entries.observe(maker, { data, seen: operation }),
    ];
  };

  /** Whether the original certainly has a reversal already. */
  const isSurelyReversed = (
    operation: Reversal,
    {
      original,
      may,
    }: {
      original: SeenEntry;
      may: readonly string[];
    },
  ): boolean => {
    const { asked } = operation.request;
    const named = attempts.recorded(placeOf(operation.request), asked.externalId);
    const isNamed =
      named !== undefined &&
      named.since < operation.startedAt &&
      named.content.reverses === original.entryId;
    const isTaken = may.some((it) => it.startsWith('external_id_taken'));
    return isNamed || (!isTaken && standing.certainReversals(original, operation).length > 0);
  };

  const refusalViolations = (
    operation: Reversal,
    answer: Answer,
    original: SeenEntry | undefined,
  ): string[] => {
    const given = givenBy(answer);
    const only = (meant: string) => unless(given === meant, `is ${given}, and not ${meant}`);
    if (original === undefined) return only(notFound);
    const { must, may } = problemsOf(operation, original);
    const statuses = statusesOf(original, operation);
    const violations = unless(
      !isSurelyReversed(operation, { original, may }),
      `is refused with ${given}, and ${original.number} is reversed`,
    );
    if (original.isReversal) return [...violations, ...only('409 entry_is_a_reversal')];
    const isNeverPosted = !statuses.includes('posted');
    if (isNeverPosted || answer.code === 'entry_not_posted') {
      const isSure = statuses.join() === 'posted';
      return [
        ...violations,
        ...only('409 entry_not_posted'),
        ...unless(!isSure, `${original.number} is posted, and is not reversed`),
      ];
    }
    const problems = answer.problems ?? [];
    const isRight = answer.status === 422 && problems.length > 0 && isSaid(problems, { must, may });
    return [...violations, ...unless(isRight, `is ${given}, and not ${must.join(', ') || 'done'}`)];
  };

  return {
    beginReversal: (operation: Reversal): void => {
      const { asked: reversal, named, isDryRun } = operation.request;
      const place = placeOf(operation.request);
      const original = attempts.named(place, named);
      if (original === undefined) return;
      const attempt: Attempt = {
        operation,
        place,
        of: { reversal, original },
        date: reversal.date,
        accrualDate: reversal.accrualDate,
        externalId: reversal.externalId,
        expected: () =>
          expectedReversal(reversal, { original, createdAt: operation.now.toISOString() }),
      };
      reversals.set(operation, attempt);
      if (!isDryRun) attempts.add(attempt);
    },

    beginCancellation: (operation: Cancellation): void => {
      const { request } = operation;
      const target = attempts.named(placeOf(request), request.named);
      if (target === undefined) return;
      targets.set(operation, target);
      standing.beginCancellation(operation, target);
    },

    checkReversal: (
      operation: Reversal,
      { answer, hasTenant }: { answer: Answer; hasTenant: boolean },
    ): string[] => {
      const attempt = reversals.get(operation);
      const original = attempt && originalOf(attempt);
      const given = givenBy(answer);
      if (!hasTenant) return unless(given === noTenant, `is ${given}, and not ${noTenant}`);
      return answer.status === 200 && attempt
        ? checkDone(operation, answer, attempt)
        : refusalViolations(operation, answer, original);
    },

    checkCancellation: (
      operation: Cancellation,
      { answer, hasTenant }: { answer: Answer; hasTenant: boolean },
    ): string[] => {
      const given = givenBy(answer);
      const only = (meant: string) => unless(given === meant, `is ${given}, and not ${meant}`);
      if (!hasTenant) return only(noTenant);
      const target = targets.get(operation);
      if (target === undefined) return only(notFound);
      const { attempt, number } = target;
      if (answer.status !== 200) {
        const mayBePosted = statusesOf(target, operation).includes('posted');
        return [
          ...only('409 entry_not_scheduled'),
          ...unless(mayBePosted, `${number} is not posted, and is not cancelled`),
        ];
      }
      if (attempt === undefined) return [`${number} was imported, and is cancelled`];
      const { data = {}, isReplay } = answer;
      const isOwn = data.cancelled_at === operation.now.toISOString();
      const earlier = attempts.seenOf(attempt)?.cancelledSince ?? never;
      return [
        ...unless(isReplay === !isOwn, `says that it is ${isReplay ? 'a' : 'no'} replay`),
        ...unless(isReplay || earlier > operation.startedAt, `${number} was cancelled before`),
        ...unless(data.status === 'cancelled', `${number} is ${data.status} once it is cancelled`),
        ...entries.observe(attempt, { data, seen: operation }),
      ];
    },
  };
};
