// Reads and validates a function's settings from its environment.

import * as z from 'zod/mini';

/** The values of settings, by name. */
type Environment<Shape extends z.core.$ZodShape> = {
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
