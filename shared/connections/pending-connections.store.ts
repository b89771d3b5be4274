// Connections that wait for their application to confirm them: what a consent gave, with its tokens
// sealed. A company that has no tenant yet gets a prefix and a place in its user's profile with
// that, and nothing else: no other request finds a tenant. What nobody confirms in time is refused
// from then on, and the table's own expiry removes all of it.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { accountCountAction, addTenantAction } from '../applications/quota-counts.store.ts';
import type { Quotas } from '../applications/quotas.ts';
import { importAction } from '../imports/imports.store.ts';
import type { Sealing } from '../sealing.ts';
import { secondsOf } from '../table/expiry.ts';
import {
  domainKey,
  keyText,
  pendingConnectionKey,
  type TenantName,
  tenantKey,
  tenantLinkKey,
  userIdKey,
} from '../table/keys.ts';
import { type Action, ifNotExists, type Table } from '../table/table.ts';
import { prefixFor, schemaNameOf } from '../tenants/domain-names.ts';
import { linkAction, linkedCheck } from '../tenants/tenant-links.store.ts';
import { openTenantReader } from '../tenants/tenant-reader.store.ts';
import { importingAction } from '../tenants/tenant-status.store.ts';
import { type ConnectionRequest, keyOfCompany, type Owner } from '../tenants/tenants.store.ts';
import { pendingTenant, Tenant } from '../tenants/tenants.ts';
import { UserIdEntry } from '../users/users.store.ts';
import { CompanyEntry } from './connected-companies.store.ts';
import { sealedConnectionAction, sealTokens } from './connections.store.ts';
import { ConnectedCompany } from './platform-connections.ts';

/** How long a connection can be confirmed. */
export const confirmationLifetimeSeconds = 60 * 60;

export const PendingConnection = z.object({
  /** The user that started the authorization: nobody else can confirm it. */
  email: z.string(),
  /** Whether the company had no tenant when its user consented. */
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
  /** They are gone once the connection is confirmed, which is how a repeat is recognised. */
  sealedTokens: z.optional(z.string()),
  tokensExpireAt: z.string(),
  codeHash: z.string(),
  expiresAt: z.int(),
});
export type PendingConnection = z.infer<typeof PendingConnection>;

export const isConfirmed = ({ sealedTokens }: PendingConnection): boolean =>
  sealedTokens === undefined;

/** The code has 256 random bits, so that a plain hash of it does not give it away. */
const hashOf = (confirmationCode: string): string =>
  createHash('sha256').update(confirmationCode).digest('base64url');

/** How the wait began: the prefix is what the browser brings the application. */
export type Recorded =
  | { outcome: 'pending'; prefix: string }
  | { outcome: 'connected_by_another_user' };

export type ConnectionRecorder = ReturnType<typeof openConnectionRecorder>;

/** For the callback, which has the tokens. */
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
      ...{ email: owner.email, isNewTenant, details, company, reconnectBy },
      sealedTokens: await sealTokens(sealing, name, tokens),
      tokensExpireAt: tokens.expiresAt,
      codeHash: hashOf(code),
      expiresAt: secondsOf(now) + confirmationLifetimeSeconds,
    };
    return { put: { ...pendingConnectionKey(name), ...pending } };
  };

  /** Beside a connection that works until this one is confirmed. The last consent counts. */
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

  /** The prefix has nothing of the company's name: it is in the user's profile. */
  const recordNew = async (recording: Recording): Promise<Recorded> => {
    const { owner, request, now } = recording;
    const { applicationId } = owner;
    const expiresAt = secondsOf(now) + confirmationLifetimeSeconds;
    for (;;) {
      const prefix = prefixFor('', newSuffix());
      const name = { applicationId, schemaName: schemaNameOf(prefix) };
      const shown = pendingTenant({ ...name, prefix, ...request.details });
      const outcome = await table.transact([
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
    }
  };

  return {
    /**
     * Keeps what a consent gave until the application confirms it. A company that another user has
     * connected is refused at once, as it is without confirmation.
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

/** What a consent gave, whose it is, and the code that confirms it. */
type Recording = {
  owner: Owner;
  request: Pick<ConnectionRequest, 'details' | 'company' | 'tokens' | 'reconnectBy'>;
  code: string;
  now: Date;
};

/**
 * How a confirmation ended. `company_connected_meanwhile`: the company has got a tenant since its
 * consent. `tenant_quota_reached`: the application has no room for another tenant. `ended`:
 * somebody else has confirmed or replaced it, or the user was unlinked.
 */
export type Confirmed =
  | 'confirmed'
  | 'company_connected_meanwhile'
  | 'tenant_quota_reached'
  | 'ended';

export type PendingConnections = ReturnType<typeof openPendingConnections>;

/** For whoever confirms, who never opens the tokens. */
export const openPendingConnections = (
  table: Table,
  { tenantsPerApplication }: Pick<Quotas, 'tenantsPerApplication'>,
) => ({
  /**
   * The connection that this user of the application may confirm with this code, or has confirmed.
   * `undefined` in every other case, so that none is told from another. One call.
   */
  find: async (
    name: TenantName,
    { userId, code, now }: { userId: string; code: string; now: Date },
  ): Promise<PendingConnection | undefined> => {
    const { applicationId } = name;
    const [user, key] = [userIdKey({ applicationId, userId }), pendingConnectionKey(name)];
    const items = await table.getMany([user, key]);
    const { email } = UserIdEntry.safeParse(items.get(keyText(user))).data ?? {};
    const item = items.get(keyText(key));
    const pending = item && PendingConnection.parse(item);
    const isTheirs = pending?.email === email && pending?.codeHash === hashOf(code);
    return isTheirs && pending && pending.expiresAt > secondsOf(now) ? pending : undefined;
  },

  /** Connects the tenant and asks for its import, in one transaction. */
  confirm: async (
    name: TenantName,
    { pending, importId, now }: { pending: PendingConnection; importId: string; now: Date },
  ): Promise<Confirmed> => {
    const { details, company, reconnectBy, sealedTokens, isNewTenant } = pending;
    if (sealedTokens === undefined) return 'ended';
    const owner = { applicationId: name.applicationId, email: pending.email };
    const outcome = await table.transact([
      isNewTenant
        ? { put: { ...keyOfCompany(owner, pending), ...schemaOf(name) }, condition: ifNotExists }
        : linkedCheck(owner, name),
      {
        update: pendingConnectionKey(name),
        expression: 'SET confirmedAt = :now REMOVE sealedTokens',
        condition: 'sealedTokens = :sealedTokens AND expiresAt > :seconds',
        values: {
          ':now': now.toISOString(),
          ':sealedTokens': sealedTokens,
          ':seconds': secondsOf(now),
        },
      },
      ...(isNewTenant
        ? [
            addTenantAction(name.applicationId, { maximum: tenantsPerApplication }),
            ...newTenantActions(name, { owner, pending }),
          ]
        : [importingAction(name, { details, reconnectBy })]),
      sealedConnectionAction(name, {
        ...company,
        sealedTokens,
        expiresAt: pending.tokensExpireAt,
      }),
      importAction(name, { importId, requestedAt: now.toISOString() }),
    ]);
    if (outcome.committed) return 'confirmed';
    if (!isNewTenant || outcome.failed.has(1)) return 'ended';
    if (outcome.failed.has(0)) return 'company_connected_meanwhile';
    return outcome.failed.has(2) ? 'tenant_quota_reached' : 'ended';
  },
});

const schemaOf = ({ schemaName }: TenantName) => ({ schemaName });

/** Makes the tenant, under the prefix that was kept for it, and links its user for good. */
const newTenantActions = (
  name: TenantName,
  { owner, pending }: { owner: Owner; pending: PendingConnection },
): Action[] => {
  const { details, reconnectBy } = pending;
  const prefix = name.schemaName.replaceAll('_', '-');
  const tenant: Tenant = { ...details, ...name, prefix, status: 'importing', reconnectBy };
  return [
    {
      update: domainKey(name.schemaName),
      expression: 'REMOVE expiresAt',
      condition: 'applicationId = :applicationId',
      values: { ':applicationId': name.applicationId },
    },
    { put: { ...tenantKey(name), kind: 'tenant', ...tenant }, condition: ifNotExists },
    linkAction(owner, name),
    accountCountAction(name, 0),
  ];
};
