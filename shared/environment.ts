// Reads and validates a function's settings from its environment.

import * as z from 'zod/mini';

/** The values of settings, by name. */
export type Environment<Shape extends z.core.$ZodShape> = {
  [Name in keyof Shape]: Shape[Name]['_zod']['output'];
};

/** @throws Error that names every missing or invalid setting */
export const readEnvironment = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): Environment<Shape> => {
  const parsed = z.object(shape).safeParse(process.env);
  if (parsed.success) return parsed.data as Environment<Shape>;
  const names = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`missing or invalid in the environment: ${[...new Set(names)].join(', ')}`);
};

const count = z.int().check(z.minimum(1));

/**
 * The quotas of applications and tenants: JSON from the environment. infra/manifest/stages.ts sets
 * them for each stage.
 */
export const Quotas = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => JSON.parse(text)),
    z.object({
      accountsPerTenant: count,
      tenantsPerApplication: count,
      /** The range of entry dates and accrual dates, in years before and after today. */
      entryYearsBack: count,
      entryYearsAhead: count,
      /** The maximum length of a new account code, in UTF-8 bytes. */
      accountCodeBytes: count,
    }),
  ),
);
export type Quotas = z.output<typeof Quotas>;
