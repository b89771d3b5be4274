import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureLocalSecrets, startSecretsManager } from '#infra/local/stand-ins/secrets-manager.ts';
import { secretNames } from '#infra/manifest/function-row.ts';
import { localCredentials } from '#infra/manifest/local-credentials.ts';
import { VersionedKeys } from '#shared/secrets.ts';
import { makeDataFolder } from '../../../support/processes/service.ts';

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let manager: Awaited<ReturnType<typeof startSecretsManager>>;
let client: SecretsManagerClient;

const start = async () => {
  manager = await startSecretsManager({
    file: join(folder.path, 'secrets.json'),
    ...localCredentials,
  });
  client = new SecretsManagerClient({ endpoint: manager.endpoint });
};
const stop = async () => {
  client.destroy();
  await manager.stop();
};
const create = (Name: string, SecretString: string) =>
  client.send(new CreateSecretCommand({ Name, SecretString }));
const put = (SecretId: string, SecretString: string, VersionStages?: string[]) =>
  client.send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages }));
const read = async (SecretId: string) =>
  (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;

beforeEach(async () => {
  folder = await makeDataFolder();
  await start();
});
afterEach(async () => {
  await stop();
  await folder.remove();
});

describe('the secrets stand-in, through the real client', () => {
  test('a pending version becomes current only in place of the current one', async () => {
    const first = await create('a', 'one');
    const given = await client.send(new GetSecretValueCommand({ SecretId: 'a' }));
    const { VersionId } = first;
    expect(given).toMatchObject({ Name: 'a', VersionId, VersionStages: ['AWSCURRENT'] });
    expect(Math.abs(Date.now() - Number(given.CreatedDate))).toBeLessThan(60_000);
    const move = (MoveToVersionId?: string, RemoveFromVersionId?: string) => {
      const label = { SecretId: 'a', VersionStage: 'AWSCURRENT' };
      const versions = { MoveToVersionId, RemoveFromVersionId };
      return client.send(new UpdateSecretVersionStageCommand({ ...label, ...versions }));
    };
    const [second, third] = [await put('a', 'two', ['NEXT']), await put('a', 'three', ['NEXT'])];
    expect(await read('a')).toBe('one');
    await move(second.VersionId, first.VersionId);
    expect(await read('a')).toBe('two');
    for (const [to, from, name] of [
      [third.VersionId, first.VersionId, 'InvalidParameterException'],
      [third.VersionId, undefined, 'InvalidParameterException'],
      ['none', second.VersionId, 'ResourceNotFoundException'],
    ]) {
      await expect(move(to, from)).rejects.toMatchObject({ name });
    }
    expect(await read('a')).toBe('two');
  });

  test('fails as AWS does, and names unsupported actions', async () => {
    await create('a', 'one');
    const withoutText = { Name: 'b', SecretBinary: Buffer.from('b') };
    const notFound = 'ResourceNotFoundException';
    for (const [name, act] of [
      ['ResourceExistsException', () => create('a', 'two')],
      [notFound, () => read('none')],
      [notFound, () => read('constructor')],
      [notFound, () => put('none', 'value')],
      ['ValidationException', () => client.send(new CreateSecretCommand(withoutText))],
      ['UnknownOperationException', () => client.send(new ListSecretsCommand())],
    ] as const) {
      await expect(act()).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
    }
    expect(await read('a')).toBe('one');
  });

  test('refuses a request that is not signed with its key', async () => {
    await create('a', 'one');
    const invalid = 'UnrecognizedClientException';
    const stranger = new SecretsManagerClient({
      endpoint: manager.endpoint,
      credentials: { ...localCredentials, secretAccessKey: 'another' },
    });
    const asked = stranger.send(new GetSecretValueCommand({ SecretId: 'a' }));
    await expect(asked).rejects.toMatchObject({
      name: invalid,
      $metadata: { httpStatusCode: 400 },
    });
    stranger.destroy();

    let signed: Record<string, string> = {};
    client.middlewareStack.add(
      (next) => (args) => {
        signed = { ...(args.request as { headers: Record<string, string> }).headers };
        return next(args);
      },
      { step: 'deserialize' },
    );
    expect(await read('a')).toBe('one');
    expect(signed).toHaveProperty('authorization');
    const body = '{"SecretId":"b"}';
    for (const headers of [signed, { 'X-Amz-Target': 'secretsmanager.GetSecretValue' }]) {
      const reply = await fetch(manager.endpoint, { method: 'POST', headers, body });
      expect([reply.status, await reply.json()]).toMatchObject([400, { __type: invalid }]);
    }
  });

  test('keeps the secrets after a restart, in a file that only its owner can read', async () => {
    await create('a', 'one');
    await put('a', 'two "2" ü');
    await stop();
    expect((await stat(join(folder.path, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['secrets.json']);
    await start();
    expect(await read('a')).toBe('two "2" ü');
  });

  test('loses no secret in concurrent writes', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `secret-${n}`);
    await Promise.all(names.map((name) => create(name, `value of ${name}`)));
    const kept = JSON.parse(await readFile(join(folder.path, 'secrets.json'), 'utf8'));
    expect(Object.keys(kept).sort()).toEqual(names.sort());
  });

  test('reports a secret that it cannot store', async () => {
    await folder.remove();
    await expect(create('a', 'one')).rejects.toMatchObject({ name: 'InternalServiceError' });
    await expect(read('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('the secrets of the local stage', () => {
  const readAll = async () => {
    const texts = await Promise.all(secretNames.map((name) => read(`ledger/local/${name}`)));
    return texts.map((value) => JSON.parse(value ?? ''));
  };

  test('are all created with random values', async () => {
    const { platformClients } = await ensureLocalSecrets(client);
    const [pepper, sealing, states, ofWebhooks, authenticators, clients] = await readAll();
    const keys = {
      current: '1',
      versions: { '1': expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) },
    };
    for (const secret of [pepper, sealing, states, ofWebhooks, authenticators])
      expect(VersionedKeys.parse(secret)).toEqual(keys);
    expect(pepper).not.toEqual(sealing);
    const credentials = {
      client_id: 'accounting-ledger',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    };
    const slots = ['platform_a', 'platform_b', 'platform_c'];
    expect(clients).toEqual(Object.fromEntries(slots.map((slot) => [slot, credentials])));
    expect(platformClients).toEqual(clients);
    expect(new Set(Object.values(clients).map((it) => JSON.stringify(it))).size).toBe(3);
  });

  test('are created only if they are missing', async () => {
    await create('ledger/local/api-key-pepper', '{"kept":true}');
    await ensureLocalSecrets(client);
    const first = await readAll();
    await ensureLocalSecrets(client);
    expect(await readAll()).toEqual(first);
    expect(first[0]).toEqual({ kept: true });
  });
});
