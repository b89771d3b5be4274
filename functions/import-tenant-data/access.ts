// A tenant's access to its platform, with tokens that are refreshed in time and never doubly.

import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import { type Connection, type Connections, datedTokens } from '#shared/store/connections.ts';
import type { TenantName } from '#shared/store/keys.ts';

/** An access token that ends within this time is not used any more. */
const marginMilliseconds = 60_000;

/** What another refresher may need to store the tokens that made ours be refused. */
const pauseMilliseconds = 2_000;

const isRefused = (error: unknown): boolean =>
  error instanceof PlatformFailure && error.reason === 'credentials_refused';

export type Access = {
  companyId: string;
  /** Does work with an access token. @throws PlatformFailure, of a refused refresh too */
  use: <Result>(work: (accessToken: string) => Promise<Result>) => Promise<Result>;
};

export const openAccess = async (
  name: TenantName,
  dependencies: {
    connections: Pick<Connections, 'find' | 'replaceTokens'>;
    platform: Platform;
    clock: () => Date;
    sleep: (milliseconds: number) => Promise<unknown>;
  },
): Promise<Access> => {
  const { connections, platform, clock, sleep } = dependencies;

  const read = async (): Promise<Connection> => {
    const found = await connections.find(name);
    if (found === undefined) throw new Error('a tenant to import has no connection');
    // Tokens are shown to nobody but the platform that gave them.
    if (found.adapter !== platform.adapter) throw new Error('the slot has another adapter now');
    return found;
  };

  /** The connection with new tokens: ours, or those of somebody who was faster. */
  const refresh = async (old: Connection): Promise<Connection> => {
    try {
      const given = await platform.refresh(old.tokens.refreshToken);
      const tokens = datedTokens(given, clock());
      const stored = await connections.replaceTokens(name, { version: old.version, tokens });
      return stored ? { ...old, tokens, version: old.version + 1 } : read();
    } catch (error) {
      if (!isRefused(error)) throw error;
      await sleep(pauseMilliseconds);
      const current = await read();
      if (current.version === old.version) throw error;
      return current;
    }
  };

  let connection = await read();

  return {
    companyId: connection.companyId,
    use: async (work) => {
      const endsAt = Date.parse(connection.tokens.expiresAt);
      if (endsAt - clock().getTime() <= marginMilliseconds) connection = await refresh(connection);
      try {
        return await work(connection.tokens.accessToken);
      } catch (error) {
        if (!isRefused(error)) throw error;
        connection = await refresh(connection);
        return work(connection.tokens.accessToken);
      }
    },
  };
};
