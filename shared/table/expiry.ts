// The expiry of items. DynamoDB deletes an item after its `expiresAt`, but up to days late, so
// readers compare `expiresAt` with the clock too.

/** A moment as `expiresAt` stores it, in seconds since 1970. */
export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
