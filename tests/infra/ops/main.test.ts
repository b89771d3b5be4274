import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/authorizer/handler.ts';
import { ensureLocalSecrets, startSecretsManager } from '#infra/local/secrets-manager.ts';
import { secretIdOf } from '#infra/names.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { testSlots } from '../../support/builders/slots.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { authorizerEvent, lambdaContext } from '../../support/events/lambda-events.ts';
import { runOperator } from '../../support/processes/operator-process.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

let dataFolder: string;
let database: Awaited<ReturnType<typeof openTestTable>>;
let secretsManager: Awaited<ReturnType<typeof startSecretsManager>>;
let secretsClient: SecretsManagerClient;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'ops-'));
  database = await openTestTable();
  secretsManager = await startSecretsManager({ file: join(dataFolder, 'secrets.json') });
  secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  await ensureLocalSecrets(secretsClient);
  await writeFile(
    join(dataFolder, 'local.json'),
    JSON.stringify({
      table_name: database.tableName,
      dynamodb_endpoint: database.endpoint,
      secrets_endpoint: secretsManager.endpoint,
      platforms: JSON.stringify(testSlots()),
      stage: 'local',
    }),
  );
});
afterAll(async () => {
  secretsClient.destroy();
  await secretsManager.stop();
  await rm(dataFolder, { recursive: true });
});

/** Runs the tool as the operator does; settings of AWS must not matter to --local. */
const ops = (...words: string[]) =>
  runOperator(words, {
    env: {
      PATH: process.env.PATH,
      LEDGER_DATA: dataFolder,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'other',
      AWS_SECRET_ACCESS_KEY: 'other',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    },
  });

const authorize = (apiKey: string) => {
  const handler = createHandler({
    applications: openApplications(database.table),
    pepper: openVersionedKeys(secretsClient, secretIdOf('local', 'api-key-pepper')),
    clock: () => new Date(),
    log: keepLog(),
    metrics: keepMetrics(),
  });
  return handler(authorizerEvent(apiKey), lambdaContext());
};

describe('the operator, on the service of this machine', () => {
  test('issues a key that is accepted, lists it and revokes it', async () => {
    const created = await ops(...'keys create --application Bookings --local --json'.split(' '));
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const issued = JSON.parse(created.stdout);
    expect(issued).toEqual({
      application: 'Bookings',
      application_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      application_created: true,
      key_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      api_key: expect.stringMatching(/^lk_[0-9a-f]{24}_[0-9a-f]{64}$/),
      expires_at: null,
    });
    expect((await authorize(issued.api_key)).context).toEqual({
      applicationId: issued.application_id,
      keyId: issued.key_id,
    });

    const listed = await ops('keys', 'list', '--application', 'bookings', '--local');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain(issued.key_id);
    expect(listed.stdout).not.toContain(issued.api_key);

    const revoked = await ops('keys', 'revoke', '--key', issued.key_id, '--local');
    expect(revoked).toMatchObject({ code: 0, stderr: '' });
    expect(revoked.stdout).toMatch(/^status +revoked$/m);
    expect(revoked.stdout).toContain('within 60 seconds');
    await expect(authorize(issued.api_key)).rejects.toThrow('Unauthorized');
  });

  test('is told in one line what cannot be done', async () => {
    expect(await ops('keys', 'list', '--application', 'None', '--local')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ops: there is no application "None"\n',
    });
    expect(await ops('keys', 'list', '--application', 'None', '--local', '--json')).toEqual({
      code: 1,
      stdout: '',
      stderr: '{"error":"there is no application \\"None\\""}\n',
    });
  });

  test('is shown the usage of the command that was written wrongly', async () => {
    const wrong = await ops('keys', 'revoke', '--local');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(
      /^ops: --key is required\n\nnpm run ops -- keys revoke --key KEY_ID\n/,
    );
    expect(await ops('keys', 'revoke', '--local', '--json')).toEqual({
      code: 2,
      stdout: '',
      stderr: '{"error":"--key is required"}\n',
    });
  });

  test('gets help on standard output', async () => {
    const help = await ops('rates', 'load', '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^npm run ops -- rates load FILE\n/);
  });

  test('must confirm a change of production, and not what only reads', async () => {
    const change = 'applications create --name Bookings --stage production'.split(' ');
    expect(await ops(...change)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ops: this changes production, and nobody is here to ask: pass --yes\n',
    });
    // Nothing answers at the endpoint of the environment; that it was asked at all is the point.
    const confirmed = await ops(...change, '--yes');
    expect(confirmed.stderr).toBe(
      'ops: AWS cannot be reached: check the network and AWS_REGION ' +
        '(connect ECONNREFUSED 127.0.0.1:1)\n',
    );
    const read = await ops('applications', 'list', '--stage', 'production');
    expect(read.stderr).toBe(confirmed.stderr);
  });
});
