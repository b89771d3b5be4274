// A post's latency through `npm start`, idle and beside twelve large imports of four applications,
// from the sandbox without its rate limits.

import { setTimeout as pause } from 'node:timers/promises';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { operate } from '../support/processes/operator-process.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { openHttpClient } from './bench-service.ts';
import { definePart, type Spread, show, spreadOf } from './part.ts';
import { processorTimes } from './processor-times.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';

type Load = {
  title: string;
  posts: Spread;
  refused: number;
  /** Accounts of completely read charts, and journals, that all imports recorded in a second. */
  recordsPerSecond: number;
  /** The share of one processor. */
  processor: { service: number; engine: number };
};

const applicationCount = 4;
/** Posts beside imports take at most this many times as long as idle ones (p50). */
const maximumRatio = 3;

/** The sandbox's largest company of each platform. An application can connect each once. */
const largest = slotNames.map((slot) => ({
  slot,
  company: companiesOf[slot].toSorted((a, b) => b.journalCount - a.journalCount)[0]?.id,
}));

const openService = async () => {
  const folder = await makeDataFolder();
  const service = await startService({
    dataFolder: folder.path,
    env: { POWERTOOLS_LOG_LEVEL: 'ERROR' },
  });
  const { demo, child } = service;
  const ops = (...words: string[]) =>
    operate([...words, '--local'], { ...process.env, LEDGER_DATA: folder.path });
  const ask = async (apiKey: string, path: string, body?: object) => {
    const reply = await callApi({ ...demo, api_key: apiKey }, path, { body });
    if (reply.status !== 200) throw new Error(`${path} failed: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const newUser = async (apiKey: string): Promise<string> =>
    (await ask(apiKey, 'users/ensure/', userBody('bench@example.com'))).user_id;
  const imported: { apiKey: string; domainUrl: string }[] = [];
  return {
    newTenant: async (): Promise<string> => {
      const body = tenantBody(await newUser(demo.api_key), 'Beside imports');
      return (await ask(demo.api_key, 'tenants/create/', body)).tenant_domain_url;
    },
    openClient: () =>
      openHttpClient(demo.base_url, { applicationId: demo.application_id, apiKey: demo.api_key }),
    startImports: async (): Promise<void> => {
      for (let place = 0; place < applicationCount; place += 1) {
        const application = `importer-${place}`;
        await ops('applications', 'create', '--application', application);
        const { api_key: apiKey } = await ops('keys', 'create', '--application', application);
        const user_id = await newUser(apiKey);
        for (const { slot, company } of largest) {
          const url = `${demo.sandbox_url}/${slot}/test-tokens`;
          const request = { method: 'POST', body: JSON.stringify({ company_id: company }) };
          const grant = (await (await fetch(url, request)).json()) as object;
          const body = { platform: slot, cash_flow_method: 'direct', user_id, ...grant };
          const { tenant_domain_url: domainUrl } = await ask(apiKey, 'tenants/create/', body);
          imported.push({ apiKey, domainUrl });
        }
      }
    },
    countRecords: async (): Promise<number> => {
      let count = 0;
      for (const { apiKey, domainUrl } of imported) {
        const path = `tenants/imports/?domain_url=${domainUrl}`;
        const { accounts_imported: accounts, journals_imported: journals } = (
          await ask(apiKey, path)
        ).import;
        count += accounts + journals;
      }
      return count;
    },
    processorTimes: () => processorTimes(child.pid),
    stop: async (): Promise<void> => {
      await service.stop('SIGKILL');
      // The engine ends shortly after the service.
      await pause(1_000);
      await folder.remove();
    },
  };
};

type Service = Awaited<ReturnType<typeof openService>>;

/** One client posts one entry after the other. */
const measurePosts = async (
  title: string,
  { service, post, seconds }: { service: Service; post: () => Promise<number>; seconds: number },
): Promise<Load> => {
  const [recordsBefore, before] = [await service.countRecords(), service.processorTimes()];
  const startedAt = performance.now();
  const secondsNow = (): number => (performance.now() - startedAt) / 1_000;
  const latencies: number[] = [];
  let refused = 0;
  while (secondsNow() < seconds) {
    const sentAt = performance.now();
    if ((await post()) === 200) latencies.push(performance.now() - sentAt);
    else refused += 1;
  }
  const [took, after] = [secondsNow(), service.processorTimes()];
  const records = (await service.countRecords()) - recordsBefore;
  return {
    title,
    posts: spreadOf(latencies),
    refused,
    recordsPerSecond: records / took,
    processor: {
      service: (after.service - before.service) / took / 1_000,
      engine: (after.engine - before.engine) / took / 1_000,
    },
  };
};

export const besideImports = definePart<Load>({
  title: 'Posts beside twelve imports',
  columns: {
    load: (it) => it.title,
    posts: (it) => show.spread(it.posts),
    'posts refused': (it) => it.refused,
    'records imported per second': (it) => it.recordsPerSecond.toFixed(0),
    'processor: service': (it) => show.percent(it.processor.service),
    engine: (it) => show.percent(it.processor.engine),
  },
  targets: ([idle, beside]) => {
    const ratio = (beside?.posts.p50 ?? Number.NaN) / (idle?.posts.p50 ?? Number.NaN);
    return [
      {
        target: `beside twelve imports, a post takes at most ${maximumRatio} times as long (p50)`,
        found: `${show.ratio(ratio)}, ${beside?.refused} refused`,
        isMet: ratio <= maximumRatio && beside?.refused === 0,
      },
    ];
  },
  measure: async ({ quick, report }) => {
    const seconds = quick ? 10 : 60;
    const service = await openService();
    const client = service.openClient();
    try {
      const body = JSON.stringify(entryBody(await service.newTenant()));
      const post = async () => (await client.send('journal_entries/create/', body)).status;
      const idleAfter = performance.now() + 5_000;
      while (performance.now() < idleAfter) await post();
      const results: Load[] = [];
      const measure = async (title: string): Promise<void> => {
        const load = await measurePosts(title, { service, post, seconds });
        report(`${title}: posts ${show.spread(load.posts)} ms`);
        results.push(load);
      };
      await measure('idle');
      await service.startImports();
      // The first page of an import takes longest.
      await pause(seconds * 1_000);
      await measure('twelve imports');
      return results;
    } finally {
      client.close();
      await service.stop();
    }
  },
});
