// The operator's tool beside the running service: an import is restarted and carried out.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveConsent } from '../support/sandbox.ts';
import { callApi, makeDataFolder, type RunningService, startService } from '../support/service.ts';

let service: RunningService;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;
beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataFolder: folder.path });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const ops = async (line: string) => {
  const env = { PATH: process.env.PATH, LEDGER_DATA: folder.path };
  const args = ['infra/ops/main.ts', ...line.split(' '), '--local', '--json'];
  return JSON.parse((await promisify(execFile)('node', args, { env })).stdout);
};

const email = 'ada@example.com';
const tenant = async () => {
  const { body } = await callApi(service.demo, 'users/profile/', { body: { email } });
  return body.data.tenants[0] as { tenant_domain_url: string; status: string } | undefined;
};
const untilActive = () =>
  expect.poll(async () => (await tenant())?.status, { timeout: 10_000 }).toBe('active');

test('a tenant is imported again, and once more under a rotated sealing key', async () => {
  const user = await callApi(service.demo, 'users/ensure/', {
    body: { email, password: 'correct horse', first_name: 'Ada', last_name: 'Lovelace' },
  });
  const query = `user_id=${user.body.data.user_id}&cash_flow_method=direct`;
  const { body } = await callApi(service.demo, `oauth/platform_a/initiate/?${query}`);
  await fetch(await giveConsent(body.data.authorization_url), { redirect: 'manual' });
  await untilActive();
  const prefix = (await tenant())?.tenant_domain_url ?? '';

  const restarted = await ops(`imports restart --tenant ${prefix} --application Demo`);
  expect(restarted).toMatchObject({ status: 'importing', status_before: 'active' });
  await untilActive();

  // Where tokens are sealed anew under a rotated key, the running service goes on using them.
  await ops('secrets rotate token-sealing-keys');
  expect(await ops('secrets reseal')).toEqual({
    version: '2',
    connections: 1,
    resealed: 1,
    failed: [],
  });
  await ops(`imports restart --tenant ${prefix} --application Demo`);
  await untilActive();
  expect(await ops('failures list')).toEqual({ failures: [], waiting_imports: [] });
});
