// Reads and validates a function's settings from its environment.

import * as z from 'zod/mini';

/** @throws Error that names every missing or invalid setting */
export const readEnvironment = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.output<z.ZodMiniObject<Shape>> => {
  const parsed = z.object(shape).safeParse(process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`missing or invalid in the environment: ${[...new Set(names)].join(', ')}`);
};
