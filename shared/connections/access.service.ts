// A tenant's access to its platform. It refreshes tokens before they expire, one process at a time.
//
// Most platforms replace the refresh token at each use. A process that dies between a refresh and
// its write leaves the replaced token in the table. It still works for a while: 30 minutes at Xero
// (developer.xero.com/faq/oauth2), 24 hours at QuickBooks (README of intuit/oauth-jsclient). Zoho
// does not replace refresh tokens. Imports and renewals resume within minutes, so they refresh in
// time. If it is too late, the tenant is disconnected and its user must connect it again. Revisit
// when a platform shortens this time.

import {
  type CompanyAccess,
  isFailure,
  type Platform,
  PlatformFailure,
  withExpiry,
} from '../platforms/platform.ts';
import type { TenantName } from '../table/keys.ts';
import type { Connections } from './connections.store.ts';
import type { Connection } from './platform-connections.ts';

/** An access token that expires within this time is refreshed first. */
const expiryMarginMilliseconds = 60_000;

/** Longer than any refresh with its write. A process that dies here blocks others for this long. */
const leaseMilliseconds = 30_000;

/** The interval for checking whether another process has finished its refresh. */
const leasePollMilliseconds = 500;

/** A lease that lasts longer than these checks came from a clock that is ahead of ours. */
const maximumLeasePolls = (2 * leaseMilliseconds) / leasePollMilliseconds;

export type AccessDependencies = {
  connections: Pick<
    Connections,
    'find' | 'acquireRefreshLease' | 'releaseRefreshLease' | 'replaceTokens'
  >;
  platform: Platform;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
};

type PlatformAccess = {
  /**
   * Runs work with an access token. Repeats it with a new token if the platform refuses the token.
   * @throws PlatformFailure, `credentials_refused` if the platform also refuses the refresh
   */
  use: <Result>(work: (access: CompanyAccess) => Promise<Result>) => Promise<Result>;
  /** Refreshes valid tokens, because an unused refresh token would expire. */
  renew: () => Promise<void>;
  /** The current connection. */
  connection: () => Connection;
};

/** Opens a tenant's access. Returns `undefined` if the tenant has no connection. */
export const openPlatformAccess = async (
  name: TenantName,
  dependencies: AccessDependencies,
): Promise<PlatformAccess | undefined> => {
  const { connections, platform, clock, sleep } = dependencies;

  const read = async (): Promise<Connection | undefined> => {
    const stored = await connections.find(name);
    // Tokens may only be sent to the platform that issued them.
    if (stored && stored.adapter !== platform.adapter) {
      throw new Error('the slot has another adapter now');
    }
    return stored;
  };

  /** @throws PlatformFailure `credentials_refused` if the connection has ended in the meantime */
  const readAgain = async (): Promise<Connection> => {
    const current = await read();
    if (current === undefined) throw new PlatformFailure('credentials_refused');
    return current;
  };

  /** Call it only with the lease on these tokens. */
  const refreshUnderLease = async (old: Connection, until: Date): Promise<Connection> => {
    const requestedAt = clock();
    const reply = await platform
      .refresh({ refreshToken: old.tokens.refreshToken, dataCenter: old.dataCenter })
      .catch(async (error: unknown): Promise<never> => {
        await connections.releaseRefreshLease(name, { version: old.version, until });
        throw error;
      });
    const tokens = withExpiry(reply, requestedAt);
    const stored = await connections.replaceTokens(name, { version: old.version, tokens });
    // If the user has connected again meanwhile, those tokens are newer.
    return stored ? { ...old, tokens, version: old.version + 1 } : readAgain();
  };

  /** The connection with new tokens, from this process or another one. */
  const refresh = async (old: Connection): Promise<Connection> => {
    for (let poll = 0; poll < maximumLeasePolls; poll += 1) {
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
        if (!isFailure(error, 'credentials_refused')) throw error;
        connection = await refresh(connection);
        return work(accessOf(connection));
      }
    },
  };
};
