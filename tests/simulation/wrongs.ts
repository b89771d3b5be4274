// What the model finds wrong, in words.

/** Nothing where it holds, and otherwise what is wrong. */
export const unless = (holds: boolean, wrong: string): string[] => (holds ? [] : [wrong]);
