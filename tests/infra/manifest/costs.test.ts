// The figures behind the running costs, measured on the embedded engine, and the tables of
// operations.md.

import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { measured, renderCosts } from '#infra/manifest/costs.ts';
import { noHash } from '#shared/entries/entry-hash.ts';
import { addDays } from '#shared/money/dates.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { openLog, openMetrics } from '#shared/telemetry.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { changeEvent } from '../../support/events/stream-events.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openCarrying, openInstance } from '../../support/harnesses/instances.ts';
import { linesOf } from '../../support/recorders/output.ts';
import { openReceiver } from '../../support/servers/webhook-receiver.ts';

vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
const ledger = await openTestLedger();
const clock = () => new Date('2026-03-24T12:00:00.123Z');
const applicationId = 'k3v9x2m7q4w8t6zb';
await ledger.newOwner('ada@example.com', applicationId);
const tenant = await ledger.createTenant('Analytical Engines', { applicationId });
const instance = openInstance({
  table: ledger.table,
  clock,
  log: openLog('create-journal-entry'),
  metrics: openMetrics('Ledger/production', '42'),
});
const { call, send } = callsOf(instance, { applicationId, domain_url: tenant.prefix });

const entry = (place: number) => ({
  date: '2026-03-23',
  memo: 'March consulting for the Difference Engine Company',
  external_id: `invoice-2026-${place}`,
  transactionCurrency: 'USD',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '1159.60', description: 'Invoice 2026-0042, received' },
    { account: '4010', credit: '1159.60', description: 'Consulting in March' },
  ],
});

/** The bytes of the gateway's log line, with values of usual lengths. */
const gatewayLineBytes = (): number => {
  const source = readFileSync('infra/aws/constructs/api.ts', 'utf8');
  const [, fields = ''] = /const accessLogFields = \{\n(.+?)^\};/ms.exec(source) ?? [];
  const names = [...fields.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
  const usual: Record<string, string> = {
    request_id: 'b5c5b7f5-8a3c-4d5f-9b0a-0123456789ab',
    extended_request_id: 'JKJaXmPLvHcESHA=',
    route: 'POST /external/v1/journal_entries/create',
    application_id: applicationId,
    key_id: '2faff9db6fdad81ab168c3ea',
    source_ip: '203.0.113.42',
    user_agent: 'python-requests/2.32.3',
    tls_version: 'TLSv1.3',
    gateway_error: '-',
    firewall_status: '200',
  };
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, usual[name] ?? '1000'])))
    .length;
};

/** The bytes of the headers of a usual reply or delivery. */
const headerBytes = 800;
const bytesSent = (bodies: readonly string[]): number =>
  bodies.reduce((sum, body) => sum + Buffer.byteLength(body) + headerBytes, 0);

const measure = async (work: () => Promise<unknown>) => {
  let units = { read: 0, write: 0 };
  const lines = await linesOf(async () => {
    units = (await costOf(work)).units;
  });
  const bytes = lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0);
  return { readUnits: units.read, writeUnits: units.write, logBytes: bytes };
};

const seedYear = () => {
  const rows = ledger.chartCodes.map((code) => `${code}\t\t1.25\t1.25\t`).join('\n');
  return ledger.seed(
    ...Array.from({ length: 365 }, (_, day) => ({
      ...sheetKey(tenant, { series: 'MJ', date: addDays('2025-01-01', day) }),
      lastSequence: 1,
      revision: 1,
      counted: 1,
      head: noHash,
      rows,
    })),
  );
};

/** The bytes of a value (DynamoDB Developer Guide, "DynamoDB item sizes and formats"). */
const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((sum, it) => sum + bytesOf(it) + 1, 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, it]) => sum + name.length + bytesOf(it) + 1, 3);
};

/** What DynamoDB charges for in addition to each item. */
const overheadBytes = 100;
const storedBytes = async (): Promise<number> =>
  (await ledger.scan()).reduce((sum, item) => sum + bytesOf(item) + overheadBytes, 0);

describe('the running costs are calculated from', () => {
  const { requests, events, sentBytes: sent, bytesOfEntry, bytesOfTenant, idleRun } = measured;
  /** A request at the gateway. */
  const request = async (...words: Parameters<typeof send>) => {
    let body: unknown;
    const { logBytes, ...units } = await measure(async () => {
      const reply = await send(...words);
      expect(reply.status).toBe(200);
      body = reply.body;
    });
    const sentBytes = bytesSent([JSON.stringify(body)]);
    return { ...units, logBytes: logBytes + gatewayLineBytes(), sentBytes };
  };
  type Figures = { readUnits: number; writeUnits: number; logBytes: number };
  const expectFigures = (
    found: Figures & { sentBytes?: number },
    { readUnits, writeUnits, logBytes }: Figures,
    sentBytes?: number,
  ) => {
    expect([found.readUnits, found.writeUnits]).toEqual([readUnits, writeUnits]);
    expect(Math.abs(found.logBytes / logBytes - 1)).toBeLessThan(0.05);
    if (sentBytes === undefined) return;
    expect(Math.abs((found.sentBytes ?? 0) / sentBytes - 1)).toBeLessThan(0.05);
  };

  test('a post and a read', async () => {
    await call('createEntry', entry(0));
    expectFigures(await request('createEntry', entry(1)), requests.post, sent.post);
    const { journal_entry_id } = await call('createEntry', entry(2));
    expectFigures(await request('getEntry', { journal_entry_id }), requests.read, sent.read);
  });

  test('a report with carried totals', async () => {
    await seedYear();
    await openCarrying(ledger.table)(clock().toISOString());
    const period = { from: '2025-01-01', to: '2025-12-31' };
    expectFigures(await request('getTrialBalance', period), requests.report, sent.report);
  });

  test('the bytes of a tenant and of an entry', async () => {
    const before = await storedBytes();
    const other = await ledger.createTenant('Difference Works', { applicationId });
    const created = await storedBytes();
    expect(Math.abs((created - before) / bytesOfTenant - 1)).toBeLessThan(0.05);
    const entries = 50;
    for (let place = 0; place < entries; place += 1) {
      const date = addDays('2026-03-20', Math.floor(place / 10));
      const body = { ...entry(100 + place), date, domain_url: other.prefix };
      await call('createEntry', body);
    }
    const each = ((await storedBytes()) - created) / entries;
    expect(Math.abs(each / bytesOfEntry - 1)).toBeLessThan(0.05);
  });

  test('events, recorded and delivered alone and together, and read', async () => {
    const receiver = await openReceiver();
    const { webhook_id: webhookId } = await call('createWebhook', {
      domain_url: undefined,
      url: receiver.url,
    });
    await call('createEntry', entry(50));
    const item = (await ledger.scan()).find(({ kind }) => kind === 'entry') ?? {};
    let changes = 0;
    const eventOf = (count: number) => ({
      Records: changeEvent(Array.from({ length: count }, () => ({ item }))).Records.map(
        (record) => {
          changes += 1;
          return { ...record, dynamodb: { ...record.dynamodb, SequenceNumber: String(changes) } };
        },
      ),
    });
    const record = (count: number) =>
      measure(() => instance.recordEvents(eventOf(count), lambdaContext()));
    const deliver = async () => {
      receiver.reset();
      const run = () =>
        instance.deliverEvents({ applicationId, webhookId }, lambdaContext(100_000));
      const figures = await measure(run);
      return { ...figures, sentBytes: bytesSent(receiver.received.map(({ body }) => body)) };
    };
    await record(1);
    await deliver();
    expectFigures(await record(1), events.record1);
    expectFigures(await deliver(), events.deliver1, sent.deliver1);
    await record(10);
    expectFigures(await deliver(), events.deliver10, sent.deliver10);
    expectFigures(await record(100), events.record100);
    await record(100);
    const page = { domain_url: undefined, after: '5', limit: '200' };
    expectFigures(await request('listEvents', page), events.read200, sent.read200);
    await receiver.stop();
  });

  test('the most expensive idle run', async () => {
    const run = () =>
      instance.postScheduled({ time: clock().toISOString() }, lambdaContext(300_000));
    await run();
    expectFigures(await measure(run), idleRun);
  });
});

test('operations.md has the running costs', () => {
  const operations = readFileSync('infra/operations.md', 'utf8');
  const [, section = ''] = operations.split('## Running costs\n');
  const tables = section.match(/(?:^\|.*\n)+/gm) ?? [];
  expect(tables.map((it) => it.trim()).join('\n\n'), 'Run npm run costs.').toBe(renderCosts());
});
