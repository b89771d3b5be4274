// What the secrets of a stage are called in Secrets Manager, for every reader and writer of them.

import type { SecretName } from './manifest.ts';

export const secretIdOf = (stage: string, name: SecretName): string => `ledger/${stage}/${name}`;
