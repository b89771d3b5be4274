// The operator's tool as a process, on a deployed stage: real clients of the AWS SDK, led by the
// SDK's own settings to what stands in for AWS here.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startSecretsManager } from '#infra/local/secrets-manager.ts';
import { failureQueueNameOf, secretIdOf, tableNameOf, usagePlanNameOf } from '#infra/names.ts';
import { ensureTable } from '#infra/table.ts';
import { openApplications } from '#shared/store/applications.ts';
import { importAction, openImports } from '#shared/store/imports.ts';
import { openTable } from '#shared/store/table.ts';
import { addTenant } from '../../support/builders/connected-tenants.ts';
import { runOperator } from '../../support/processes/operator-process.ts';
import { startApiGateway } from '../../support/servers/api-gateway-server.ts';
import { failedBatch, startQueue } from '../../support/servers/queue-server.ts';

const stage = `test${randomBytes(4).toString('hex')}`;
const tableName = tableNameOf(stage);

let folder: string;
let secretsManager: Awaited<ReturnType<typeof startSecretsManager>>;
let secretsClient: SecretsManagerClient;
let gateway: Awaited<ReturnType<typeof startApiGateway>>;
let queue: Awaited<ReturnType<typeof startQueue>>;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deployed-'));
  const dynamoDB = inject('dynamoDBEndpoint');
  await ensureTable(new DynamoDBClient({ endpoint: dynamoDB }), tableName);
  secretsManager = await startSecretsManager({ file: join(folder, 'secrets.json') });
  secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  for (const name of ['api-key-pepper', 'token-sealing-keys', 'platform-clients'] as const) {
    const create = { Name: secretIdOf(stage, name), SecretString: '{}' };
    await secretsClient.send(new CreateSecretCommand(create));
  }
  gateway = await startApiGateway([usagePlanNameOf(stage)]);
  queue = await startQueue(failureQueueNameOf(stage));
  settings = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDB,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
    AWS_ENDPOINT_URL_API_GATEWAY: gateway.endpoint,
    AWS_ENDPOINT_URL_SQS: queue.endpoint,
  };
});
afterAll(async () => {
  secretsClient.destroy();
  for (const part of [queue, gateway, secretsManager]) await part.stop();
  await rm(folder, { recursive: true });
});

/** Runs the tool with these settings, none of this machine's, and text on its standard input. */
const run = (
  words: string[],
  { input = '', changes = {} }: { input?: string; changes?: Record<string, string> } = {},
) => {
  const given = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== '');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    LEDGER_STAGE: stage,
    ...Object.fromEntries(given),
  };
  // The table of stages does not know this one, so that every change would be asked for.
  return runOperator([...words, '--yes'], { env, input });
};

/** Runs a command that is expected to go well, and returns its JSON. */
const report = async (line: string, input?: string) => {
  const outcome = await run([...line.split(' '), '--json'], input === undefined ? {} : { input });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(outcome.stdout);
};

describe('the operator of a deployed stage', () => {
  test('fills the secrets, issues a key that the gateway knows, rotates the pepper', async () => {
    const early = await run(['keys', 'create', '--application', 'Bookings', '--json']);
    expect(early).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(early.stderr)).toEqual({
      error: `ledger/${stage}/api-key-pepper is not filled yet: fill it by secrets set`,
    });
    expect(await report('applications list')).toEqual({ applications: [] });
    await report('secrets set api-key-pepper');
    const issued = await report('keys create --application Bookings');
    expect(gateway.plan(usagePlanNameOf(stage))).toEqual([`application-${issued.application_id}`]);
    expect(await report('applications list')).toMatchObject({
      applications: [{ application: 'Bookings', status: 'active', usage_key: 'in step' }],
    });
    expect(await report('secrets rotate api-key-pepper')).toEqual({
      secret: 'api-key-pepper',
      current: '2',
      current_before: '1',
      versions: ['1', '2'],
    });
    const refused = await run('secrets retire api-key-pepper --version 1'.split(' '));
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `ops: 1 live API keys were made under version 1: ${issued.key_id} (Bookings); replace ` +
        'and revoke them first, or let them end now with --lose-live-keys\n',
    });
  });

  test('gives a client secret on standard input, and never sees it again', async () => {
    const line = 'secrets set platform-clients --slot platform_a --client-id ledger';
    expect(await report(line, 'the secret of a client\n')).toEqual({
      secret: 'platform-clients',
      slot: 'platform_a',
      filled_slots: ['platform_a'],
    });
    const shown = await run(['secrets', 'show']);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^ {2}platform_a {2}filled$/m);
    expect(shown.stdout).toMatch(/^ {2}token-sealing-keys .* not filled /m);
    expect(shown.stdout).not.toContain('the secret of a client');
    const none = await run(line.split(' '));
    expect(none.stderr).toBe(
      'ops: a client secret is one line of 1 to 1000 printable characters\n',
    );
  });

  test('looks at the failures, and makes up for them', async () => {
    const table = openTable(tableName, { endpoint: inject('dynamoDBEndpoint') });
    const issuing = {
      applications: openApplications(table),
      clock: () => new Date(),
      random: randomBytes,
    };
    const name = await addTenant({ table, issuing }, { prefix: 'acme' });
    const requestedAt = new Date(Date.now() - 3_600_000).toISOString();
    await table.transact([importAction(name, { importId: 'first', requestedAt })]);
    queue.send(failedBatch({ functionName: `ledger-${stage}-import-tenant-data` }));
    expect(await report('failures list')).toMatchObject({
      failures: [{ reason: 'RetryAttemptsExhausted', in_stream: false }],
      unfinished_imports: [{ schema_name: 'acme', import_id: 'first', overdue: true }],
    });
    expect(await report('failures redrive')).toMatchObject({
      resumed_imports: [{ schema_name: 'acme' }],
      removed_failures: 1,
      left_failures: 0,
    });
    expect(queue.content()).toEqual([]);
    expect(await openImports(table).find(name)).toMatchObject({ status: 'requested' });
    const restarted = await report('imports restart --tenant acme --application Bookings');
    expect((await openImports(table).find(name))?.importId).toBe(restarted.import_id);
    expect(await report('imports show --tenant acme --application Bookings')).toMatchObject({
      tenant_status: 'importing',
      import_id: restarted.import_id,
      status: 'requested',
    });
    table.close();
  });

  test('cannot speak to the platforms of a stage that has no row', async () => {
    const refused = await run(
      'connections disconnect --tenant acme --application Bookings'.split(' '),
    );
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `ops: infra/stages.ts has no row ${stage}, which would name its platforms\n`,
    });
    const line = 'connections disconnect --tenant acme --application Bookings --forget';
    expect(await report(line)).toMatchObject({ access: 'left open at the platform' });
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['no region', ['rates', 'show'], { AWS_REGION: '' }, /^ops: there is no AWS region: set AWS/],
    [
      'no credentials',
      ['rates', 'show'],
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      /^ops: there are no AWS credentials: set AWS_PROFILE, or/,
    ],
    [
      'no such stage: its table',
      ['applications', 'list', '--stage', 'nowhere'],
      {},
      /^ops: there is nothing of nowhere here: deploy it first, or check the stage/,
    ],
    [
      'no such stage: its secrets',
      ['secrets', 'show', '--stage', 'nowhere'],
      {},
      /^ops: there is nothing of nowhere here/,
    ],
    [
      'no such stage: its queue',
      ['failures', 'list', '--stage', 'nowhere'],
      {},
      /^ops: there is nothing of nowhere here/,
    ],
  ])('is told in one line: %s', async (_title, args, changes, line) => {
    const outcome = await run(args, { changes });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(line);
    expect(outcome.stderr.trimEnd()).not.toContain('\n');
  });
});
