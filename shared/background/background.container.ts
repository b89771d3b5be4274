// The dependencies of the functions that do background work in the books of tenants.

import * as z from 'zod/mini';
import { openApplications } from '../applications/applications.store.ts';
import { openKeyedAuthenticators } from '../authentication/authenticators.container.ts';
import { readEnvironment } from '../environment.ts';
import { openTable } from '../table/table.ts';
import { openTelemetry } from '../telemetry.container.ts';
import { openDueWork } from './due-index.store.ts';

/** @param settings the function's own environment variables, in addition to the common ones */
export const openBackground = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
  options: Parameters<typeof openKeyedAuthenticators>[1] = {},
) => {
  const common = { TABLE_NAME: z.string(), AUTHENTICATOR_SECRET: z.string() };
  const environment = readEnvironment({ ...settings, ...common });
  const authenticators = openKeyedAuthenticators(environment.AUTHENTICATOR_SECRET, options);
  const table = openTable(environment.TABLE_NAME, {}, { authenticators });
  return {
    environment,
    table,
    applications: openApplications(table),
    dueWork: openDueWork(table),
    clock: () => new Date(),
    ...openTelemetry(functionName),
  };
};
