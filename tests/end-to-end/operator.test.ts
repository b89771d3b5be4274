// The operator's tool beside the running service.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../support/processes/operator-process.ts';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';
import { giveConsent } from '../support/servers/sandbox.ts';

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

const ops = (line: string) =>
  operate([...line.split(' '), '--local'], {
    PATH: process.env.PATH,
    LEDGER_DATA: folder.path,
  });

const email = 'ada@example.com';
const tenant = async () => {
  const { body } = await callApi(service.demo, 'users/profile/', { body: { email } });
  return body.data.tenants[0] as
    | { tenant_domain_url: string; status: string; status_reason: string | null }
    | undefined;
};
const untilActive = () =>
  expect.poll(async () => (await tenant())?.status, { timeout: 25_000 }).toBe('active');

/** Leads the browser through the consent of a user, to the first company of the platform. */
const connect = async (): Promise<string> => {
  const user = await callApi(service.demo, 'users/ensure/', {
    body: { email, password: 'correct horse', first_name: 'Ada', last_name: 'Lovelace' },
  });
  const query = `user_id=${user.body.data.user_id}&cash_flow_method=direct`;
  const { body } = await callApi(service.demo, `oauth/platform_a/initiate/?${query}`);
  await fetch(await giveConsent(body.data.authorization_url), { redirect: 'manual' });
  await untilActive();
  return (await tenant())?.tenant_domain_url ?? '';
};

// Each command is a process, which is slow on a busy machine.
const timeout = 120_000;

test('a tenant is imported again, also under a rotated sealing key', { timeout }, async () => {
  const ofTenant = `--tenant ${await connect()} --application Demo`;
  const imported = await ops(`imports show ${ofTenant}`);
  expect(imported).toMatchObject({
    tenant_status: 'active',
    status: 'complete',
    stage: 'done',
    continues_at: null,
    refused: [],
  });
  expect(imported.accounts_imported).toBeGreaterThan(0);
  expect(imported.journals_imported).toBeGreaterThan(0);

  const restarted = await ops(`imports restart ${ofTenant}`);
  expect(restarted).toMatchObject({ status: 'importing', status_before: 'active' });
  await untilActive();
  expect(await ops(`imports show ${ofTenant}`)).toMatchObject({
    import_id: restarted.import_id,
    accounts_imported: imported.accounts_imported,
    journals_imported: imported.journals_imported,
  });

  expect(await ops('books verify --all')).toMatchObject({
    entries: expect.toSatisfy((entries) => entries >= Number(imported.journals_imported)),
    difference_count: 0,
  });

  // The running service can use tokens that were sealed again with a rotated key.
  await ops('secrets rotate token-sealing-keys');
  expect(await ops('secrets reseal')).toEqual({
    version: '2',
    connections: 1,
    resealed: 1,
    webhooks: 1,
    webhooks_resealed: 0,
    failed: [],
  });
  await ops(`imports restart ${ofTenant}`);
  await untilActive();
  expect(await ops('failures list')).toEqual({ failures: [], unfinished_imports: [] });
});

test('the smoke test proves that the service serves, as often as it is run', {
  timeout,
}, async () => {
  const first = await ops('smoke');
  expect(first).toMatchObject({ base_url: service.demo.base_url, application: 'smoke-test' });
  expect(first.calls.map(({ status }: { status: number }) => status)).toEqual(Array(5).fill(200));
  const second = await ops('smoke');
  expect(second).toMatchObject({ application_id: first.application_id, tenant: first.tenant });
  expect(second.journal_number).not.toBe(first.journal_number);
  const { keys } = await ops('keys list --application smoke-test');
  expect(keys.map((it: { status: string }) => it.status)).toEqual(['revoked', 'revoked']);
});
