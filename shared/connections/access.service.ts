// A tenant's access to its platform, with tokens that are refreshed in time and never doubly.
//
// Platforms replace the refresh token when it is used, so a process that dies between a refresh and
// the write of what it gave leaves a refresh token that was replaced already. It still works for
// some time: 30 minutes at Xero (developer.xero.com/faq/oauth2), 24 hours at QuickBooks (README of
// intuit/oauth-jsclient), and for ever at Zoho, which replaces none. Imports and renewals are taken
// up again within minutes, so the old token is sent in that time and brings new ones. Where that is
// too late, the grant is dead: the tenant is disconnected, and connecting again revives it. Revisit
// when a platform ends its grace.

import {
  type CompanyAccess,
  type Platform,
  PlatformFailure,
  withExpiry,
} from '../platforms/platform.ts';
import type { Connection, ConnectionTokens } from './platform-connections.ts';

/** An access token that ends within this time is not used any more. */
const expiryMarginMilliseconds = 60_000;

/** Longer than a refresh and its write can take. Who died in between holds others up so long. */
const leaseMilliseconds = 30_000;

/** How often to look whether somebody else's refresh is done. */
const leasePollMilliseconds = 500;

/** A lease that is still held after so many looks was made by a clock that is ahead of ours. */
const maximumLeasePolls = (2 * leaseMilliseconds) / leasePollMilliseconds;

/** Where connections are kept, by what names their tenants. */
export type Connections<Name> = {
  find: (name: Name) => Promise<Connection | undefined>;
  /** False where somebody else holds the lease, or has replaced the tokens of `version`. */
  acquireRefreshLease: (
    name: Name,
    lease: { version: number; now: Date; until: Date },
  ) => Promise<boolean>;
  releaseRefreshLease: (name: Name, lease: { version: number; until: Date }) => Promise<void>;
  /** False where somebody else has replaced the tokens of `version`. */
  replaceTokens: (
    name: Name,
    replacement: { version: number; tokens: ConnectionTokens },
  ) => Promise<boolean>;
};

export type AccessDependencies<Name> = {
  connections: Connections<Name>;
  platform: Platform;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
};

export type PlatformAccess = {
  /**
   * Does work with an access token, a second time with a new one where the platform refuses it.
   * @throws PlatformFailure, `credentials_refused` where the platform refuses to refresh too
   */
  use: <Result>(work: (access: CompanyAccess) => Promise<Result>) => Promise<Result>;
  /** Refreshes the tokens though they are still good, so that the grant does not end unused. */
  renew: () => Promise<void>;
  /** The connection as it stands. */
  connection: () => Connection;
};

const isRefused = (error: unknown): boolean =>
  error instanceof PlatformFailure && error.reason === 'credentials_refused';

/** The access of a tenant; `undefined` where it has no connection. */
export const openPlatformAccess = async <Name>(
  name: Name,
  dependencies: AccessDependencies<Name>,
): Promise<PlatformAccess | undefined> => {
  const { connections, platform, clock, sleep } = dependencies;

  const read = async (): Promise<Connection | undefined> => {
    const found = await connections.find(name);
    // Tokens are shown to nobody but the platform that gave them.
    if (found && found.adapter !== platform.adapter) {
      throw new Error('the slot has another adapter now');
    }
    return found;
  };

  /** Reads again where the connection may have been given up meanwhile. */
  const readAgain = async (): Promise<Connection> => {
    const found = await read();
    if (found === undefined) throw new PlatformFailure('credentials_refused');
    return found;
  };

  /** Only who holds the lease on these tokens comes here. */
  const refreshUnderLease = async (old: Connection, until: Date): Promise<Connection> => {
    const askedAt = clock();
    const given = await platform
      .refresh({ refreshToken: old.tokens.refreshToken, dataCenter: old.dataCenter })
      .catch(async (error: unknown): Promise<never> => {
        await connections.releaseRefreshLease(name, { version: old.version, until });
        throw error;
      });
    const tokens = withExpiry(given, askedAt);
    const stored = await connections.replaceTokens(name, { version: old.version, tokens });
    // Whoever connected again in the meantime has brought tokens of a newer grant.
    return stored ? { ...old, tokens, version: old.version + 1 } : readAgain();
  };

  /** The connection with new tokens: ours, or those of somebody who was faster. */
  const refresh = async (old: Connection): Promise<Connection> => {
    for (let look = 0; look < maximumLeasePolls; look += 1) {
      const now = clock();
      const until = new Date(now.getTime() + leaseMilliseconds);
      if (await connections.acquireRefreshLease(name, { version: old.version, now, until })) {
        return refreshUnderLease(old, until);
      }
      const current = await readAgain();
      if (current.version !== old.version) return current;
      await sleep(leasePollMilliseconds);
    }
    throw new PlatformFailure('platform_unavailable');
  };

  const first = await read();
  if (first === undefined) return undefined;
  let connection = first;

  const accessOf = ({ companyId, dataCenter, tokens }: Connection): CompanyAccess => ({
    companyId,
    dataCenter,
    accessToken: tokens.accessToken,
  });

  return {
    connection: () => connection,
    renew: async () => {
      connection = await refresh(connection);
    },
    use: async (work) => {
      const endsAt = Date.parse(connection.tokens.expiresAt);
      if (endsAt - clock().getTime() <= expiryMarginMilliseconds)
        connection = await refresh(connection);
      try {
        return await work(accessOf(connection));
      } catch (error) {
        if (!isRefused(error)) throw error;
        connection = await refresh(connection);
        return work(accessOf(connection));
      }
    },
  };
};
