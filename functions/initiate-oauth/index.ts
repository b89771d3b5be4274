// Entry point of initiate-oauth.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { newState } from '#shared/domain/authorization-states.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openPlatformClients, openPlatforms } from '#shared/platforms/registry.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openSecretsManager } from '#shared/secrets.ts';
import { openOAuthStates } from '#shared/store/oauth-states.ts';
import { openTable } from '#shared/store/table.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({
  TABLE_NAME: z.string(),
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  CALLBACK_BASE_URL: z.url(),
  REDIRECT_REGISTRATION: z.enum(['required', 'optional']),
});
const clients = openPlatformClients(openSecretsManager(), environment.PLATFORM_CLIENTS_SECRET);

export const handler = createHandler({
  states: openOAuthStates(openTable(environment.TABLE_NAME)),
  slots: environment.PLATFORMS,
  platforms: openPlatforms({ slots: environment.PLATFORMS, clients }),
  callbackBaseUrl: environment.CALLBACK_BASE_URL,
  registration: environment.REDIRECT_REGISTRATION,
  clock: () => new Date(),
  newState: () => newState(randomBytes),
  ...openObservability('initiate-oauth'),
});
