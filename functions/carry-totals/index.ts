// Entry point of carry-totals.

import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openKeyedAuthenticators } from '#shared/authentication/authenticators.container.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, AUTHENTICATOR_SECRET } = readEnvironment({
  TABLE_NAME: z.string(),
  AUTHENTICATOR_SECRET: z.string(),
});
const authenticators = openKeyedAuthenticators(AUTHENTICATOR_SECRET);
const table = openTable(TABLE_NAME, {}, { authenticators });

export const handler = createHandler({
  applications: openApplications(table),
  dueWork: openDueWork(table),
  carryForward: openCarryForward(table),
  verifications: openVerifications(table),
  clock: () => new Date(),
  ...openTelemetry('carry-totals'),
});
