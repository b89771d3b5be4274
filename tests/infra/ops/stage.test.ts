import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  failureQueueNameOf,
  secretIdOf,
  tableNameOf,
  usagePlanNameOf,
} from '#infra/manifest/names.ts';
import { ensureTable } from '#infra/manifest/table.ts';
import { createApplication } from '#infra/ops/commands/applications.ts';
import { redriveFailures } from '#infra/ops/commands/failures.ts';
import { setSecret } from '#infra/ops/commands/secrets.ts';
import { explain } from '#infra/ops/explain.ts';
import { openDeployedStage } from '#infra/ops/stage/deployed-stage.ts';
import { openLocalStage } from '#infra/ops/stage/local-stage.ts';
import type { OpenStage } from '#infra/ops/stage/open-stage.ts';
import { startLocalStage } from '../../support/harnesses/local-stage.ts';
import { refusalOf } from '../../support/harnesses/operator.ts';
import { startApiGateway } from '../../support/servers/api-gateway-server.ts';
import { failedBatch, startQueue } from '../../support/servers/queue-server.ts';
import { serve } from '../../support/servers/serve.ts';

const { dataFolder, database, secretsManager, localFile, write, stop } = await startLocalStage();
afterAll(stop);

/** Creates a secret of a stage. */
const makeSecret = async (
  stage: string,
  name: Parameters<typeof secretIdOf>[1],
  value: object = {},
): Promise<void> => {
  const client = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  const secret = { Name: secretIdOf(stage, name), SecretString: JSON.stringify(value) };
  await client.send(new CreateSecretCommand(secret));
  client.destroy();
};
const clients = { platform_b: { client_id: 'ledger', client_secret: 'x' } };

/** The adapter of a stage's slot, and its authorization URL. */
const platformOf = async ({ open }: OpenStage) => {
  const { platforms } = await open(['platforms']);
  const platform = await platforms.get('platform_b');
  const url = platform.authorizationUrl({
    redirectUri: 'http://localhost/',
    state: 's',
    codeChallenge: 'c',
  });
  return [platform.adapter, url.slice(0, url.indexOf('?'))];
};

const unused = 'http://127.0.0.1:1';

describe('the local stage', () => {
  test('is read from the running service, with platforms at the sandbox', async () => {
    await makeSecret('local', 'platform-clients', clients);
    await write(JSON.stringify(localFile));
    const stage = await openLocalStage(dataFolder);
    const { applications, operator } = await stage.open(['applications', 'operator']);
    expect(await operator()).toBe(userInfo().username);
    expect(await applications.list()).toEqual([]);
    const copy = 'http://localhost:1/appcenter.intuit.com/connect/oauth2';
    expect(await platformOf(stage)).toEqual(['quickbooks', copy]);
    stage.close();
  });

  test.each([
    ['has left an empty file', ''],
    ['has stopped its database', { ...localFile, dynamodb_endpoint: unused }],
    ['has stopped its secrets', { ...localFile, secrets_endpoint: unused }],
    ['is another version', { stage: 'local' }],
    ['claims to be production', { ...localFile, stage: 'production' }],
    ['has no data folder', undefined],
  ])('is not opened when the service %s', async (_title, content) => {
    await write(typeof content === 'object' ? JSON.stringify(content) : '');
    const folder = content === undefined ? join(dataFolder, 'none') : dataFolder;
    expect(await refusalOf(openLocalStage(folder))).toBe(
      `no local service uses the data folder ${folder}: start it with npm start, or set ` +
        'LEDGER_DATA to its data folder',
    );
  });
});

const operatorArn = 'arn:aws:sts::123456789012:assumed-role/operator/ada';

/** STS's reply (AWS STS API Reference, "GetCallerIdentity"). */
const serveIdentity = () =>
  serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/xml' });
    response.end(
      '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
        `<GetCallerIdentityResult><Arn>${operatorArn}</Arn></GetCallerIdentityResult>` +
        '</GetCallerIdentityResponse>',
    );
  });

describe('a deployed stage', () => {
  const settle = (settings: Record<string, string | undefined>): void => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  };
  beforeEach(() => {
    settle({
      HOME: dataFolder,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
    });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['production', 'quickbooks'],
    ['development', 'quickbooks_sandbox'],
  ])('has the real platforms of its row: %s', async (name, adapter) => {
    await makeSecret(name, 'platform-clients', clients);
    const stage = openDeployedStage(name);
    const url = 'https://appcenter.intuit.com/connect/oauth2';
    expect(await platformOf(stage)).toEqual([adapter, url]);
    stage.close();
  });

  test('has a table, secrets, a usage plan and a failure queue named after it', async () => {
    const name = `test${randomBytes(4).toString('hex')}`;
    await ensureTable(new DynamoDBClient({ endpoint: database.endpoint }), tableNameOf(name));
    const gateway = await startApiGateway([usagePlanNameOf(name)]);
    const queue = await startQueue(failureQueueNameOf(name));
    const identity = await serveIdentity();
    settle({
      AWS_ENDPOINT_URL_STS: identity.url,
      AWS_ENDPOINT_URL_API_GATEWAY: gateway.endpoint,
      AWS_ENDPOINT_URL_SQS: queue.endpoint,
    });
    await makeSecret(name, 'api-key-pepper');
    const { open, close } = openDeployedStage(name);
    const dependencies = await open();
    await setSecret.run(dependencies, { secret: 'api-key-pepper' });
    const created = await createApplication.run(dependencies, { application: 'Bookings' });
    expect(gateway.plan(usagePlanNameOf(name))).toEqual([`application-${created.application_id}`]);
    const applications = await dependencies.applications.list();
    expect(applications.map((it) => it.name)).toEqual(['Bookings']);
    queue.send(failedBatch({ functionName: `ledger-${name}-import-tenant-data` }));
    expect(await redriveFailures.run(dependencies, {})).toMatchObject({ removed_failures: 1 });
    expect(await dependencies.operator()).toBe(operatorArn);
    expect(await refusalOf(dependencies.platforms.get('platform_b'))).toBe(
      `infra/manifest/stages.ts has no stage ${name}: its platforms are unknown`,
    );
    close();
    for (const server of [gateway, queue, identity]) await server.stop();
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['no region', { AWS_REGION: undefined }, /^no AWS region is set: set AWS/],
    [
      'no credentials',
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
      /^no AWS credentials found: set AWS_PROFILE, or/,
    ],
    ['no such stage', {}, /^nowhere is not deployed here: deploy it first, or check the stage/],
    [
      'no network',
      { AWS_ENDPOINT_URL_DYNAMODB: unused },
      /^AWS cannot be reached: check the network and AWS_REGION \(connect ECONNREFUSED/,
    ],
  ])('is explained in one line if there is %s', async (_title, settings, line) => {
    settle(settings);
    const { open, close } = openDeployedStage('nowhere');
    const { exchangeRates } = await open(['exchangeRates']);
    const error = await exchangeRates.findLatest().catch((it) => it);
    expect(explain(error, 'nowhere')).toMatch(line);
    close();
  });
});
