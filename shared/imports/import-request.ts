// The message that starts an import run.

import * as z from 'zod/mini';

/** The run reads the rest of the import from the table. */
export const ImportRequest = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  importId: z.string(),
});
export type ImportRequest = z.infer<typeof ImportRequest>;
