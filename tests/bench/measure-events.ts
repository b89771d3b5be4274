// The event feed and webhooks: how fast one application's events are recorded, what a page costs,
// how late an event is in the feed and at a webhook, alone and beside a webhook that is dead, and
// what arrives after a night without a receiver.

import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { unitPrices } from '#infra/manifest/prices.ts';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { feedPageKey } from '#shared/table/event-keys.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { testAuthenticators } from '../support/builders/secrets.ts';
import { costOf } from '../support/dynamodb/costs.ts';
import { type Night, passNight } from '../support/harnesses/webhook-night.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { serve } from '../support/servers/serve.ts';
import { type Bench, dataOf, openBench } from './environment.ts';
import { definePart, type Report, type Spread, show, spreadOf } from './part.ts';
import { entryBody, userBody } from './requests.ts';

type EventResult = {
  title: string;
  eventsPerSecond?: number;
  latency?: Spread;
  /** Processor time of this process for a post or an event. The engine is another process. */
  processorMilliseconds?: number;
  /** Units of the table for an event. */
  unitsEach?: number;
  /** The list price of the table for a million events. */
  dollarsPerMillion?: number;
  night?: Night;
};

const applicationId = 'bench00000000000';
const pageSize = 200;

const eventOf = (place: number): ChangeEvents['events'][number] => ({
  id: `evt_${String(place).padStart(22, '0')}`,
  type: 'journal_entry.posted',
  at: '2026-03-23T12:00:00.000Z',
  data: {
    tenant_domain_url: 'analytical-engines',
    journal_entry_id: '2d25c440-0000-8010-b6c6-94a3a812c871',
    journal_number: 'MJ-20260323-0001',
    posting_date: '2026-03-23',
    status: 'posted',
    external_id: 'invoice-42',
  },
});

const changesOf = (from: number, count: number): ChangeEvents[] =>
  Array.from({ length: count }, (_, index) => ({
    source: { applicationId, partition: 'TENANT#a' },
    stream: 'bench',
    sequenceNumber: String(from + index),
    events: [eventOf(from + index)],
  }));

const processorMilliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** The processor time of a post. Nothing reads the stream. */
const measurePosts = async ({ functions }: Bench, posts: number): Promise<EventResult> => {
  const { event, newUser, newTenant, createEntry } = functions;
  const userId = await newUser('events@example.com');
  const { prefix } = await newTenant(userId, 'Posts without events');
  const post = async () => dataOf(await createEntry(event({ body: entryBody(prefix) })));
  for (let warming = 0; warming < posts; warming += 1) await post();
  const total = await processorMilliseconds(async () => {
    for (let count = 0; count < posts; count += 1) await post();
  });
  return { title: 'a post, without the recording', processorMilliseconds: total / posts };
};

/** Records batches one after another, as a shard of the stream does. */
const measureRecording = async (
  record: (changes: ChangeEvents[]) => Promise<unknown>,
  { batch, batches, from }: { batch: number; batches: number; from: number },
): Promise<EventResult> => {
  let units = { read: 0, write: 0 };
  const startedAt = performance.now();
  const processor = await processorMilliseconds(async () => {
    for (let index = 0; index < batches; index += 1) {
      const changes = changesOf(from + index * batch, batch);
      const cost = await costOf(() => record(changes));
      units = { read: units.read + cost.units.read, write: units.write + cost.units.write };
    }
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const events = batch * batches;
  const dollars = units.write * unitPrices.writeUnits + units.read * unitPrices.readUnits;
  return {
    title: `recorded in batches of ${batch}`,
    eventsPerSecond: events / seconds,
    processorMilliseconds: processor / events,
    unitsEach: (units.read + units.write) / events,
    dollarsPerMillion: dollars / events,
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

/** The pages of a long feed, as batches of 100 leave them. */
function* pagesOf(events: number) {
  const recordedAt = new Date().toISOString();
  for (let first = 1; first < events; first += 100) {
    yield {
      ...feedPageKey(applicationId, first),
      first,
      recordedAt,
      through: { 'TENANT#a': String(first + 99) },
      events: Array.from({ length: 100 }, (_, index) => eventOf(first + index)),
    };
  }
}

const measureFeed = async (
  bench: Bench,
  { table, quick, report }: { table: Table; quick: boolean; report: Report },
): Promise<EventResult[]> => {
  const clock = () => new Date();
  const recording = openFeedRecording(table, { clock });
  const record = (changes: ChangeEvents[]) => recording.record(applicationId, changes);
  const feed = openFeed(table, { clock });
  const read = (after: number) => feed.read(applicationId, { after, window: pageSize });
  report('posts without the recording');
  const posted = await measurePosts(bench, quick ? 20 : 500);
  const length = quick ? 10_000 : 1_000_000;
  report(`filling a feed with ${show.count(length)} events`);
  await bench.fill(pagesOf(length));
  report('reading');
  const samples = quick ? 5 : 100;
  const title = `a page of ${pageSize} events at the`;
  const of = `of a feed of ${show.count(length)}`;
  const readings = [
    await measureReading(read, { title: `${title} start ${of}`, after: 100, samples }),
    await measureReading(read, { title: `${title} middle ${of}`, after: length / 2, samples }),
    await measureReading(read, { title: `${title} end ${of}`, after: length - 250, samples }),
  ];
  report('recording');
  const singles = quick ? 20 : 500;
  const batches = quick ? 5 : 300;
  const recordings = [
    await measureRecording(record, { batch: 1, batches: singles, from: length + 1 }),
    await measureRecording(record, { batch: 100, batches, from: length + singles + 1 }),
  ];
  return [posted, ...recordings, ...readings];
};

const measureNights = async (
  table: Table,
  { quick, report }: { quick: boolean; report: Report },
): Promise<EventResult[]> => {
  const load = quick
    ? { eventsPerMinute: 1, stepMinutes: 10 }
    : { eventsPerMinute: 60, stepMinutes: 1 };
  const results: EventResult[] = [];
  for (const isHelped of [false, true]) {
    const title = isHelped ? 'the status set to active in the morning' : 'a night off';
    report(title);
    const id = isHelped ? 'helped0000000000' : 'night00000000000';
    const night = await passNight(table, { applicationId: id, ...load, isHelped });
    results.push({ title, night });
  }
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
  const call = async (path: string, body?: object) =>
    (await callApi(service.demo, path, body && { body })).body.data;
  const { user_id } = await call('users/ensure/', userBody('events@example.com'));
  const company = { user_id, platform: 'manual', cash_flow_method: 'direct', currency: 'EUR' };
  /** The time from the reply of a request until its event is seen. */
  const measureOne = async (
    name: string,
    seenAt: (tenant: string) => Promise<number | undefined>,
  ): Promise<number> => {
    const created = await call('tenants/create/', { ...company, company_name: name });
    const repliedAt = performance.now();
    for (;;) {
      const at = await seenAt(created.tenant_domain_url);
      if (at !== undefined) return Math.max(0, at - repliedAt);
      await pause(5);
    }
  };
  const atWebhook = async (tenant: string) => receiver.arrivals.get(tenant);
  const inFeed = async (tenant: string) => {
    const { events } = await call(`events/list/?domain_url=${tenant}`);
    return events.length > 0 ? performance.now() : undefined;
  };
  const samples = quick ? 5 : 60;
  const measure = async (title: string, seenAt = atWebhook): Promise<EventResult> => {
    report(title);
    const times: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      times.push(await measureOne(`${title} ${sample}`, seenAt));
    }
    return { title, latency: spreadOf(times) };
  };
  const lag = await measure('from the reply to the feed', inFeed);
  await call('webhooks/create/', { url: receiver.url });
  const alone = await measure('from the reply to the webhook');
  await call('webhooks/create/', { url: `${receiver.url}/dead` });
  const beside = await measure('the same beside a dead webhook');
  await service.stop('SIGKILL');
  await receiver.stop();
  await folder.remove();
  return [lag, alone, beside];
};

const perSecondOf = (rows: readonly EventResult[]): number =>
  Math.max(0, ...rows.map(({ eventsPerSecond = 0 }) => eventsPerSecond));
const medianNamed = (rows: readonly EventResult[], title: string): number =>
  rows.find((row) => row.title === title)?.latency?.p50 ?? Number.NaN;

const nightText = ({ events, arrived, twice, overtaken, ...times }: Night): string =>
  `${show.count(arrived)} of ${show.count(events)}, ${twice} twice, overtaken by ${overtaken}; ` +
  `the first after ${times.minutesToFirst} min, the last after ${times.minutesToLast} min`;

const isWhole = ({ events, arrived, twice, overtaken }: Night): boolean =>
  arrived === events && twice === 0 && overtaken < 10;

export const events = definePart<EventResult>({
  title: 'Events and webhooks, of one application',
  columns: {
    '': ({ title }) => title,
    'events/s': ({ eventsPerSecond }) =>
      eventsPerSecond === undefined ? '-' : show.count(Math.round(eventsPerSecond)),
    latency: ({ latency }) => (latency === undefined ? '-' : show.spread(latency)),
    'processor, ms each': ({ processorMilliseconds: milliseconds }) =>
      milliseconds === undefined ? '-' : milliseconds.toFixed(2),
    'units each': ({ unitsEach }) => unitsEach ?? '-',
    'a million': ({ dollarsPerMillion }) =>
      dollarsPerMillion === undefined ? '-' : `$${dollarsPerMillion.toFixed(2)}`,
    'what arrived': ({ night }) => (night === undefined ? '-' : nightText(night)),
  },
  targets: (rows) => {
    const perSecond = perSecondOf(rows);
    const alone = medianNamed(rows, 'from the reply to the webhook');
    const beside = medianNamed(rows, 'the same beside a dead webhook');
    const nights = rows.flatMap(({ night }) => night ?? []);
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
      {
        target: 'After a night off, all events arrive once, none overtaken by ten',
        found: nights.map(nightText).join('. '),
        isMet: nights.length > 0 && nights.every(isWhole),
      },
    ];
  },
  measure: async ({ quick, report }) => {
    // First, because a bench sets the environment of this process.
    const delivered = await measureDeliveries(quick, report);
    const bench = await openBench();
    const table = openTable(
      String(bench.environment.TABLE_NAME),
      {},
      { authenticators: testAuthenticators },
    );
    const ofFeed = await measureFeed(bench, { table, quick, report });
    const ofNights = await measureNights(table, { quick, report });
    table.close();
    await bench.stop();
    return [...delivered, ...ofFeed, ...ofNights];
  },
});
