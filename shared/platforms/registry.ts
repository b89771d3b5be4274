// The platforms by slot: which adapter speaks to each, with the client credentials from the secret.

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { openSecret, type Secret } from '../secrets.ts';
import type { AdapterOptions, HttpOptions } from './http.ts';
import type { Platform } from './platform.ts';
import { type AdapterName, type Slot, type Slots, slotNames } from './slots.ts';

/** What a platform knows us by (RFC 6749 section 2.2). */
export const PlatformClient = z.object({ client_id: z.string(), client_secret: z.string() });
export type PlatformClient = z.infer<typeof PlatformClient>;

/** The secret `platform-clients`: a stage needs those of the slots that it uses. */
export const PlatformClients = z.partialRecord(z.enum(slotNames), PlatformClient);
export type PlatformClients = z.infer<typeof PlatformClients>;

/** Opens the secret that holds the clients of all slots. */
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

/**
 * Adapters are loaded when they are first asked for: a start that asks for none is quicker. One
 * that a slot may name and that is not here does not compile.
 */
const adapters: Record<AdapterName, (options: AdapterOptions) => Promise<Platform>> = {
  xero: async (options) => (await import('./xero/xero.ts')).createXero(options),
  quickbooks: (options) => openQuickBooks(options, 'production'),
  quickbooks_sandbox: (options) => openQuickBooks(options, 'sandbox'),
  zoho: async (options) => (await import('./zoho/zoho.ts')).createZoho(options),
};

export type Platforms = ReturnType<typeof openPlatforms>;

/** Opens the platforms of a stage. The secret is read when a platform is first asked for. */
export const openPlatforms = ({
  slots,
  clients,
  ...options
}: Omit<HttpOptions, 'baseUrlOverride'> & { slots: Slots; clients: Secret<PlatformClients> }) => ({
  get: async (slot: Slot): Promise<Platform> => {
    const { adapter, baseUrlOverride } = slots[slot];
    const client = (await clients.read())[slot] ?? (await clients.readAgain())[slot];
    if (client === undefined) throw new Error(`the secret has no client of ${slot}`);
    const { client_id: clientId, client_secret: clientSecret } = client;
    return adapters[adapter]({ ...options, baseUrlOverride, clientId, clientSecret });
  },
});
