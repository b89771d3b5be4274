// Secrets from Secrets Manager: parsed, kept for a bounded time, read again when they fall short.

import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';

/**
 * Keys by version. New work uses `current`; the others go on verifying and opening what was made
 * with them until they are taken out. Values are base64 of at least 32 random bytes.
 */
export const VersionedKeys = z
  .object({ current: z.string(), versions: z.record(z.string(), z.base64()) })
  .check(z.refine(({ current, versions }) => current in versions));
export type VersionedKeys = z.infer<typeof VersionedKeys>;

/** How long a secret is kept before it is read again: the lag of a rotation. */
const keptForMilliseconds = 5 * 60_000;
/** How soon a secret that fell short may be read again, so that bad input cannot cause a storm. */
const pauseMilliseconds = 5_000;

export type Secret<Value> = {
  /** The value, at most five minutes old. */
  read(): Promise<Value>;
  /** The value read anew, unless it was read within the last five seconds. */
  readAgain(): Promise<Value>;
};

/** Opens a secret that holds JSON of `schema`. Nothing is read before the first use. */
export const openSecret = <Schema extends z.ZodMiniType>(
  client: SecretsManagerClient,
  { secretId, schema }: { secretId: string; schema: Schema },
): Secret<z.output<Schema>> => {
  let kept: { value: Promise<z.output<Schema>>; at: number } | undefined;
  const fetch = async (): Promise<z.output<Schema>> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const parsed = schema.safeParse(JSON.parse(SecretString ?? 'null'));
    // Neither the value nor zod's issues are shown: both could hold parts of the secret.
    if (!parsed.success) throw new Error(`secret ${secretId} does not have the expected form`);
    return parsed.data;
  };
  const noOlderThan = (milliseconds: number): Promise<z.output<Schema>> => {
    if (kept && performance.now() - kept.at < milliseconds) return kept.value;
    const value = fetch();
    kept = { value, at: performance.now() };
    value.catch(() => {
      kept = undefined;
    });
    return value;
  };
  return {
    read: () => noOlderThan(keptForMilliseconds),
    readAgain: () => noOlderThan(pauseMilliseconds),
  };
};

/** One version's key; a version not known yet makes the secret be read again. */
export const keyOfVersion = async (
  secret: Secret<VersionedKeys>,
  version: string,
): Promise<Buffer> => {
  const known = (await secret.read()).versions[version];
  const key = known ?? (await secret.readAgain()).versions[version];
  if (key === undefined) throw new Error(`no key of version ${version}`);
  return Buffer.from(key, 'base64');
};

/** The key that new work uses, with its version. */
export const currentKey = async (
  secret: Secret<VersionedKeys>,
): Promise<{ version: string; key: Buffer }> => {
  const { current, versions } = await secret.read();
  return { version: current, key: Buffer.from(versions[current] ?? '', 'base64') };
};
