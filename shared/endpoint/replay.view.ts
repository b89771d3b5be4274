// What a reply says that may repeat the result of an earlier request.

import * as z from 'zod/mini';

/** Generated clients often hide headers, so the reply says it too. */
export const replayedField = z
  .boolean()
  .check(
    z.describe(
      'Whether an earlier request did this. The header `Idempotent-Replayed` says so too.',
    ),
  );

export const replayedHeader = { 'Idempotent-Replayed': 'true' } as const;

/** @param differing pointers to the fields that differ from the earlier request */
export const replayHeadersWith = (differing: readonly string[]): Record<string, string> => ({
  ...replayedHeader,
  ...(differing.length > 0 && { 'Idempotency-Mismatch': differing.join(', ') }),
});
