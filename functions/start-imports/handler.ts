// Starts each requested import in a separate run, so imports that take minutes do not block the
// stream.

import { createStreamHandler } from '#shared/endpoint/stream.ts';
import { ImportRequest } from '#shared/imports/import-request.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { tenantFields } from '#shared/tenants/domain-names.ts';

export type Dependencies = Telemetry & {
  /** Starts a run. A second run is harmless: without the import's lease, it does nothing. */
  startImport: (request: ImportRequest) => Promise<void>;
};

export const createHandler = ({ startImport, ...telemetry }: Dependencies) =>
  createStreamHandler(async ({ item }) => {
    const request = ImportRequest.parse(item);
    await startImport(request);
    return {
      ...tenantFields(request),
      import_id: request.importId,
      outcome: 'success',
    };
  }, telemetry);
