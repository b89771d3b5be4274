// The secrets of a stage, as the operator's tool reads and replaces them.

import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type * as z from 'zod/mini';
import { PlatformClients } from '#shared/platforms/registry.ts';
import { VersionedKeys } from '#shared/secrets.ts';
import type { SecretName } from '../function-row.ts';
import { secretIdOf } from '../names.ts';
import { CommandFailure } from './errors.ts';

/** The schemas of the secrets by their names. */
const schemas = {
  'api-key-pepper': VersionedKeys,
  'token-sealing-keys': VersionedKeys,
  'oauth-state-keys': VersionedKeys,
  'platform-clients': PlatformClients,
} satisfies Record<SecretName, z.ZodMiniType>;

export type SecretValue<Name extends SecretName> = z.output<(typeof schemas)[Name]>;

export const secretNames = Object.keys(schemas) as SecretName[];

/** The secrets that hold keys by version. */
export const versionedSecrets = [
  'api-key-pepper',
  'token-sealing-keys',
  'oauth-state-keys',
] as const;

/** A secret as it was read. Its value is `undefined` for as long as it was never filled. */
export type ReadSecret<Name extends SecretName> = {
  value: SecretValue<Name> | undefined;
  /** The version that Secrets Manager has as current. */
  versionId: string;
  changedAt: Date;
};

/** What a version is labelled with until it takes the place of the current one. */
const pendingLabel = 'LEDGER_PENDING';
const currentLabel = 'AWSCURRENT';

/** The deployment makes secrets with an empty object in them. */
const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';

const readJson = (text = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type StageSecrets = ReturnType<typeof openStageSecrets>;

export const openStageSecrets = (client: SecretsManagerClient, stage: string) => {
  /** @throws CommandFailure where it holds something else than a secret of this name does */
  const read = async <Name extends SecretName>(name: Name): Promise<ReadSecret<Name>> => {
    const secretId = secretIdOf(stage, name);
    const stored = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const { VersionId: versionId = '', CreatedDate: changedAt = new Date(0) } = stored;
    const content = readJson(stored.SecretString);
    if (isEmpty(content)) return { value: undefined, versionId, changedAt };
    const parsed = schemas[name].safeParse(content);
    // Neither the value nor zod's issues are shown: both could hold parts of the secret.
    if (!parsed.success) {
      throw new CommandFailure(
        `${secretId} holds something else than was expected: look at it in Secrets Manager`,
      );
    }
    return { value: parsed.data as SecretValue<Name>, versionId, changedAt };
  };

  return {
    idOf: (name: SecretName): string => secretIdOf(stage, name),
    read,

    /** @throws CommandFailure where it was never filled */
    readFilled: async <Name extends SecretName>(
      name: Name,
    ): Promise<{ read: ReadSecret<Name>; value: SecretValue<Name> }> => {
      const found = await read(name);
      if (found.value !== undefined) return { read: found, value: found.value };
      throw new CommandFailure(
        `${secretIdOf(stage, name)} is not filled yet: fill it by secrets set`,
      );
    },

    /**
     * Puts a value in the place of the one that was read. The label of the current version moves
     * only from that very version (UpdateSecretVersionStage, RemoveFromVersionId), so of two
     * operators at one moment the slower one is told, and no key is lost.
     */
    replace: async <Name extends SecretName>(
      name: Name,
      { read: before, value }: { read: ReadSecret<Name>; value: SecretValue<Name> },
    ): Promise<void> => {
      const secretId = secretIdOf(stage, name);
      const { VersionId } = await client.send(
        new PutSecretValueCommand({
          SecretId: secretId,
          SecretString: JSON.stringify(value),
          VersionStages: [pendingLabel],
        }),
      );
      try {
        await client.send(
          new UpdateSecretVersionStageCommand({
            SecretId: secretId,
            VersionStage: currentLabel,
            MoveToVersionId: VersionId,
            RemoveFromVersionId: before.versionId,
          }),
        );
      } catch (error) {
        if (!(error instanceof InvalidParameterException)) throw error;
        throw new CommandFailure(`somebody else changed ${secretId} at this moment; try again`);
      }
    },
  };
};
