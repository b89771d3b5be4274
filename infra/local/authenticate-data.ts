// Gives authenticators to the items of earlier versions in the data folder.

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { AuthenticatorKeys, openAuthenticators } from '#shared/authentication/authenticators.ts';
import { authenticateItems } from '#shared/operator/authentication.store.ts';
import { openSecret } from '#shared/secrets.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { secretIdOf, tableNameOf } from '../manifest/names.ts';
import { replaceLocalSecret } from './stand-ins/secrets-manager.ts';

/** Opens the table with the keys of its authenticators. */
export const openLocalTable = (client: SecretsManagerClient) => {
  const secretId = secretIdOf('local', 'authenticator-keys');
  const keys = openSecret(client, { secretId, schema: AuthenticatorKeys });
  const authenticators = openAuthenticators(keys);
  return { keys, table: openTable(tableNameOf('local'), {}, { authenticators }) };
};

/** Gives authenticators to the items of earlier versions, and requires them from then on. */
export const authenticateData = async (
  table: Table,
  keys: AuthenticatorKeys,
  secretsClient: SecretsManagerClient,
): Promise<void> => {
  if (keys.use === 'required') return;
  const scan = openTableScan(tableNameOf('local'));
  await authenticateItems(keys, { table, scan });
  scan.close();
  await replaceLocalSecret(secretsClient, 'authenticator-keys', { ...keys, use: 'required' });
};
