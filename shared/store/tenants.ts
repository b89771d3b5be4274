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
import type { Sealing } from './sealing.ts';
import { type Action, mustBeNew, type Table } from './table.ts';

/** A tenant. `platform` is the slot it was created for, whatever name the stage gives the slot. */
export const Tenant = z.object({
  applicationId: z.string(),
  schemaName: z.string(),
  prefix: z.string(),
  platform: z.enum(['manual', 'platform_a', 'platform_b', 'platform_c']),
  companyName: z.string(),
  currency: z.string(),
  cashFlowMethod: z.enum(['direct', 'indirect']),
  status: z.enum(['active', 'importing', 'import_failed', 'disconnected']),
  createdAt: z.string(),
});
export type Tenant = z.infer<typeof Tenant>;

/** A tenant before it has a name of its own. */
export type TenantDetails = Omit<Tenant, 'applicationId' | 'schemaName' | 'prefix' | 'status'>;

/** The user that a tenant is linked to. */
export type Owner = { applicationId: string; email: string };

/** An Idempotency-Key, and what the request asked for with it (never credentials). */
export type RepeatableRequest = { idempotencyKey: string; request: Record<string, unknown> };

/** What an earlier request with the same Idempotency-Key asked for and made. */
const Repeat = z.object({ schemaName: z.string(), request: z.record(z.string(), z.unknown()) });
export type Repeat = z.infer<typeof Repeat>;

/** How a creation ended: made, found to repeat another, or joined to a company's first tenant. */
export type Creation =
  | { outcome: 'created' | 'renewed'; tenant: Tenant }
  | { outcome: 'repeated'; repeat: Repeat };

const UserIdEntry = z.object({ email: z.string() });
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

  return {
    find,

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
      const keys = {
        user: userIdKey(asked),
        repeat: idempotencyKey && repeatKey({ applicationId, idempotencyKey }),
        domain: preferredDomainKey(asked.companyName),
      };
      const items = await table.getMany(
        Object.values(keys).filter((key) => typeof key === 'object'),
      );
      const user = items.get(textOf(keys.user));
      const repeat = keys.repeat && items.get(textOf(keys.repeat));
      return {
        owner: user && { applicationId, email: UserIdEntry.parse(user).email },
        repeat: repeat ? Repeat.parse(repeat) : undefined,
        preferredIsFree: keys.domain !== undefined && !items.has(textOf(keys.domain)),
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
      return tenant
        ? { outcome: 'created', tenant }
        : { outcome: 'repeated', repeat: await readRepeat(table, owner, asked.repeatable) };
    },

    /**
     * Creates the tenant of a platform's company and asks for its import. A company that the
     * application has connected before keeps its tenant: its tokens are renewed, its import is
     * asked for again, and the user is linked to it.
     */
    connect: async (
      owner: Owner,
      asked: {
        details: TenantDetails;
        company: ConnectedCompany;
        tokens: Tokens;
        importId: string;
        repeatable: RepeatableRequest | undefined;
      },
    ): Promise<Creation> => {
      const { details, company, repeatable } = asked;
      const keyOfCompany = companyKey({ applicationId: owner.applicationId, ...company });
      const contents = async (name: TenantName): Promise<Action[]> => [
        await connectionAction(sealing, name, { ...company, tokens: asked.tokens }),
        importAction(name, { importId: asked.importId, requestedAt: details.createdAt }),
      ];
      const create = (preferredIsFree: boolean): Promise<Tenant | undefined> =>
        writeNew(
          owner,
          { ...details, status: 'importing' },
          {
            preferredIsFree,
            guards: (schemaName) => [
              { put: { ...keyOfCompany, schemaName }, condition: mustBeNew },
              ...repeatActions(owner, schemaName, repeatable),
            ],
            contents,
          },
        );
      const renew = async (schemaName: string): Promise<Tenant | undefined> => {
        const name = { applicationId: owner.applicationId, schemaName };
        const outcome = await table.transact([
          importingAction(name),
          linkAction(owner, name),
          ...(await contents(name)),
          ...repeatActions(owner, schemaName, repeatable),
        ]);
        return outcome.committed ? find(name) : undefined;
      };
      for (;;) {
        const domain = preferredDomainKey(details.companyName);
        const items = await table.getMany([keyOfCompany, ...(domain ? [domain] : [])]);
        const connected = items.get(textOf(keyOfCompany));
        const tenant = connected
          ? await renew(CompanyEntry.parse(connected).schemaName)
          : await create(domain !== undefined && !items.has(textOf(domain)));
        if (tenant) return { outcome: connected ? 'renewed' : 'created', tenant };
        // Somebody else connected the company, or sent the same request, in the meantime.
        const repeat = await findRepeat(table, owner, repeatable);
        if (repeat) return { outcome: 'repeated', repeat };
      }
    },
  };
};

const preferredDomainKey = (companyName: string | undefined): Key | undefined => {
  const prefix = companyName === undefined ? undefined : preferredPrefix(companyName);
  return prefix === undefined ? undefined : domainKey(schemaNameOf(prefix));
};

const linkAction = (owner: Owner, { schemaName }: TenantName): Action => ({
  put: { ...tenantLinkKey(owner, schemaName), schemaName },
});

const importingAction = (name: TenantName): Action => ({
  update: tenantKey(name),
  expression: 'SET #status = :importing',
  condition: 'attribute_exists(pk)',
  names: { '#status': 'status' },
  values: { ':importing': 'importing' },
});

const repeatActions = (
  { applicationId }: Owner,
  schemaName: string,
  repeatable: RepeatableRequest | undefined,
): Action[] => {
  if (repeatable === undefined) return [];
  const { idempotencyKey, request } = repeatable;
  const item = { ...repeatKey({ applicationId, idempotencyKey }), schemaName, request };
  return [{ put: item, condition: mustBeNew }];
};

const findRepeat = async (
  table: Table,
  { applicationId }: Owner,
  repeatable: RepeatableRequest | undefined,
): Promise<Repeat | undefined> => {
  if (repeatable === undefined) return undefined;
  const { idempotencyKey } = repeatable;
  const item = await table.get(repeatKey({ applicationId, idempotencyKey }));
  return item && Repeat.parse(item);
};

const readRepeat = async (
  table: Table,
  owner: Owner,
  repeatable: RepeatableRequest | undefined,
): Promise<Repeat> => {
  const repeat = await findRepeat(table, owner, repeatable);
  if (repeat === undefined) throw new Error('a repeated creation left no trace');
  return repeat;
};
