// Tenants: creating one whole, connecting a platform's company, and reading them back.

import * as z from 'zod/mini';
import type { Account } from '../domain/accounts.ts';
import { preferredPrefix, schemaNameOf, suffixedPrefix } from '../domain/domain-names.ts';
import { type ConnectedCompany, connectionAction, type Tokens } from './connections.ts';
import { importAction } from './imports.ts';
import {
  accountKey,
  companyKey,
  domainKey,
  type Key,
  repeatKey,
  type TenantName,
  tenantKey,
  tenantLinkKey,
  textOf,
  userIdKey,
} from './keys.ts';
import { findRepeat, Repeat, type RepeatableRequest, repeatActions } from './repeats.ts';
import type { Sealing } from './sealing.ts';
import { type Action, mustBeNew, type Table } from './table.ts';
import { statusAction, TenantStatus } from './tenant-status.ts';
import { untilDone } from './tries.ts';
import { UserIdEntry } from './users.ts';

/** A tenant. `platform` is the slot it was created for, whatever name the stage gives the slot. */
export const Tenant = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  prefix: z.string(),
  platform: z.enum(['manual', 'platform_a', 'platform_b', 'platform_c']),
  companyName: z.string(),
  currency: z.string(),
  cashFlowMethod: z.enum(['direct', 'indirect']),
  status: TenantStatus,
  /** Why it is not well, or what its import waits for: a code. */
  statusReason: z.optional(z.nullable(z.string())),
  createdAt: z.string(),
});
export type Tenant = z.infer<typeof Tenant>;

/** A tenant before it has a name of its own. */
export type TenantDetails = Omit<
  Tenant,
  'applicationId' | 'schemaName' | 'prefix' | 'status' | 'statusReason'
>;

/** The user that a tenant is linked to. */
export type Owner = { applicationId: string; email: string };

/** How a creation ended: made, found to repeat another, or joined to a company's first tenant. */
export type Creation =
  | { outcome: 'created' | 'renewed'; tenant: Tenant }
  | { outcome: 'repeated'; repeat: Repeat };

/** A platform's company that was connected, and the import to ask for. */
export type ConnectionRequest = {
  details: TenantDetails;
  company: ConnectedCompany;
  tokens: Tokens;
  importId: string;
  repeatable: RepeatableRequest | undefined;
};

const CompanyEntry = z.object({ schemaName: z.string() });

export type TenantReader = ReturnType<typeof openTenantReader>;

export const openTenantReader = (table: Table) => ({
  find: async (name: TenantName): Promise<Tenant | undefined> => {
    const item = await table.get(tenantKey(name));
    return item && Tenant.parse(item);
  },

  /** The tenants of these names that exist, in the order of the names. */
  findMany: async (names: readonly TenantName[]): Promise<Tenant[]> => {
    const items = await table.getMany(names.map(tenantKey));
    return names.flatMap((name) => {
      const item = items.get(textOf(tenantKey(name)));
      return item ? [Tenant.parse(item)] : [];
    });
  },
});

export type Tenants = ReturnType<typeof openTenants>;

export const openTenants = (
  table: Table,
  { sealing, newSuffix }: { sealing: Sealing; newSuffix: () => string },
) => {
  const { find } = openTenantReader(table);

  /**
   * A tenant that something else points at. The items of a transaction show up one by one, so it is
   * read again until it is there.
   */
  const get = (name: TenantName): Promise<Tenant> => untilDone(() => find(name));

  /**
   * Writes a tenant under the plain prefix if that is free, and under a suffixed one otherwise.
   * `undefined` where one of `guards` found its item taken; then nothing is written.
   */
  const writeNew = async (
    owner: Owner,
    details: TenantDetails & Pick<Tenant, 'status'>,
    parts: {
      preferredIsFree: boolean;
      guards: (schemaName: string) => Action[];
      contents: (name: TenantName) => Action[] | Promise<Action[]>;
    },
  ): Promise<Tenant | undefined> => {
    let plain = parts.preferredIsFree ? preferredPrefix(details.companyName) : undefined;
    for (;;) {
      const prefix = plain ?? suffixedPrefix(details.companyName, newSuffix());
      const name = { applicationId: owner.applicationId, schemaName: schemaNameOf(prefix) };
      const tenant: Tenant = { ...details, ...name, prefix };
      const guards = parts.guards(name.schemaName);
      const outcome = await table.transact([
        ...guards,
        { put: { ...domainKey(name.schemaName), ...name }, condition: mustBeNew },
        { put: { ...tenantKey(name), kind: 'tenant', ...tenant }, condition: mustBeNew },
        linkAction(owner, name),
        ...(await parts.contents(name)),
      ]);
      if (outcome.committed) return tenant;
      if (guards.some((_, index) => outcome.failed.has(index))) return undefined;
      plain = undefined;
    }
  };

  const connectionActions = async (
    name: TenantName,
    { details, company, tokens, importId }: ConnectionRequest,
  ): Promise<Action[]> => [
    await connectionAction(sealing, name, { ...company, tokens }),
    importAction(name, { importId, requestedAt: details.createdAt }),
  ];

  /** `undefined` where the company was connected, or the request repeated, in the meantime. */
  const createConnected = (
    owner: Owner,
    request: ConnectionRequest,
    preferredIsFree: boolean,
  ): Promise<Tenant | undefined> =>
    writeNew(
      owner,
      { ...request.details, status: 'importing' },
      {
        preferredIsFree,
        guards: (schemaName) => [
          { put: { ...connectedKey(owner, request), schemaName }, condition: mustBeNew },
          ...repeatActions(owner, schemaName, request.repeatable),
        ],
        contents: (name) => connectionActions(name, request),
      },
    );

  /** `undefined` where the request was repeated in the meantime. */
  const renew = async (
    owner: Owner,
    request: ConnectionRequest,
    schemaName: string,
  ): Promise<Tenant | undefined> => {
    const name = { applicationId: owner.applicationId, schemaName };
    const outcome = await table.transact([
      importingAction(name, request.details),
      linkAction(owner, name),
      ...(await connectionActions(name, request)),
      ...repeatActions(owner, schemaName, request.repeatable),
    ]);
    return outcome.committed ? get(name) : undefined;
  };

  /** `undefined` where somebody else connected the company meanwhile: then it is renewed next. */
  const tryToConnect = async (
    owner: Owner,
    request: ConnectionRequest,
  ): Promise<Creation | undefined> => {
    const keyOfCompany = connectedKey(owner, request);
    const domain = preferredDomainKey(request.details.companyName);
    const items = await table.getMany([keyOfCompany, ...(domain ? [domain] : [])]);
    const company = items.get(textOf(keyOfCompany));
    const tenant = company
      ? await renew(owner, request, CompanyEntry.parse(company).schemaName)
      : await createConnected(owner, request, domain !== undefined && !items.has(textOf(domain)));
    if (tenant) return { outcome: company ? 'renewed' : 'created', tenant };
    const repeat = await findRepeat(table, owner, request.repeatable);
    if (repeat) return { outcome: 'repeated', repeat };
    if (company) throw new Error('a connected company has no tenant');
    return undefined;
  };

  return {
    find,
    get,

    /** What a creation must know first, in one call. */
    prepare: async (asked: {
      applicationId: string;
      userId: string;
      companyName: string | undefined;
      idempotencyKey: string | undefined;
    }): Promise<{
      owner: Owner | undefined;
      repeat: Repeat | undefined;
      preferredIsFree: boolean;
    }> => {
      const { applicationId, idempotencyKey } = asked;
      const user = userIdKey(asked);
      const repeat =
        idempotencyKey === undefined ? undefined : repeatKey({ applicationId, idempotencyKey });
      const domain = preferredDomainKey(asked.companyName);
      const items = await table.getMany([user, repeat, domain].filter((key) => key !== undefined));
      const found = (key: Key | undefined) => key && items.get(textOf(key));
      const [userFound, repeatFound] = [found(user), found(repeat)];
      return {
        owner: userFound && { applicationId, email: UserIdEntry.parse(userFound).email },
        repeat: repeatFound && Repeat.parse(repeatFound),
        preferredIsFree: domain !== undefined && found(domain) === undefined,
      };
    },

    /** Creates a tenant that keeps its own books, with its chart of accounts, in one write. */
    create: async (
      owner: Owner,
      asked: {
        details: TenantDetails;
        accounts: readonly Account[];
        preferredIsFree: boolean;
        repeatable: RepeatableRequest | undefined;
      },
    ): Promise<Creation> => {
      const tenant = await writeNew(
        owner,
        { ...asked.details, status: 'active' },
        {
          preferredIsFree: asked.preferredIsFree,
          guards: (schemaName) => repeatActions(owner, schemaName, asked.repeatable),
          contents: (name) =>
            asked.accounts.map((account) => ({
              put: { ...accountKey(name, account.code), kind: 'account', ...account },
            })),
        },
      );
      if (tenant) return { outcome: 'created', tenant };
      const repeat = await findRepeat(table, owner, asked.repeatable);
      if (repeat === undefined) throw new Error('a repeated creation left no trace');
      return { outcome: 'repeated', repeat };
    },

    /**
     * Creates the tenant of a platform's company and asks for its import. A company that the
     * application has connected before keeps its tenant: its tokens are renewed, its import is
     * asked for again, and the user is linked to it.
     */
    connect: async (owner: Owner, request: ConnectionRequest): Promise<Creation> => {
      for (;;) {
        const creation = await tryToConnect(owner, request);
        if (creation) return creation;
      }
    },
  };
};

/**
 * Companies are told apart by the platform's slot too, since tokens are good for the client of
 * their slot only, and by data center, since each numbers its companies for itself.
 */
const connectedKey = (
  { applicationId }: Owner,
  { details: { platform }, company: { companyId, dataCenter } }: ConnectionRequest,
): Key =>
  companyKey({
    applicationId,
    platform,
    companyId: dataCenter === null ? companyId : `${dataCenter}/${companyId}`,
  });

const preferredDomainKey = (companyName: string | undefined): Key | undefined => {
  const prefix = companyName === undefined ? undefined : preferredPrefix(companyName);
  return prefix === undefined ? undefined : domainKey(schemaNameOf(prefix));
};

const linkAction = (owner: Owner, { schemaName }: TenantName): Action => ({
  put: { ...tenantLinkKey(owner, schemaName), schemaName },
});

const importingAction = (name: TenantName, { cashFlowMethod }: TenantDetails): Action => {
  const action = statusAction(name, { status: 'importing', reason: null });
  return {
    ...action,
    expression: `${action.expression}, cashFlowMethod = :cashFlowMethod`,
    values: { ...action.values, ':cashFlowMethod': cashFlowMethod },
  };
};
