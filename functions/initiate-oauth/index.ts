// Entry point of initiate-oauth.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { newNonce, openStateKeys } from '#shared/connections/authorization-states.ts';
import { openOAuthStates } from '#shared/connections/oauth-states.store.ts';
import { openApi } from '#shared/endpoint/api.container.ts';
import { openPlatformClients, openPlatforms } from '#shared/platforms/registry.ts';
import { Slots } from '#shared/platforms/slots.ts';
import { openSecretsManager, openVersionedKeys } from '#shared/secrets.ts';
import { createHandler } from './handler.ts';

const api = openApi('initiate-oauth', {
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  OAUTH_STATE_SECRET: z.string(),
  CALLBACK_BASE_URL: z.url(),
  REDIRECT_REGISTRATION: z.enum(['required', 'optional']),
});
const { environment } = api;
const slots = environment.PLATFORMS;
const secretsManager = openSecretsManager();
const clients = openPlatformClients(secretsManager, environment.PLATFORM_CLIENTS_SECRET);

export const handler = createHandler({
  ...api,
  states: openOAuthStates(api.table),
  slots,
  platforms: openPlatforms({ slots, clients }),
  callbackBaseUrl: environment.CALLBACK_BASE_URL,
  registration: environment.REDIRECT_REGISTRATION,
  stateKeys: openStateKeys(openVersionedKeys(secretsManager, environment.OAUTH_STATE_SECRET)),
  newNonce: () => newNonce(randomBytes),
});
