// Creates tenants, and connects the companies of platforms to them.

import type { Account } from '../accounts/accounts.ts';
import { newChartActions } from '../accounts/new-chart.store.ts';
import { addTenantAction } from '../applications/quota-counts.store.ts';
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
import { openTenantHistory } from '../history/tenant-history.store.ts';
import type { Actor } from '../history/tenant-history.ts';
import { requestImportAction } from '../imports/imports.store.ts';
import type { Sealing } from '../sealing.ts';
import { enrolAction } from '../sheets/carry-enrolment.store.ts';
import {
  domainKey,
  idempotencyRecordKey,
  type Key,
  keyText,
  type TenantName,
  userIdKey,
} from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { type Action, ifNotExists, type Table } from '../table/table.ts';
import { prefixFor, schemaNameOf } from './domain-names.ts';
import {
  findIdempotencyRecord,
  IdempotencyRecord,
  type IdempotentRequest,
  idempotencyActions,
} from './tenant-creations.store.ts';
import {
  type LinkedUser,
  linkActions,
  linkedCheck,
  linkedUserOf,
  openTenantReader,
  userChanged,
} from './tenant-links.store.ts';
import { listTenantAction } from './tenant-lists.store.ts';
import { importingAction, newTenantAction } from './tenant-status.store.ts';
import type { settingsOf, Tenant } from './tenants.ts';

/** A tenant before it has a name, a status and a lock. */
export type TenantDetails = Omit<ReturnType<typeof settingsOf>, 'lockDate' | 'lockedFrom'> &
  Pick<Tenant, 'createdAt'>;

/** The user who creates or connects a tenant. */
export type Owner = LinkedUser;

/** `renewed`: the company has a tenant, which got new tokens. */
export type Creation =
  | { outcome: 'created' | 'renewed'; tenant: Tenant }
  | { outcome: 'replayed'; idempotencyRecord: IdempotencyRecord };

type QuotaReached = { outcome: 'tenant_quota_reached' };

/** The outcome of a connection. An obstacle can be a tenant of another user. */
export type ConnectionOutcome = Creation | { outcome: ConnectionObstacle };

/**
 * The outcome of one transaction. `guard_failed`: another request has connected the company or used
 * the Idempotency-Key.
 */
type WriteOutcome =
  | { outcome: 'written'; tenant: Tenant }
  | { outcome: 'guard_failed' }
  | QuotaReached;

/**
 * A connected company and its first import. `reconnectBy` is the time at which the user must
 * consent again, if the platform states one.
 */
export type ConnectionRequest = {
  details: TenantDetails;
  company: ConnectedCompany;
  tokens: ConnectionTokens;
  reconnectBy: string | null;
  importId: string;
  idempotentRequest: IdempotentRequest | undefined;
  /** Who connects the company. */
  by: Actor;
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
  const history = openTenantHistory(table);

  /** Reads a tenant that another item names. It may become visible a moment after that item. */
  const get = (name: TenantName): Promise<Tenant> => retryOnContention(() => find(name));

  /** Writes a tenant under a new prefix. If the prefix is taken, tries another one. */
  const writeNew = async (
    owner: Owner,
    details: TenantDetails & Pick<Tenant, 'status' | 'reconnectBy'>,
    parts: {
      guards: (schemaName: string) => Action[];
      contents: (name: TenantName, tenant: Tenant) => Action[] | Promise<Action[]>;
    },
  ): Promise<WriteOutcome> => {
    for (;;) {
      const prefix = prefixFor(details.companyName, newSuffix());
      const name = { applicationId: owner.applicationId, schemaName: schemaNameOf(prefix) };
      const tenant: Tenant = { ...details, ...name, prefix };
      const guards = parts.guards(name.schemaName);
      const outcome = await table.transact([
        ...guards,
        addTenantAction(owner.applicationId, { maximum }),
        ...linkActions(owner, name),
        { put: { ...domainKey(name.schemaName), ...name }, condition: ifNotExists },
        newTenantAction(name, tenant),
        listTenantAction(tenant),
        enrolAction(name, new Date(details.createdAt)),
        ...(await parts.contents(name, tenant)),
      ]);
      if (outcome.committed) return { outcome: 'written', tenant };
      if (guards.some((_, index) => outcome.failed.has(index))) return { outcome: 'guard_failed' };
      if (outcome.failed.has(guards.length)) return { outcome: 'tenant_quota_reached' };
      if (outcome.failed.has(guards.length + 1)) throw userChanged();
    }
  };

  const connectionActions = async (
    name: TenantName,
    { details, company, tokens, importId }: ConnectionRequest,
  ): Promise<Action[]> => [
    await connectionAction(sealing, name, { ...company, tokens }),
    requestImportAction(name, { importId, requestedAt: details.createdAt }),
  ];

  const createConnected = (owner: Owner, request: ConnectionRequest): Promise<WriteOutcome> =>
    writeNew(
      owner,
      { ...request.details, status: 'importing', reconnectBy: request.reconnectBy },
      {
        guards: (schemaName) => [
          { put: { ...keyOfCompany(owner, request), schemaName }, condition: ifNotExists },
          ...idempotencyActions(owner, schemaName, request.idempotentRequest),
        ],
        contents: async (name, tenant) => [
          ...(await connectionActions(name, request)),
          ...newChartActions(tenant, [], request.by),
        ],
      },
    );

  const renew = async (
    owner: Owner,
    request: ConnectionRequest,
    schemaName: string,
  ): Promise<WriteOutcome | { outcome: 'connected_by_another_user' }> => {
    const name = { applicationId: owner.applicationId, schemaName };
    const { cashFlowMethod, createdAt: at } = request.details;
    const connection = { cashFlowMethod, userId: owner.userId };
    const recording = await history.connectionChangeActions(name, connection, {
      ...request.by,
      at,
    });
    const actions = [
      linkedCheck(owner, name),
      importingAction(name, request),
      ...(await connectionActions(name, request)),
      ...idempotencyActions(owner, schemaName, request.idempotentRequest),
    ];
    const outcome = await table.transact([...actions, ...recording]);
    if (outcome.committed) return { outcome: 'written', tenant: await get(name) };
    // Another change came in between.
    if ([...outcome.failed.keys()].some((it) => it >= actions.length)) {
      return renew(owner, request, schemaName);
    }
    return { outcome: outcome.failed.has(0) ? 'connected_by_another_user' : 'guard_failed' };
  };

  /** One attempt. After `connected_meanwhile`, the next attempt renews the tokens. */
  const tryToConnect = async (
    owner: Owner,
    request: ConnectionRequest,
  ): Promise<ConnectionOutcome | { outcome: 'connected_meanwhile' }> => {
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

    /** Reads, in one call, the user and the Idempotency-Key of a creation. */
    prepare: async (request: {
      applicationId: string;
      userId: string;
      idempotencyKey: string | undefined;
    }): Promise<{ owner: Owner | undefined; idempotencyRecord: IdempotencyRecord | undefined }> => {
      const { applicationId, idempotencyKey } = request;
      const user = userIdKey(request);
      const idempotencyRecord =
        idempotencyKey === undefined
          ? undefined
          : idempotencyRecordKey({ applicationId, idempotencyKey });
      const items = await table.getMany(
        [user, idempotencyRecord].filter((key) => key !== undefined),
      );
      const itemAt = (key: Key | undefined) => key && items.get(keyText(key));
      const [userItem, recordItem] = [itemAt(user), itemAt(idempotencyRecord)];
      return {
        owner: linkedUserOf(request, userItem),
        idempotencyRecord: recordItem && IdempotencyRecord.parse(recordItem),
      };
    },

    /** Creates a tenant without a platform, with its chart of accounts, in one transaction. */
    create: async (
      owner: Owner,
      {
        details,
        accounts,
        idempotentRequest,
        by,
      }: {
        details: TenantDetails;
        accounts: readonly Account[];
        idempotentRequest: IdempotentRequest | undefined;
        /** Who creates the tenant. */
        by: Actor;
      },
    ): Promise<Creation | QuotaReached> => {
      const written = await writeNew(
        owner,
        { ...details, status: 'active' },
        {
          guards: (schemaName) => idempotencyActions(owner, schemaName, idempotentRequest),
          contents: (_, tenant) => newChartActions(tenant, accounts, by),
        },
      );
      if (written.outcome === 'written') return { outcome: 'created', tenant: written.tenant };
      if (written.outcome === 'tenant_quota_reached') return written;
      const idempotencyRecord = await findIdempotencyRecord(table, owner, idempotentRequest);
      if (idempotencyRecord === undefined) throw new Error('a repeated creation has no record');
      return { outcome: 'replayed', idempotencyRecord };
    },

    /** The obstacle to a connection, before its tokens are used. `connect` checks this again. */
    findObstacle: (
      owner: Owner,
      company: CompanyLocation,
    ): Promise<ConnectionObstacle | undefined> =>
      findConnectionObstacle(table, owner, { company, maximum }),

    /**
     * Creates the tenant of a company and requests its import. If the company has a tenant that is
     * linked to the user, renews the tokens and requests another import. A consent never links a
     * user to an existing tenant, because it may be of a person who opened another user's
     * authorization URL (RFC 9700 section 4.7). Only the application links further users.
     */
    connect: async (owner: Owner, request: ConnectionRequest): Promise<ConnectionOutcome> => {
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
