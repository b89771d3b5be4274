// How a check says what does not hold.

/** The violation, unless the condition holds. */
export const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation]);
