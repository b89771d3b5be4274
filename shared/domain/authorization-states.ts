// The state of an authorization: what ties a callback to the request that it answers, and the proof
// that goes with it to the platform (PKCE).

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** How long a state is good for. */
export const stateLifetimeSeconds = 10 * 60;

/** 256 random bits as base64url, far beyond what RFC 6749 section 10.10 asks for. */
export const newNonce = (random: (bytes: number) => Buffer): string =>
  random(32).toString('base64url');

/** One version of the keys that states are made with. */
export type StateKey = { version: string; key: Buffer };

const macOf = (text: string, purpose: 'state' | 'code_verifier', key: Buffer): string =>
  createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');

/**
 * A state is a nonce, the version of its key, so that it outlives a rotation, and a MAC of both, so
 * that one that was made up is refused without a look into the table.
 */
export const stateOf = (nonce: string, { version, key }: StateKey): string => {
  const signed = `${nonce}.${version}`;
  return `${signed}.${macOf(signed, 'state', key)}`;
};

const form = /^([\w-]{43}\.([^.]{1,64}))\.([\w-]{43})$/;

/** The version of the key of a state; `undefined` where a text has not the form of one. */
export const keyVersionOf = (state: string): string | undefined => form.exec(state)?.[2];

/** Whether a state has the MAC of this key. */
export const isStateOf = (state: string, key: Buffer): boolean => {
  const [, signed = '', , mac = ''] = form.exec(state) ?? [];
  const [given, meant] = [Buffer.from(mac), Buffer.from(macOf(signed, 'state', key))];
  return given.length === meant.length && timingSafeEqual(given, meant);
};

/**
 * The code verifier of RFC 7636 section 4.1. It is made from the state by a key that only we have,
 * so it is kept nowhere: neither the table nor whoever sees the state gives it away.
 */
export const codeVerifierOf = (state: string, key: Buffer): string =>
  macOf(state, 'code_verifier', key);

/**
 * What only the browser has that came back with the code. Whoever began an authorization knows its
 * state, and could have sent somebody else through the consent (RFC 9700 section 4.7): to see that
 * person's companies, or to choose among them, takes this as well.
 */
export const arrivalProofOf = (state: string, code: string): string =>
  createHash('sha256').update(`${state} ${code}`).digest('base64url');

/** The challenge that goes to the platform at first, by the method S256 (section 4.2). */
export const codeChallengeOf = (codeVerifier: string): string =>
  createHash('sha256').update(codeVerifier).digest('base64url');
