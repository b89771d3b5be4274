// Tenants with connections on a test table, with recognizable tokens.

import { randomUUID } from 'node:crypto';
import { connectionAction, openConnections } from '#shared/connections/connections.store.ts';
import type {
  ConnectedCompany,
  ConnectionTokens,
} from '#shared/connections/platform-connections.ts';
import { openSealing } from '#shared/sealing.ts';
import { type TenantName, tenantKey } from '#shared/table/keys.ts';
import { openTestTable } from '../../dynamodb/test-table.ts';
import { fixedSecret, newKeys } from '../secrets.ts';

export const tokensOf = (name: string): ConnectionTokens => ({
  accessToken: `secret-access-${name}`,
  refreshToken: `secret-refresh-${name}`,
  expiresAt: '2026-03-23T10:00:00.000Z',
});

export const someCompany: ConnectedCompany = {
  adapter: 'xero',
  companyId: 'acme-1',
  dataCenter: null,
};

export const openTestConnections = async () => {
  const database = await openTestTable();
  const nextKeys = newKeys('1', '2');
  const keys = { ...nextKeys, current: '1' };
  const sealing = openSealing(fixedSecret(keys));
  const connections = openConnections(database.table, sealing);

  const connect = async (
    name: TenantName,
    { tokens, company = someCompany }: { tokens: string; company?: ConnectedCompany },
  ): Promise<void> => {
    const made = { ...company, tokens: tokensOf(tokens) };
    await database.table.transact([await connectionAction(sealing, name, made)]);
  };

  return {
    ...database,
    connections,
    keys,
    sealing,
    /** The same keys after their rotation: sealing is under version 2 from now on. */
    nextSealing: openSealing(fixedSecret(nextKeys)),
    connect,
    /** A tenant that is importing, connected with the tokens `first`. */
    newTenant: async (schemaName = `connected_${randomUUID()}`): Promise<TenantName> => {
      const name = { applicationId: 'app1', schemaName };
      await database.seed({ ...tenantKey(name), status: 'importing', statusReason: null });
      await connect(name, { tokens: 'first' });
      return name;
    },
    /** How a tenant stands, and why. */
    statusOf: async (name: TenantName): Promise<unknown[]> => {
      const item = await database.table.get(tenantKey(name));
      return [item?.status, item?.statusReason];
    },
  };
};
