// Which import is to run: what the stream's reader hands on to whoever imports.

import * as z from 'zod/mini';

/** The rest of an import stands in the table, where whoever runs it reads it anew. */
export const ImportRequest = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  importId: z.string(),
});
export type ImportRequest = z.infer<typeof ImportRequest>;
