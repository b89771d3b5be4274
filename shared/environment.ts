// Reads a function's settings from its environment, and says at start what is wrong with them.

import * as z from 'zod/mini';

/** The settings of these names, parsed. @throws naming every setting that is missing or wrong */
export const readEnvironment = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.output<z.ZodMiniObject<Shape>> => {
  const parsed = z.object(shape).safeParse(process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`missing or wrong in the environment: ${[...new Set(names)].join(', ')}`);
};
