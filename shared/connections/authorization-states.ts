// The state of an authorization, which ties a callback to its request, and the PKCE code verifier.
// They are issued and verified with the keys in Secrets Manager.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { currentKey, findKeyOfVersion, type Secret, type VersionedKeys } from '../secrets.ts';

export const stateLifetimeSeconds = 10 * 60;

/** 256 random bits as base64url. RFC 6749 section 10.10 recommends 160. */
export const newNonce = (random: (bytes: number) => Buffer): string =>
  random(32).toString('base64url');

/** A version of the key that signs states. */
type StateKey = { version: string; key: Buffer };

const macOf = (text: string, purpose: 'state' | 'code_verifier', key: Buffer): string =>
  createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');

/**
 * A state is a nonce, a key version and a MAC of both. The version lets states outlive a rotation
 * of the key. The MAC lets forged states be refused without reading the table.
 */
const stateOf = (nonce: string, { version, key }: StateKey): string => {
  const signed = `${nonce}.${version}`;
  return `${signed}.${macOf(signed, 'state', key)}`;
};

const form = /^([\w-]{43}\.([^.]{1,64}))\.([\w-]{43})$/;

/** The key version of a state; `undefined` if the text is not formed like a state. */
const keyVersionOf = (state: string): string | undefined => form.exec(state)?.[2];

const isStateOf = (state: string, key: Buffer): boolean => {
  const [, signed = '', , mac = ''] = form.exec(state) ?? [];
  const [actual, expected] = [Buffer.from(mac), Buffer.from(macOf(signed, 'state', key))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

/**
 * The code verifier (RFC 7636 section 4.1). It is derived from the state with our secret key and
 * never stored, so neither the table nor the state reveals it.
 */
const codeVerifierOf = (state: string, key: Buffer): string => macOf(state, 'code_verifier', key);

/**
 * Proves that the caller is the browser that returned with the code. An attacker who starts an
 * authorization knows its state and could send another person through the consent (RFC 9700 section
 * 4.7). Seeing or choosing that person's companies therefore requires this proof as well.
 */
export const arrivalProofOf = (state: string, code: string): string =>
  createHash('sha256').update(`${state} ${code}`).digest('base64url');

/** The S256 code challenge in the authorization request (RFC 7636 section 4.2). */
export const codeChallengeOf = (codeVerifier: string): string =>
  createHash('sha256').update(codeVerifier).digest('base64url');

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
