import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureLocalSecrets, startSecretsManager } from '#infra/local/secrets-manager.ts';
import { VersionedKeys } from '#shared/secrets.ts';

let folder: string;
let file: string;
let manager: Awaited<ReturnType<typeof startSecretsManager>>;
let client: SecretsManagerClient;

const start = async () => {
  manager = await startSecretsManager({ file });
  client = new SecretsManagerClient({ endpoint: manager.endpoint });
};
const stop = async () => {
  client.destroy();
  await manager.stop();
};
const create = (Name: string, SecretString: string) =>
  client.send(new CreateSecretCommand({ Name, SecretString }));
const put = (SecretId: string, SecretString: string) =>
  client.send(new PutSecretValueCommand({ SecretId, SecretString }));
const read = async (SecretId: string) =>
  (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  file = join(folder, 'secrets.json');
  await start();
});

afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the secrets stand-in, through the real client', () => {
  test('creates a secret and returns it', async () => {
    const { VersionId } = await create('a/b', 'value "1" ü');
    const { $metadata, CreatedDate, ...secret } = await client.send(
      new GetSecretValueCommand({ SecretId: 'a/b' }),
    );
    expect(secret).toEqual({
      Name: 'a/b',
      VersionId,
      SecretString: 'value "1" ü',
      VersionStages: ['AWSCURRENT'],
    });
    expect(Math.abs(Date.now() - Number(CreatedDate))).toBeLessThan(60_000);
    expect($metadata.httpStatusCode).toBe(200);
  });

  test('puts a new value in the place of the last, under a new version', async () => {
    const first = await create('a', 'one');
    const second = await put('a', 'two');
    expect(second.VersionId).not.toBe(first.VersionId);
    expect(await read('a')).toBe('two');
  });

  test('keeps a version aside until the label moves to it, from the current one only', async () => {
    const first = await create('a', 'one');
    const hold = (SecretString: string) =>
      client.send(
        new PutSecretValueCommand({ SecretId: 'a', SecretString, VersionStages: ['NEXT'] }),
      );
    const move = (MoveToVersionId: string | undefined, RemoveFromVersionId: string | undefined) =>
      client.send(
        new UpdateSecretVersionStageCommand({
          SecretId: 'a',
          VersionStage: 'AWSCURRENT',
          MoveToVersionId,
          RemoveFromVersionId,
        }),
      );
    const [second, third] = [await hold('two'), await hold('three')];
    expect(await read('a')).toBe('one');
    await move(second.VersionId, first.VersionId);
    expect(await read('a')).toBe('two');
    for (const from of [first.VersionId, undefined]) {
      await expect(move(third.VersionId, from)).rejects.toMatchObject({
        name: 'InvalidParameterException',
      });
    }
    await expect(move('none', second.VersionId)).rejects.toThrow(ResourceNotFoundException);
    expect(await read('a')).toBe('two');
  });

  test('does not create over a secret that is there', async () => {
    await create('a', 'one');
    await expect(create('a', 'two')).rejects.toThrow(ResourceExistsException);
    expect(await read('a')).toBe('one');
  });

  test.each([
    ['reading a secret that is not there', () => read('none')],
    ['reading a secret by a name that every object has', () => read('constructor')],
    ['putting a value to a secret that is not there', () => put('none', 'value')],
  ])('%s fails as in AWS', async (_title, act) => {
    const error = await act().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResourceNotFoundException);
    expect(error).toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret.",
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('refuses other operations and requests that lack something', async () => {
    await expect(client.send(new ListSecretsCommand())).rejects.toThrow(
      'secretsmanager.ListSecrets is not served here.',
    );
    await expect(
      client.send(new CreateSecretCommand({ Name: 'a', SecretBinary: Buffer.from('b') })),
    ).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(read('a')).rejects.toThrow(ResourceNotFoundException);
  });

  test('keeps the secrets over a restart, in a file for its owner only', async () => {
    await create('a', 'one');
    await put('a', 'two');
    await create('b', 'three');
    await stop();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secrets.json']);
    await start();
    expect([await read('a'), await read('b')]).toEqual(['two', 'three']);
  });

  test('loses nothing when many write at once', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `secret-${n}`);
    await Promise.all(names.map((name) => create(name, `value of ${name}`)));
    const kept = JSON.parse(await readFile(file, 'utf8'));
    expect(Object.keys(kept).sort()).toEqual(names.sort());
  });

  test('says so when it cannot keep what it is given', async () => {
    await rm(folder, { recursive: true });
    await expect(create('a', 'one')).rejects.toMatchObject({ name: 'InternalServiceError' });
    await expect(read('a')).rejects.toThrow(ResourceNotFoundException);
  });
});

describe('the secrets of the local stage', () => {
  const names = [
    'ledger/local/api-key-pepper',
    'ledger/local/token-sealing-keys',
    'ledger/local/platform-clients',
  ];
  const readAll = async () =>
    (await Promise.all(names.map(read))).map((value) => JSON.parse(value ?? ''));

  test('are all made, at random and in their forms', async () => {
    const { platformClients } = await ensureLocalSecrets(client);
    const [pepper, sealing, clients] = await readAll();
    const key = expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/);
    expect(VersionedKeys.parse(pepper)).toEqual({ current: '1', versions: { '1': key } });
    expect(VersionedKeys.parse(sealing)).toEqual({ current: '1', versions: { '1': key } });
    expect(pepper).not.toEqual(sealing);
    const credentials = {
      client_id: 'accounting-ledger',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    };
    expect(clients).toEqual({
      platform_a: credentials,
      platform_b: credentials,
      platform_c: credentials,
    });
    expect(platformClients).toEqual(clients);
    expect(new Set(Object.values(clients).map((it) => JSON.stringify(it))).size).toBe(3);
  });

  test('stay as they are when they are there, and only the missing one is made', async () => {
    await create('ledger/local/api-key-pepper', '{"kept":true}');
    await ensureLocalSecrets(client);
    const first = await readAll();
    await ensureLocalSecrets(client);
    expect(await readAll()).toEqual(first);
    expect(first[0]).toEqual({ kept: true });
  });
});
