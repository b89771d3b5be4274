// The field of a reply that may repeat the result of an earlier request.

import * as z from 'zod/mini';

/** Generated clients often hide headers, so the reply says it too. */
export const replayedField = z
  .boolean()
  .check(
    z.describe(
      'Whether an earlier request did this. The header `Idempotent-Replayed` says so too.',
    ),
  );
