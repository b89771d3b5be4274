// A checkout of the product, run by its own `npm start`, and clients of it.

import { setTimeout as pause } from 'node:timers/promises';
import { callApi, makeDataFolder, startService } from '../../support/processes/service.ts';
import { openHttpClient } from '../bench-service.ts';
import { processorTimes } from '../processor-times.ts';
import { tenantBody, userBody } from '../requests.ts';

/** Requests of a block, in milliseconds, and the entries or reads that they brought. */
export type Sample = { done: number; refused: number; latencies: number[] };

/** A measured request: its path, and the body of a post. A read has no body. */
export type RowRequest = { path: string; body?: object };

/** Returns the requests of a client, one after the other. */
export type Client = () => RowRequest;

const isRefusal = (status: number): boolean => status === 503 || status === 429;

export const startRowService = async ({
  checkout,
  profileFolder,
}: {
  checkout: string | undefined;
  /** The folder that gets a processor profile of the service when it ends. */
  profileFolder: string | undefined;
}) => {
  const folder = await makeDataFolder();
  const service = await startService({
    dataFolder: folder.path,
    env: { POWERTOOLS_LOG_LEVEL: 'ERROR' },
    checkout,
    nodeOptions: profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [],
  });
  const { demo, child } = service;
  const http = openHttpClient(demo.base_url, {
    applicationId: demo.application_id,
    apiKey: demo.api_key,
  });
  const ask = async (path: string, body?: object) => {
    const reply = await callApi(demo, path, { body });
    if (reply.status !== 200) throw new Error(`${path} failed: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  // Deliveries to the demo application's webhook would take their time from the measured requests.
  const { body: webhooks } = await callApi(demo, 'webhooks/list/');
  for (const { webhook_id } of webhooks.data?.webhooks ?? []) {
    await ask('webhooks/update/', { webhook_id, status: 'disabled' });
  }
  const { user_id: userId = '' } = await ask('users/ensure/', userBody('bench@example.com'));

  /** Sends a request until it is not refused. The latency includes the waits. */
  const send = async ({ path, body }: RowRequest, sample: Sample): Promise<void> => {
    const startedAt = performance.now();
    for (;;) {
      const { status, text, headers } = await http.send(path, body && JSON.stringify(body));
      if (status === 200) {
        sample.latencies.push(performance.now() - startedAt);
        const { journal_entries: entries } = body ? JSON.parse(text).data : {};
        sample.done += entries?.length ?? 1;
        return;
      }
      if (!isRefusal(status)) throw new Error(`a measured request failed: ${text}`);
      sample.refused += 1;
      await pause((1 + Math.random()) * 1_000 * Number(headers['retry-after'] ?? 1));
    }
  };

  return {
    newTenant: async (companyName: string): Promise<string> => {
      const tenant = await ask('tenants/create/', tenantBody(userId, companyName));
      return tenant.tenant_domain_url ?? '';
    },
    codesOf: async (prefix: string): Promise<string[]> => {
      const { accounts } = await ask(
        `accounts/list/?${new URLSearchParams({ domain_url: prefix })}`,
      );
      return accounts.map(({ code }: { code: string }) => code);
    },
    /** Carries the totals of all tenants forward, as the service does every day. */
    carryTotals: async (): Promise<void> => {
      const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
      const url = `${demo.sandbox_url}/schedules/carry-totals?time=${tomorrow}`;
      for (let carried = 1; carried > 0; ) {
        const reply = await fetch(url, { method: 'POST' });
        if (!reply.ok) throw new Error(`carry-totals failed: ${await reply.text()}`);
        ({ carried } = (await reply.json()) as { carried: number });
      }
    },
    ask,
    /**
     * All clients send their requests until the time is over or the count is reached.
     * @param limit the seconds, or the number of entries or reads of all clients together
     */
    run: async (
      clients: readonly Client[],
      limit: { seconds: number } | { count: number },
    ): Promise<Sample> => {
      const sample: Sample = { done: 0, refused: 0, latencies: [] };
      const endsAt = performance.now() + ('seconds' in limit ? limit.seconds * 1_000 : Infinity);
      let remaining = 'count' in limit ? limit.count : Number.POSITIVE_INFINITY;
      const work = async (next: Client): Promise<void> => {
        while (performance.now() < endsAt && remaining > 0) {
          const request = next();
          remaining -= entriesIn(request);
          await send(request, sample);
        }
      };
      await Promise.all(clients.map(work));
      return sample;
    },
    processorTimes: () => processorTimes(child.pid),
    stop: async (): Promise<void> => {
      http.close();
      await service.stop();
      await folder.remove();
    },
  };
};

export type RowService = Awaited<ReturnType<typeof startRowService>>;

/** The entries that a request posts; 1 for a read. */
const entriesIn = ({ body = {} }: RowRequest): number =>
  'journal_entries' in body ? (body.journal_entries as object[]).length : 1;
