// Gives authenticators to the items of earlier versions in the data folder.

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { AuthenticatorKeys } from '#shared/authentication/authenticators.ts';
import { authenticateItems } from '#shared/operator/authentication.store.ts';
import type { Table } from '#shared/table/table.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { tableNameOf } from '../manifest/names.ts';
import { replaceLocalSecret } from './stand-ins/secrets-manager.ts';

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
