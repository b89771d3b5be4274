// Entry point of authorizer.

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { callLimits, clientSettings } from '#shared/aws-call-limits.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  API_KEY_PEPPER_SECRET: z.string(),
  READ_ONLY_ROUTES: z.string(),
});

const limits = callLimits.short;
const secretsManager = openSecretsManager(limits.secrets);
const table = openTable(environment.TABLE_NAME, clientSettings(limits.table));

export const handler = createHandler({
  applications: openApplications(table),
  pepper: openVersionedKeys(secretsManager, environment.API_KEY_PEPPER_SECRET),
  readOnlyRoutes: environment.READ_ONLY_ROUTES.split(' '),
  clock: () => new Date(),
  sleep,
  ...openTelemetry('authorizer'),
});
