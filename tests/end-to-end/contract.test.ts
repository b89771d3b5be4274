// Every endpoint over HTTP, against the service as `npm start -- --bundled` starts it: with the
// functions as they are deployed.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasCurrentBundles } from '#infra/aws/bundle-cache.ts';
import type { EndpointSchema } from '#infra/docs/operations.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { exampleCancelled } from '#shared/entries/journal-entry-example.view.ts';
import { exampleDeletedWebhook, exampleWebhook } from '#shared/events/webhook.view.ts';
import { addDays, dateOf } from '#shared/money/dates.ts';
import { exampleLeaver } from '#shared/users/user.view.ts';
import { processTreeOf } from '../kills/process-tree.ts';
import { ada, dollarEntry, manualTenant } from '../support/builders/requests.ts';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';
import { shellBlocksOf } from '../support/readers/markdown.ts';
import { giveConsent } from '../support/servers/sandbox.ts';
import { consentToWaiting, startWaiting } from '../support/servers/waiting-connections.ts';

let service: RunningService;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let userId: string;
let leaverId: string;
let domain_url: string;
let connectedUrl: string;
let megabytesAtStart: number;

/** The memory of a process and all its descendants. */
const residentMegabytesOf = async ({ pid = 0 }: RunningService['child']): Promise<number> => {
  const files = processTreeOf(pid).map((it) => readFile(`/proc/${it}/status`, 'utf8'));
  const kilobytes = (await Promise.all(files)).map((it) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(it)?.[1]),
  );
  return kilobytes.reduce((sum, it) => sum + it, 0) / 1024;
};

const call = (
  ...parameters: Parameters<typeof callApi> extends [unknown, ...infer Rest] ? Rest : never
) => callApi(service.demo, ...parameters);

const post = (path: string, body: unknown) => call(path, { body });

/** Runs a scheduled function by hand, for a moment of one's choosing. */
const run = (name: string, time: string) =>
  fetch(`${service.demo.sandbox_url}/schedules/${name}?time=${time}`, { method: 'POST' });

const errorBody = (code: string, status: number, details: unknown[] = []) => ({
  status: 'error',
  status_code: status,
  error: {
    code,
    message: expect.any(String),
    retryable: expect.any(Boolean),
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    details,
  },
});

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({
    dataFolder: folder.path,
    flags: ['--bundled'],
    // Compiled modules are kept by their path, and no other start has these bundles.
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  megabytesAtStart = await residentMegabytesOf(service.child);
  userId = (await post('users/ensure/', ada)).body.data.user_id;
  const leaver = { ...ada, email: 'leaver@example.com' };
  leaverId = (await post('users/ensure/', leaver)).body.data.user_id;
  const created = await post('tenants/create/', { ...manualTenant, user_id: userId });
  domain_url = created.body.data.tenant_domain_url;
});

afterAll(async () => {
  await service.stop();
  await folder.remove();
});

describe('the bundles', () => {
  test('are kept for the next start', async () => {
    expect(await hasCurrentBundles(join(folder.path, 'bundles'))).toBe(true);
  });

  test('start in less than 250 MB: bundling has ended, and each loads at its first call', () => {
    expect(megabytesAtStart).toBeLessThan(250);
  });
});

describe('the endpoints', () => {
  test('post an entry at the real ECB rate of its date, and replay it', async () => {
    const body = { ...dollarEntry, domain_url, external_id: 'invoice-42' };
    const first = await call('journal_entries/create/', { body });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      journal_number: 'MJ-20260323-0001',
      transaction_amount: '1159.60',
      reporting_amount: '1000.00',
      exchange_rate: '0.86236633322',
      exchange_rate_date: '2026-03-23',
    });
    const again = await call('journal_entries/create/', { body: { ...body, memo: 'Other' } });
    expect(again.body.data).toEqual({ ...first.body.data, replayed: true });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.headers.get('Idempotency-Mismatch')).toBe('/memo');
  });

  test('know a user again, with and without the last slash of the path', async () => {
    const [one, other] = [await post('users/ensure', ada), await post('users/ensure/', ada)];
    expect(one.body.data).toEqual({ user_id: userId, email: ada.email, created: false });
    expect(one.body).toEqual(other.body);
  });

  test('are bundles, as the log of a failed run shows', async () => {
    // In 2020, the rates of the source are in the future, or the source is unreachable.
    const failed = await run('refresh-exchange-rates', '2020-01-01T00:00:00Z');
    expect(failed.status).toBe(500);
    expect(service.output()).toMatch(/\/bundles\/refresh-exchange-rates\/index\.cjs:\d+/);
  });

  test('schedule an entry, which is posted when it is due', async () => {
    const tomorrow = addDays(dateOf(new Date()), 1);
    const scheduled = {
      ...dollarEntry,
      domain_url,
      external_id: 'accrual-42',
      accrual_date: tomorrow,
    };
    const { body } = await post('journal_entries/create/', scheduled);
    expect(body.data.status).toBe('scheduled');
    const due = await run('post-scheduled-entries', `${tomorrow}T00:15:00Z`);
    expect(await due.json()).toMatchObject({ posted: 1, stuck: 0 });
  });

  test('connect a platform, import its accounts and post to them', async () => {
    const query = new URLSearchParams({
      user_id: userId,
      cash_flow_method: 'direct',
      redirect_url: 'https://app.example.com/connected?from=ledger',
    });
    const initiated = await callApi(service.demo, `oauth/platform_a/initiate/?${query}`);
    const company = 'prairie-tools';
    const callback = await giveConsent(initiated.body.data.authorization_url, { company });
    const back = await fetch(callback, { redirect: 'manual' });
    const landing = new URL(back.headers.get('Location') ?? '');
    const prefix = landing.searchParams.get('domain_url');
    expect([back.status, landing.search]).toEqual([
      303,
      `?from=ledger&status=success&domain_url=${prefix}`,
    ]);
    const imported = async () => {
      const { body } = await post('users/profile/', { email: ada.email });
      return body.data.tenants[1];
    };
    connectedUrl = prefix ?? '';
    await expect
      .poll(imported, { timeout: 25_000 })
      .toMatchObject({ tenant_domain_url: prefix, status: 'active' });
    const { currency } = await imported();
    const demo = companiesOf.platform_a.find(({ id }) => id === company);
    const [debit, credit] = demo?.accounts ?? [];
    const { body } = await post('journal_entries/create/', {
      ...dollarEntry,
      domain_url: prefix,
      transactionCurrency: currency,
      reportingCurrency: currency,
      entries: [
        { account: debit?.code, debit: '1.00' },
        { account: credit?.code, credit: '1.00' },
      ],
    });
    const names = body.data.transactions.map((line: { account_name: string }) => line.account_name);
    expect(names).toEqual([debit?.name, credit?.name]);
  });
});

type Shown = Record<string, unknown>;

/** The connected tenant of the examples. */
const shownConnected = 'difference-works-p3vh8d';

/** The pending connection of the examples, and the one at this service. */
const shownWaiting = {
  domain_url: 'company-p3vh8d',
  confirmation_code: 'x2vO1m0eP9Zr8n5tQ4uC7bYkLwHs3aJdGfXiTqRjMNA',
};
const waiting = { domain_url: '', confirmation_code: '' };

const inboxUrl = () => `${service.demo.sandbox_url}/inbox`;
const createWebhook = async (): Promise<string> =>
  (await post('webhooks/create/', { url: inboxUrl() })).body.data.webhook_id;

/** Removes all webhooks but the first: an application has five at most. */
const removeWebhooks = async (): Promise<void> => {
  const [, ...others] = (await call('webhooks/list/')).body.data.webhooks;
  for (const { webhook_id } of others) await post('webhooks/delete/', { webhook_id });
};

/** The request of an example, with the ids of this service. */
const withWhatIsThere = async (shown: Shown): Promise<Shown> => {
  await removeWebhooks();
  if ('webhook_id' in shown) return { ...shown, webhook_id: await createWebhook() };
  if (shown.url === exampleWebhook.url) return { ...shown, url: inboxUrl() };
  if ('confirmation_code' in shown) return { ...shown, user_id: userId, ...waiting };
  const tenantUrl = shown.domain_url === shownConnected ? connectedUrl : domain_url;
  const url = `${service.demo.sandbox_url}/platform_a/test-tokens`;
  const grant = (await (await fetch(url, { method: 'POST' })).json()) as Shown;
  const isLeaver = String(shown.user_id) === exampleLeaver.user_id;
  const user_id = isLeaver ? leaverId : userId;
  const there = Object.entries({ ...grant, user_id, domain_url: tenantUrl });
  return { ...shown, ...Object.fromEntries(there.filter(([field]) => field in shown)) };
};

type Reference = {
  info: { description: string };
  paths: Record<string, Record<string, { 'x-codeSamples': { source: string }[] }>>;
};

/** The served document, with the ids of this service. */
const readReference = async (): Promise<Reference> => {
  await removeWebhooks();
  const reply = await fetch(`${service.demo.base_url}/openapi.json`);
  const text = (await reply.text())
    .replaceAll('4503599627370497', userId)
    .replaceAll(exampleLeaver.user_id, leaverId)
    .replaceAll(exampleWebhook.url, inboxUrl())
    .replaceAll(exampleWebhook.webhook_id, await createWebhook())
    .replaceAll(exampleDeletedWebhook, await createWebhook());
  const withConnected = text
    .replaceAll(shownConnected, connectedUrl)
    .replaceAll(shownWaiting.domain_url, waiting.domain_url)
    .replaceAll(shownWaiting.confirmation_code, waiting.confirmation_code);
  return JSON.parse(withConnected.replaceAll('analytical-engines-k7m2xq', domain_url));
};

const runInShell = (script: string) => promisify(execFile)('sh', ['-e', '-c', script]);

describe('the reference', () => {
  beforeAll(async () => {
    const { external_id } = exampleCancelled;
    const accrual_date = addDays(dateOf(new Date()), 300);
    const body = { ...dollarEntry, domain_url, external_id, accrual_date };
    await post('journal_entries/create/', body);
    const url = await startWaiting(call, { slot: 'platform_a', userId });
    Object.assign(waiting, await consentToWaiting(url, 'harbour-coffee'));
  });

  test('has a guide that works as shown', async () => {
    const { info } = await readReference();
    const { stdout } = await runInShell(shellBlocksOf(info.description, 'Guide').join('\n'));
    const [, user, initiated = '', tenant] =
      /^(\d+)\n(\{.+\})(analytical-engines\S*)\n(\{.+\})$/.exec(stdout) ?? [];
    expect(user).toBe(userId);
    expect(JSON.parse(initiated).data.authorization_url).toContain(service.demo.sandbox_url);
    const balance = JSON.parse(stdout.slice(stdout.lastIndexOf('{"status":"success"')));
    expect(balance.data.rows).toMatchObject([{ account: '1010' }, { account: '4010' }]);
    const { body } = await post('users/profile/', { email: ada.email });
    expect(JSON.stringify(body.data.tenants)).toContain(`"${tenant}"`);
  });

  test.each(functionsOfKind('api'))(
    'has examples of $name that work',
    async ({ name, trigger }) => {
      const { documentation }: EndpointSchema = await import(`../../functions/${name}/schema.ts`);
      const path = `${trigger.path.slice('/external/v1/'.length)}/`.replace(
        '{platform}',
        'platform_a',
      );
      for (const { request, data } of documentation.examples) {
        const sent = await withWhatIsThere(request as Shown);
        const query = new URLSearchParams(sent as Record<string, string>);
        const reply = trigger.method === 'GET' ? call(`${path}?${query}`) : post(path, sent);
        const { status, body } = await reply;
        expect([status, Object.keys(body.data)]).toEqual([200, Object.keys(data as Shown)]);
      }
    },
  );

  test('has samples for curl and in TypeScript that work', async () => {
    const readSamples = async () => {
      const { paths } = await readReference();
      const operations = Object.values(paths).flatMap((path) => Object.values(path));
      return operations.map((it) => it['x-codeSamples'].map(({ source }) => source));
    };
    const inCurl = (await readSamples()).map(([curl]) => `${curl} -sf -o /dev/null`);
    await runInShell(inCurl.join('\n'));
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    for (const [, typeScript = ''] of await readSamples()) {
      const printed: unknown[] = [];
      await AsyncFunction('console', typeScript)({ log: (data: unknown) => printed.push(data) });
      expect(printed).toEqual([expect.any(Object)]);
    }
  });
});

describe('the gateway', () => {
  test('answers a body over its own limit in the envelope', async () => {
    const first_name = 'a'.repeat(10 * 1024 * 1024);
    const reply = await call('users/ensure/', { body: { ...ada, first_name } });
    expect([reply.status, reply.body]).toEqual([413, errorBody('body_too_large', 413)]);
    expect(reply.headers.get('Content-Type')).toBe('application/json');
  });

  test.each([
    ['malformed JSON', '{"email":'],
    ['a body that is not UTF-8', Buffer.from('{"email":"\xff"}', 'latin1')],
  ])('answers %s with 400', async (_, body) => {
    const response = await fetch(`${service.demo.base_url}/external/v1/users/ensure/`, {
      method: 'POST',
      headers: { 'X-API-Key': service.demo.api_key, 'Content-Type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as { error: { code: string } };
    expect([response.status, error.code]).toEqual([400, 'malformed_json']);
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'takes %s for the name of a parameter like any other',
    async (name) => {
      const reply = await call(`oauth/platform_a/initiate/?${name}=1`);
      const pointers = reply.body.error.details.map(({ pointer }: { pointer: string }) => pointer);
      expect([reply.status, pointers]).toEqual([
        422,
        ['/user_id', '/cash_flow_method', `/${name}`],
      ]);
    },
  );
});
