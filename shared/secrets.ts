// Secrets from Secrets Manager, parsed and cached.

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type AwsCallLimits, callLimits, clientSettings } from './aws-call-limits.ts';
import { isWithin } from './money/dates.ts';

/** Base64 of 32 bytes. An empty or short key would work but protect nothing. */
const Key = z.base64().check(z.refine((text) => Buffer.from(text, 'base64').length === 32));

/** Keys by version. `current` hashes and seals new data; the others verify and open older data. */
export const VersionedKeys = z
  .object({ current: z.string(), versions: z.record(z.string(), Key) })
  .check(z.refine(({ current, versions }) => Object.hasOwn(versions, current)));
export type VersionedKeys = z.infer<typeof VersionedKeys>;

/**
 * The cache time, and so the delay of a key rotation. It uses the wall clock, because a process's
 * timers stop while Lambda freezes it.
 */
const cacheTtlMilliseconds = 5 * 60_000;
/** The minimum time between two forced reads. It prevents a storm of reads. */
const pauseMilliseconds = 5_000;

export type Secret<Value> = {
  /** The value, at most five minutes old. */
  read(): Promise<Value>;
  /** Ignores the cache, unless it was ignored in the last five seconds. */
  readAgain(): Promise<Value>;
};

/** Opens Secrets Manager at the endpoint in the SDK's settings. */
export const openSecretsManager = (
  limits: AwsCallLimits = callLimits.standard.secrets,
): SecretsManagerClient => new SecretsManagerClient(clientSettings(limits));

/** Opens a secret with JSON of `schema`. Reads nothing before the first use. */
export const openSecret = <Schema extends z.ZodMiniType>(
  client: SecretsManagerClient,
  { secretId, schema }: { secretId: string; schema: Schema },
): Secret<z.output<Schema>> => {
  let cached: { value: Promise<z.output<Schema>>; at: number } | undefined;
  let readAgainAt = Number.NEGATIVE_INFINITY;
  const fetch = async (): Promise<z.output<Schema>> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const parsed = schema.safeParse(readJson(SecretString));
    // The error shows neither the value nor zod's issues, because both can contain the secret.
    if (!parsed.success) throw new Error(`secret ${secretId} does not have the expected form`);
    return parsed.data;
  };
  const read = (): Promise<z.output<Schema>> => {
    const now = Date.now();
    if (cached && isWithin(cacheTtlMilliseconds, { since: cached.at, now })) return cached.value;
    const value = fetch();
    cached = { value, at: now };
    value.catch(() => {
      cached = undefined;
    });
    return value;
  };
  return {
    read,
    readAgain: () => {
      const now = Date.now();
      if (!isWithin(pauseMilliseconds, { since: readAgainAt, now })) {
        readAgainAt = now;
        cached = undefined;
      }
      return read();
    },
  };
};

/** Opens a secret with versioned keys. */
export const openVersionedKeys = (
  client: SecretsManagerClient,
  secretId: string,
): Secret<VersionedKeys> => openSecret(client, { secretId, schema: VersionedKeys });

/** Returns `undefined` for invalid JSON, because a parse error would quote the secret. */
const readJson = (text = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the key of a version. Reads the secret again if it does not know the version. */
export const findKeyOfVersion = async (
  secret: Secret<VersionedKeys>,
  version: string,
): Promise<Buffer | undefined> => {
  const known = (await secret.read()).versions[version];
  const key = known ?? (await secret.readAgain()).versions[version];
  return key === undefined ? undefined : Buffer.from(key, 'base64');
};

/** @throws Error if the secret does not have the version, even after a forced read */
export const keyOfVersion = async (
  secret: Secret<VersionedKeys>,
  version: string,
): Promise<Buffer> => {
  const key = await findKeyOfVersion(secret, version);
  if (key === undefined) throw new Error(`no key of version ${version}`);
  return key;
};

/** The version and key for new data. */
export const currentKey = async (
  secret: Secret<VersionedKeys>,
): Promise<{ version: string; key: Buffer }> => {
  const { current } = await secret.read();
  return { version: current, key: await keyOfVersion(secret, current) };
};
