// Starts each requested import in a separate run, so imports that take minutes do not block the
// stream.

import { createStreamHandler } from '#shared/endpoint/stream.ts';
import { ImportRequest } from '#shared/imports/import-request.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';

export type Dependencies = {
  /** Starts a run. A second run is harmless: without the import's lease, it does nothing. */
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
