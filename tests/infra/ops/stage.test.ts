import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSecretsManager } from '#infra/local/secrets-manager.ts';
import { CommandFailure } from '#infra/ops/command.ts';
import { openLocalStage } from '#infra/ops/stage.ts';
import { openTestTable } from '../../support/database.ts';

let dataFolder: string;
let database: Awaited<ReturnType<typeof openTestTable>>;
let secretsManager: Awaited<ReturnType<typeof startSecretsManager>>;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'stage-'));
  database = await openTestTable();
  secretsManager = await startSecretsManager({ file: join(dataFolder, 'secrets.json') });
});
afterAll(async () => {
  await secretsManager.stop();
  await rm(dataFolder, { recursive: true });
});

/** What the local service says of itself while it runs. */
const localFile = () => ({
  table_name: database.tableName,
  dynamodb_endpoint: database.endpoint,
  secrets_endpoint: secretsManager.endpoint,
  stage: 'local',
});
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
