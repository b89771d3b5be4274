// Tenants: creating one whole, and connecting a platform's company.

import { accountAction } from '../accounts/account-actions.store.ts';
import type { Account } from '../accounts/accounts.ts';
import { accountCountAction, addTenantAction } from '../applications/quota-counts.store.ts';
import type { Quotas } from '../applications/quotas.ts';
import {
  CompanyEntry,
  type CompanyLocation,
  type ConnectionObstacle,
  connectedCompanyKey,
  findConnectionObstacle,
} from '../connections/connected-companies.store.ts';
import { connectionAction } from '../connections/connections.store.ts';
import type { ConnectedCompany, ConnectionTokens } from '../connections/platform-connections.ts';
import { requestImportAction } from '../imports/imports.store.ts';
import type { Sealing } from '../sealing.ts';
import {
  domainKey,
  idempotencyRecordKey,
  type Key,
  keyText,
  type TenantName,
  tenantKey,
  userIdKey,
} from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { type Action, ifNotExists, type Table } from '../table/table.ts';
import { UserIdItem } from '../users/user-ids.ts';
import { prefixFor, schemaNameOf } from './domain-names.ts';
import {
  findIdempotencyRecord,
  IdempotencyRecord,
  type IdempotentRequest,
  idempotencyActions,
} from './tenant-creations.store.ts';
import { linkAction, linkedCheck } from './tenant-links.store.ts';
import { openTenantReader } from './tenant-reader.store.ts';
import { importingAction } from './tenant-status.store.ts';
import type { Tenant } from './tenants.ts';

/** A tenant before it has a name of its own. */
export type TenantDetails = Omit<
  Tenant,
  | 'applicationId'
  | 'schemaName'
  | 'prefix'
  | 'status'
  | 'statusReason'
  | 'reconnectBy'
  | 'lockDate'
  | 'lockedFrom'
>;

/** The user that a tenant is made for or connected by. */
export type Owner = { applicationId: string; email: string };

/** How a creation ended: made, a replay, or a company's tokens renewed. */
export type Creation =
  | { outcome: 'created' | 'renewed'; tenant: Tenant }
  | { outcome: 'replayed'; idempotencyRecord: IdempotencyRecord };

/** The application has as many tenants as its quota. */
type QuotaReached = { outcome: 'tenant_quota_reached' };

/** How the connection of a company ended: its tenant may be none of the user's. */
export type Connecting = Creation | { outcome: ConnectionObstacle };

/**
 * How one transaction ended: written, or not, because the company was connected or the
 * Idempotency-Key used in the meantime, or because there is no room for another tenant.
 */
type Written = { outcome: 'written'; tenant: Tenant } | { outcome: 'guard_failed' } | QuotaReached;

/**
 * A platform's company that was connected, and the import to ask for. `reconnectBy` is when its
 * connection ends whatever is done, where the platform says so.
 */
export type ConnectionRequest = {
  details: TenantDetails;
  company: ConnectedCompany;
  tokens: ConnectionTokens;
  reconnectBy: string | null;
  importId: string;
  idempotentRequest: IdempotentRequest | undefined;
};

export type Tenants = ReturnType<typeof openTenants>;

export const openTenants = (
  table: Table,
  {
    sealing,
    newSuffix,
    quotas,
  }: {
    sealing: Sealing;
    newSuffix: () => string;
    quotas: Pick<Quotas, 'tenantsPerApplication'>;
  },
) => {
  const { find } = openTenantReader(table);
  const maximum = quotas.tenantsPerApplication;

  /** A tenant that something else points at; its items show up one by one, so it may be late. */
  const get = (name: TenantName): Promise<Tenant> => retryOnContention(() => find(name));

  /** Writes a tenant under a new prefix: another one is drawn where somebody has it. */
  const writeNew = async (
    owner: Owner,
    details: TenantDetails & Pick<Tenant, 'status' | 'reconnectBy'>,
    parts: {
      guards: (schemaName: string) => Action[];
      contents: (name: TenantName) => Action[] | Promise<Action[]>;
    },
  ): Promise<Written> => {
    for (;;) {
      const prefix = prefixFor(details.companyName, newSuffix());
      const name = { applicationId: owner.applicationId, schemaName: schemaNameOf(prefix) };
      const tenant: Tenant = { ...details, ...name, prefix };
      const guards = parts.guards(name.schemaName);
      const outcome = await table.transact([
        ...guards,
        addTenantAction(owner.applicationId, { maximum }),
        { put: { ...domainKey(name.schemaName), ...name }, condition: ifNotExists },
        { put: { ...tenantKey(name), kind: 'tenant', ...tenant }, condition: ifNotExists },
        linkAction(owner, name),
        ...(await parts.contents(name)),
      ]);
      if (outcome.committed) return { outcome: 'written', tenant };
      if (guards.some((_, index) => outcome.failed.has(index))) return { outcome: 'guard_failed' };
      if (outcome.failed.has(guards.length)) return { outcome: 'tenant_quota_reached' };
    }
  };

  const connectionActions = async (
    name: TenantName,
    { details, company, tokens, importId }: ConnectionRequest,
  ): Promise<Action[]> => [
    await connectionAction(sealing, name, { ...company, tokens }),
    requestImportAction(name, { importId, requestedAt: details.createdAt }),
  ];

  const createConnected = (owner: Owner, request: ConnectionRequest): Promise<Written> =>
    writeNew(
      owner,
      { ...request.details, status: 'importing', reconnectBy: request.reconnectBy },
      {
        guards: (schemaName) => [
          { put: { ...keyOfCompany(owner, request), schemaName }, condition: ifNotExists },
          ...idempotencyActions(owner, schemaName, request.idempotentRequest),
        ],
        contents: async (name) => [
          ...(await connectionActions(name, request)),
          accountCountAction(name, 0),
        ],
      },
    );

  const renew = async (
    owner: Owner,
    request: ConnectionRequest,
    schemaName: string,
  ): Promise<Written | { outcome: 'connected_by_another_user' }> => {
    const name = { applicationId: owner.applicationId, schemaName };
    const outcome = await table.transact([
      linkedCheck(owner, name),
      importingAction(name, request),
      ...(await connectionActions(name, request)),
      ...idempotencyActions(owner, schemaName, request.idempotentRequest),
    ]);
    if (outcome.committed) return { outcome: 'written', tenant: await get(name) };
    return { outcome: outcome.failed.has(0) ? 'connected_by_another_user' : 'guard_failed' };
  };

  /** One try; `connected_meanwhile` where somebody else was faster, so that the next one renews. */
  const tryToConnect = async (
    owner: Owner,
    request: ConnectionRequest,
  ): Promise<Connecting | { outcome: 'connected_meanwhile' }> => {
    const company = await table.get(keyOfCompany(owner, request));
    const written = company
      ? await renew(owner, request, CompanyEntry.parse(company).schemaName)
      : await createConnected(owner, request);
    if (written.outcome === 'written') {
      return { outcome: company ? 'renewed' : 'created', tenant: written.tenant };
    }
    const idempotencyRecord = await findIdempotencyRecord(table, owner, request.idempotentRequest);
    if (idempotencyRecord) return { outcome: 'replayed', idempotencyRecord };
    if (written.outcome !== 'guard_failed') return { outcome: written.outcome };
    if (company) throw new Error('a connected company has no tenant');
    return { outcome: 'connected_meanwhile' };
  };

  return {
    find,
    get,

    /** What a creation must know first, in one call. */
    prepare: async (asked: {
      applicationId: string;
      userId: string;
      idempotencyKey: string | undefined;
    }): Promise<{
      owner: Owner | undefined;
      idempotencyRecord: IdempotencyRecord | undefined;
    }> => {
      const { applicationId, idempotencyKey } = asked;
      const user = userIdKey(asked);
      const idempotencyRecord =
        idempotencyKey === undefined
          ? undefined
          : idempotencyRecordKey({ applicationId, idempotencyKey });
      const items = await table.getMany(
        [user, idempotencyRecord].filter((key) => key !== undefined),
      );
      const found = (key: Key | undefined) => key && items.get(keyText(key));
      const [userFound, recordFound] = [found(user), found(idempotencyRecord)];
      return {
        owner: userFound && { applicationId, email: UserIdItem.parse(userFound).email },
        idempotencyRecord: recordFound && IdempotencyRecord.parse(recordFound),
      };
    },

    /** Creates a tenant that keeps its own books, with its chart of accounts, in one write. */
    create: async (
      owner: Owner,
      asked: {
        details: TenantDetails;
        accounts: readonly Account[];
        idempotentRequest: IdempotentRequest | undefined;
      },
    ): Promise<Creation | QuotaReached> => {
      const written = await writeNew(
        owner,
        { ...asked.details, status: 'active' },
        {
          guards: (schemaName) => idempotencyActions(owner, schemaName, asked.idempotentRequest),
          contents: (name) => [
            ...asked.accounts.map((account) => accountAction(name, account)),
            accountCountAction(name, asked.accounts.length),
          ],
        },
      );
      if (written.outcome === 'written') return { outcome: 'created', tenant: written.tenant };
      if (written.outcome === 'tenant_quota_reached') return written;
      const idempotencyRecord = await findIdempotencyRecord(table, owner, asked.idempotentRequest);
      if (idempotencyRecord === undefined) throw new Error('a repeated creation left no trace');
      return { outcome: 'replayed', idempotencyRecord };
    },

    /**
     * What stands in the way of a connection, so that tokens need not be tried. It may come up a
     * moment later too, and `connect` says so.
     */
    findObstacle: (
      owner: Owner,
      company: CompanyLocation,
    ): Promise<ConnectionObstacle | undefined> =>
      findConnectionObstacle(table, owner, { company, maximum }),

    /**
     * Creates the tenant of a platform's company and asks for its import. A company that the
     * application has connected before keeps its tenant: its tokens are renewed and its import is
     * asked for again, if the tenant is linked to the user. Consent at a platform links nobody to
     * the books of somebody else: whoever opens another's authorization URL and consents would
     * hand the own books over (RFC 9700 section 4.7). Only the application links further users.
     */
    connect: async (owner: Owner, request: ConnectionRequest): Promise<Connecting> => {
      for (;;) {
        const attempt = await tryToConnect(owner, request);
        if (attempt.outcome !== 'connected_meanwhile') return attempt;
      }
    },
  };
};

export const keyOfCompany = (
  { applicationId }: Pick<Owner, 'applicationId'>,
  { details: { platform }, company }: Pick<ConnectionRequest, 'details' | 'company'>,
): Key => connectedCompanyKey(applicationId, { platform, ...company });
