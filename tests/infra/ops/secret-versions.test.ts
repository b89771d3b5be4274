import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/authorizer/handler.ts';
import type { Dependencies } from '#infra/ops/command.ts';
import { createKey, revokeKey } from '#infra/ops/commands/keys.ts';
import { resealTokens, retireSecret } from '#infra/ops/commands/secret-versions.ts';
import { rotateSecret, setSecret } from '#infra/ops/commands/secrets.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import type { Secret, VersionedKeys } from '#shared/secrets.ts';
import { connectionAction, openConnections, resealConnection } from '#shared/store/connections.ts';
import { openSealing } from '#shared/store/sealing.ts';
import { authorizerEvent, lambdaContext } from '../../support/events/lambda-events.ts';
import { type Operator, openOperator } from '../../support/harnesses/operator.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

type KeysName = 'api-key-pepper' | 'token-sealing-keys';

let operator: Operator;
let dependencies: Dependencies;
beforeEach(async () => {
  operator = await openOperator();
  dependencies = operator.dependencies;
});
afterEach(() => operator.stop());

const fill = (secret: KeysName) => setSecret.run(dependencies, { secret });
const rotate = (secret: KeysName) => rotateSecret.run(dependencies, { secret });
const retire = (secret: KeysName, version: string, loseLiveKeys = false) =>
  retireSecret.run(dependencies, { secret, version, loseLiveKeys });

const refusal = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof CommandFailure ? error.message : String(error)),
  );

/** Issues a key as the tool does that starts now. */
const issue = async (application = 'Bookings') => {
  const pepper = operator.openKeys('api-key-pepper');
  const issued = await createKey.run({ ...dependencies, pepper }, { application });
  return { apiKey: String(issued.api_key), keyId: String(issued.key_id) };
};

/** Asks an authorizer that has this pepper in its memory. */
const authorize = async (apiKey: string, pepper: Secret<VersionedKeys>): Promise<string> => {
  const { applications } = dependencies;
  const clock = () => operator.clock.now;
  const telemetry = { log: keepLog(), metrics: keepMetrics() };
  const handler = createHandler({ applications, pepper, clock, ...telemetry });
  return handler(authorizerEvent(apiKey), lambdaContext()).then(
    ({ policyDocument: { Statement } }) => String(Statement[0]?.Effect),
    (error: unknown) => String(error),
  );
};

describe('the pepper, rotated', () => {
  test('goes on verifying keys made before, and new ones, in warm processes and cold', async () => {
    await fill('api-key-pepper');
    const before = await issue();
    const warm = operator.openKeys('api-key-pepper');
    expect(await authorize(before.apiKey, warm)).toBe('Allow');
    await rotate('api-key-pepper');
    const after = await issue();
    expect((await warm.read()).current).toBe('1');
    for (const pepper of [warm, operator.openKeys('api-key-pepper')]) {
      expect(await authorize(before.apiKey, pepper)).toBe('Allow');
      expect(await authorize(after.apiKey, pepper)).toBe('Allow');
    }
    const keys = await dependencies.applications.listKeys(before.keyId.slice(0, 16));
    expect(Object.fromEntries(keys.map((it) => [it.keyId, it.pepperVersion]))).toEqual({
      [before.keyId]: '1',
      [after.keyId]: '2',
    });
  });

  test('keeps a version as long as live keys were made under it', async () => {
    await fill('api-key-pepper');
    const [first, second] = [await issue('Bookings'), await issue('Accounts')];
    await rotate('api-key-pepper');
    const third = await issue('Bookings');
    const hint = 'replace and revoke them first, or let them end now with --lose-live-keys';
    expect(await refusal(retire('api-key-pepper', '1'))).toBe(
      `2 live API keys were made under version 1: ${second.keyId} (Accounts), ` +
        `${first.keyId} (Bookings); ${hint}`,
    );
    await revokeKey.run(dependencies, { key: second.keyId });
    expect(await refusal(retire('api-key-pepper', '1'))).toBe(
      `1 live API keys were made under version 1: ${first.keyId} (Bookings); ${hint}`,
    );
    await revokeKey.run(dependencies, { key: first.keyId });
    expect(await retire('api-key-pepper', '1')).toEqual({
      secret: 'api-key-pepper',
      retired: '1',
      current: '2',
      versions: ['2'],
    });
    expect(await authorize(third.apiKey, operator.openKeys('api-key-pepper'))).toBe('Allow');
  });

  test('lets live keys end where that is what the operator wants', async () => {
    await fill('api-key-pepper');
    const { apiKey } = await issue();
    await rotate('api-key-pepper');
    expect(await retire('api-key-pepper', '1', true)).toMatchObject({ retired: '1' });
    expect(await authorize(apiKey, operator.openKeys('api-key-pepper'))).toBe(
      'Error: Unauthorized',
    );
  });

  test('names the first of very many keys', async () => {
    await fill('api-key-pepper');
    for (let count = 0; count < 23; count += 1) await issue();
    await rotate('api-key-pepper');
    const message = await refusal(retire('api-key-pepper', '1'));
    expect(message).toMatch(/^23 live API keys .* and 3 more; replace/);
    expect(message.match(/\(Bookings\)/g)).toHaveLength(20);
  });
});

describe.each(['api-key-pepper', 'token-sealing-keys'] as const)('of %s', (name) => {
  test('the current version is never retired, and none that is not there', async () => {
    expect(await refusal(retire(name, '1'))).toBe(`ledger/test/${name} has no version 1`);
    await fill(name);
    for (const version of ['2', 'constructor', 'current']) {
      expect(await refusal(retire(name, version))).toBe(
        `ledger/test/${name} has no version ${version}`,
      );
    }
    for (const loseLiveKeys of [false, true]) {
      expect(await refusal(retire(name, '1', loseLiveKeys))).toBe(
        'version 1 is the current one: run secrets rotate first',
      );
    }
  });
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
  /** Under which version each tenant's tokens are sealed. */
  const sealedUnder = async () =>
    Object.fromEntries(
      (await dependencies.survey.connections()).map(({ name, sealingVersion }) => [
        name.schemaName,
        sealingVersion,
      ]),
    );
  const settled = () => new Date(Date.now() + 11 * 60_000);

  test('go on opening what was sealed before, in warm processes and cold', async () => {
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

  test('keep a version until all tokens are sealed anew', async () => {
    await fill('token-sealing-keys');
    const first = openStore();
    for (const schemaName of ['a', 'b']) await first.connect(schemaName);
    await rotate('token-sealing-keys');
    await openStore().connect('c');
    operator.clock.now = settled();
    expect(await refusal(retire('token-sealing-keys', '1'))).toMatch(
      /^the tokens of 2 tenants are sealed under version 1: [ab] \(app1\), [ab] \(app1\); run sec/,
    );
    const before = await operator.database.scan();
    expect(await resealTokens.run(dependencies, {})).toEqual({
      version: '2',
      connections: 3,
      resealed: 2,
      failed: [],
    });
    expect(await sealedUnder()).toEqual({ a: '2', b: '2', c: '2' });
    // Nothing but the seal is new; above all not the version, which guards a refresh under way.
    const withoutSeal = (items: Record<string, unknown>[]) =>
      items.map(({ sealedTokens, ...item }) => item);
    expect(withoutSeal(await operator.database.scan())).toEqual(withoutSeal(before));
    expect(await retire('token-sealing-keys', '1')).toMatchObject({ versions: ['2'] });
    const { connections } = openStore();
    for (const schemaName of ['a', 'b', 'c']) {
      expect((await connections.find(nameOf(schemaName)))?.tokens).toEqual(tokens);
    }
  });

  test('are not retired while a warm function may still seal under the old version', async () => {
    await fill('token-sealing-keys');
    await rotate('token-sealing-keys');
    operator.clock.now = new Date();
    expect(await refusal(retire('token-sealing-keys', '1'))).toMatch(
      /^functions may still seal under version 1 until [\dTZ:.-]+: run secrets reseal after that/,
    );
    operator.clock.now = settled();
    expect(await retire('token-sealing-keys', '1')).toMatchObject({ retired: '1' });
  });

  test('leave a refresh under way its place: new tokens are stored over a new seal', async () => {
    await fill('token-sealing-keys');
    const { connect, connections } = openStore();
    await connect('a');
    await rotate('token-sealing-keys');
    const read = await connections.find(nameOf('a'));
    await resealTokens.run(dependencies, {});
    const renewed = { ...tokens, refreshToken: 'rotated' };
    const replacement = { version: read?.version ?? 0, tokens: renewed };
    expect(await connections.replaceTokens(nameOf('a'), replacement)).toBe(true);
    expect((await connections.find(nameOf('a')))?.tokens).toEqual(renewed);
  });

  test('do not overwrite tokens that were replaced while they were sealed anew', async () => {
    await fill('token-sealing-keys');
    const { connect, connections } = openStore();
    await connect('a');
    await rotate('token-sealing-keys');
    const renewed = { ...tokens, refreshToken: 'rotated' };
    let replaced = false;
    const keys = operator.openKeys('token-sealing-keys');
    const sealing = openSealing(keys);
    const slowSealing = {
      ...sealing,
      open: async (sealed: string, boundTo: string) => {
        const text = await sealing.open(sealed, boundTo);
        if (!replaced) {
          replaced = true;
          await connections.replaceTokens(nameOf('a'), { version: 1, tokens: renewed });
        }
        return text;
      },
    };
    const name = nameOf('a');
    const { table } = operator.database;
    expect(await resealConnection(table, slowSealing, { name, version: '2' })).toBe(true);
    expect((await connections.find(name))?.tokens).toEqual(renewed);
    expect(await sealedUnder()).toEqual({ a: '2' });
    expect(await resealConnection(table, sealing, { name, version: '2' })).toBe(false);
  });

  test('are told apart from tokens that do not open, which keep nobody else waiting', async () => {
    await fill('token-sealing-keys');
    const { connect } = openStore();
    await connect('a');
    const lost = { current: '0', versions: { '0': randomBytes(32).toString('base64') } };
    await openStore({ read: async () => lost, readAgain: async () => lost }).connect('b');
    await rotate('token-sealing-keys');
    expect(await resealTokens.run(dependencies, {})).toEqual({
      version: '2',
      connections: 2,
      resealed: 1,
      failed: [{ application_id: 'app1', schema_name: 'b', reason: 'no key of version 0' }],
    });
  });
});
