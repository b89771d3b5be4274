// Reads and replaces the secrets of a stage.

import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type * as z from 'zod/mini';
import { AuthenticatorKeys } from '#shared/authentication/authenticators.ts';
import { PlatformClients } from '#shared/platforms/registry.ts';
import { VersionedKeys } from '#shared/secrets.ts';
import type { SecretName } from '../../manifest/function-row.ts';
import { secretIdOf } from '../../manifest/names.ts';
import { CommandFailure } from '../errors.ts';
import { readJson } from './read-json.ts';

const schemas = {
  'authenticator-keys': AuthenticatorKeys,
  'api-key-pepper': VersionedKeys,
  'token-sealing-keys': VersionedKeys,
  'oauth-state-keys': VersionedKeys,
  'platform-clients': PlatformClients,
  'webhook-sealing-keys': VersionedKeys,
} satisfies Record<SecretName, z.ZodMiniType>;

export type SecretValue<Name extends SecretName> = z.output<(typeof schemas)[Name]>;

/** A secret's current version. Its value is `undefined` until the secret is filled. */
export type StoredSecret<Name extends SecretName> = {
  value: SecretValue<Name> | undefined;
  /** Secrets Manager's id of the version. */
  versionId: string;
  changedAt: Date;
};

/** The label of a new version until it becomes the current one. */
const pendingLabel = 'LEDGER_PENDING';
const currentLabel = 'AWSCURRENT';

/** The deployment creates secrets that contain an empty object. */
const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';

export const openStageSecrets = (client: SecretsManagerClient, stage: string) => {
  /** @throws CommandFailure if the content does not match the schema of this secret */
  const read = async <Name extends SecretName>(name: Name): Promise<StoredSecret<Name>> => {
    const secretId = secretIdOf(stage, name);
    const stored = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const { VersionId: versionId = '', CreatedDate: changedAt = new Date(0) } = stored;
    const content = readJson(stored.SecretString);
    if (isEmpty(content)) return { value: undefined, versionId, changedAt };
    const parsed = schemas[name].safeParse(content);
    // Do not show the value or zod's issues: both can contain parts of the secret.
    if (!parsed.success) {
      throw new CommandFailure(
        `the content of ${secretId} is not valid: look at it in Secrets Manager`,
      );
    }
    return { value: parsed.data as SecretValue<Name>, versionId, changedAt };
  };

  return {
    idOf: (name: SecretName): string => secretIdOf(stage, name),
    read,

    /** @throws CommandFailure if the secret is not filled */
    readFilled: async <Name extends SecretName>(
      name: Name,
    ): Promise<{ stored: StoredSecret<Name>; value: SecretValue<Name> }> => {
      const stored = await read(name);
      if (stored.value !== undefined) return { stored, value: stored.value };
      throw new CommandFailure(`${secretIdOf(stage, name)} is not filled: run secrets set`);
    },

    /**
     * Replaces the value that was read. AWSCURRENT moves only if it is still on that version
     * (UpdateSecretVersionStage, RemoveFromVersionId). If two operators change a secret
     * concurrently, the second one fails and no key is lost.
     * @throws CommandFailure if the secret has changed since it was read
     */
    replace: async <Name extends SecretName>(
      name: Name,
      { stored, value }: { stored: StoredSecret<Name>; value: SecretValue<Name> },
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
            RemoveFromVersionId: stored.versionId,
          }),
        );
      } catch (error) {
        if (!(error instanceof InvalidParameterException)) throw error;
        throw new CommandFailure(`another operator has just changed ${secretId}; try again`);
      }
    },
  };
};
