// Secrets from Secrets Manager: parsed, kept for a bounded time, read again when they fall short.

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type CallLimits, callLimits, clientSettings } from './aws-call-limits.ts';
import { isWithin } from './elapsed-time.ts';

/** Base64 of 32 bytes: an empty or short key would work as a pepper, and protect nothing. */
const Key = z.base64().check(z.refine((text) => Buffer.from(text, 'base64').length === 32));

/**
 * Keys by version. New work uses `current`; the others go on verifying and opening what was made
 * with them until they are taken out.
 */
export const VersionedKeys = z
  .object({ current: z.string(), versions: z.record(z.string(), Key) })
  .check(z.refine(({ current, versions }) => Object.hasOwn(versions, current)));
export type VersionedKeys = z.infer<typeof VersionedKeys>;

/**
 * How long a secret is kept before it is read again: the lag of a rotation. Ages are taken by the
 * wall clock, because a process's own timer stands still while a function is frozen.
 */
const cacheTtlMilliseconds = 5 * 60_000;
/** How soon a secret may be read again for falling short, so that a lack cannot cause a storm. */
const pauseMilliseconds = 5_000;

export type Secret<Value> = {
  /** The value, at most five minutes old. */
  read(): Promise<Value>;
  /** The value read anew, unless this was asked for within the last five seconds too. */
  readAgain(): Promise<Value>;
};

/** Opens Secrets Manager, where the SDK's own settings say it is. A hung call is cut off. */
export const openSecretsManager = (
  limits: CallLimits = callLimits.standard.secrets,
): SecretsManagerClient => new SecretsManagerClient(clientSettings(limits));

/** Opens a secret that holds JSON of `schema`. Nothing is read before the first use. */
export const openSecret = <Schema extends z.ZodMiniType>(
  client: SecretsManagerClient,
  { secretId, schema }: { secretId: string; schema: Schema },
): Secret<z.output<Schema>> => {
  let kept: { value: Promise<z.output<Schema>>; at: number } | undefined;
  let readAgainAt = Number.NEGATIVE_INFINITY;
  const fetch = async (): Promise<z.output<Schema>> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const parsed = schema.safeParse(readJson(SecretString));
    // Neither the value nor zod's issues are shown: both could hold parts of the secret.
    if (!parsed.success) throw new Error(`secret ${secretId} does not have the expected form`);
    return parsed.data;
  };
  const read = (): Promise<z.output<Schema>> => {
    const now = Date.now();
    if (kept && isWithin(cacheTtlMilliseconds, { since: kept.at, now })) return kept.value;
    const value = fetch();
    kept = { value, at: now };
    value.catch(() => {
      kept = undefined;
    });
    return value;
  };
  return {
    read,
    readAgain: () => {
      const now = Date.now();
      if (!isWithin(pauseMilliseconds, { since: readAgainAt, now })) {
        readAgainAt = now;
        kept = undefined;
      }
      return read();
    },
  };
};

/** Opens a secret that holds keys by version. */
export const openVersionedKeys = (
  client: SecretsManagerClient,
  secretId: string,
): Secret<VersionedKeys> => openSecret(client, { secretId, schema: VersionedKeys });

/** The JSON of a secret, or `undefined`: a parser's error would quote the secret. */
const readJson = (text = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** One version's key, if there is one. A version not known yet makes the secret be read again. */
export const findKeyOfVersion = async (
  secret: Secret<VersionedKeys>,
  version: string,
): Promise<Buffer | undefined> => {
  const known = (await secret.read()).versions[version];
  const key = known ?? (await secret.readAgain()).versions[version];
  return key === undefined ? undefined : Buffer.from(key, 'base64');
};

/** One version's key. @throws where the secret does not have it, even when read again */
export const keyOfVersion = async (
  secret: Secret<VersionedKeys>,
  version: string,
): Promise<Buffer> => {
  const key = await findKeyOfVersion(secret, version);
  if (key === undefined) throw new Error(`no key of version ${version}`);
  return key;
};

/** The key that new work uses, with its version. */
export const currentKey = async (
  secret: Secret<VersionedKeys>,
): Promise<{ version: string; key: Buffer }> => {
  const { current } = await secret.read();
  return { version: current, key: await keyOfVersion(secret, current) };
};
