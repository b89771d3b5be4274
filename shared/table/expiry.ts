// Items that end by themselves: the table removes them, days late at times, once their `expiresAt`
// is over. So whoever reads one compares it too.

/** A moment as `expiresAt` has it: in seconds since 1970. */
export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
