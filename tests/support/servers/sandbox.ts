// The sandbox platform for tests: started on a free port, with a browser's part played by fetch.

import { listen } from '#infra/http-server.ts';
import { stages } from '#infra/manifest/stages.ts';
import { createSandboxPlatform, type SandboxPlatformOptions } from '#infra/sandbox/server.ts';
import { type HttpOptions, maximumPageBytes } from '#shared/platforms/http.ts';
import { openPlatforms, type PlatformClients } from '#shared/platforms/registry.ts';
import type { Slot, Slots } from '#shared/platforms/slots.ts';
import { fixedSecret } from '../builders/secrets.ts';
import { secrets } from '../recorders/secrets-collector.ts';

const clientOf = (slot: string) => ({
  client_id: `ledger at ${slot}`,
  client_secret: `s:${slot}%+`,
});

/** Something for each slot. */
export const bySlot = <Value>(valueAt: (slot: Slot) => Value): Record<Slot, Value> => ({
  platform_a: valueAt('platform_a'),
  platform_b: valueAt('platform_b'),
  platform_c: valueAt('platform_c'),
});

export const sandboxClients: Required<PlatformClients> = bySlot(clientOf);

/** Serves the platform on a free port of 127.0.0.1. Limits are off by default. */
export const startSandboxPlatform = async (options: SandboxPlatformOptions) => {
  const platform = createSandboxPlatform({ limits: 'off', ...options });
  const listener: typeof platform.listener = (request, response) => {
    const end = response.end.bind(response) as (body?: unknown) => typeof response;
    // Every token that the sandbox issues is registered as a secret.
    response.end = (body?: unknown) => {
      if (typeof body === 'string') secrets.registerFields(body);
      return end(body);
    };
    return platform.listener(request, response);
  };
  const server = await listen(listener, { port: 0, purpose: 'sandbox platform' });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    /** The base URL for the adapter of a slot. */
    baseUrl: (slot: Slot) => `${url}/${slot}`,
    stop: async () => {
      platform.stop();
      await server.stop();
    },
  };
};

/** Starts the platform, and adapters that use it. */
export const startTestSandbox = async ({
  timeoutMilliseconds,
  fetch,
  ...options
}: Partial<SandboxPlatformOptions> & Pick<HttpOptions, 'timeoutMilliseconds' | 'fetch'> = {}) => {
  const platform = await startSandboxPlatform({ clients: sandboxClients, ...options });
  const slotAt = (slot: Slot) => ({
    ...stages.local.platforms[slot],
    baseUrlOverride: platform.baseUrl(slot),
  });
  const slots: Slots = bySlot(slotAt);
  const clients = fixedSecret(sandboxClients);
  const maximumReplyBytes = maximumPageBytes;
  const platforms = openPlatforms({
    slots,
    clients,
    timeoutMilliseconds,
    fetch,
    maximumReplyBytes,
  });
  return { ...platform, slots, platforms };
};

export type ConsentChoice = {
  company?: string;
  companies?: string[];
  failure?: string;
  decision?: 'approve' | 'deny';
};

/** Opens a consent page and submits it as a browser does. Returns the address of the redirect. */
export const giveConsent = async (
  authorizationUrl: string,
  { decision = 'approve', companies = [], ...choice }: ConsentChoice = {},
): Promise<URL> => {
  const page = await (await fetch(authorizationUrl)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
  const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1];
  if (action === undefined || consent === undefined) throw new Error('this is no consent page');
  const reply = await fetch(new URL(action, authorizationUrl), {
    method: 'POST',
    body: new URLSearchParams([
      ...Object.entries({ consent, decision, ...choice }),
      ...companies.map((id): [string, string] => ['company', id]),
    ]),
    redirect: 'manual',
  });
  return new URL(reply.headers.get('Location') ?? '');
};
