// Opens the platforms of a stage and the sealing of their tokens.

import { openSealing, type Sealing } from '../sealing.ts';
import { openSecretsManager, openVersionedKeys } from '../secrets.ts';
import type { HttpOptions } from './http.ts';
import { openPlatformClients, openPlatforms, type Platforms } from './registry.ts';
import type { Slots } from './slots.ts';

/** Settings by their names in the environment. */
type PlatformSettings = {
  PLATFORMS: Slots;
  /** The ids of two secrets. */
  PLATFORM_CLIENTS_SECRET: string;
  TOKEN_SEALING_SECRET: string;
};

/** Reads nothing before the first use. */
export const openStagePlatforms = (
  { PLATFORMS: slots, PLATFORM_CLIENTS_SECRET, TOKEN_SEALING_SECRET }: PlatformSettings,
  options: Pick<HttpOptions, 'maximumReplyBytes'> = {},
): { platforms: Platforms; sealing: Sealing } => {
  const secretsManager = openSecretsManager();
  const clients = openPlatformClients(secretsManager, PLATFORM_CLIENTS_SECRET);
  return {
    platforms: openPlatforms({ slots, clients, ...options }),
    sealing: openSealing(openVersionedKeys(secretsManager, TOKEN_SEALING_SECRET)),
  };
};
