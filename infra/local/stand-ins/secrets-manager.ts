// Secrets Manager on this machine: a stand-in with the service's protocol and a file.

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { PlatformClient, type PlatformClients } from '#shared/platforms/registry.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { openSecret, type VersionedKeys } from '#shared/secrets.ts';
import { listen } from '../../http-server.ts';
import type { SecretName } from '../../manifest/function-row.ts';
import { secretIdOf } from '../../manifest/names.ts';
import { isSignedWith } from './request-signature.ts';

/** The current version of a secret. The file has no earlier versions. */
const StoredSecret = z.object({
  SecretString: z.string(),
  VersionId: z.string(),
  CreatedDate: z.number(),
});
const StoredSecrets = z.record(z.string(), StoredSecret);

/** An error of the service, with its name. */
class ServiceError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** The secrets of the file. Only its owner can read it, and each write replaces it. */
const openSecretsFile = (file: string) => {
  const secrets = new Map(
    existsSync(file)
      ? Object.entries(StoredSecrets.parse(JSON.parse(readFileSync(file, 'utf8'))))
      : [],
  );
  /** Versions that are not current, by secret and id. */
  const pending = new Map<string, z.infer<typeof StoredSecret>>();
  const newVersion = (SecretString: string) => ({
    SecretString,
    VersionId: randomUUID(),
    CreatedDate: Date.now() / 1000,
  });
  const record = (name: string, secret: z.infer<typeof StoredSecret>): void => {
    const content = JSON.stringify({ ...Object.fromEntries(secrets), [name]: secret }, null, 2);
    writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    secrets.set(name, secret);
  };
  return {
    find: (name: string) => secrets.get(name),

    record: (name: string, SecretString: string): string => {
      const secret = newVersion(SecretString);
      record(name, secret);
      return secret.VersionId;
    },

    recordPending: (name: string, SecretString: string): string => {
      const secret = newVersion(SecretString);
      pending.set(`${name} ${secret.VersionId}`, secret);
      return secret.VersionId;
    },

    /** Makes a pending version current. Returns false if there is none. */
    promote: (name: string, versionId: string): boolean => {
      const secret = pending.get(`${name} ${versionId}`);
      if (secret) record(name, secret);
      return pending.delete(`${name} ${versionId}`);
    },
  };
};

const current = 'AWSCURRENT';
const VersionStages = [current];
const GetSecretValue = z.object({ SecretId: z.string() });
const CreateSecret = z.object({ Name: z.string(), SecretString: z.string() });
const PutSecretValue = z.object({
  SecretId: z.string(),
  SecretString: z.string(),
  VersionStages: z._default(z.array(z.string()), VersionStages),
});
const UpdateSecretVersionStage = z.object({
  SecretId: z.string(),
  VersionStage: z.literal(current),
  MoveToVersionId: z.string(),
  RemoveFromVersionId: z.optional(z.string()),
});

type SecretsFile = ReturnType<typeof openSecretsFile>;

const get = (secrets: SecretsFile, name: string) => {
  const secret = secrets.find(name);
  if (secret) return secret;
  const message = "Secrets Manager can't find the specified secret.";
  throw new ServiceError('ResourceNotFoundException', message);
};

/** Moves the label of the current version, if the request names this version. */
const updateVersionStage = (
  input: z.infer<typeof UpdateSecretVersionStage>,
  secrets: SecretsFile,
) => {
  const { SecretId: Name, MoveToVersionId, RemoveFromVersionId } = input;
  if (get(secrets, Name).VersionId !== RemoveFromVersionId) {
    const message = `Staging label ${current} is attached to another version.`;
    throw new ServiceError('InvalidParameterException', message);
  }
  if (!secrets.promote(Name, MoveToVersionId)) {
    const message = "Secrets Manager can't find the specified secret version.";
    throw new ServiceError('ResourceNotFoundException', message);
  }
  return { Name };
};

/** Runs one operation and returns its reply (AWS Secrets Manager API Reference). */
const execute = (operation: string, input: unknown, secrets: SecretsFile): object => {
  switch (operation) {
    case 'secretsmanager.GetSecretValue': {
      const { SecretId } = GetSecretValue.parse(input);
      return { Name: SecretId, ...get(secrets, SecretId), VersionStages };
    }
    case 'secretsmanager.CreateSecret': {
      const { Name, SecretString } = CreateSecret.parse(input);
      if (secrets.find(Name)) {
        const message = `The operation failed because the secret ${Name} already exists.`;
        throw new ServiceError('ResourceExistsException', message);
      }
      return { Name, VersionId: secrets.record(Name, SecretString) };
    }
    case 'secretsmanager.PutSecretValue': {
      const { SecretId, SecretString, VersionStages } = PutSecretValue.parse(input);
      get(secrets, SecretId);
      const VersionId = VersionStages.includes(current)
        ? secrets.record(SecretId, SecretString)
        : secrets.recordPending(SecretId, SecretString);
      return { Name: SecretId, VersionId, VersionStages };
    }
    case 'secretsmanager.UpdateSecretVersionStage':
      return updateVersionStage(UpdateSecretVersionStage.parse(input), secrets);
    default:
      throw new ServiceError('UnknownOperationException', `${operation} is not served here.`);
  }
};

type Reply = { status: number; body: object };

const answer = async (
  request: IncomingMessage,
  { secrets, secretAccessKey }: { secrets: SecretsFile; secretAccessKey: string },
): Promise<Reply> => {
  try {
    const body = await text(request);
    if (!isSignedWith(secretAccessKey, { headers: request.headers, body })) {
      const message = 'The security token included in the request is invalid.';
      throw new ServiceError('UnrecognizedClientException', message);
    }
    const input: unknown = JSON.parse(body);
    return { status: 200, body: execute(String(request.headers['x-amz-target']), input, secrets) };
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof ServiceError) {
      return { status: 400, body: { __type: name, Message: message } };
    }
    return error instanceof z.core.$ZodError || error instanceof SyntaxError
      ? { status: 400, body: { __type: 'ValidationException', Message: message } }
      : { status: 500, body: { __type: 'InternalServiceError', Message: message } };
  }
};

/**
 * Starts the stand-in on 127.0.0.1. All processes and web pages on the machine can reach it, so
 * requests must be signed with a key that only the owner of the data folder can read.
 *
 * @param options.file the file of the secrets, in an existing folder
 * @param options.secretAccessKey the key that signs requests
 * @param options.port defaults to a free port
 */
export const startSecretsManager = async ({
  file,
  secretAccessKey,
  port = 0,
}: {
  file: string;
  secretAccessKey: string;
  port?: number;
}) => {
  const secrets = openSecretsFile(file);
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await answer(request, { secrets, secretAccessKey });
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  };
  const server = await listen(listener, { port, purpose: 'Secrets Manager' });
  return { endpoint: `http://127.0.0.1:${server.port}`, stop: server.stop };
};

const newVersionedKeys = (): VersionedKeys => ({
  current: '1',
  versions: { '1': randomBytes(32).toString('base64') },
});

const newPlatformClient = () => ({
  client_id: 'accounting-ledger',
  client_secret: randomBytes(32).toString('base64url'),
});

const firstValues: Record<SecretName, () => object> = {
  // The start authenticates the items of earlier versions, and then requires authenticators.
  'authenticator-keys': () => ({ ...newVersionedKeys(), use: 'adopting' }),
  'api-key-pepper': newVersionedKeys,
  'token-sealing-keys': newVersionedKeys,
  'oauth-state-keys': newVersionedKeys,
  'webhook-sealing-keys': newVersionedKeys,
  'platform-clients': (): Required<PlatformClients> => ({
    platform_a: newPlatformClient(),
    platform_b: newPlatformClient(),
    platform_c: newPlatformClient(),
  }),
};

/** Replaces the value of a secret of the local stage. */
export const replaceLocalSecret = async (
  client: SecretsManagerClient,
  name: SecretName,
  value: object,
): Promise<void> => {
  const SecretId = secretIdOf('local', name);
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }));
};

/**
 * Creates the missing secrets of the local stage, with random values. Returns the client ids and
 * secrets for the sandbox.
 */
export const ensureLocalSecrets = async (
  client: SecretsManagerClient,
): Promise<{ platformClients: Required<PlatformClients> }> => {
  for (const [name, firstValue] of Object.entries(firstValues)) {
    try {
      await client.send(
        new CreateSecretCommand({
          Name: secretIdOf('local', name as SecretName),
          SecretString: JSON.stringify(firstValue()),
        }),
      );
    } catch (error) {
      if (!(error instanceof ResourceExistsException)) throw error;
    }
  }
  const secretId = secretIdOf('local', 'platform-clients');
  const schema = z.record(z.enum(slotNames), PlatformClient);
  const platformClients = await openSecret(client, { secretId, schema }).read();
  return { platformClients };
};
