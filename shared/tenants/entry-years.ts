// The range of entry dates that a tenant can set.

import * as z from 'zod/mini';

/** The maximum range of entry dates. Reports read every year with entries. */
export const maximumEntryYears = { back: 50, ahead: 5 };

/** The range of entry dates of a tenant, in years before and after today. */
export const entryYearsFields = {
  entry_years_back: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(maximumEntryYears.back),
        z.describe('How many years before today (UTC) an entry can be dated.'),
      ),
  ),
  entry_years_ahead: z.optional(
    z
      .int()
      .check(
        z.gte(0),
        z.lte(maximumEntryYears.ahead),
        z.describe('How many years after today (UTC) an entry can be dated.'),
      ),
  ),
};
