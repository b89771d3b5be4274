// Starts every import that is asked for in a run of its own, so that none holds a place in the
// stream for the minutes that it takes.

import { createStreamHandler } from '#shared/endpoint/stream.ts';
import { ImportRequest } from '#shared/imports/import-request.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';

export type Dependencies = {
  /** Asks for a run. One too many is harmless: a run needs the import's lease, or does nothing. */
  startImport: (request: ImportRequest) => Promise<void>;
  log: Log;
  metrics: Metrics;
};

export const createHandler = ({ startImport, log, metrics }: Dependencies) =>
  createStreamHandler(
    async ({ item }) => {
      const request = ImportRequest.parse(item);
      await startImport(request);
      return {
        application_id: request.applicationId,
        schema_name: request.schemaName,
        import_id: request.importId,
        outcome: 'success',
      };
    },
    { log, metrics },
  );
