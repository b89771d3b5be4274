// Entry point of initiate-oauth.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { newNonce } from '#shared/connections/authorization-states.ts';
import { openOAuthStates } from '#shared/connections/oauth-states.store.ts';
import { openStateKeys } from '#shared/connections/state-keys.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openPlatformClients, openPlatforms } from '#shared/platforms/registry.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  OAUTH_STATE_SECRET: z.string(),
  CALLBACK_BASE_URL: z.url(),
  REDIRECT_REGISTRATION: z.enum(['required', 'optional']),
});
const secretsManager = openSecretsManager();
const clients = openPlatformClients(secretsManager, environment.PLATFORM_CLIENTS_SECRET);

export const handler = createHandler({
  states: openOAuthStates(openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET)),
  slots: environment.PLATFORMS,
  platforms: openPlatforms({ slots: environment.PLATFORMS, clients }),
  callbackBaseUrl: environment.CALLBACK_BASE_URL,
  registration: environment.REDIRECT_REGISTRATION,
  clock: () => new Date(),
  stateKeys: openStateKeys(openVersionedKeys(secretsManager, environment.OAUTH_STATE_SECRET)),
  newNonce: () => newNonce(randomBytes),
  ...openObservability('initiate-oauth'),
});
