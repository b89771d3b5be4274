// Dates to come that are in range for `entry_years_ahead` of 2, and in January for any tenant.

const laterYear = new Date().getUTCFullYear() + 1;

/** A day of a year that has not begun, MM-DD. */
export const laterDate = (day: string): string => `${laterYear}-${day}`;
