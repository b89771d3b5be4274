// When a new version of a function replaces the old one, and when it is taken back.

/** A new version first serves this part of the calls, for this time. */
export const canary = { percent: 10, minutes: 10 } as const;

/** The period over which the calls and the failures of a new version are counted. */
export const judgedMinutes = 5;

/**
 * A new version is taken back if at least this many of its calls failed in a period, and at least
 * this part of them. Fewer failures do not count: with few calls, one failure can be a large part.
 * tests/infra/manifest/canary.test.ts computes the chances: at 10 calls a second and the objective
 * of 0.1% failures, all functions pass in 999 of 1,000 deployments. With 5% failures, a function
 * stops the deployment in 997 of 1,000.
 */
export const takenBackAt = { failures: 6, percent: 2 } as const;

/** The versions of each function that stay, for a roll-back. */
export const keptVersions = 5;
