// How a check says what does not hold.

/** Nothing where it holds, and otherwise what is wrong. */
export const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation]);
