// A local service as the operator's tool finds it: table, secrets and file.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSecretsManager } from '#infra/local/stand-ins/secrets-manager.ts';
import { localCredentials } from '#infra/manifest/local-credentials.ts';
import { testSlots } from '../builders/slots.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import { makeDataFolder } from '../processes/service.ts';

export const startLocalStage = async () => {
  const folder = await makeDataFolder();
  const database = await openTestTable();
  const secretsManager = await startSecretsManager({
    file: join(folder.path, 'secrets.json'),
    ...localCredentials,
  });
  return {
    dataFolder: folder.path,
    database,
    secretsManager,
    /** The file that the local service writes while it runs. */
    localFile: {
      table_name: database.tableName,
      dynamodb_endpoint: database.endpoint,
      secrets_endpoint: secretsManager.endpoint,
      secret_access_key: localCredentials.secretAccessKey,
      platforms: JSON.stringify(testSlots()),
      stage: 'local',
    },
    write: (text: string) => writeFile(join(folder.path, 'local.json'), text),
    stop: async (): Promise<void> => {
      await secretsManager.stop();
      await folder.remove();
    },
  };
};
