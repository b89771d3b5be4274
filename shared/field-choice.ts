// A check of requests with alternative fields.

import * as z from 'zod/mini';

/** Requires exactly one of these fields. Checked even if other fields have problems. */
export const exactlyOneOf = <Field extends string>(fields: readonly Field[]) =>
  z.superRefine<Partial<Record<Field, unknown>>>(
    (names, { addIssue }) => {
      if (fields.filter((field) => names[field] !== undefined).length === 1) return;
      const params = { fields: [...fields] };
      addIssue({ code: 'custom', message: 'exactly_one_of', path: [], params });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
