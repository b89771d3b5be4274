// The states of authorizations under the keys of Secrets Manager: made, recognised, and proven.

import { currentKey, findKeyOfVersion, type Secret, type VersionedKeys } from '../secrets.ts';
import { codeVerifierOf, isStateOf, keyVersionOf, stateOf } from './authorization-states.ts';

/** A state with the code verifier that belongs to it. */
export type ProvenState = { state: string; codeVerifier: string };

export type StateKeys = ReturnType<typeof openStateKeys>;

export const openStateKeys = (secret: Secret<VersionedKeys>) => ({
  issue: async (nonce: string): Promise<ProvenState> => {
    const current = await currentKey(secret);
    const state = stateOf(nonce, current);
    return { state, codeVerifier: codeVerifierOf(state, current.key) };
  },

  /**
   * `undefined` where it is no state of ours. The secret is read again for a version that is not
   * known, every five seconds at most: that is all that made-up states can cost.
   */
  recognise: async (state: string): Promise<ProvenState | undefined> => {
    const version = keyVersionOf(state);
    if (version === undefined) return undefined;
    const key = await findKeyOfVersion(secret, version);
    if (key === undefined || !isStateOf(state, key)) return undefined;
    return { state, codeVerifier: codeVerifierOf(state, key) };
  },
});
