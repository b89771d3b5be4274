import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startSecretsManager } from '#infra/local/secrets-manager.ts';
import { secretIdOf } from '#infra/names.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { openDeployedStage, openLocalStage } from '#infra/ops/stage.ts';
import { testSlots } from '../../support/builders/slots.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

let dataFolder: string;
let database: Awaited<ReturnType<typeof openTestTable>>;
let secretsManager: Awaited<ReturnType<typeof startSecretsManager>>;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'stage-'));
  database = await openTestTable();
  secretsManager = await startSecretsManager({ file: join(dataFolder, 'secrets.json') });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await secretsManager.stop();
  await rm(dataFolder, { recursive: true });
});

/** What the local service says of itself while it runs. */
const localFile = () => ({
  table_name: database.tableName,
  dynamodb_endpoint: database.endpoint,
  secrets_endpoint: secretsManager.endpoint,
  platforms: JSON.stringify(testSlots()),
  stage: 'local',
});

/** Fills the clients of a stage's platforms. */
const fillClients = async (stage: string): Promise<void> => {
  const client = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  const clients = { platform_b: { client_id: 'ledger', client_secret: 'x' } };
  const Name = secretIdOf(stage, 'platform-clients');
  await client.send(new CreateSecretCommand({ Name, SecretString: JSON.stringify(clients) }));
  client.destroy();
};

const unused = 'http://127.0.0.1:1';

describe('the local stage', () => {
  test('is where the running service says', async () => {
    await writeFile(join(dataFolder, 'local.json'), JSON.stringify(localFile()));
    const { dependencies, close } = await openLocalStage(dataFolder);
    expect(await dependencies.applications.list()).toEqual([]);
    await expect(dependencies.pepper.read()).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    close();
  });

  test('has the platforms that the running service says, at their copies', async () => {
    await fillClients('local');
    await writeFile(join(dataFolder, 'local.json'), JSON.stringify(localFile()));
    const { dependencies, close } = await openLocalStage(dataFolder);
    const platform = await dependencies.platforms.get('platform_b');
    expect(platform.adapter).toBe('quickbooks');
    const url = platform.authorizationUrl({ redirectUri: 'http://localhost/', state: 's' });
    expect(url).toMatch(/^http:\/\/localhost:1\/appcenter\.intuit\.com\/connect\/oauth2\?/);
    close();
  });

  test.each([
    ['left an empty file', () => undefined],
    ['is gone with its database', () => ({ ...localFile(), dynamodb_endpoint: unused })],
    ['is gone with its secrets', () => ({ ...localFile(), secrets_endpoint: unused })],
    ['is another version', () => ({ stage: 'local' })],
    ['says that it is production', () => ({ ...localFile(), stage: 'production' })],
  ])('is not opened when the service %s', async (_title, content) => {
    await writeFile(join(dataFolder, 'local.json'), JSON.stringify(content()) ?? '');
    await expect(openLocalStage(dataFolder)).rejects.toEqual(
      new CommandFailure('the local service is not running: start it with npm start'),
    );
  });

  test('is not opened when the data folder is not there', async () => {
    await expect(openLocalStage(join(dataFolder, 'none'))).rejects.toThrow(CommandFailure);
  });
});

describe('a deployed stage', () => {
  test.each([
    ['production', 'quickbooks'],
    ['development', 'quickbooks_sandbox'],
  ])('has the platforms of its row, themselves: %s', async (stage, adapter) => {
    await fillClients(stage);
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secretsManager.endpoint);
    const { dependencies, close } = openDeployedStage(stage);
    const platform = await dependencies.platforms.get('platform_b');
    expect(platform.adapter).toBe(adapter);
    const url = platform.authorizationUrl({ redirectUri: 'https://a.example/', state: 's' });
    expect(url).toMatch(/^https:\/\/appcenter\.intuit\.com\/connect\/oauth2\?/);
    close();
  });
});
