// The request field that decides whether imports follow edits of journals at the platform.

import * as z from 'zod/mini';

export const followPlatformEdits = z.optional(
  z
    .boolean()
    .check(
      z.describe(
        'Whether imports follow what happens to an imported journal on the platform. By ' +
          'default, an edited journal is reversed and its new version is imported, and a voided ' +
          'or deleted one is reversed. With `false`, the import only reports it.',
      ),
    ),
);
