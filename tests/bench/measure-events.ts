// The event feed and webhooks: how fast one application's events are recorded, what a page of its
// feed costs, and how long a delivery takes, alone and beside a webhook that is dead.

import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { unitPrices } from '#infra/manifest/prices.ts';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { openTable } from '#shared/table/table.ts';
import { costOf } from '../support/dynamodb/costs.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { serve } from '../support/servers/serve.ts';
import { openBench } from './environment.ts';
import { definePart, type Report, type Spread, show, spreadOf } from './part.ts';
import { userBody } from './requests.ts';

type EventResult = {
  title: string;
  eventsPerSecond?: number;
  latency?: Spread;
  /** Units of the table for an event. */
  unitsEach?: number;
  /** The list price of the table for a million events. */
  dollarsPerMillion?: number;
};

const applicationId = 'bench00000000000';
const pageSize = 200;

const changesOf = (from: number, count: number): ChangeEvents[] =>
  Array.from({ length: count }, (_, index) => ({
    source: { applicationId, partition: 'TENANT#a' },
    stream: 'bench',
    sequenceNumber: String(from + index),
    events: [
      {
        id: `evt_${String(from + index).padStart(22, '0')}`,
        type: 'journal_entry.posted',
        at: new Date().toISOString(),
        data: {
          tenant_domain_url: 'analytical-engines',
          journal_entry_id: '2d25c440-0000-8010-b6c6-94a3a812c871',
          journal_number: 'MJ-20260323-0001',
          posting_date: '2026-03-23',
          status: 'posted',
          external_id: 'invoice-42',
        },
      },
    ],
  }));

/** Records batches one after another, as a shard of the stream does. */
const measureRecording = async (
  record: (changes: ChangeEvents[]) => Promise<unknown>,
  { batch, batches, from }: { batch: number; batches: number; from: number },
): Promise<EventResult> => {
  let units = 0;
  const startedAt = performance.now();
  for (let index = 0; index < batches; index += 1) {
    const changes = changesOf(from + index * batch, batch);
    units += (await costOf(() => record(changes))).units.write;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const events = batch * batches;
  return {
    title: `recorded in batches of ${batch}`,
    eventsPerSecond: events / seconds,
    unitsEach: units / events,
    dollarsPerMillion: (units / events) * unitPrices.writeUnits,
  };
};

const measureReading = async (
  read: (after: number) => Promise<unknown>,
  { title, after, samples }: { title: string; after: number; samples: number },
): Promise<EventResult> => {
  const times: number[] = [];
  const { units } = await costOf(() => read(after));
  for (let sample = 0; sample < samples; sample += 1) {
    const startedAt = performance.now();
    await read(after);
    times.push(performance.now() - startedAt);
  }
  return {
    title,
    latency: spreadOf(times),
    unitsEach: units.read / pageSize,
    dollarsPerMillion: (units.read / pageSize) * unitPrices.readUnits,
  };
};

const measureFeed = async (quick: boolean, report: Report): Promise<EventResult[]> => {
  const bench = await openBench();
  const table = openTable(String(bench.environment.TABLE_NAME));
  const clock = () => new Date();
  const recording = openFeedRecording(table, { clock });
  const record = (changes: ChangeEvents[]) => recording.record(applicationId, changes);
  const feed = openFeed(table, { clock });
  const read = (after: number) => feed.read(applicationId, { after, window: pageSize });
  report('recording');
  const singles = quick ? 20 : 500;
  const batches = quick ? 5 : 300;
  const results = [
    await measureRecording(record, { batch: 1, batches: singles, from: 1 }),
    await measureRecording(record, { batch: 100, batches, from: singles + 1 }),
  ];
  const total = singles + 100 * batches;
  const samples = quick ? 5 : 100;
  report(`reading a feed of ${show.count(total)} events`);
  const title = `a page of ${pageSize} events at the`;
  results.push(
    await measureReading(read, { title: `${title} start of a feed`, after: singles, samples }),
    await measureReading(read, { title: `${title} end of a feed`, after: total - 250, samples }),
  );
  table.close();
  await bench.stop();
  return results;
};

/** A receiver that notes when the event of a tenant arrives, and one that never replies. */
const startReceiver = async () => {
  const arrivals = new Map<string, number>();
  const receiver = await serve(async (request, response) => {
    const { data } = JSON.parse(await text(request));
    if (request.url === '/dead') return;
    arrivals.set(data.tenant_domain_url, performance.now());
    response.writeHead(204).end();
  });
  return { ...receiver, url: receiver.url.replace('127.0.0.1', 'localhost'), arrivals };
};

const measureDeliveries = async (quick: boolean, report: Report): Promise<EventResult[]> => {
  const folder = await makeDataFolder();
  const service = await startService({ dataFolder: folder.path });
  const receiver = await startReceiver();
  const call = async (path: string, body: object) =>
    (await callApi(service.demo, path, { body })).body.data;
  const { user_id } = await call('users/ensure/', userBody('events@example.com'));
  const company = { user_id, platform: 'manual', cash_flow_method: 'direct', currency: 'EUR' };
  /** The time from the reply of a request to the arrival of its event. */
  const measureOne = async (name: string): Promise<number> => {
    const created = await call('tenants/create/', { ...company, company_name: name });
    const repliedAt = performance.now();
    for (;;) {
      const arrivedAt = receiver.arrivals.get(created.tenant_domain_url);
      if (arrivedAt !== undefined) return Math.max(0, arrivedAt - repliedAt);
      await pause(5);
    }
  };
  const samples = quick ? 5 : 60;
  const measure = async (title: string): Promise<EventResult> => {
    report(title);
    const times: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      times.push(await measureOne(`${title} ${sample}`));
    }
    return { title, latency: spreadOf(times) };
  };
  await call('webhooks/create/', { url: receiver.url });
  const alone = await measure('from the reply to the webhook');
  await call('webhooks/create/', { url: `${receiver.url}/dead` });
  const beside = await measure('the same beside a dead webhook');
  await service.stop('SIGKILL');
  await receiver.stop();
  await folder.remove();
  return [alone, beside];
};

const perSecondOf = (rows: readonly EventResult[]): number =>
  Math.max(0, ...rows.map(({ eventsPerSecond = 0 }) => eventsPerSecond));
const medianNamed = (rows: readonly EventResult[], title: string): number =>
  rows.find((row) => row.title === title)?.latency?.p50 ?? Number.NaN;

export const events = definePart<EventResult>({
  title: 'Events and webhooks, of one application',
  columns: {
    '': ({ title }) => title,
    'events/s': ({ eventsPerSecond }) =>
      eventsPerSecond === undefined ? '-' : show.count(Math.round(eventsPerSecond)),
    latency: ({ latency }) => (latency === undefined ? '-' : show.spread(latency)),
    'units each': ({ unitsEach }) => unitsEach ?? '-',
    'a million': ({ dollarsPerMillion }) =>
      dollarsPerMillion === undefined ? '-' : `$${dollarsPerMillion.toFixed(2)}`,
  },
  targets: (rows) => {
    const perSecond = perSecondOf(rows);
    const alone = medianNamed(rows, 'from the reply to the webhook');
    const beside = medianNamed(rows, 'the same beside a dead webhook');
    return [
      {
        target: 'One application: at least 1,000 events/s',
        found: show.count(Math.round(perSecond)),
        isMet: perSecond >= 1_000,
      },
      {
        target: 'A first attempt within 2 seconds of the change (p50)',
        found: `${Math.round(alone)} ms`,
        isMet: alone <= 2_000,
      },
      {
        target: 'The same beside a dead webhook',
        found: `${Math.round(beside)} ms`,
        isMet: beside <= 2_000,
      },
    ];
  },
  measure: async ({ quick, report }) => [
    // First, because a bench sets the environment of this process.
    ...(await measureDeliveries(quick, report)),
    ...(await measureFeed(quick, report)),
  ],
});
