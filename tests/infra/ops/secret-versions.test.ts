import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { versionedSecrets } from '#infra/manifest/function-row.ts';
import { createKey, revokeKey } from '#infra/ops/commands/keys.ts';
import { resealTokens, retireSecret } from '#infra/ops/commands/secret-versions.ts';
import { rotateSecret, setSecret } from '#infra/ops/commands/secrets.ts';
import { hashApiKey } from '#shared/applications/api-keys.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { connectionAction, openConnections } from '#shared/connections/connections.store.ts';
import { openSealing } from '#shared/sealing.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

type KeysName = (typeof versionedSecrets)[number];

const operator = useOperator({ each: true, hasAuthenticators: false });

const fill = (secret: KeysName) => setSecret.run(operator.dependencies, { secret });
const rotate = (secret: KeysName) => rotateSecret.run(operator.dependencies, { secret });
const retire = (secret: KeysName, version: string, loseLiveKeys = false) =>
  retireSecret.run(operator.dependencies, { secret, version, loseLiveKeys });

/** Issues a key as a newly started tool does. */
const issue = async (application = 'Bookings') => {
  const pepper = operator.openKeys('api-key-pepper');
  await findOrCreateApplication(operator.dependencies, application);
  const issued = await createKey.run({ ...operator.dependencies, pepper }, { application });
  return { apiKey: String(issued.api_key), keyId: String(issued.key_id) };
};

describe('the pepper, rotated', () => {
  test('keeps its versions for old and new keys', async () => {
    await fill('api-key-pepper');
    const before = await issue();
    await rotate('api-key-pepper');
    const after = await issue();
    const { versions } = await operator.openKeys('api-key-pepper').read();
    const keys = await operator.dependencies.applications.listKeys(before.keyId.slice(0, 16));
    const hashes = keys.map((it) => [it.keyId, it.pepperVersion, it.hash]);
    const hashed = ({ keyId, apiKey }: typeof before, version: string) => {
      const pepper = Buffer.from(versions[version] ?? '', 'base64');
      return [keyId, version, hashApiKey(apiKey, pepper)];
    };
    expect(hashes.sort()).toEqual([hashed(before, '1'), hashed(after, '2')].sort());
  });

  test('keeps a version while live keys use it', async () => {
    await fill('api-key-pepper');
    const [first, second] = [await issue('Bookings'), await issue('Accounts')];
    await rotate('api-key-pepper');
    await issue('Bookings');
    const hint = 'replace and revoke them first, or invalidate them with --lose-live-keys';
    expect(await refusalOf(retire('api-key-pepper', '1'))).toBe(
      `2 live API keys use version 1: ${second.keyId} (Accounts), ` +
        `${first.keyId} (Bookings); ${hint}`,
    );
    await revokeKey.run(operator.dependencies, { key: second.keyId });
    expect(await refusalOf(retire('api-key-pepper', '1'))).toBe(
      `1 live API keys use version 1: ${first.keyId} (Bookings); ${hint}`,
    );
    const { versions } = await operator.openKeys('api-key-pepper').read();
    await revokeKey.run(operator.dependencies, { key: first.keyId });
    expect(await retire('api-key-pepper', '1')).toEqual({
      secret: 'api-key-pepper',
      retired: '1',
      current: '2',
      versions: ['2'],
    });
    expect(await operator.openKeys('api-key-pepper').read()).toEqual({
      current: '2',
      versions: { '2': versions['2'] },
    });
  });

  test('names the first of many keys, and invalidates them with --lose-live-keys', async () => {
    await fill('api-key-pepper');
    for (let count = 0; count < 23; count += 1) await issue();
    await rotate('api-key-pepper');
    const message = await refusalOf(retire('api-key-pepper', '1'));
    expect(message).toMatch(/^23 live API keys .* and 3 more; replace/);
    expect(message.match(/\(Bookings\)/g)).toHaveLength(20);
    expect(await retire('api-key-pepper', '1', true)).toMatchObject({ versions: ['2'] });
  });
});

describe.each(versionedSecrets)('of %s', (name) => {
  test('the current version and missing versions are not retired', async () => {
    expect(await refusalOf(retire(name, '1'))).toBe(`ledger/test/${name} has no version 1`);
    await fill(name);
    for (const version of ['2', 'constructor', 'current']) {
      expect(await refusalOf(retire(name, version))).toBe(
        `ledger/test/${name} has no version ${version}`,
      );
    }
    for (const loseLiveKeys of [false, true]) {
      expect(await refusalOf(retire(name, '1', loseLiveKeys))).toBe(
        'version 1 is the current one: run secrets rotate first',
      );
    }
  });
});

test('a key of OAuth states is not retired while authorizations can be in progress', async () => {
  await fill('oauth-state-keys');
  await rotate('oauth-state-keys');
  operator.clock.now = new Date(Date.now() + 19 * 60_000);
  expect(await refusalOf(retire('oauth-state-keys', '1'))).toMatch(
    /^authorizations with version 1 can be in progress until [\dTZ:.-]+: run this again after/,
  );
  operator.clock.now = new Date(Date.now() + 21 * 60_000);
  expect(await retire('oauth-state-keys', '1')).toMatchObject({ versions: ['2'] });
});

describe('the sealing keys, rotated', () => {
  const tokens = {
    accessToken: 'access',
    refreshToken: 'refresh',
    expiresAt: '2026-03-23T10:00:00.000Z',
  };
  const nameOf = (schemaName: string) => ({ applicationId: 'app1', schemaName });
  const openStore = (keys = operator.openKeys('token-sealing-keys')) => {
    const sealing = openSealing(keys);
    const { table } = operator.database;
    const connections = openConnections(table, sealing);
    const connect = async (schemaName: string) => {
      const company = { adapter: 'xero', companyId: schemaName, dataCenter: null, tokens };
      await table.transact([await connectionAction(sealing, nameOf(schemaName), company)]);
    };
    return { connections, connect };
  };
  /** The sealing version of each tenant's tokens. */
  const sealedUnder = async () =>
    Object.fromEntries(
      (await operator.dependencies.operatorQueries.connections()).map(
        ({ name, sealingVersion }) => [name.schemaName, sealingVersion],
      ),
    );
  const settled = () => new Date(Date.now() + 11 * 60_000);

  test('still unseal old tokens, in warm and cold processes', async () => {
    await fill('token-sealing-keys');
    const warm = openStore();
    await warm.connect('old');
    await rotate('token-sealing-keys');
    const cold = openStore();
    await cold.connect('new');
    for (const { connections } of [warm, cold]) {
      for (const schemaName of ['old', 'new']) {
        expect((await connections.find(nameOf(schemaName)))?.tokens).toEqual(tokens);
      }
    }
    expect(await sealedUnder()).toEqual({ old: '1', new: '2' });
  });

  test('keep a version until all tokens are resealed', async () => {
    await fill('token-sealing-keys');
    const first = openStore();
    for (const schemaName of ['a', 'b']) await first.connect(schemaName);
    await rotate('token-sealing-keys');
    await openStore().connect('c');
    operator.clock.now = settled();
    expect(await refusalOf(retire('token-sealing-keys', '1'))).toMatch(
      /^the tokens of 2 tenants are sealed under version 1: [ab] \(app1\), [ab] \(app1\); run sec/,
    );
    const before = await operator.database.scan();
    expect(await resealTokens.run(operator.dependencies, {})).toEqual({
      version: '2',
      connections: 3,
      resealed: 2,
      webhooks: 0,
      webhooks_resealed: 0,
      failed: [],
    });
    expect(await sealedUnder()).toEqual({ a: '2', b: '2', c: '2' });
    // Only the seal changes. The connection version must not: it guards a refresh in progress.
    const withoutSeal = (items: Record<string, unknown>[]) =>
      items.map(({ sealedTokens, ...item }) => item);
    expect(withoutSeal(await operator.database.scan())).toEqual(withoutSeal(before));
    expect(await retire('token-sealing-keys', '1')).toMatchObject({ versions: ['2'] });
    const { connections } = openStore();
    for (const schemaName of ['a', 'b', 'c']) {
      expect((await connections.find(nameOf(schemaName)))?.tokens).toEqual(tokens);
    }
  });

  test('are not retired while a warm function can still seal under the old version', async () => {
    await fill('token-sealing-keys');
    await rotate('token-sealing-keys');
    operator.clock.now = new Date();
    expect(await refusalOf(retire('token-sealing-keys', '1'))).toMatch(
      /^functions can still seal under version 1 until [\dTZ:.-]+: after that, run secrets reseal/,
    );
    operator.clock.now = settled();
    expect(await retire('token-sealing-keys', '1')).toMatchObject({ retired: '1' });
  });

  test('are resealed for other tenants if one cannot be unsealed', async () => {
    await fill('token-sealing-keys');
    const { connect } = openStore();
    await connect('a');
    const lost = { current: '0', versions: { '0': randomBytes(32).toString('base64') } };
    await openStore({ read: async () => lost, readAgain: async () => lost }).connect('b');
    await rotate('token-sealing-keys');
    expect(await resealTokens.run(operator.dependencies, {})).toEqual({
      version: '2',
      connections: 2,
      resealed: 1,
      webhooks: 0,
      webhooks_resealed: 0,
      failed: [{ application_id: 'app1', schema_name: 'b', reason: 'no key of version 0' }],
    });
  });
});
