// Starts the service with `npm start` to measure imports: with a heap limit and a probe. Connects
// companies and reads the state of their imports from the table.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { localCredentials, localRegion } from '#infra/local-credentials.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { type Import, openImports } from '#shared/imports/imports.store.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { operate } from '../support/processes/operator-process.ts';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { userBody } from './requests.ts';
import { type ProbeReading, probeVariable } from './service-probe.ts';

export type Company = { slot: Slot; company: DemoCompany };

type Caller = Pick<Demo, 'base_url' | 'api_key' | 'application_id'>;

/** The log line of an import's run. */
const RunLine = z.object({
  service: z.literal('import-tenant-data'),
  message: z.string(),
  timestamp: z.string(),
  schema_name: z.string(),
  outcome: z.string(),
  duration_ms: z.number(),
});
export type RunLine = z.infer<typeof RunLine>;

const probe = new URL('./service-probe.ts', import.meta.url).href;

const readLines = (output: string): RunLine[] =>
  output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return RunLine.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });

const callOk = async (
  caller: Caller,
  path: string,
  body: object,
): Promise<Record<string, string>> => {
  const reply = await callApi(caller, path, { body });
  if (reply.status !== 200) throw new Error(`${path} failed: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
};

export type ImportService = Awaited<ReturnType<typeof startImportService>>;

/** @param options.heapMegabytes limit for the service's old generation; none by default */
export const startImportService = async ({ heapMegabytes }: { heapMegabytes?: number } = {}) => {
  const folder = await makeDataFolder();
  const readings = join(folder.path, 'probe.json');
  const limit = heapMegabytes === undefined ? '' : ` --max-old-space-size=${heapMegabytes}`;
  const { demo, child, exited, output, stop } = await startService({
    dataFolder: folder.path,
    env: {
      NODE_OPTIONS: `--import=${probe}${limit}`,
      [probeVariable]: readings,
    },
  });
  const local = JSON.parse(await readFile(join(folder.path, 'local.json'), 'utf8'));
  const table = openTable(local.table_name, {
    endpoint: local.dynamodb_endpoint,
    region: localRegion,
    credentials: localCredentials,
  });
  const imports = openImports(table);

  const find = async (name: TenantName): Promise<Import> => {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the service has ended:\n${output().slice(-4_000)}`);
    }
    const state = await imports.find(name);
    if (state === undefined) throw new Error(`${name.schemaName} has no import`);
    return state;
  };

  return {
    demo,
    find,

    /** Creates another application with an API key. */
    createCaller: async (application: string): Promise<Caller> => {
      const environment = { PATH: process.env.PATH, LEDGER_DATA: folder.path };
      const ops = (noun: string) =>
        operate([noun, 'create', '--application', application, '--local'], environment);
      const { application_id } = await ops('applications');
      const { api_key } = await ops('keys');
      return { base_url: demo.base_url, application_id, api_key };
    },

    /** Connects a company with tokens from the sandbox, which requests its import. */
    connect: async (caller: Caller, { slot, company }: Company): Promise<TenantName> => {
      const url = `${demo.sandbox_url}/${slot}/test-tokens`;
      const reply = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ company_id: company.id }),
      });
      const { user_id } = await callOk(caller, 'users/ensure/', userBody('bench@example.com'));
      const tokens = (await reply.json()) as object;
      const grant = { platform: slot, cash_flow_method: 'direct', ...tokens };
      const { schema_name = '' } = await callOk(caller, 'tenants/create/', { ...grant, user_id });
      return { applicationId: caller.application_id, schemaName: schema_name };
    },

    /** Waits until an import has ended or `isEnough` is true, and returns its state. */
    until: async (
      name: TenantName,
      isEnough: (state: Import) => boolean = () => false,
    ): Promise<Import> => {
      for (;;) {
        const state = await find(name);
        if (['complete', 'failed'].includes(state.status) || isEnough(state)) return state;
        await pause(250);
      }
    },

    /** Waits for the probe's first reading, and returns the last one. */
    reading: async (): Promise<ProbeReading> => {
      for (;;) {
        const text = await readFile(readings, 'utf8').catch(() => undefined);
        if (text !== undefined) return JSON.parse(text);
        await pause(200);
      }
    },

    /** The finished runs of an import. */
    runsOf: ({ schemaName }: TenantName): RunLine[] =>
      readLines(output()).filter((line) => line.schema_name === schemaName),

    stop: async (): Promise<void> => {
      table.close();
      await stop();
      await folder.remove();
    },

    /** Ends the service without waiting for imports in progress. */
    kill: async (): Promise<void> => {
      table.close();
      child.kill('SIGKILL');
      await exited;
      // The engine ends shortly after the service.
      await pause(1_000);
      await folder.remove();
    },
  };
};
