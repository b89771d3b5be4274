// Entry point of oauth-callback.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { newNonce } from '#shared/domain/authorization-states.ts';
import { suffixFrom } from '#shared/domain/domain-names.ts';
import { Quotas } from '#shared/domain/quotas.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { openStagePlatforms } from '#shared/stage-platforms.ts';
import { openStateKeys } from '#shared/state-keys.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openHeldConsents } from '#shared/store/held-consents.ts';
import { openOAuthStates } from '#shared/store/oauth-states.ts';
import { openConnectionRecorder } from '#shared/store/pending-connections.ts';
import { openTable } from '#shared/store/table.ts';
import { openTenants } from '#shared/store/tenants.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
  OAUTH_STATE_SECRET: z.string(),
  QUOTAS: Quotas,
});
const table = openTable(environment.TABLE_NAME);
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
  ...openObservability('oauth-callback'),
});
