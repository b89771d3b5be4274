// Dates to come that no stage's quota refuses, whenever the tests run.

const laterYear = new Date().getUTCFullYear() + 4;

/** A day of a year that has not begun, MM-DD. */
export const laterDate = (day: string): string => `${laterYear}-${day}`;
