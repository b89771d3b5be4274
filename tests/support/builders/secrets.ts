// Secrets that stand still, or are changed by the test, and states of authorizations under them.

import { randomBytes } from 'node:crypto';
import {
  type AuthenticatorKeys,
  openAuthenticators,
} from '#shared/authentication/authenticators.ts';
import { newNonce, openStateKeys } from '#shared/connections/authorization-states.ts';
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

/** The keys of the authenticators in tests, and the authenticators under them. */
export const testAuthenticatorKeys: AuthenticatorKeys = {
  current: '1',
  versions: { '1': Buffer.alloc(32, 'authenticators').toString('base64') },
  use: 'required',
};
export const testAuthenticators = openAuthenticators(fixedSecret(testAuthenticatorKeys));

/** The keys of the states of authorizations, and new states under them. */
export const openTestStates = () => {
  const stateKeys = openStateKeys(fixedSecret(newKeys('1')));
  return {
    stateKeys,
    newState: async (): Promise<string> => (await stateKeys.issue(newNonce(randomBytes))).state,
  };
};
