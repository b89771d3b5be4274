// The service as `npm start` starts it, for the measurement of imports: a limited heap, a probe
// inside, companies that are connected by callers, and what its table says of their imports.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { localCredentials, localRegion } from '#infra/local-credentials.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { type Import, openImports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { openTable } from '#shared/store/table.ts';
import { operate } from '../support/processes/operator-process.ts';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { userBody } from './requests.ts';
import { type ProbeReading, probeVariable } from './service-probe.ts';

export type Company = { slot: Slot; company: DemoCompany };

/** Somebody who calls the API. */
type Caller = Pick<Demo, 'base_url' | 'api_key' | 'application_id'>;

/** A run of an import, as its log line tells of it. */
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
  if (reply.status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
};

export type ImportService = Awaited<ReturnType<typeof startImportService>>;

/** @param options.heapMegabytes as much as the old objects of the service may take, if limited */
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
    const found = await imports.find(name);
    if (found === undefined) throw new Error(`${name.schemaName} has no import`);
    return found;
  };

  return {
    demo,
    find,

    /** Another application, with a key, as the operator makes it. */
    createCaller: async (application: string): Promise<Caller> => {
      const environment = { PATH: process.env.PATH, LEDGER_DATA: folder.path };
      const ops = (noun: string) =>
        operate([noun, 'create', '--application', application, '--local'], environment);
      const { application_id } = await ops('applications');
      const { api_key } = await ops('keys');
      return { base_url: demo.base_url, application_id, api_key };
    },

    /** Connects a company as a caller does that holds its tokens, which asks for its import. */
    connect: async (caller: Caller, { slot, company }: Company): Promise<TenantName> => {
      const url = `${demo.sandbox_url}/${slot}/test-grants`;
      const granted = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ company_id: company.id }),
      });
      const { user_id } = await callOk(caller, 'users/ensure/', userBody('bench@example.com'));
      const tokens = (await granted.json()) as object;
      const grant = { platform: slot, cash_flow_method: 'direct', ...tokens };
      const { schema_name = '' } = await callOk(caller, 'tenants/create/', { ...grant, user_id });
      return { applicationId: caller.application_id, schemaName: schema_name };
    },

    /** Waits until an import has ended, or `isEnough` of it, and returns how it stands. */
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

    /** What the probe has written down last, once it has. */
    reading: async (): Promise<ProbeReading> => {
      for (;;) {
        const text = await readFile(readings, 'utf8').catch(() => undefined);
        if (text !== undefined) return JSON.parse(text);
        await pause(200);
      }
    },

    /** The runs of an import that have ended. */
    runsOf: ({ schemaName }: TenantName): RunLine[] =>
      readLines(output()).filter((line) => line.schema_name === schemaName),

    stop: async (): Promise<void> => {
      table.close();
      await stop();
      await folder.remove();
    },

    /** Ends it where nobody waits for what is under way. */
    kill: async (): Promise<void> => {
      table.close();
      child.kill('SIGKILL');
      await exited;
      // The engine ends by itself a moment later.
      await pause(1_000);
      await folder.remove();
    },
  };
};
