import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Connections,
  connectionAction,
  datedTokens,
  openConnections,
  type Tokens,
} from '#shared/store/connections.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { openTestTable } from '../../support/database.ts';
import { fixedSecret, newKeys } from '../../support/secrets.ts';

const tokensOf = (name: string): Tokens => ({
  accessToken: `secret-access-${name}`,
  refreshToken: `secret-refresh-${name}`,
  expiresAt: '2026-03-23T10:00:00.000Z',
});
const acme = { applicationId: 'app1', schemaName: 'acme' };
const company = { adapter: 'sandbox', companyId: 'acme-1' };

let database: Awaited<ReturnType<typeof openTestTable>>;
let connections: Connections;
let connect: (name: typeof acme, tokens: Tokens) => Promise<void>;

beforeAll(async () => {
  database = await openTestTable();
  const sealing = openSealing(fixedSecret(newKeys('1')));
  connections = openConnections(database.table, sealing);
  connect = async (name, tokens) => {
    const action = await connectionAction(sealing, name, { ...company, tokens });
    expect(await database.table.transact([action])).toEqual({ committed: true });
  };
  await connect(acme, tokensOf('first'));
});

describe('a connection', () => {
  test('is found with its tokens opened', async () => {
    expect(await connections.find(acme)).toEqual({
      ...company,
      tokens: tokensOf('first'),
      version: 1,
    });
  });

  test.each([
    ['a tenant of another application', { ...acme, applicationId: 'app2' }],
    ['a tenant that is not connected', { ...acme, schemaName: 'acme_2' }],
  ])('is not found for %s', async (_, name) => {
    expect(await connections.find(name)).toBeUndefined();
  });

  test('has its tokens sealed at rest', async () => {
    const [item, ...others] = await database.scan();
    expect(others).toEqual([]);
    expect(item).toEqual({
      pk: 'APP#app1#TENANT#acme',
      sk: 'CONNECTION',
      ...company,
      sealedTokens: expect.stringMatching(/^1\.[\w-]+$/),
      version: 1,
    });
    const sealed = Buffer.from(String(item?.sealedTokens).slice(2), 'base64url');
    expect(sealed.includes('secret')).toBe(false);
  });

  test('does not open when it is copied to another tenant', async () => {
    const [item] = await database.scan();
    const name = { ...acme, schemaName: 'thief' };
    await database.table.transact([{ put: { ...item, pk: 'APP#app1#TENANT#thief' } }]);
    await expect(connections.find(name)).rejects.toThrow();
  });
});

describe('new tokens', () => {
  test('take the place of those that were read', async () => {
    const name = { ...acme, schemaName: 'refreshed' };
    await connect(name, tokensOf('old'));
    expect(await connections.replaceTokens(name, { version: 1, tokens: tokensOf('new') })).toBe(
      true,
    );
    expect(await connections.find(name)).toEqual({
      ...company,
      tokens: tokensOf('new'),
      version: 2,
    });
  });

  test('are not stored where somebody was faster', async () => {
    const name = { ...acme, schemaName: 'raced' };
    await connect(name, tokensOf('old'));
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
    expect(await connections.find(name)).toEqual({ ...company, tokens: winners[0], version: 2 });
  });

  test('are not stored over those of a connection that was renewed', async () => {
    const name = { ...acme, schemaName: 'renewed' };
    await connect(name, tokensOf('old'));
    await connect(name, tokensOf('renewed'));
    const late = { version: 1, tokens: tokensOf('late') };
    expect(await connections.replaceTokens(name, late)).toBe(false);
    expect(await connections.find(name)).toEqual({
      ...company,
      tokens: tokensOf('renewed'),
      version: 2,
    });
  });

  test('are not stored for a tenant that is not connected', async () => {
    const name = { ...acme, schemaName: 'nobody' };
    expect(await connections.replaceTokens(name, { version: 1, tokens: tokensOf('x') })).toBe(
      false,
    );
    expect(await connections.find(name)).toBeUndefined();
  });

  test('carry the moment at which the access token ends', () => {
    const given = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 1800 };
    expect(datedTokens(given, new Date('2026-03-23T09:30:00.000Z'))).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      expiresAt: '2026-03-23T10:00:00.000Z',
    });
  });
});
