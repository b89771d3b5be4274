// The sandbox platform's grants: who consented to which company, with which codes and tokens.

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { Failure } from './failures.ts';

export const accessTokenSeconds = 30 * 60;
const codeSeconds = 60;
const refreshTokenSeconds = 60 * 24 * 60 * 60;

/** A code or token: its hash, and the moment it ends (milliseconds since 1970). */
const Credential = z.object({ hash: z.string(), endsAt: z.number() });
type Credential = z.infer<typeof Credential>;

const Grant = z.object({
  slot: z.enum(slotNames),
  companyId: z.string(),
  failure: Failure,
  /** A grant that was made without a browser has no code. */
  code: z.nullable(z.extend(Credential, { redirectUri: z.string(), used: z.boolean() })),
  accessTokens: z.array(Credential),
  refreshTokens: z.array(Credential),
  /** Whether a failure that happens once has happened. */
  hasFailed: z.boolean(),
});
export type Grant = z.infer<typeof Grant>;

/** What a grant is for, as it was chosen on the consent page. */
export type Consent = Pick<Grant, 'slot' | 'companyId' | 'failure'>;

export type IssuedTokens = { access_token: string; refresh_token: string; expires_in: number };

const newSecret = (): string => randomBytes(32).toString('base64url');

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const readGrants = (stateFile: string): Grant[] => {
  if (!existsSync(stateFile)) return [];
  try {
    return z.array(Grant).parse(JSON.parse(readFileSync(stateFile, 'utf8')));
  } catch (cause) {
    throw new Error(`${stateFile} does not hold grants. Remove it to start afresh.`, { cause });
  }
};

const writeGrants = (stateFile: string, grants: readonly Grant[]): void => {
  mkdirSync(dirname(stateFile), { recursive: true });
  const unfinished = `${stateFile}.unfinished`;
  writeFileSync(unfinished, JSON.stringify(grants), { mode: 0o600 });
  renameSync(unfinished, stateFile);
};

export type GrantOptions = {
  clock: () => Date;
  /** How long a refresh token still works once it has been replaced. */
  refreshGraceSeconds: number;
  /** Where grants outlive the process; without it they do not. */
  stateFile?: string | undefined;
};

export type Grants = ReturnType<typeof openGrants>;

export const openGrants = ({ clock, refreshGraceSeconds, stateFile }: GrantOptions) => {
  let grants = stateFile === undefined ? [] : readGrants(stateFile);

  const isLive = ({ endsAt }: Credential): boolean => clock().getTime() < endsAt;
  const endAfter = (seconds: number): number => clock().getTime() + seconds * 1000;

  /** Drops what has ended, so that the file does not grow for ever, and keeps the rest. */
  const save = (): void => {
    for (const grant of grants) {
      grant.accessTokens = grant.accessTokens.filter(isLive);
      grant.refreshTokens = grant.refreshTokens.filter(isLive);
    }
    grants = grants.filter(
      ({ code, refreshTokens }) => refreshTokens.length > 0 || (code !== null && isLive(code)),
    );
    if (stateFile !== undefined) writeGrants(stateFile, grants);
  };

  const record = (consent: Consent, code: Grant['code']): Grant => {
    const grant: Grant = {
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
  const issueTokens = (grant: Grant): IssuedTokens => {
    const [accessToken, refreshToken] = [newSecret(), newSecret()];
    if (grant.failure !== 'revoked') {
      const endsAt = endAfter(accessTokenSeconds);
      grant.accessTokens.push({ hash: hashOf(accessToken), endsAt });
      grant.refreshTokens.push({
        hash: hashOf(refreshToken),
        endsAt: endAfter(refreshTokenSeconds),
      });
    }
    save();
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: accessTokenSeconds,
    };
  };

  const holds = (credentials: readonly Credential[], secret: string): boolean => {
    const hash = hashOf(secret);
    return credentials.some((it) => it.hash === hash && isLive(it));
  };

  return {
    /** Records a consent and returns its code. A bad code is one that was never recorded. */
    consent: (consent: Consent, redirectUri: string): string => {
      const code = newSecret();
      const seconds = consent.failure === 'expired_code' ? 0 : codeSeconds;
      const hash = hashOf(consent.failure === 'bad_code' ? newSecret() : code);
      record(consent, { hash, endsAt: endAfter(seconds), redirectUri, used: false });
      save();
      return code;
    },

    /** Tokens at once, as if a browser had consented and the code been traded. */
    grantDirectly: (consent: Consent): IssuedTokens => issueTokens(record(consent, null)),

    /** The grant of a code, spent or not. */
    findByCode: (slot: Slot, code: string): Grant | undefined => {
      const hash = hashOf(code);
      return grants.find((grant) => grant.slot === slot && grant.code?.hash === hash);
    },

    findByAccessToken: (slot: Slot, accessToken: string): Grant | undefined =>
      grants.find((grant) => grant.slot === slot && holds(grant.accessTokens, accessToken)),

    findByRefreshToken: (slot: Slot, refreshToken: string): Grant | undefined =>
      grants.find((grant) => grant.slot === slot && holds(grant.refreshTokens, refreshToken)),

    /** Trades the code for tokens. A second use ends all that the first gave (RFC 6749, 4.1.2). */
    redeemCode: (grant: Grant, redirectUri: string): IssuedTokens | undefined => {
      const { code } = grant;
      if (code?.used) {
        grant.accessTokens = [];
        grant.refreshTokens = [];
        save();
      }
      if (code === null || code.used) return undefined;
      if (!isLive(code) || code.redirectUri !== redirectUri) return undefined;
      code.used = true;
      return issueTokens(grant);
    },

    /** New tokens; the refresh token that asked for them works on for the grace only. */
    refresh: (grant: Grant, refreshToken: string): IssuedTokens => {
      const hash = hashOf(refreshToken);
      const graceEnd = endAfter(refreshGraceSeconds);
      for (const token of grant.refreshTokens) {
        if (token.hash === hash) token.endsAt = Math.min(token.endsAt, graceEnd);
      }
      return issueTokens(grant);
    },

    /** True the first time it is asked of a grant. */
    failsNow: (grant: Grant): boolean => {
      if (grant.hasFailed) return false;
      grant.hasFailed = true;
      save();
      return true;
    },
  };
};
