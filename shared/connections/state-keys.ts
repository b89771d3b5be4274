// Issues and verifies states of authorizations with the keys in Secrets Manager.

import { currentKey, findKeyOfVersion, type Secret, type VersionedKeys } from '../secrets.ts';
import { codeVerifierOf, isStateOf, keyVersionOf, stateOf } from './authorization-states.ts';

/** A state and its code verifier. */
export type ProvenState = { state: string; codeVerifier: string };

export type StateKeys = ReturnType<typeof openStateKeys>;

export const openStateKeys = (secret: Secret<VersionedKeys>) => ({
  issue: async (nonce: string): Promise<ProvenState> => {
    const current = await currentKey(secret);
    const state = stateOf(nonce, current);
    return { state, codeVerifier: codeVerifierOf(state, current.key) };
  },

  /**
   * Returns `undefined` if the state is not ours. An unknown key version causes a new read of the
   * secret at most every five seconds, so forged states cost nothing more.
   */
  recognise: async (state: string): Promise<ProvenState | undefined> => {
    const version = keyVersionOf(state);
    if (version === undefined) return undefined;
    const key = await findKeyOfVersion(secret, version);
    if (key === undefined || !isStateOf(state, key)) return undefined;
    return { state, codeVerifier: codeVerifierOf(state, key) };
  },
});
