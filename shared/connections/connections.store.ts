// A tenant's connection to its accounting platform: the company and the sealed tokens.

import * as z from 'zod/mini';
import { type DueItem, listDueItems } from '../background/due-index.store.ts';
import { type Sealing, sealingVersionOf } from '../sealing.ts';
import { dueConnectionKey, dueConnectionPartition } from '../table/due-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import { connectionKey, type Key, pendingConnectionKey, type TenantName } from '../table/keys.ts';
import type { Action, Table, UpdateAction } from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';
import { ConnectedCompany, type Connection, ConnectionTokens } from './platform-connections.ts';

/** A connection without tokens was given up. It keeps its version. */
const StoredConnection = z.extend(ConnectedCompany, {
  sealedTokens: z.optional(z.string()),
  version: z.int(),
});

const LeasedConnection = z.object({
  pk: z.string(),
  sk: z.string(),
  refreshLeaseUntil: z.optional(z.string()),
});

const boundTo = ({ applicationId, schemaName }: TenantName): string =>
  `${applicationId}/${schemaName}`;

/** Seals tokens for storage. Only the same tenant can open them. */
export const sealTokens = (
  sealing: Sealing,
  name: TenantName,
  tokens: ConnectionTokens,
): Promise<string> => sealing.seal(JSON.stringify(tokens), boundTo(name));

/**
 * Unused refresh tokens expire: after 60 days at Xero (developer.xero.com/faq/oauth2), after 100
 * days at QuickBooks (README of intuit/oauth-jsclient). This interval is short enough for both.
 */
const renewalMilliseconds = 30 * 24 * 60 * 60_000;

/** Access tokens last about an hour. The renewal is due a month after their expiry. */
const latestRenewalMilliseconds = renewalMilliseconds + 24 * 60 * 60_000;

/** The position of a connection with these tokens in the due index. */
const dueAfter = (name: TenantName, expiresAt: string) =>
  dueConnectionKey(name, new Date(Date.parse(expiresAt) + renewalMilliseconds).toISOString());

/** Ends a refresh lease, and the state of a renewal that is stuck. */
const noRefresh = { refreshLeaseUntil: undefined, stuck: undefined };

/**
 * The action that creates or renews a tenant's connection with sealed tokens. `expiresAt` is the
 * expiry of the access token.
 */
export const sealedConnectionAction = (
  name: TenantName,
  {
    adapter,
    companyId,
    dataCenter,
    sealedTokens,
    expiresAt,
  }: ConnectedCompany & { sealedTokens: string; expiresAt: string },
): UpdateAction =>
  updateAction(connectionKey(name), {
    set: {
      adapter,
      companyId,
      dataCenter,
      sealedTokens,
      ...dueAfter(name, expiresAt),
      ...noRefresh,
    },
    increment: ['version'],
  });

/** Seals tokens and returns the action that creates or renews a tenant's connection. */
export const connectionAction = async (
  sealing: Sealing,
  name: TenantName,
  { tokens, ...company }: ConnectedCompany & { tokens: ConnectionTokens },
): Promise<Action> =>
  sealedConnectionAction(name, {
    ...company,
    sealedTokens: await sealTokens(sealing, name, tokens),
    expiresAt: tokens.expiresAt,
  });

/** The part of an item that contains sealed tokens. */
const Sealed = z.object({ sealedTokens: z.optional(z.string()) });

/**
 * Reseals a tenant's tokens if their key version is not `version`, the current one. Includes tokens
 * of an unconfirmed connection. Returns whether it resealed any. The tokens and the connection's
 * version do not change, because a concurrent refresh must still be able to store its new tokens.
 */
export const resealConnection = async (
  table: Table,
  sealing: Sealing,
  { name, version }: { name: TenantName; version: string },
): Promise<boolean> => {
  const resealAt = async (key: Key): Promise<boolean> => {
    for (;;) {
      const { sealedTokens: sealed } = Sealed.parse((await table.get(key)) ?? {});
      if (sealed === undefined || sealingVersionOf(sealed) === version) return false;
      const text = await sealing.open(sealed, boundTo(name));
      const sealedTokens = await sealing.seal(text, boundTo(name));
      const replaced = await table.update(
        updateAction(key, { set: { sealedTokens }, expected: { sealedTokens: sealed } }),
      );
      if (replaced) return true;
    }
  };
  const resealed = [
    await resealAt(connectionKey(name)),
    await resealAt(pendingConnectionKey(name)),
  ];
  return resealed.includes(true);
};

/** Removes every refresh lease. Only for a service that knows that no refresh is running. */
export const voidRefreshLeases = async (table: Table): Promise<void> => {
  const keys: Key[] = [];
  const partitions = [dueConnectionPartition];
  for await (const { pk, sk } of listDueItems(table, { partitions })) keys.push({ pk, sk });
  for (const [, item] of await table.getMany(keys)) {
    const { pk, sk, refreshLeaseUntil } = LeasedConnection.parse(item);
    if (refreshLeaseUntil === undefined) continue;
    await table.update(updateAction({ pk, sk }, { set: { refreshLeaseUntil: undefined } }));
  }
};

/** The latest plausible end of another machine's lease. It allows for a difference in clocks. */
const longestLease = ({ now, until }: { now: Date; until: Date }): string =>
  new Date(until.getTime() + (until.getTime() - now.getTime())).toISOString();

export type Connections = ReturnType<typeof openConnections>;

export const openConnections = (table: Table, sealing: Sealing) => ({
  /** The connection. `undefined` if there is none or it was given up. */
  find: async (name: TenantName): Promise<Connection | undefined> => {
    const item = await table.get(connectionKey(name));
    if (item === undefined) return undefined;
    const { sealedTokens, ...connection } = StoredConnection.parse(item);
    if (sealedTokens === undefined) return undefined;
    const tokens = ConnectionTokens.parse(
      JSON.parse(await sealing.open(sealedTokens, boundTo(name))),
    );
    return { ...connection, tokens };
  },

  /**
   * Leases the refresh of the tokens of `version`, because only one process may send a refresh
   * token. Returns false if another process has the lease or has replaced the tokens. A lease that
   * ends implausibly late came from a clock that ran ahead, so it does not count.
   */
  acquireRefreshLease: (
    name: TenantName,
    { version, now, until }: { version: number; now: Date; until: Date },
  ): Promise<boolean> =>
    table.update(
      updateAction(connectionKey(name), {
        set: { refreshLeaseUntil: until.toISOString() },
        expected: { version },
        condition:
          'attribute_exists(sealedTokens) AND (attribute_not_exists(#refreshLeaseUntil) ' +
          'OR #refreshLeaseUntil <= :now OR #refreshLeaseUntil > :longest)',
        values: { ':now': now.toISOString(), ':longest': longestLease({ now, until }) },
      }),
    ),

  /** Ends the lease after a failed refresh, unless another process has it now. */
  releaseRefreshLease: async (
    name: TenantName,
    { version, until }: { version: number; until: Date },
  ): Promise<void> => {
    await table.update(
      updateAction(connectionKey(name), {
        set: { refreshLeaseUntil: undefined },
        expected: { version, refreshLeaseUntil: until.toISOString() },
      }),
    );
  },

  /**
   * Replaces the tokens of `version`. Returns false if another process replaced them first. The
   * caller must then read the new tokens, because platforms rotate refresh tokens.
   */
  replaceTokens: async (
    name: TenantName,
    { version, tokens }: { version: number; tokens: ConnectionTokens },
  ): Promise<boolean> =>
    table.update(
      updateAction(connectionKey(name), {
        set: {
          sealedTokens: await sealTokens(sealing, name, tokens),
          version: version + 1,
          ...dueAfter(name, tokens.expiresAt),
          ...noRefresh,
        },
        expected: { version },
        condition: 'attribute_exists(#sealedTokens)',
      }),
    ),

  /**
   * Lists connections whose renewal is due implausibly late. A clock that ran ahead has set it, and
   * the usual check would find them too late.
   */
  listAhead: (now: Date): AsyncGenerator<DueItem> => {
    const after = new Date(now.getTime() + latestRenewalMilliseconds).toISOString();
    return listDueItems(table, { partitions: [dueConnectionPartition], after });
  },

  /**
   * Gives the connection up: deletes its tokens and disconnects the tenant. Returns false and
   * changes nothing if the tokens are not those of `version`.
   * @param write writes the actions, by default alone
   */
  giveUp: async (
    name: TenantName,
    { version, reason }: { version: number; reason: string },
    write: (actions: Action[]) => Promise<{ committed: boolean }> = table.transact,
  ): Promise<boolean> => {
    const outcome = await write([
      updateAction(connectionKey(name), {
        set: {
          version: version + 1,
          sealedTokens: undefined,
          due_pk: undefined,
          due_sk: undefined,
          ...noRefresh,
        },
        expected: { version },
      }),
      statusAction(name, { status: 'disconnected', reason }),
    ]);
    return outcome.committed;
  },
});
