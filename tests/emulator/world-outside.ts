// Replaces every host outside AWS: the sandbox for the accounting platforms, the shipped rates
// for the banks of Europe and Poland, and a webhook that accepts everything. Nothing leaves this
// machine.

import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { StageSettings } from '#infra/manifest/stages.ts';
import { createSandboxPlatform } from '#infra/sandbox/server.ts';
import { addDays, dateOf } from '#shared/money/dates.ts';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import { type AdapterName, type Slot, slotNames } from '#shared/platforms/slots.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import { historyXml, realDays } from '../support/builders/ecb-files.ts';
import { nbpReply, realNbpDays } from '../support/builders/nbp-tables.ts';
import { serve } from '../support/servers/serve.ts';

const outsideModule = fileURLToPath(new URL('./outside.ts', import.meta.url));

/** The host of the webhook in the documented examples. */
const webhookHost = 'app.example.com';

const hostsOf: Record<AdapterName, RegExp> = {
  xero: /(^|\.)xero\.com$/,
  quickbooks: /(^|\.)intuit\.com$/,
  quickbooks_sandbox: /(^|\.)intuit\.com$/,
  zoho: /(^|\.)(zoho|zohoapis|zohocloud)\.[a-z.]+$/,
};

/**
 * The shipped rates end on some day, and a stage refuses old ones. So the last rates are repeated
 * for the working days of the last week.
 */
const lastWeek = (known: readonly DailyRates[]): DailyRates[] => {
  const [today, latest] = [dateOf(new Date()), known.at(-1)];
  if (latest === undefined) return [];
  return [7, 6, 5, 4, 3, 2, 1]
    .map((days) => addDays(today, -days))
    .filter((date) => date > latest.date && new Date(date).getUTCDay() % 6 !== 0)
    .map((date) => ({ ...latest, date }));
};

const answerEcb = (url: string, response: ServerResponse): unknown => {
  const known = url.includes('90d') ? realDays.slice(-60) : realDays;
  const days = [...known, ...lastWeek(known)];
  return response.writeHead(200, { 'Content-Type': 'text/xml' }).end(historyXml(days));
};

/** 404 for a period without tables, as the bank answers it. */
const answerNbp = (url: string, response: ServerResponse): unknown => {
  const [, table, from = '', to = ''] = /\/tables\/([AB])\/([\d-]+)\/([\d-]+)\//.exec(url) ?? [];
  const days = realNbpDays.filter(({ date }) => date >= from && date <= to);
  if (days.length === 0) return response.writeHead(404).end();
  return response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(nbpReply(table === 'A' ? 'A' : 'B', days));
};

export const startWorldOutside = async ({
  settings,
  clients,
}: {
  settings: StageSettings;
  clients: Required<PlatformClients>;
}) => {
  const ratesHost = new URL(settings.exchangeRatesUrl).host;
  const hosts = new Map<string, number>();
  const strangers: string[] = [];
  let callbackUrl = '';
  let localStackUrl = '';
  let isInterrupted = false;
  const sandbox = createSandboxPlatform({
    clients,
    limits: 'off',
    redirectUris: (slot) => [`${callbackUrl}/oauth/${settings.platforms[slot].name}/callback`],
  });

  const slotOf = (host: string): Slot | undefined =>
    slotNames.find((slot) => hostsOf[settings.platforms[slot].adapter].test(host));

  /** The address of a deployed API, which an operator's commands call. */
  const forward = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { host, apiId }: { host: string; apiId: string },
  ): void => {
    const path = (incoming.url ?? '').slice(host.length + 1);
    const { method, headers } = incoming;
    const url = `${localStackUrl}/_aws/execute-api/${apiId}${path}`;
    const inner = send(url, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  };

  const answer = (request: IncomingMessage, response: ServerResponse): unknown => {
    const [, host = ''] = /^\/([^/?]+)/.exec(request.url ?? '') ?? [];
    const [, apiId] = /^(\w+)\.execute-api\./.exec(host) ?? [];
    if (apiId !== undefined) return forward(request, response, { host, apiId });
    // The sandbox's own pages are below the names of the slots.
    if (slotNames.some((slot) => slot === host)) return sandbox.listener(request, response);
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
    if (host === ratesHost) return answerEcb(request.url ?? '', response);
    if (host === 'api.nbp.pl') return answerNbp(request.url ?? '', response);
    if (host === webhookHost) return response.writeHead(204).end();
    const slot = slotOf(host);
    if (slot === undefined) {
      strangers.push(host);
      return response.destroy();
    }
    if (isInterrupted) return response.writeHead(503).end();
    request.url = `/${slot}${request.url}`;
    return sandbox.listener(request, response);
  };

  const { url, stop } = await serve(answer);
  return {
    /** What leads a process of Node here: the environment that it is started with. */
    variables: { NODE_OPTIONS: `--import=${outsideModule}`, EMULATOR_OUTSIDE: url },
    /** LocalStack starts later, and has then an address. */
    leadTo: (address: string): void => {
      localStackUrl = address;
    },
    /** The address of the stand-in for an address of another host. */
    at: (address: string): string => address.replace(/^https:\/\//, `${url}/`),
    /** How often functions called each host. */
    hosts: hosts as ReadonlyMap<string, number>,
    /** Unknown hosts that were called. */
    strangers: strangers as readonly string[],
    /** Platforms accept only the deployed callback. Its address is known after the deployment. */
    registerCallback: (address: string): void => {
      callbackUrl = address;
    },
    /** Switches an outage of every platform on or off. */
    interrupt: (interrupted: boolean): void => {
      isInterrupted = interrupted;
    },
    /** Tokens of a company, as a request for a tenant carries them. */
    grant: async (slot: Slot): Promise<Record<string, unknown>> => {
      const reply = await fetch(`${url}/${slot}/test-tokens`, { method: 'POST' });
      return (await reply.json()) as Record<string, unknown>;
    },
    stop: async (): Promise<void> => {
      sandbox.stop();
      await stop();
    },
  };
};
