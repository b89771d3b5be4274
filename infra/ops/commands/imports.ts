// The operator's command for imports.

import * as z from 'zod/mini';
import { schemaNameOf } from '#shared/domain/domain-names.ts';
import { CommandFailure, defineCommand } from '../command.ts';
import { applicationName, tenantPrefix } from '../options.ts';
import { getApplication } from './applications.ts';

export const restartImport = defineCommand({
  usage: '--tenant PREFIX --application NAME',
  purpose: "Import a connected tenant's data anew, in the place of an import that failed or hangs",
  note:
    'The import starts within seconds; the profile of its user shows how it went. Of a tenant ' +
    'that is disconnected its user must give consent again first.',
  changes: () => true,
  options: z.strictObject({ tenant: tenantPrefix, application: applicationName }),
  run: async (dependencies, { tenant: prefix, application }) => {
    const { tenants, imports, clock, newImportId } = dependencies;
    const { applicationId, name: owner } = await getApplication(dependencies, application);
    const name = { applicationId, schemaName: schemaNameOf(prefix) };
    const tenant = await tenants.find(name);
    if (tenant === undefined) throw new CommandFailure(`"${owner}" has no tenant ${prefix}`);
    const importId = newImportId();
    const requestedAt = clock().toISOString();
    if (!(await imports.request(name, { importId, requestedAt }))) {
      throw new CommandFailure(`${prefix} is connected to no platform, so there is no import`);
    }
    return {
      application: owner,
      application_id: applicationId,
      tenant: prefix,
      status: 'importing',
      status_before: tenant.status,
      import_id: importId,
      requested_at: requestedAt,
    };
  },
});
