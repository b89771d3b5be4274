// The contract for a tenant's settings: they have the values that were set last. A lock date is in
// the past, and no entry is still scheduled for the locked period.

import { unless } from '../../support/readers/violations.ts';
import type { Attempts } from '../attempts.ts';
import { dayOf, isBornScheduled, never, postingDateOf } from '../attempts.ts';
import {
  type Answer,
  isDone,
  mayArriveLate,
  mayHaveWritten,
  type Of,
  placeOf,
  type Settings,
  type Span,
} from '../requests.ts';
import type { EntryStanding } from './entry-standing.ts';

type Change = Of<'settings'>;
type Field = keyof Settings;

/** The delay before a lock takes effect. */
const lockMilliseconds = 40_000;

/** Whether a posting date is locked, by a lock that may be none. */
const isUnder = (postingDate: string, lock: unknown): boolean =>
  typeof lock === 'string' && postingDate <= lock;

export type SettingsModel = ReturnType<typeof openSettingsModel>;

export const openSettingsModel = () => {
  const changes: Change[] = [];

  const changesOf = (place: string, field: Field, seen: Span): Change[] =>
    changes.filter(
      (it) =>
        placeOf(it.request) === place &&
        it.request.changes[field] !== undefined &&
        it.startedAt < seen.endedAt &&
        mayHaveWritten(it),
    );

  /** The values that a setting may show: one of the last that were set, or the initial one. */
  const valuesOf = (
    place: string,
    { field, initial, seen }: { field: Field; initial: Iterable<unknown>; seen: Span },
  ): Set<unknown> => {
    const setters = changesOf(place, field, seen);
    const isOver = (it: Change): boolean => isDone(it) && it.endedAt < seen.startedAt;
    const last = setters.filter(
      (earlier) =>
        mayArriveLate(earlier) ||
        !setters.some((later) => isOver(later) && earlier.endedAt < later.startedAt),
    );
    return new Set([
      ...(setters.some(isOver) ? [] : initial),
      ...last.map(({ request }) => request.changes[field]),
    ]);
  };

  const locksOf = (place: string, seen: Span): unknown[] => [
    ...valuesOf(place, { field: 'lock_date', initial: [null], seen }),
  ];

  const mayBeLocked = (place: string, postingDate: string, seen: Span): boolean =>
    locksOf(place, seen).some((lock) => isUnder(postingDate, lock));
  const mustBeLocked = (place: string, postingDate: string, seen: Span): boolean =>
    locksOf(place, seen).every((lock) => isUnder(postingDate, lock));

  /** Whether `locked_from` fits a change of the lock. */
  const isLockedFrom = (place: string, from: unknown, seen: Span): boolean =>
    changesOf(place, 'lock_date', seen).some(({ now }) =>
      [0, lockMilliseconds].some((delay) => from === new Date(now.getTime() + delay).toISOString()),
    );

  /** The expected settings. A field with an impossible value gets the possible ones as text. */
  const expectedSettings = (
    place: string,
    {
      shown,
      initial,
      seen,
    }: {
      shown: Record<string, unknown>;
      initial: Record<Exclude<Field, 'lock_date'>, Iterable<unknown>>;
      seen: Span;
    },
  ): Record<string, unknown> => {
    const fields: Record<Field, Iterable<unknown>> = { ...initial, lock_date: [null] };
    const isForced =
      shown.lock_date === null
        ? shown.locked_from === null
        : isLockedFrom(place, shown.locked_from, seen);
    const found = (Object.keys(fields) as Field[]).map((field) => {
      const values = valuesOf(place, { field, initial: fields[field], seen });
      const isPossible = values.has(shown[field]);
      return [field, isPossible ? shown[field] : [...values].join(' or ')] as const;
    });
    return {
      ...Object.fromEntries(found),
      locked_from: isForced ? shown.locked_from : 'the moment of a lock',
    };
  };

  /** Whether the reply that something is due by then may be true, and must be. */
  const dueUntil = (
    { request, ...span }: Change,
    { attempts, standing }: { attempts: Attempts; standing: EntryStanding },
  ): { isPossible: boolean; isCertain: boolean } => {
    const { lock_date: lockDate = '' } = request.changes;
    const scheduled = attempts
      .before(span.endedAt)
      .filter(
        (it) =>
          it.place === placeOf(request) && isBornScheduled(it) && postingDateOf(it) <= lockDate,
      );
    const statuses = scheduled.map((it) => ({ it, standing: standing.statusesOf(it, span) }));
    return {
      isPossible: statuses.some(({ standing: all }) => all.includes('scheduled')),
      isCertain: statuses.some(
        ({ it, standing: all }) =>
          all.join() === 'scheduled' &&
          (attempts.seenOf(it)?.since ?? span.endedAt) < span.startedAt,
      ),
    };
  };

  return {
    begin: (change: Change): void => void changes.push(change),

    /** All values of a setting that may have been written for a tenant. */
    requested: (place: string, field: Field): Set<unknown> =>
      new Set(
        changesOf(place, field, { startedAt: never, endedAt: never }).map(
          ({ request }) => request.changes[field],
        ),
      ),

    expectedSettings,
    mayBeLocked,
    mustBeLocked,
    /** Whether a date may have been locked at any moment before this one. */
    wasEverLocked: (place: string, postingDate: string, moment: number): boolean =>
      changesOf(place, 'lock_date', { startedAt: moment, endedAt: moment }).some(({ request }) =>
        isUnder(postingDate, request.changes.lock_date),
      ),

    /**
     * @param context.summaryViolations the problems of a shown tenant; `undefined` if there is no
     * such tenant
     */
    check: (
      change: Change,
      answer: Answer,
      context: {
        attempts: Attempts;
        standing: EntryStanding;
        summaryViolations: ((shown: Record<string, unknown>) => string[]) | undefined;
      },
    ): string[] => {
      const { changes: asked, ...request } = change.request;
      const given = `${answer.status} ${answer.code} ${answer.problems?.join() ?? ''}`.trim();
      const only = (meant: string) => unless(given === meant, `is ${given}, and not ${meant}`);
      const { summaryViolations } = context;
      const { lock_date: lockDate } = asked;
      if (summaryViolations === undefined) return only('404 tenant_not_found');
      if (lockDate !== undefined && lockDate >= dayOf(change.now)) {
        return only('422 validation_failed lock_date_not_past /lock_date');
      }
      const due = dueUntil(change, context);
      if (answer.code === 'scheduled_entries_due') {
        const isPossible = lockDate !== undefined && due.isPossible;
        return [
          ...only('409 scheduled_entries_due scheduled_entries_due /lock_date'),
          ...unless(isPossible, `nothing is scheduled by ${lockDate}`),
        ];
      }
      if (answer.status !== 200) return [`is refused with ${given}, for no reason`];
      const shown = answer.data ?? {};
      const locks = locksOf(placeOf(request), { ...change, endedAt: change.startedAt });
      const isForward =
        lockDate !== undefined && locks.every((it) => it === null || String(it) < lockDate);
      return [
        ...summaryViolations(shown),
        ...unless(!(isForward && due.isCertain), `locks ${lockDate}, and something is due by then`),
        ...Object.entries(asked).flatMap(([field, value]) =>
          unless(shown[field] === value, `shows ${field} as ${shown[field]}, and not ${value}`),
        ),
      ];
    },
  };
};
