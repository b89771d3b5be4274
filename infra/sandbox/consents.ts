// The consents of the sandbox's users, with their codes and tokens.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import type { Dialect } from './dialects/dialect.ts';
import { Failure } from './failures.ts';

/** The life of an access token if the user chose the failure `refresh_revoked`. */
const briefAccessSeconds = 30;

const offlineScope = 'offline_access';

/** A code or token. `endsAt` is in milliseconds since 1970. */
const Credential = z.object({ hash: z.string(), endsAt: z.number() });
type Credential = z.infer<typeof Credential>;

const Consent = z.object({
  /** A UUID, because Xero shows it to clients as one. */
  id: z.uuid(),
  slot: z.enum(slotNames),
  user: z.string(),
  /** The ids of demo companies, not the platform's ids. */
  companyIds: z.array(z.string()),
  failure: Failure,
  /** Scopes separated by a space, on every platform. */
  scope: z.string(),
  code: z.extend(Credential, {
    redirectUri: z.string(),
    /** RFC 7636 section 4.4; `null` without PKCE. */
    codeChallenge: z.nullable(z.string()),
    used: z.boolean(),
  }),
  accessTokens: z.array(Credential),
  refreshTokens: z.array(Credential),
  /** Whether a failure that occurs once has occurred. */
  hasFailed: z.boolean(),
});
export type Consent = z.infer<typeof Consent>;

/** The user's choices on the consent page. */
export type ConsentTerms = Pick<Consent, 'slot' | 'user' | 'companyIds' | 'failure' | 'scope'>;

/** The parts of an authorization request that the token request must match. */
export type CodeTerms = Pick<Consent['code'], 'redirectUri' | 'codeChallenge'>;

/** RFC 6749 section 5.1. There is no refresh token if the client keeps its previous one. */
export type IssuedTokens = { access_token: string; refresh_token?: string; expires_in: number };

const tokenKinds = ['accessTokens', 'refreshTokens'] as const;
type TokenKind = (typeof tokenKinds)[number];

export const newSecret = (): string => randomBytes(32).toString('base64url');

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Consents are demo data: a file of another version must not prevent the start. */
const readConsents = (stateFile: string): Consent[] => {
  if (!existsSync(stateFile)) return [];
  try {
    return z.array(Consent).parse(JSON.parse(readFileSync(stateFile, 'utf8')));
  } catch {
    console.error(`${stateFile} contains no readable consents. The sandbox starts without any.`);
    return [];
  }
};

const writeConsents = (stateFile: string, consents: readonly Consent[]): void => {
  mkdirSync(dirname(stateFile), { recursive: true });
  const unfinished = `${stateFile}.unfinished`;
  writeFileSync(unfinished, JSON.stringify(consents), { mode: 0o600 });
  renameSync(unfinished, stateFile);
};

type ConsentOptions = {
  clock: () => Date;
  dialects: Readonly<Record<Slot, Dialect>>;
  /** Returns a unique access token that ends then (milliseconds since 1970). */
  newAccessToken: (consent: Consent, endsAt: number) => string;
  /** Keeps the consents after a restart. Without it they are in memory only. */
  stateFile?: string | undefined;
};

export type Consents = ReturnType<typeof openConsents>;

export const openConsents = ({ clock, dialects, newAccessToken, stateFile }: ConsentOptions) => {
  let consents = stateFile === undefined ? [] : readConsents(stateFile);

  const isLive = ({ endsAt }: Credential): boolean => clock().getTime() < endsAt;
  const endAfter = (seconds: number): number => clock().getTime() + seconds * 1000;

  /** Drops expired tokens and consents, so that the file does not grow. */
  const save = (): void => {
    for (const consent of consents) {
      for (const kind of tokenKinds) consent[kind] = consent[kind].filter(isLive);
    }
    const isEnded = (it: Consent) => it.accessTokens.length + it.refreshTokens.length === 0;
    consents = consents.filter((consent) => !isEnded(consent) || isLive(consent.code));
    if (stateFile !== undefined) writeConsents(stateFile, consents);
  };

  const find = (slot: Slot, isMeant: (consent: Consent) => boolean): Consent | undefined =>
    consents.find((consent) => consent.slot === slot && isMeant(consent));

  /** Ends all tokens of the consent. */
  const end = (consent: Consent): void => {
    consent.accessTokens = [];
    consent.refreshTokens = [];
    save();
  };

  /** Issues tokens. If the user chose the failure `revoked`, they are not valid. */
  const issueTokens = (
    consent: Consent,
    { withRefreshToken }: { withRefreshToken: boolean },
  ): IssuedTokens => {
    const { accessTokenSeconds, refreshTokenSeconds } = dialects[consent.slot];
    const seconds = consent.failure === 'refresh_revoked' ? briefAccessSeconds : accessTokenSeconds;
    const [accessEnd, refreshEnd] = [endAfter(seconds), endAfter(refreshTokenSeconds)];
    const [access_token, refresh_token] = [newAccessToken(consent, accessEnd), newSecret()];
    if (consent.failure !== 'revoked') {
      consent.accessTokens.push({ hash: hashOf(access_token), endsAt: accessEnd });
    }
    if (consent.failure !== 'revoked' && withRefreshToken) {
      consent.refreshTokens.push({ hash: hashOf(refresh_token), endsAt: refreshEnd });
    }
    save();
    return { access_token, ...(withRefreshToken && { refresh_token }), expires_in: seconds };
  };

  /** On a platform with a scope for refresh tokens, only consents with this scope have one. */
  const mayRefresh = ({ slot, scope }: Consent): boolean =>
    !dialects[slot].scopes.includes(offlineScope) || scope.split(' ').includes(offlineScope);

  return {
    /** Records a consent and returns its code. A bad code is not recorded. */
    record: (terms: ConsentTerms, { redirectUri, codeChallenge }: CodeTerms): string => {
      const code = newSecret();
      const seconds = terms.failure === 'expired_code' ? 0 : dialects[terms.slot].codeSeconds;
      const hash = hashOf(terms.failure === 'bad_code' ? newSecret() : code);
      const endsAt = endAfter(seconds);
      consents.push({
        ...terms,
        id: randomUUID(),
        code: { hash, endsAt, redirectUri, codeChallenge, used: false },
        accessTokens: [],
        refreshTokens: [],
        hasFailed: false,
      });
      save();
      return code;
    },

    /** The consent of a code, used or not. */
    findByCode: (slot: Slot, code: string): Consent | undefined =>
      find(slot, (consent) => consent.code.hash === hashOf(code)),

    /** The consent of a live token. */
    findByToken: (
      slot: Slot,
      { token, kinds = tokenKinds }: { token: string; kinds?: readonly TokenKind[] },
    ): Consent | undefined => {
      const hash = hashOf(token);
      const tokensOf = (consent: Consent) => kinds.flatMap((kind) => consent[kind]);
      return find(slot, (it) => tokensOf(it).some((one) => one.hash === hash && isLive(one)));
    },

    /** Exchanges the code for tokens. A second use of it ends the tokens (RFC 6749 4.1.2). */
    redeemCode: (
      consent: Consent,
      { redirectUri, codeVerifier }: { redirectUri: string; codeVerifier: string | null },
    ): IssuedTokens | undefined => {
      const { code } = consent;
      if (code.used) end(consent);
      if (code.used || !isLive(code) || code.redirectUri !== redirectUri) return undefined;
      // RFC 7636 section 4.6.
      const { codeChallenge } = code;
      if (codeChallenge !== null && codeChallenge !== hashOf(codeVerifier ?? '')) return undefined;
      code.used = true;
      return issueTokens(consent, { withRefreshToken: mayRefresh(consent) });
    },

    /** Issues new tokens. A replaced refresh token still works for the platform's grace period. */
    refresh: (consent: Consent, refreshToken: string): IssuedTokens | undefined => {
      if (consent.failure === 'refresh_revoked') return undefined;
      const { rotationGraceSeconds } = dialects[consent.slot];
      if (rotationGraceSeconds === null) return issueTokens(consent, { withRefreshToken: false });
      const hash = hashOf(refreshToken);
      const graceEnd = endAfter(rotationGraceSeconds);
      for (const token of consent.refreshTokens) {
        if (token.hash === hash) token.endsAt = Math.min(token.endsAt, graceEnd);
      }
      return issueTokens(consent, { withRefreshToken: true });
    },

    end,

    /** Unverified: that the tokens end with the last company. */
    disconnect: (consent: Consent, companyId: string): void => {
      consent.companyIds = consent.companyIds.filter((id) => id !== companyId);
      if (consent.companyIds.length === 0) end(consent);
      else save();
    },

    /** True the first time for each consent. */
    takeOneTimeFailure: (consent: Consent): boolean => {
      if (consent.hasFailed) return false;
      consent.hasFailed = true;
      save();
      return true;
    },
  };
};
