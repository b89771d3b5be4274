// Entry point of oauth-callback.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { openApplications } from '#shared/applications/applications.store.ts';
import { Quotas } from '#shared/applications/quotas.ts';
import { openKeyedAuthenticators } from '#shared/authentication/authenticators.container.ts';
import { newNonce, openStateKeys } from '#shared/connections/authorization-states.ts';
import { openHeldConsents } from '#shared/connections/held-consents.store.ts';
import { openOAuthStates } from '#shared/connections/oauth-states.store.ts';
import { openConnectionRecorder } from '#shared/connections/pending-connections.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openStagePlatforms, platformSettings } from '#shared/platforms/registry.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { openTable } from '#shared/table/table.ts';
import { openTelemetry } from '#shared/telemetry.container.ts';
import { suffixFrom } from '#shared/tenants/domain-names.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  AUTHENTICATOR_SECRET: z.string(),
  ...platformSettings,
  OAUTH_STATE_SECRET: z.string(),
  QUOTAS: Quotas,
});
const authenticators = openKeyedAuthenticators(environment.AUTHENTICATOR_SECRET);
const table = openTable(environment.TABLE_NAME, {}, { authenticators });
const { platforms, sealing } = openStagePlatforms(environment);
const newSuffix = () => suffixFrom(randomBytes(6));

export const handler = createHandler({
  states: openOAuthStates(table),
  consents: openHeldConsents(table, sealing),
  stateKeys: openStateKeys(openVersionedKeys(openSecretsManager(), environment.OAUTH_STATE_SECRET)),
  applications: openApplications(table),
  tenants: openTenants(table, { sealing, newSuffix, quotas: environment.QUOTAS }),
  connectionRecorder: openConnectionRecorder(table, { sealing, newSuffix }),
  slots: environment.PLATFORMS,
  platforms,
  clock: () => new Date(),
  newImportId: randomUUID,
  newNonce: () => newNonce(randomBytes),
  ...openTelemetry('oauth-callback'),
});
