// A tenant's connection to its accounting platform: whose company it is, and the sealed tokens.

import * as z from 'zod/mini';
import { type DueItem, listDueItems } from '../background/due-index.store.ts';
import { type Sealing, sealingVersionOf } from '../sealing.ts';
import { dueConnectionKey, dueConnectionPartition } from '../table/due-keys.ts';
import { connectionKey, type Key, pendingConnectionKey, type TenantName } from '../table/keys.ts';
import type { Action, Table, UpdateAction } from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';
import { ConnectedCompany, type Connection, ConnectionTokens } from './platform-connections.ts';

/** A connection that was given up keeps its version, but no tokens. */
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

/** Tokens as they are stored; they open for this tenant alone. */
export const sealTokens = (
  sealing: Sealing,
  name: TenantName,
  tokens: ConnectionTokens,
): Promise<string> => sealing.seal(JSON.stringify(tokens), boundTo(name));

/**
 * Refresh tokens that nobody uses end: after 60 days at Xero (developer.xero.com/faq/oauth2), after
 * 100 at QuickBooks (README of intuit/oauth-jsclient). This is soon enough for both.
 */
const renewalMilliseconds = 30 * 24 * 60 * 60_000;

/** Access tokens end within an hour or so, and the renewal is due a month after that. */
const latestRenewalMilliseconds = renewalMilliseconds + 24 * 60 * 60_000;

/** The place of a connection with these tokens in the due index. */
const dueValues = (name: TenantName, expiresAt: string) => {
  const renewAt = new Date(Date.parse(expiresAt) + renewalMilliseconds).toISOString();
  const { due_pk, due_sk } = dueConnectionKey(name, renewAt);
  return { ':duePk': due_pk, ':dueSk': due_sk };
};

/**
 * The action that sets a tenant's connection, new or renewed, with tokens that are sealed already.
 * `expiresAt` is when the access token ends.
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
): UpdateAction => ({
  update: connectionKey(name),
  expression:
    'SET adapter = :adapter, companyId = :companyId, dataCenter = :dataCenter, ' +
    'sealedTokens = :sealedTokens, #version = if_not_exists(#version, :zero) + :one, ' +
    'due_pk = :duePk, due_sk = :dueSk REMOVE refreshLeaseUntil, stuck',
  names: { '#version': 'version' },
  values: {
    ':adapter': adapter,
    ':companyId': companyId,
    ':dataCenter': dataCenter,
    ':sealedTokens': sealedTokens,
    ':zero': 0,
    ':one': 1,
    ...dueValues(name, expiresAt),
  },
});

/** The action that seals tokens and sets a tenant's connection. */
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

/** What of a tenant has sealed tokens. */
const Sealed = z.object({ sealedTokens: z.optional(z.string()) });

/**
 * Seals a tenant's tokens anew where they are sealed under another version than `version`, the
 * current one: those of its connection, and those that wait for a confirmation. Returns whether it
 * did. The tokens stay the same and so does the connection's own version: a refresh under way must
 * still be able to store the platform's new tokens.
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
      const replaced = await table.update({
        update: key,
        expression: 'SET sealedTokens = :replacement',
        condition: 'sealedTokens = :sealed',
        values: { ':sealed': sealed, ':replacement': await sealing.seal(text, boundTo(name)) },
      });
      if (replaced) return true;
    }
  };
  const resealed = [
    await resealAt(connectionKey(name)),
    await resealAt(pendingConnectionKey(name)),
  ];
  return resealed.includes(true);
};

/** Forgets every lease of a refresh, for a service that knows that no refresh is under way. */
export const voidRefreshLeases = async (table: Table): Promise<void> => {
  const keys: Key[] = [];
  const partitions = [dueConnectionPartition];
  for await (const { pk, sk } of listDueItems(table, { partitions })) keys.push({ pk, sk });
  for (const [, item] of await table.getMany(keys)) {
    const { pk, sk, refreshLeaseUntil } = LeasedConnection.parse(item);
    if (refreshLeaseUntil === undefined) continue;
    await table.update({ update: { pk, sk }, expression: 'REMOVE refreshLeaseUntil' });
  }
};

/** How much longer than a lease may last by our clock one may end that another machine acquired. */
const longestLease = ({ now, until }: { now: Date; until: Date }): string =>
  new Date(until.getTime() + (until.getTime() - now.getTime())).toISOString();

export type Connections = ReturnType<typeof openConnections>;

export const openConnections = (table: Table, sealing: Sealing) => ({
  /** The connection, unless there is none or it was given up. */
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
   * Leases the refresh of the tokens of `version` until a moment, so that nobody else sends their
   * refresh token meanwhile. False where somebody else has leased it or has replaced the tokens. A
   * lease that ends much later than ours would was acquired by a clock that ran ahead: it is over.
   */
  acquireRefreshLease: (
    name: TenantName,
    { version, now, until }: { version: number; now: Date; until: Date },
  ): Promise<boolean> =>
    table.update({
      update: connectionKey(name),
      expression: 'SET refreshLeaseUntil = :until',
      condition:
        '#version = :version AND attribute_exists(sealedTokens) AND ' +
        '(attribute_not_exists(refreshLeaseUntil) OR refreshLeaseUntil <= :now ' +
        'OR refreshLeaseUntil > :longest)',
      names: { '#version': 'version' },
      values: {
        ':version': version,
        ':now': now.toISOString(),
        ':until': until.toISOString(),
        ':longest': longestLease({ now, until }),
      },
    }),

  /** Gives a lease back whose refresh failed, unless somebody else has it by now. */
  releaseRefreshLease: async (
    name: TenantName,
    { version, until }: { version: number; until: Date },
  ): Promise<void> => {
    await table.update({
      update: connectionKey(name),
      expression: 'REMOVE refreshLeaseUntil',
      condition: '#version = :version AND refreshLeaseUntil = :until',
      names: { '#version': 'version' },
      values: { ':version': version, ':until': until.toISOString() },
    });
  },

  /**
   * Replaces the tokens, unless somebody has replaced those of `version` before: platforms rotate
   * refresh tokens, so the loser of two refreshes must read again and use the winner's.
   */
  replaceTokens: async (
    name: TenantName,
    { version, tokens }: { version: number; tokens: ConnectionTokens },
  ): Promise<boolean> => {
    return table.update({
      update: connectionKey(name),
      expression:
        'SET sealedTokens = :sealedTokens, #version = :next, due_pk = :duePk, due_sk = :dueSk ' +
        'REMOVE refreshLeaseUntil, stuck',
      condition: '#version = :version AND attribute_exists(sealedTokens)',
      names: { '#version': 'version' },
      values: {
        ':sealedTokens': await sealTokens(sealing, name, tokens),
        ':version': version,
        ':next': version + 1,
        ...dueValues(name, tokens.expiresAt),
      },
    });
  },

  /**
   * What is due later than any tokens of now: a clock that ran ahead has put it off, and nobody
   * else would look at it in time.
   */
  listAhead: (now: Date): AsyncGenerator<DueItem> => {
    const after = new Date(now.getTime() + latestRenewalMilliseconds).toISOString();
    return listDueItems(table, { partitions: [dueConnectionPartition], after });
  },

  /**
   * Gives the connection up: its tokens are forgotten and the tenant is disconnected. False where
   * the tokens were replaced since `version`; then nothing is changed.
   */
  giveUp: async (
    name: TenantName,
    { version, reason }: { version: number; reason: string },
  ): Promise<boolean> => {
    const outcome = await table.transact([
      {
        update: connectionKey(name),
        expression:
          'SET #version = :next REMOVE sealedTokens, refreshLeaseUntil, due_pk, due_sk, stuck',
        condition: '#version = :version',
        names: { '#version': 'version' },
        values: { ':version': version, ':next': version + 1 },
      },
      statusAction(name, { status: 'disconnected', reason }),
    ]);
    return outcome.committed;
  },
});
