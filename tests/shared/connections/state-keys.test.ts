import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  codeChallengeOf,
  newNonce,
  openStateKeys,
} from '#shared/connections/authorization-states.ts';
import { fixedSecret, newKeys } from '../../support/builders/secrets.ts';

const keys = newKeys('1', '2');
const stateKeys = openStateKeys(fixedSecret(keys));
const issue = () => stateKeys.issue(newNonce(randomBytes));

test('a code challenge matches RFC 7636 appendix B', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  expect(codeChallengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

describe('a state', () => {
  test('begins with 256 random bits and has a unique code verifier', async () => {
    const [one, other] = [await issue(), await issue()];
    expect(Buffer.from(one.state.split('.')[0] ?? '', 'base64url')).toHaveLength(32);
    expect(one.codeVerifier).toMatch(/^[\w-]{43}$/);
    expect(new Set([one.state, other.state, one.codeVerifier, other.codeVerifier]).size).toBe(4);
  });

  test('is recognised with its verifier by other processes, also after a rotation', async () => {
    const issued = await issue();
    const { '2': key = '' } = keys.versions;
    const rotated = { ...newKeys('3'), versions: { ...newKeys('3').versions, '2': key } };
    for (const secret of [keys, rotated]) {
      const others = openStateKeys(fixedSecret(secret));
      expect(await others.recognise(issued.state)).toEqual(issued);
    }
    expect(await openStateKeys(fixedSecret(newKeys('3'))).recognise(issued.state)).toBeUndefined();
  });

  test('is not recognised with another form, another key or a changed character', async () => {
    const { state } = await issue();
    const [nonce = '', version = '', mac = ''] = state.split('.');
    const made = await openStateKeys(fixedSecret(newKeys('2'))).issue(nonce);
    const others = [
      ...['', nonce, `${nonce}.${version}`, `${nonce}.${version}.`, `${state}.A`, ` ${state}`],
      ...[state.slice(1), state.slice(0, -1), `${nonce}.1.${mac}`, `${nonce}.3.${mac}`, made.state],
      `${newNonce(randomBytes)}.${version}.${mac}`,
    ];
    for (const other of others) expect(await stateKeys.recognise(other)).toBeUndefined();
  });
});
