// Entry point of authorizer.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), API_KEY_PEPPER_SECRET: z.string() });

export const handler = createHandler({
  applications: openApplications(openTable(environment.TABLE_NAME)),
  pepper: openVersionedKeys(openSecretsManager(), environment.API_KEY_PEPPER_SECRET),
  clock: () => new Date(),
  ...openObservability('authorizer'),
});
