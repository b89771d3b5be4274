// What an application keeps with an entry: a few texts by names of its own.

import * as z from 'zod/mini';
import { nonBlankText, text } from '../fields.ts';

const maximumPairs = 20;
const maximumKeyLength = 40;
const maximumValueLength = 500;

export const metadata = z
  .record(nonBlankText(maximumKeyLength, { kind: 'id' }), text(maximumValueLength))
  .check(
    z.superRefine((pairs, { addIssue }) => {
      if (Object.keys(pairs).length <= maximumPairs) return;
      addIssue({ code: 'custom', message: 'too_many_items', params: { maximum: maximumPairs } });
    }),
    z.meta({ maxProperties: maximumPairs }),
  );
