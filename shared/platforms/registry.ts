// Opens the adapters of slots with the client credentials from the secret.

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { openSealing, type Sealing } from '../sealing.ts';
import { openSecret, openSecretsManager, openVersionedKeys, type Secret } from '../secrets.ts';
import { type CircuitBreaker, openCircuitBreaker } from './circuit-breaker.ts';
import type { AdapterOptions, HttpOptions } from './http.ts';
import type { Platform } from './platform.ts';
import { type AdapterName, type Slot, Slots, slotNames } from './slots.ts';

/** Our client credentials at a platform (RFC 6749 section 2.2). */
export const PlatformClient = z.object({ client_id: z.string(), client_secret: z.string() });
export type PlatformClient = z.infer<typeof PlatformClient>;

/** The secret `platform-clients`. It must contain every slot that the stage uses. */
export const PlatformClients = z.partialRecord(z.enum(slotNames), PlatformClient);
export type PlatformClients = z.infer<typeof PlatformClients>;

/** Opens the secret with the clients of all slots. */
export const openPlatformClients = (
  client: SecretsManagerClient,
  secretId: string,
): Secret<PlatformClients> => openSecret(client, { secretId, schema: PlatformClients });

const openQuickBooks = async (
  options: AdapterOptions,
  stage: 'production' | 'sandbox',
): Promise<Platform> => {
  const { createQuickBooks, quickBooksHosts } = await import('./quickbooks/quickbooks.ts');
  return createQuickBooks(options, quickBooksHosts[stage]);
};

/** Adapters are loaded at their first use, because a cold start without them is faster. */
const adapters: Record<AdapterName, (options: AdapterOptions) => Promise<Platform>> = {
  xero: async (options) => (await import('./xero/xero.ts')).createXero(options),
  quickbooks: (options) => openQuickBooks(options, 'production'),
  quickbooks_sandbox: (options) => openQuickBooks(options, 'sandbox'),
  zoho: async (options) => (await import('./zoho/zoho.ts')).createZoho(options),
};

export type Platforms = ReturnType<typeof openPlatforms>;

/**
 * Opens the platforms of a stage, each with its circuit breaker. The secret is read at the first
 * use of a platform.
 */
export const openPlatforms = ({
  slots,
  clients,
  ...options
}: Omit<HttpOptions, 'baseUrlOverride' | 'circuitBreaker'> & {
  slots: Slots;
  clients: Secret<PlatformClients>;
}) => {
  const circuitBreakers: Partial<Record<Slot, CircuitBreaker>> = {};
  return {
    get: async (slot: Slot): Promise<Platform> => {
      const { adapter, baseUrlOverride } = slots[slot];
      const client = (await clients.read())[slot] ?? (await clients.readAgain())[slot];
      if (client === undefined) throw new Error(`the secret has no client of ${slot}`);
      const { client_id: clientId, client_secret: clientSecret } = client;
      circuitBreakers[slot] ??= openCircuitBreaker();
      const circuitBreaker = circuitBreakers[slot];
      return adapters[adapter]({
        ...options,
        baseUrlOverride,
        circuitBreaker,
        clientId,
        clientSecret,
      });
    },
  };
};

/** The environment variables of `openStagePlatforms`. The secrets are named by their ids. */
export const platformSettings = {
  PLATFORMS: Slots,
  PLATFORM_CLIENTS_SECRET: z.string(),
  TOKEN_SEALING_SECRET: z.string(),
};

/** Opens the platforms of a stage and the sealing of their tokens. Reads no secret yet. */
export const openStagePlatforms = (
  environment: z.output<z.ZodMiniObject<typeof platformSettings>>,
  options: Pick<HttpOptions, 'maximumReplyBytes'> = {},
): { platforms: Platforms; sealing: Sealing } => {
  const { PLATFORMS: slots, PLATFORM_CLIENTS_SECRET, TOKEN_SEALING_SECRET } = environment;
  const secretsManager = openSecretsManager();
  const clients = openPlatformClients(secretsManager, PLATFORM_CLIENTS_SECRET);
  return {
    platforms: openPlatforms({ slots, clients, ...options }),
    sealing: openSealing(openVersionedKeys(secretsManager, TOKEN_SEALING_SECRET)),
  };
};
