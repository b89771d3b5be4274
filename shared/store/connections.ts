// A tenant's connection to its accounting platform: whose company it is, and the sealed tokens.

import * as z from 'zod/mini';
import { connectionKey, type TenantName } from './keys.ts';
import { type Sealing, sealingVersionOf } from './sealing.ts';
import type { Action, Table } from './table.ts';

/** What a platform gave us. `expiresAt` is when the access token ends (ISO 8601). */
export const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.string(),
});
export type Tokens = z.infer<typeof Tokens>;

/** Tokens with the moment at which the access token ends. */
export const datedTokens = (
  tokens: { accessToken: string; refreshToken: string; expiresInSeconds: number },
  now: Date,
): Tokens => ({
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken,
  expiresAt: new Date(now.getTime() + tokens.expiresInSeconds * 1000).toISOString(),
});

/** Which company of which platform; `adapter` speaks to it. */
export type ConnectedCompany = { adapter: string; companyId: string };

const StoredConnection = z.object({
  adapter: z.string(),
  companyId: z.string(),
  sealedTokens: z.string(),
  version: z.int(),
});

/** A connection with its tokens opened. `version` guards the next change of the tokens. */
export type Connection = ConnectedCompany & { tokens: Tokens; version: number };

const boundTo = ({ applicationId, schemaName }: TenantName): string =>
  `${applicationId}/${schemaName}`;

const sealTokens = (sealing: Sealing, name: TenantName, tokens: Tokens): Promise<string> =>
  sealing.seal(JSON.stringify(tokens), boundTo(name));

/** The action that sets a tenant's connection, new or renewed. */
export const connectionAction = async (
  sealing: Sealing,
  name: TenantName,
  { adapter, companyId, tokens }: ConnectedCompany & { tokens: Tokens },
): Promise<Action> => ({
  update: connectionKey(name),
  expression:
    'SET adapter = :adapter, companyId = :companyId, sealedTokens = :sealedTokens, ' +
    '#version = if_not_exists(#version, :zero) + :one',
  names: { '#version': 'version' },
  values: {
    ':adapter': adapter,
    ':companyId': companyId,
    ':sealedTokens': await sealTokens(sealing, name, tokens),
    ':zero': 0,
    ':one': 1,
  },
});

/**
 * Seals a tenant's tokens anew where they are sealed under another version than `version`, the
 * current one. Returns whether it did. The tokens stay the same and so does the connection's own
 * version: a refresh under way must still be able to store the platform's new tokens.
 */
export const resealConnection = async (
  table: Table,
  sealing: Sealing,
  { name, version }: { name: TenantName; version: string },
): Promise<boolean> => {
  for (;;) {
    const item = await table.get(connectionKey(name));
    if (item === undefined) return false;
    const { sealedTokens: sealed } = StoredConnection.parse(item);
    if (sealingVersionOf(sealed) === version) return false;
    const text = await sealing.open(sealed, boundTo(name));
    const replaced = await table.update({
      update: connectionKey(name),
      expression: 'SET sealedTokens = :replacement',
      condition: 'sealedTokens = :sealed',
      values: { ':sealed': sealed, ':replacement': await sealing.seal(text, boundTo(name)) },
    });
    if (replaced) return true;
  }
};

export type Connections = ReturnType<typeof openConnections>;

export const openConnections = (table: Table, sealing: Sealing) => ({
  find: async (name: TenantName): Promise<Connection | undefined> => {
    const item = await table.get(connectionKey(name));
    if (item === undefined) return undefined;
    const { sealedTokens, ...connection } = StoredConnection.parse(item);
    const tokens = Tokens.parse(JSON.parse(await sealing.open(sealedTokens, boundTo(name))));
    return { ...connection, tokens };
  },

  /**
   * Replaces the tokens, unless somebody has replaced those of `version` before: platforms rotate
   * refresh tokens, so the loser of two refreshes must read again and use the winner's.
   */
  replaceTokens: async (
    name: TenantName,
    { version, tokens }: { version: number; tokens: Tokens },
  ): Promise<boolean> => {
    return table.update({
      update: connectionKey(name),
      expression: 'SET sealedTokens = :sealedTokens, #version = :next',
      condition: '#version = :version',
      names: { '#version': 'version' },
      values: {
        ':sealedTokens': await sealTokens(sealing, name, tokens),
        ':version': version,
        ':next': version + 1,
      },
    });
  },
});
