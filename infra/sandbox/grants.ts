// The sandbox platform's grants: who consented to which companies, with which codes and tokens.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import type { Dialect } from './dialects/dialect.ts';
import { Failure } from './failure-injection.ts';

/** How long the access token lives whose grant cannot renew it. */
const briefAccessSeconds = 30;

const offlineScope = 'offline_access';

/** A code or token: its hash, and the moment it ends (milliseconds since 1970) if it does. */
const Credential = z.object({ hash: z.string(), endsAt: z.nullable(z.number()) });
type Credential = z.infer<typeof Credential>;

const Grant = z.object({
  /** Platforms that tell one consent from another do it by a UUID. */
  id: z.uuid(),
  slot: z.enum(slotNames),
  user: z.string(),
  /** The demo companies' own ids, whatever the platform calls them. */
  companyIds: z.array(z.string()),
  failure: Failure,
  /** Scopes with a space between them, whatever the platform puts there. */
  scope: z.string(),
  /** A grant that was made without a browser has no code. */
  code: z.nullable(
    z.extend(Credential, {
      redirectUri: z.string(),
      /** RFC 7636 section 4.4; `null` where the request had none, or the platform takes none. */
      codeChallenge: z._default(z.nullable(z.string()), null),
      /** OpenID Connect Core 1.0 section 3.1.2.1. */
      nonce: z._default(z.nullable(z.string()), null),
      used: z.boolean(),
    }),
  ),
  accessTokens: z.array(Credential),
  refreshTokens: z.array(Credential),
  /** Whether a failure that happens once has happened. */
  hasFailed: z.boolean(),
});
export type Grant = z.infer<typeof Grant>;

/** What a grant is for, as it was chosen on the consent page. */
export type Consent = Pick<Grant, 'slot' | 'user' | 'companyIds' | 'failure' | 'scope'>;

/** What an authorization request says that the trade of its code is held to. */
export type CodeTerms = Pick<NonNullable<Grant['code']>, 'redirectUri' | 'codeChallenge' | 'nonce'>;

/** RFC 6749 section 5.1; without a refresh token where the one that the client has stays good. */
export type IssuedTokens = { access_token: string; refresh_token?: string; expires_in: number };

type TokenKind = 'accessTokens' | 'refreshTokens';

export type TokenRules = Pick<
  Dialect,
  'scopes' | 'codeSeconds' | 'accessTokenSeconds' | 'refreshTokenSeconds' | 'rotationGraceSeconds'
>;

export const newSecret = (): string => randomBytes(32).toString('base64url');

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Grants are demo data: those that another version wrote are not worth a start that fails. */
const readGrants = (stateFile: string): Grant[] => {
  if (!existsSync(stateFile)) return [];
  try {
    return z.array(Grant).parse(JSON.parse(readFileSync(stateFile, 'utf8')));
  } catch {
    console.error(`${stateFile} holds no grants that can be read: the sandbox starts without any.`);
    return [];
  }
};

const writeGrants = (stateFile: string, grants: readonly Grant[]): void => {
  mkdirSync(dirname(stateFile), { recursive: true });
  const unfinished = `${stateFile}.unfinished`;
  writeFileSync(unfinished, JSON.stringify(grants), { mode: 0o600 });
  renameSync(unfinished, stateFile);
};

/** Codes and tokens last as long as their platform's rules say. */
type GrantOptions = {
  clock: () => Date;
  rulesOf: (slot: Slot) => TokenRules;
  /** Makes an access token that ends then (milliseconds since 1970). No two are the same. */
  newAccessToken: (grant: Grant, endsAt: number) => string;
  /** Where grants outlive the process; without it they do not. */
  stateFile?: string | undefined;
};

export type Grants = ReturnType<typeof openGrants>;

export const openGrants = ({ clock, rulesOf, newAccessToken, stateFile }: GrantOptions) => {
  let grants = stateFile === undefined ? [] : readGrants(stateFile);

  const isLive = ({ endsAt }: Credential): boolean => endsAt === null || clock().getTime() < endsAt;
  const endAfter = (seconds: number): number => clock().getTime() + seconds * 1000;

  /** Drops what has ended, so that the file does not grow for ever, and keeps the rest. */
  const save = (): void => {
    for (const grant of grants) {
      grant.accessTokens = grant.accessTokens.filter(isLive);
      grant.refreshTokens = grant.refreshTokens.filter(isLive);
    }
    grants = grants.filter(
      ({ code, accessTokens, refreshTokens }) =>
        accessTokens.length + refreshTokens.length > 0 || (code !== null && isLive(code)),
    );
    if (stateFile !== undefined) writeGrants(stateFile, grants);
  };

  const end = (grant: Grant): void => {
    grant.accessTokens = [];
    grant.refreshTokens = [];
    save();
  };

  /** All consents of the user who gave this one, the first one first. */
  const grantsOfUser = ({ slot, user }: Grant): Grant[] =>
    grants.filter((grant) => grant.slot === slot && grant.user === user);

  const record = (consent: Consent, code: Grant['code']): Grant => {
    const grant: Grant = {
      id: randomUUID(),
      ...consent,
      code,
      accessTokens: [],
      refreshTokens: [],
      hasFailed: false,
    };
    grants.push(grant);
    return grant;
  };

  /** Tokens of a revoked grant have ended when they are handed out. */
  const issueTokens = (grant: Grant, which: { withRefreshToken: boolean }): IssuedTokens => {
    const { accessTokenSeconds, refreshTokenSeconds } = rulesOf(grant.slot);
    const seconds = grant.failure === 'refresh_revoked' ? briefAccessSeconds : accessTokenSeconds;
    const accessEnd = endAfter(seconds);
    const [accessToken, refreshToken] = [newAccessToken(grant, accessEnd), newSecret()];
    if (grant.failure !== 'revoked') {
      grant.accessTokens.push({ hash: hashOf(accessToken), endsAt: accessEnd });
      if (which.withRefreshToken) {
        const endsAt = refreshTokenSeconds === null ? null : endAfter(refreshTokenSeconds);
        grant.refreshTokens.push({ hash: hashOf(refreshToken), endsAt });
      }
    }
    save();
    return {
      access_token: accessToken,
      ...(which.withRefreshToken && { refresh_token: refreshToken }),
      expires_in: seconds,
    };
  };

  /** Where the platform has a scope for a refresh token, it gives none without. */
  const mayRefresh = ({ slot, scope }: Grant): boolean =>
    !rulesOf(slot).scopes.includes(offlineScope) || scope.split(' ').includes(offlineScope);

  const find = (slot: Slot, { secret, among }: { secret: string; among: TokenKind[] }) => {
    const hash = hashOf(secret);
    return grants.find(
      (grant) =>
        grant.slot === slot &&
        among.some((kind) => grant[kind].some((it) => it.hash === hash && isLive(it))),
    );
  };

  return {
    /** Records a consent and returns its code. A bad code is one that was never recorded. */
    consent: (consent: Consent, { redirectUri, codeChallenge, nonce }: CodeTerms): string => {
      const code = newSecret();
      const seconds = consent.failure === 'expired_code' ? 0 : rulesOf(consent.slot).codeSeconds;
      const hash = hashOf(consent.failure === 'bad_code' ? newSecret() : code);
      const endsAt = endAfter(seconds);
      record(consent, { hash, endsAt, redirectUri, codeChallenge, nonce, used: false });
      save();
      return code;
    },

    /** Tokens at once, as if a browser had consented and the code been traded. */
    createTestGrant: (consent: Consent): IssuedTokens =>
      issueTokens(record(consent, null), { withRefreshToken: true }),

    /** The grant of a code, spent or not. */
    findByCode: (slot: Slot, code: string): Grant | undefined => {
      const hash = hashOf(code);
      return grants.find((grant) => grant.slot === slot && grant.code?.hash === hash);
    },

    findByAccessToken: (slot: Slot, accessToken: string): Grant | undefined =>
      find(slot, { secret: accessToken, among: ['accessTokens'] }),

    findByRefreshToken: (slot: Slot, refreshToken: string): Grant | undefined =>
      find(slot, { secret: refreshToken, among: ['refreshTokens'] }),

    findByToken: (slot: Slot, token: string): Grant | undefined =>
      find(slot, { secret: token, among: ['accessTokens', 'refreshTokens'] }),

    /** Trades the code for tokens. A second use ends all that the first gave (RFC 6749, 4.1.2). */
    redeemCode: (
      grant: Grant,
      { redirectUri, codeVerifier }: { redirectUri: string; codeVerifier: string | null },
    ): IssuedTokens | undefined => {
      const { code } = grant;
      if (code?.used) end(grant);
      if (code === null || code.used) return undefined;
      if (!isLive(code) || code.redirectUri !== redirectUri) return undefined;
      // Section 4.6 of RFC 7636.
      const { codeChallenge } = code;
      if (codeChallenge !== null && codeChallenge !== hashOf(codeVerifier ?? '')) return undefined;
      code.used = true;
      return issueTokens(grant, { withRefreshToken: mayRefresh(grant) });
    },

    /** New tokens; a refresh token that is replaced works on for the platform's grace only. */
    refresh: (grant: Grant, refreshToken: string): IssuedTokens | undefined => {
      if (grant.failure === 'refresh_revoked') return undefined;
      const { rotationGraceSeconds } = rulesOf(grant.slot);
      if (rotationGraceSeconds === null) return issueTokens(grant, { withRefreshToken: false });
      const hash = hashOf(refreshToken);
      const graceEnd = endAfter(rotationGraceSeconds);
      for (const token of grant.refreshTokens) {
        if (token.hash === hash) token.endsAt = Math.min(token.endsAt ?? graceEnd, graceEnd);
      }
      return issueTokens(grant, { withRefreshToken: true });
    },

    /** Ends the grant with all of its tokens. */
    end,

    /** Ends all that its user ever consented to. */
    endUser: (grant: Grant): void => grantsOfUser(grant).forEach(end),

    /** The companies that its user consented to, each with the consent that named it last. */
    connectionsOfUser: (grant: Grant): Map<string, Grant> =>
      new Map(grantsOfUser(grant).flatMap((one) => one.companyIds.map((id) => [id, one] as const))),

    /**
     * Takes a company out of all that the grant's user consented to. Unverified: that tokens which
     * are good for no company any more have ended.
     */
    disconnect: (grant: Grant, companyId: string): void => {
      for (const one of grantsOfUser(grant)) {
        one.companyIds = one.companyIds.filter((id) => id !== companyId);
        if (one.companyIds.length === 0) end(one);
      }
      save();
    },

    /** True the first time it is asked of a grant. */
    takeOneTimeFailure: (grant: Grant): boolean => {
      if (grant.hasFailed) return false;
      grant.hasFailed = true;
      save();
      return true;
    },
  };
};
