// Connections that wait for their application's confirmation, with sealed tokens. A company without
// a tenant gets a domain prefix and an entry in its user's profile, but no request finds a tenant
// yet. After an hour an unconfirmed connection is refused, and DynamoDB deletes its items.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { newChartActions } from '../accounts/new-chart.store.ts';
import { addTenantAction } from '../applications/quota-counts.store.ts';
import type { Quotas } from '../applications/quotas.ts';
import { ApiError } from '../errors.ts';
import { openTenantHistory } from '../history/tenant-history.store.ts';
import { type Actor, byKey } from '../history/tenant-history.ts';
import { requestImportAction } from '../imports/imports.store.ts';
import type { Sealing } from '../sealing.ts';
import { enrolAction } from '../sheets/carry-enrolment.store.ts';
import { secondsOf } from '../table/expiry.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  domainKey,
  keyText,
  pendingConnectionKey,
  type TenantName,
  tenantLinkKey,
  userIdKey,
} from '../table/keys.ts';
import type { Outcome } from '../table/outcomes.ts';
import { type Action, ifNotExists, type Table } from '../table/table.ts';
import { prefixFor, prefixOfSchema, schemaNameOf } from '../tenants/domain-names.ts';
import {
  linkActions,
  linkChangeAction,
  linkedCheck,
  linkedUserOf,
  openTenantReader,
} from '../tenants/tenant-links.store.ts';
import { listTenantAction } from '../tenants/tenant-lists.store.ts';
import { importingAction, newTenantAction } from '../tenants/tenant-status.store.ts';
import { type ConnectionRequest, keyOfCompany, type Owner } from '../tenants/tenants.store.ts';
import { pendingTenant, Tenant } from '../tenants/tenants.ts';
import { CompanyEntry } from './connected-companies.store.ts';
import { sealedConnectionAction, sealTokens } from './connections.store.ts';
import { ConnectedCompany } from './platform-connections.ts';

/** How long a connection can be confirmed. */
const confirmationLifetimeSeconds = 60 * 60;

export const PendingConnection = z.object({
  /** The user that started the authorization. Only this user can confirm. */
  email: z.string(),
  /** Whether the company had no tenant at the time of the consent. */
  isNewTenant: z.boolean(),
  details: z.pick(Tenant, {
    platform: true,
    companyName: true,
    currency: true,
    cashFlowMethod: true,
    financialYearEnd: true,
    createdAt: true,
  }),
  company: ConnectedCompany,
  reconnectBy: z.nullable(z.string()),
  /** Deleted by the confirmation. A repeated confirmation is recognized by this. */
  sealedTokens: z.optional(z.string()),
  tokensExpireAt: z.string(),
  codeHash: z.string(),
  expiresAt: z.int(),
});
export type PendingConnection = z.infer<typeof PendingConnection>;

export const isConfirmed = ({ sealedTokens }: PendingConnection): boolean =>
  sealedTokens === undefined;

/** A plain hash is enough, because the code has 256 random bits. */
const hashOf = (confirmationCode: string): string =>
  createHash('sha256').update(confirmationCode).digest('base64url');

/** `prefix` is the domain prefix for the redirect to the application. */
type Recorded = { outcome: 'pending'; prefix: string } | { outcome: 'connected_by_another_user' };

export type ConnectionRecorder = ReturnType<typeof openConnectionRecorder>;

/** Records connections for the callback, which has the tokens. */
export const openConnectionRecorder = (
  table: Table,
  { sealing, newSuffix }: { sealing: Sealing; newSuffix: () => string },
) => {
  const reader = openTenantReader(table);

  const putAction = async (
    name: TenantName,
    { owner, request, isNewTenant, code, now }: Recording & { isNewTenant: boolean },
  ): Promise<Action> => {
    const { details, company, tokens, reconnectBy } = request;
    const pending: PendingConnection = {
      email: owner.email,
      isNewTenant,
      details,
      company,
      reconnectBy,
      sealedTokens: await sealTokens(sealing, name, tokens),
      tokensExpireAt: tokens.expiresAt,
      codeHash: hashOf(code),
      expiresAt: secondsOf(now) + confirmationLifetimeSeconds,
    };
    return { put: { ...pendingConnectionKey(name), ...pending } };
  };

  /** The existing connection works until this one is confirmed. The last consent counts. */
  const recordRenewal = async (name: TenantName, recording: Recording): Promise<Recorded> => {
    const tenant = await reader.find(name);
    if (tenant === undefined) throw new Error('a connected company has no tenant');
    const outcome = await table.transact([
      linkedCheck(recording.owner, name),
      await putAction(name, { ...recording, isNewTenant: false }),
    ]);
    return outcome.committed
      ? { outcome: 'pending', prefix: tenant.prefix }
      : { outcome: 'connected_by_another_user' };
  };

  /** The prefix does not contain the company's name, because the user's profile shows the name. */
  const recordNew = async (recording: Recording): Promise<Recorded> => {
    const { owner, request, now } = recording;
    const { applicationId } = owner;
    const expiresAt = secondsOf(now) + confirmationLifetimeSeconds;
    for (;;) {
      const prefix = prefixFor('', newSuffix());
      const name = { applicationId, schemaName: schemaNameOf(prefix) };
      const shown = pendingTenant({ ...name, prefix, ...request.details });
      const outcome = await table.transact([
        linkChangeAction(owner),
        { put: { ...domainKey(name.schemaName), ...name, expiresAt }, condition: ifNotExists },
        await putAction(name, { ...recording, isNewTenant: true }),
        {
          put: {
            ...tenantLinkKey(owner, name.schemaName),
            schemaName: name.schemaName,
            pendingTenant: shown,
            expiresAt,
          },
        },
      ]);
      if (outcome.committed) return { outcome: 'pending', prefix };
      if (outcome.failed.has(0)) throw new ApiError('user_not_found');
    }
  };

  return {
    /**
     * Stores a connection until the application confirms it. Refuses a company that another user
     * has connected.
     */
    record: async (recording: Recording): Promise<Recorded> => {
      const { owner, request } = recording;
      const company = await table.get(keyOfCompany(owner, request));
      if (company === undefined) return recordNew(recording);
      const { schemaName } = CompanyEntry.parse(company);
      return recordRenewal({ applicationId: owner.applicationId, schemaName }, recording);
    },
  };
};

/** A new connection, its owner and the code for its confirmation. */
type Recording = {
  owner: Owner;
  request: Pick<ConnectionRequest, 'details' | 'company' | 'tokens' | 'reconnectBy'>;
  code: string;
  now: Date;
};

/**
 * The result of a confirmation. `company_connected_meanwhile`: the company has got a tenant since
 * the consent. `tenant_quota_reached`: the application has its maximum number of tenants. `ended`:
 * the connection was confirmed or replaced meanwhile, or the user was unlinked.
 */
type Confirmed = 'confirmed' | 'company_connected_meanwhile' | 'tenant_quota_reached' | 'ended';

export type PendingConnections = ReturnType<typeof openPendingConnections>;

/** Confirms connections without opening their tokens. */
export const openPendingConnections = (
  table: Table,
  { tenantsPerApplication }: Pick<Quotas, 'tenantsPerApplication'>,
) => ({
  /**
   * The connection that this user can confirm, or has confirmed, with this code. Every other case
   * returns `undefined`, because a caller must not be able to distinguish them. One call.
   */
  find: async (
    name: TenantName,
    { userId, code, now }: { userId: string; code: string; now: Date },
  ): Promise<PendingConnection | undefined> => {
    const { applicationId } = name;
    const [user, key] = [userIdKey({ applicationId, userId }), pendingConnectionKey(name)];
    const items = await table.getMany([user, key]);
    const email = linkedUserOf({ applicationId, userId }, items.get(keyText(user)))?.email;
    const item = items.get(keyText(key));
    const pending = item && PendingConnection.parse(item);
    const isTheirs = pending?.email === email && pending?.codeHash === hashOf(code);
    return isTheirs && pending && pending.expiresAt > secondsOf(now) ? pending : undefined;
  },

  /**
   * Connects the tenant and requests its import in one transaction.
   * @param confirmation.keyId the API key of the request
   */
  confirm: async (
    name: TenantName,
    {
      pending,
      importId,
      now,
      userId,
      keyId,
    }: { pending: PendingConnection; importId: string; now: Date; userId: string; keyId: string },
  ): Promise<Confirmed> => {
    const { details, company, reconnectBy, sealedTokens, isNewTenant } = pending;
    if (sealedTokens === undefined) return 'ended';
    const { applicationId, schemaName } = name;
    const owner = { applicationId, email: pending.email };
    const by = { ...byKey(keyId), at: now.toISOString() };
    const actions: Action[] = [
      isNewTenant
        ? { put: { ...keyOfCompany(owner, pending), schemaName }, condition: ifNotExists }
        : linkedCheck(owner, name),
      updateAction(pendingConnectionKey(name), {
        set: { confirmedAt: now.toISOString(), sealedTokens: undefined },
        expected: { sealedTokens },
        condition: 'expiresAt > :now',
        values: { ':now': secondsOf(now) },
      }),
      ...(isNewTenant
        ? [
            addTenantAction(applicationId, { maximum: tenantsPerApplication }),
            ...newTenantActions(name, { owner, pending, by: byKey(keyId) }),
          ]
        : [importingAction(name, { details, reconnectBy })]),
      sealedConnectionAction(name, {
        ...company,
        sealedTokens,
        expiresAt: pending.tokensExpireAt,
      }),
      requestImportAction(name, { importId, requestedAt: now.toISOString() }),
    ];
    const history = openTenantHistory(table);
    const connection = { cashFlowMethod: details.cashFlowMethod, userId };
    for (;;) {
      const recording = isNewTenant
        ? []
        : await history.connectionChangeActions(name, connection, by);
      const outcome = await table.transact([...actions, ...recording]);
      const confirmed = confirmedBy(outcome, { isNewTenant, actions: actions.length });
      if (confirmed !== 'overtaken') return confirmed;
    }
  },
});

/** The result of a confirmation. `overtaken`: another change of the tenant came in between. */
const confirmedBy = (
  outcome: Outcome,
  { isNewTenant, actions }: { isNewTenant: boolean; actions: number },
): Confirmed | 'overtaken' => {
  if (outcome.committed) return 'confirmed';
  if ([...outcome.failed.keys()].every((it) => it >= actions)) return 'overtaken';
  if (!isNewTenant || outcome.failed.has(1)) return 'ended';
  if (outcome.failed.has(0)) return 'company_connected_meanwhile';
  return outcome.failed.has(2) ? 'tenant_quota_reached' : 'ended';
};

/** Creates the tenant under its reserved prefix and links the user permanently. */
const newTenantActions = (
  name: TenantName,
  { owner, pending, by }: { owner: Owner; pending: PendingConnection; by: Actor },
): Action[] => {
  const { details, reconnectBy } = pending;
  const prefix = prefixOfSchema(name.schemaName);
  const tenant: Tenant = { ...details, ...name, prefix, status: 'importing', reconnectBy };
  return [
    updateAction(domainKey(name.schemaName), {
      set: { expiresAt: undefined },
      expected: { applicationId: name.applicationId },
    }),
    newTenantAction(name, tenant),
    ...linkActions(owner, name),
    listTenantAction(tenant),
    enrolAction(name, new Date(tenant.createdAt)),
    ...newChartActions(tenant, [], by),
  ];
};
