// What one application or tenant may have of that which costs others: a column of infra/stages.ts.

import * as z from 'zod/mini';

const count = z.int().check(z.minimum(1));

/** The quotas of a stage, as it sets them (JSON in the environment). */
export const Quotas = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    z.object({
      accountsPerTenant: count,
      tenantsPerApplication: count,
      /** How many years before and after today an entry may be dated or count. */
      entryYearsBack: count,
      entryYearsAhead: count,
      /** The longest code of a new account, in bytes of UTF-8. */
      accountCodeBytes: count,
    }),
  ),
);
export type Quotas = z.output<typeof Quotas>;
