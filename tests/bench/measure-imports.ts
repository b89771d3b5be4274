// The import of 10,000 accounts and 100,000 journals per platform through `npm start`, from the
// sandbox without its rate limits. The heap is limited to its size at rest plus 128 MB, since a
// deployed function does not share its heap with a service.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { openTable } from '#shared/table/table.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { definePart, type Report, show } from './part.ts';
import { userBody } from './requests.ts';
import { type ProbeReading, probeVariable, startSeconds } from './service-probe.ts';

const heapMegabytesBeyondBase = 128;
/** With `--quick`, an import is stopped after this many accounts. */
const quickAccounts = 1_000;

/**
 * The minimum number of calls for 1,000 journals, by the platforms' documentation. Xero's
 * `pageSize` and QuickBooks' `maxresults` are at most 1,000. Zoho lists 200 per page and needs
 * another call for the lines of each journal that is not a draft; a tenth of them are drafts.
 */
const minimumCalls: Record<Slot, number> = { platform_a: 1, platform_b: 1, platform_c: 905 };

const probe = new URL('./service-probe.ts', import.meta.url).href;

const startProbedService = async ({ heapMegabytes }: { heapMegabytes?: number } = {}) => {
  const folder = await makeDataFolder();
  const readings = join(folder.path, 'probe.json');
  const limit = heapMegabytes === undefined ? '' : ` --max-old-space-size=${heapMegabytes}`;
  const environment = { NODE_OPTIONS: `--import=${probe}${limit}`, [probeVariable]: readings };
  const service = await startService({ dataFolder: folder.path, env: environment });
  await pause((startSeconds + 1) * 1_000);
  return {
    ...service,
    folder: folder.path,
    read: async (): Promise<ProbeReading> => JSON.parse(await readFile(readings, 'utf8')),
    end: async (): Promise<void> => {
      service.child.kill('SIGKILL');
      await service.exited;
      // The engine ends shortly after the service.
      await pause(1_000);
      await folder.remove();
    },
  };
};

/** Milliseconds of the finished runs, from the log of the service. */
const runTimesOf = (output: string): number[] =>
  [...output.matchAll(/^\{.*"service":"import-tenant-data".*$/gm)].flatMap(([line]) => {
    const { outcome, duration_ms: duration } = JSON.parse(line);
    return outcome === undefined ? [] : [duration];
  });

const measureImport = async (slot: Slot, { quick, report }: { quick: boolean; report: Report }) => {
  const company = companiesOf[slot].toSorted((a, b) => b.journalCount - a.journalCount)[0];
  if (company === undefined) throw new Error(`the sandbox has no company at ${slot}`);
  const idle = await startProbedService();
  const { baseHeapMegabytes: baseMegabytes } = await idle.read();
  await idle.end();
  const heapMegabytes = Math.ceil(baseMegabytes) + heapMegabytesBeyondBase;
  const service = await startProbedService({ heapMegabytes });
  const { demo, child, folder } = service;
  const local = JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'));
  const table = openTable(local.table_name, {
    endpoint: local.dynamodb_endpoint,
    region: localRegion,
    credentials: localCredentials,
  });
  try {
    const url = `${demo.sandbox_url}/${slot}/test-tokens`;
    const body = JSON.stringify({ company_id: company.id });
    const tokens = (await (await fetch(url, { method: 'POST', body })).json()) as object;
    const user = await callApi(demo, 'users/ensure/', { body: userBody('bench@example.com') });
    const { user_id } = user.body.data;
    const grant = { platform: slot, cash_flow_method: 'direct', ...tokens, user_id };
    const tenant = await callApi(demo, 'tenants/create/', { body: grant });
    const name = {
      applicationId: demo.application_id,
      schemaName: tenant.body.data.schema_name as string,
    };
    const startedAt = performance.now();
    const imports = openImports(table);
    let state = await imports.find(name);
    for (let looks = 1; ; looks += 1) {
      if (child.exitCode !== null) throw new Error(service.output().slice(-4_000));
      state = await imports.find(name);
      const { status = '', checkpoint } = state ?? {};
      const { accountsImported = 0, journalsImported = 0 } = checkpoint ?? {};
      if (['complete', 'failed'].includes(status)) break;
      if (quick && accountsImported >= quickAccounts) break;
      if (looks % 40 === 0)
        report(`${slot}: ${accountsImported} accounts, ${journalsImported} journals`);
      await pause(250);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    await pause(2_000);
    const { calls, peakHeapMegabytes, peakResidentMegabytes } = await service.read();
    const callsFor = (purpose: string): number => calls[`${slot} ${purpose}`] ?? 0;
    const runTimes = runTimesOf(service.output());
    const {
      accountsImported = 0,
      journalsImported = 0,
      journalsRefused = 0,
    } = state?.checkpoint ?? {};
    return {
      slot,
      outcome: [state?.status, state?.reason].filter(Boolean).join(' '),
      accountsImported,
      journalsAtPlatform: company.journalCount,
      journalsImported,
      journalsRefused,
      seconds,
      runs: runTimes.length,
      longestRunSeconds: Math.max(0, ...runTimes) / 1_000,
      journalCalls: callsFor('journals'),
      accountCalls: callsFor('accounts'),
      otherCalls: callsFor('tokens') + callsFor('others'),
      baseMegabytes,
      heapMegabytes,
      peakHeapMegabytes,
      peakResidentMegabytes,
    };
  } finally {
    table.close();
    await service.end();
  }
};

type ImportResult = Awaited<ReturnType<typeof measureImport>>;

const rounded = (value: number): string => show.count(Math.round(value));

export const imports = definePart<ImportResult>({
  title: 'Large imports',
  columns: {
    platform: (it) => it.slot,
    outcome: (it) => it.outcome,
    accounts: (it) => rounded(it.accountsImported),
    'journals imported': (it) => rounded(it.journalsImported),
    refused: (it) => rounded(it.journalsRefused),
    'of the platform': (it) => rounded(it.journalsAtPlatform),
    seconds: (it) => rounded(it.seconds),
    runs: (it) => it.runs,
    'longest run, s': (it) => rounded(it.longestRunSeconds),
    'calls per 1,000 journals': (it) =>
      (it.journalCalls / (it.journalsAtPlatform / 1_000)).toFixed(2),
    minimum: (it) => minimumCalls[it.slot].toFixed(2),
    'calls for accounts': (it) => it.accountCalls,
    'other calls': (it) => it.otherCalls,
    'heap at rest / peak / limit, MB': (it) =>
      [it.baseMegabytes, it.peakHeapMegabytes, it.heapMegabytes].map(rounded).join(' / '),
    'peak resident memory, MB': (it) => rounded(it.peakResidentMegabytes),
  },
  targets: () => [],
  measure: async (options) => {
    const results: ImportResult[] = [];
    for (const slot of slotNames) results.push(await measureImport(slot, options));
    return results;
  },
});
