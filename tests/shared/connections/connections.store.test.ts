import { describe, expect, test } from 'vitest';
import { type Connections, resealConnection } from '#shared/connections/connections.store.ts';
import { withExpiry } from '#shared/platforms/platform.ts';
import { connectionKey } from '#shared/table/keys.ts';
import {
  openTestConnections,
  someCompany,
  tokensOf,
} from '../../support/builders/platforms/connections.ts';

const database = await openTestConnections();
const { connections } = database;

describe('a connection', () => {
  test('keeps the data center of its company', async () => {
    const name = { applicationId: 'app1', schemaName: 'in_europe' };
    const company = { adapter: 'zoho', companyId: '10234695', dataCenter: 'eu' };
    await database.connect(name, { tokens: 'first', company });
    expect(await connections.find(name)).toMatchObject(company);
    const moved = { ...company, dataCenter: 'in' };
    await database.connect(name, { tokens: 'second', company: moved });
    expect(await connections.find(name)).toEqual({
      ...moved,
      tokens: tokensOf('second'),
      version: 2,
    });
    const replaced = { version: 2, tokens: tokensOf('third') };
    expect(await connections.replaceTokens(name, replaced)).toBe(true);
    expect(await connections.find(name)).toMatchObject(moved);
  });

  test.each([
    ['a tenant of another application', { applicationId: 'app2', schemaName: 'scoped' }],
    ['a tenant that is not connected', { applicationId: 'app1', schemaName: 'scoped_2' }],
  ])('is not found for %s', async (_, other) => {
    await database.newTenant('scoped');
    expect(await connections.find(other)).toBeUndefined();
  });

  test('has its tokens sealed at rest', async () => {
    const name = await database.newTenant('sealed');
    const item = await database.table.get(connectionKey(name));
    expect(item).toEqual({
      pk: 'APP#app1#TENANT#sealed',
      sk: 'CONNECTION',
      due_pk: 'DUE-CONNECTION',
      due_sk: '2026-04-22T10:00:00.000Z#APP#app1#TENANT#sealed#CONNECTION',
      ...someCompany,
      sealedTokens: expect.stringMatching(/^1\.[\w-]+$/),
      version: 1,
    });
    const sealed = Buffer.from(String(item?.sealedTokens).slice(2), 'base64url');
    expect(sealed.includes('secret')).toBe(false);
  });

  test('does not open when it is copied to another tenant', async () => {
    const item = await database.table.get(connectionKey(await database.newTenant('victim')));
    await database.seed({ ...item, pk: 'APP#app1#TENANT#thief' });
    const thief = { applicationId: 'app1', schemaName: 'thief' };
    await expect(connections.find(thief)).rejects.toThrow();
  });
});

describe('new tokens', () => {
  test('are not stored if another process has stored newer ones', async () => {
    const name = await database.newTenant();
    const stored = await Promise.all(
      Array.from({ length: 16 }, async (_, number) => ({
        number,
        stored: await connections.replaceTokens(name, {
          version: 1,
          tokens: tokensOf(String(number)),
        }),
      })),
    );
    const winners = stored.filter((it) => it.stored).map(({ number }) => tokensOf(String(number)));
    expect(winners).toHaveLength(1);
    expect(await connections.find(name)).toMatchObject({ tokens: winners[0], version: 2 });
  });

  test.each([
    ['have the time at which the access token expires', 1800, '2026-03-23T10:00:00.000Z'],
    ['expire within a day, even if the platform states more', 1e15, '2026-03-24T09:30:00.000Z'],
  ])('%s', (_, expiresInSeconds, expiresAt) => {
    const given = { accessToken: 'a', refreshToken: 'r' };
    const now = new Date('2026-03-23T09:30:00.000Z');
    expect(withExpiry({ ...given, expiresInSeconds, reconnectInSeconds: null }, now)).toEqual({
      ...given,
      expiresAt,
    });
  });
});

describe('a resealed connection', () => {
  const reseal = (name: Parameters<Connections['find']>[0]) =>
    resealConnection(database.table, database.nextSealing, { name, version: '2' });
  const sealedTokensOf = async (name: Parameters<Connections['find']>[0]) =>
    (await database.table.get(connectionKey(name)))?.sealedTokens;

  test('uses the tokens of a concurrent refresh', async () => {
    const name = await database.newTenant('sealed_between');
    let reads = 0;
    const overtaken = {
      ...database.table,
      get: async (key: Parameters<typeof database.table.get>[0]) => {
        const item = await database.table.get(key);
        reads += 1;
        const late = { version: 1, tokens: tokensOf('late') };
        if (reads === 1) await connections.replaceTokens(name, late);
        return item;
      },
    };
    const asked = { name, version: '2' };
    expect(await resealConnection(overtaken, database.nextSealing, asked)).toBe(true);
    // The last tokens belong to a connection that waits for its confirmation.
    expect(reads).toBe(3);
    expect(await sealedTokensOf(name)).toMatch(/^2\./);
    expect(await connections.find(name)).toMatchObject({ tokens: tokensOf('late'), version: 2 });
  });

  test('needs a connection with tokens', async () => {
    expect(await reseal({ applicationId: 'app1', schemaName: 'nobody' })).toBe(false);
    const name = await database.newTenant('given_up_sealed');
    expect(await connections.giveUp(name, { version: 1, reason: 'x' })).toBe(true);
    const before = await database.table.get(connectionKey(name));
    expect(await reseal(name)).toBe(false);
    expect(await database.table.get(connectionKey(name))).toEqual(before);
  });
});
