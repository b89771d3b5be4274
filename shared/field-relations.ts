// Checks of several fields of a request together.

import * as z from 'zod/mini';
import { isCalendarDate } from './money/dates.ts';

/** A check that also runs if fields have problems, because a reply lists every problem. */
export const acrossFields = <Fields>(
  check: (fields: Fields, context: z.core.$RefinementCtx<Fields>) => void,
): z.core.$ZodCheck<Fields> =>
  z.superRefine(check, { when: ({ value }) => typeof value === 'object' && value !== null });

/** Requires exactly one of these fields. */
export const exactlyOneOf = <Field extends string>(fields: readonly Field[]) =>
  acrossFields<Partial<Record<Field, unknown>>>((names, { addIssue }) => {
    if (fields.filter((field) => names[field] !== undefined).length === 1) return;
    const params = { fields: [...fields] };
    addIssue({ code: 'custom', message: 'exactly_one_of', path: [], params });
  });

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && isCalendarDate(value);

/** A check of requests with a period from `from` to `to`, both inclusive. */
export const fromNotAfterTo = acrossFields<{ from?: string | undefined; to?: string | undefined }>(
  ({ from, to }, { addIssue }) => {
    if (!isDate(from) || !isDate(to) || from <= to) return;
    addIssue({ code: 'custom', message: 'from_after_to', path: ['from'], params: { from, to } });
  },
);
