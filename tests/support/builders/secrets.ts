// Secrets that stand still, or are changed by the test.

import { randomBytes } from 'node:crypto';
import type { Secret, VersionedKeys } from '#shared/secrets.ts';

export const fixedSecret = <Value>(value: Value): Secret<Value> => ({
  read: async () => value,
  readAgain: async () => value,
});

export const newKeys = (...versions: string[]): VersionedKeys => ({
  current: versions.at(-1) ?? '',
  versions: Object.fromEntries(
    versions.map((version) => [version, randomBytes(32).toString('base64')]),
  ),
});
