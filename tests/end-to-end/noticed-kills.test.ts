// After a kill of the whole service, an import continues and a loss is noticed.

import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runKills } from '../kills/kill-rounds.ts';
import { entryNamed } from '../kills/operations.ts';
import type { RestartableService } from '../kills/restartable-service.ts';
import { ada } from '../support/builders/requests.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { serve } from '../support/servers/serve.ts';

const seed = 20_260_323;

/** A kill takes about ten seconds, and many times that while other tests run. */
const timeout = 400_000;

const schemaNameIn = ({ operations }: RestartableService): string =>
  operations.find(({ kind }) => kind === 'tenant')?.acknowledged ?? '';

/** An entry in the books that exist from the start. */
const entryIn = (
  target: RestartableService,
  { name, externalId }: { name: string; externalId?: string },
) =>
  entryNamed(name, {
    domainUrl: schemaNameIn(target).replaceAll('_', '-'),
    date: '2026-03-23',
    lineCount: 2,
    currency: 'EUR',
    accrualDate: undefined,
    externalId,
  });

test('an import continues immediately when a killed service starts again', {
  timeout,
}, async () => {
  const folder = await makeDataFolder();
  let service = await startService({ dataFolder: folder.path });
  const call = async (path: string, body?: object) =>
    (await callApi(service.demo, path, body ? { body } : {})).body.data;
  const { user_id } = await call('users/ensure/', ada);
  const url = `${service.demo.sandbox_url}/platform_a/test-tokens`;
  const granted = JSON.stringify({ company_id: 'linden-bakery' });
  const grant = (await (await fetch(url, { method: 'POST', body: granted })).json()) as object;
  const asked = { user_id, platform: 'platform_a', cash_flow_method: 'direct', ...grant };
  const { tenant_domain_url } = await call('tenants/create/', asked);
  const look = () => call(`tenants/imports/?domain_url=${tenant_domain_url}`);
  const stateOfImport = async (): Promise<string> => (await look()).import.state;
  await expect.poll(stateOfImport, { timeout: 60_000 }).toBe('running');
  await service.stop('SIGKILL');
  const killedAt = Date.now();
  service = await startService({ dataFolder: folder.path });
  await expect.poll(stateOfImport, { timeout: 60_000 }).toBe('complete');
  // The lease of the killed run would last a minute.
  expect(Date.now() - killedAt).toBeLessThan(60_000);
  await service.stop('SIGKILL');
  await folder.remove();
});

test('a webhook gets all events of a service that is killed again and again', {
  timeout,
}, async () => {
  const received: number[] = [];
  const receiver = await serve(async (request, response) => {
    const { sequence } = JSON.parse(await text(request));
    // Slow enough that a kill meets deliveries under way.
    setTimeout(() => {
      received.push(sequence);
      response.writeHead(204).end();
    }, 100);
  });
  const folder = await makeDataFolder();
  let service = await startService({ dataFolder: folder.path });
  const call = async (path: string, body?: object) =>
    (await callApi(service.demo, path, body ? { body } : {})).body.data;
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  await call('webhooks/create/', { url });
  const { user_id } = await call('users/ensure/', ada);
  const company = { user_id, platform: 'manual', cash_flow_method: 'direct', currency: 'EUR' };
  for (let round = 0; round < 3; round += 1) {
    for (let tenants = 0; tenants < 15; tenants += 1) {
      await call('tenants/create/', { ...company, company_name: `T${round}-${tenants}` });
    }
    await service.stop('SIGKILL');
    service = await startService({ dataFolder: folder.path });
  }
  const recorded = async () => (await call('events/list/?limit=1')).latest_sequence;
  await expect.poll(recorded, { timeout: 60_000 }).toBe(45);
  const missing = () =>
    Array.from({ length: 45 }, (_, index) => index + 1).filter((it) => !received.includes(it));
  await expect.poll(missing, { timeout: 90_000 }).toEqual([]);
  await service.stop('SIGKILL');
  await folder.remove();
  await receiver.stop();
});

test('a lost entry is noticed', { timeout }, async () => {
  const { violations } = await runKills({
    times: 1,
    seed,
    tamper: async (target) => {
      await target.sendUntilAnswered(target.add(entryIn(target, { name: 'lost' })));
      await target.deleteItems(({ memo }) => memo === 'lost');
      // A lost entry is posted again when its client repeats the request.
      await target.sendUntilAnswered(
        target.add(entryIn(target, { name: 'forgotten', externalId: 'forgotten' })),
      );
      await target.deleteItems(({ memo, sk }) => memo === 'forgotten' || sk === 'EXT#forgotten');
    },
  });
  expect(violations).toContain('entry "lost" is lost');
  expect(violations).toContain('entry "forgotten" was posted again');
  expect(violations).toContainEqual(
    expect.stringMatching(/SEQUENCE#2026-03-23#MJ has the numbers/),
  );
  expect(violations).toContainEqual(expect.stringMatching(/^the operator's tool finds/));
  expect(violations).toContainEqual(expect.stringMatching(/^"forgotten" was \S+ .* and is now /));
});
