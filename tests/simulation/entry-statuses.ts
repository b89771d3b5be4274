// How an entry may stand, by what was asked for and answered so far.

import { dateOf, type EntryOperation, type openCancellations } from './model-corrections.ts';
import type { Operation, Span } from './requests.ts';

export type Run = Operation<{ kind: 'run'; time: string }>;

export const never = Number.POSITIVE_INFINITY;

const isBornScheduled = ({ request: { asked }, now }: EntryOperation): boolean =>
  asked.accrualDate !== null && asked.accrualDate > dateOf(now);

/** How an entry may stand for somebody who looks from one moment to another. */
export const statusesBetween = (
  maker: EntryOperation,
  {
    known,
    runs,
    cancellations,
    span,
  }: {
    known: { number: string; since: number; postedSince: number } | undefined;
    runs: readonly Run[];
    cancellations: ReturnType<typeof openCancellations>;
    span: Span;
  },
): string[] => {
  const { startedAt, endedAt } = span;
  if (!isBornScheduled(maker)) return ['posted'];
  const { accrualDate } = maker.request.asked;
  const { number = '', since = never, postedSince = never } = known ?? {};
  const place = { ...maker.request, number };
  if (cancellations.mustBe(place, span)) return ['cancelled'];
  const cancelled = cancellations.mayBe(place, span) ? ['cancelled'] : [];
  const fitting = runs.filter(({ request: { time } }) => time.slice(0, 10) >= (accrualDate ?? ''));
  const mustBePosted = fitting.some(
    (run) =>
      typeof run.answer === 'object' &&
      run.answer.status === 200 &&
      run.startedAt > since &&
      run.endedAt < startedAt,
  );
  if (postedSince < startedAt) return ['posted'];
  if (mustBePosted) return ['posted', ...cancelled];
  const mayBePosted = fitting.some((run) => run.startedAt < endedAt);
  return [...(mayBePosted ? ['posted'] : []), 'scheduled', ...cancelled];
};
