// The contract for tenants: created whole, once for a key and once for a platform's company, with a
// unique prefix, and shown to linked users.

import { canonicalText } from '../../support/readers/entry-hashes.ts';
import type { RawItem } from '../../support/readers/item-kinds.ts';
import { unless } from '../../support/readers/violations.ts';
import { type Creation, couldBeNamed, keyOf, openCreations, uniqueNamesOf } from '../creations.ts';
import { type Answer, type Company, type Operation, placeOf, type Span } from '../requests.ts';
import type { ImportsModel } from './imports.ts';
import type { SettingsModel } from './settings.ts';

/** Something that can happen once: the tenant that came of it, and since when that is certain. */
type UniqueUse = { prefix: string; content: string; since: number };

type Link = { prefix: string; since: number };
export type TenantsModel = ReturnType<typeof openTenantsModel>;
type User = { applicationId: string; email: string };

const nameOf = ({ applicationId, email }: User): string => `${applicationId} ${email}`;

export const openTenantsModel = (imports: ImportsModel, settings: SettingsModel) => {
  const creations = openCreations();
  const makers = new Map<string, Creation>();
  const uniqueUses = new Map<string, UniqueUse>();
  const links = new Map<string, Link[]>();
  /** The tenants that somebody was told of, by prefix: since when they must be there. */
  const certain = new Map<string, { since: number; creation: Creation }>();

  const otherTenant = (name: string, prefix: string): string[] => {
    const before = uniqueUses.get(name)?.prefix ?? prefix;
    return unless(before === prefix, `${name} has the tenant ${prefix}, and had ${before}`);
  };

  /** Records the one tenant of a key and of a company. Reports a second one. */
  const observeUniqueUses = (creation: Creation, prefix: string): string[] => {
    const { content, operation } = creation;
    return uniqueNamesOf(creation).flatMap((name) => {
      const known = uniqueUses.get(name) ?? { prefix, content, since: operation.endedAt };
      uniqueUses.set(name, known);
      const isSameUse = name !== keyOf(creation) || known.content === content;
      return [
        ...otherTenant(name, prefix),
        ...unless(isSameUse, `${name} was used for something else, and is not refused`),
      ];
    });
  };

  const link = (user: User, { prefix, since }: Link): void => {
    const before = links.get(nameOf(user)) ?? [];
    if (before.some((it) => it.prefix === prefix)) return;
    links.set(nameOf(user), [...before, { prefix, since }]);
  };

  /** One request makes one tenant: its prefix, once seen, stays. */
  const observeMaker = (maker: Creation, prefix: string): string[] => {
    const before = makers.get(prefix) ?? maker;
    const other = [...makers].find(([, creation]) => creation === maker)?.[0] ?? prefix;
    makers.set(prefix, maker);
    return [
      ...unless(before === maker, `${prefix} has two makers`),
      ...unless(other === prefix, `one request made both ${other} and ${prefix}`),
      ...unless(couldBeNamed(prefix, maker), `${prefix} is not what its maker would have got`),
      ...uniqueNamesOf(maker).flatMap((name) => otherTenant(name, prefix)),
    ];
  };

  /** The settings of a tenant that nobody has changed by request. */
  const initialSettings = (maker: Creation, seen: Span) => ({
    company_name: [maker.companyName],
    financial_year_end: ['12-31'],
    entry_years_back: [null],
    entry_years_ahead: [null],
    profit_layout: ['ifrs_18'],
    cash_flow_method: creations.methodsOf(maker, seen),
  });

  /** A tenant as a profile shows it. */
  const checkShown = (
    { applicationId, email }: User,
    { operation, shown }: { operation: Span; shown: Record<string, unknown> },
  ): string[] => {
    const prefix = String(shown.tenant_domain_url);
    const maker = creations.makerOf(applicationId, String(shown.created_at));
    if (maker === undefined) return [`${prefix} was asked for by nobody`];
    const { company } = maker;
    const { status, status_reason: reason } = shown;
    const set = settings.expectedSettings(placeOf({ applicationId, prefix }), {
      shown,
      seen: operation,
      initial: initialSettings(maker, operation),
    });
    const expected = {
      tenant_domain_url: prefix,
      schema_name: prefix.replaceAll('-', '_'),
      platform: maker.platform,
      currency: maker.currency,
      ...set,
      status: company ? status : 'active',
      status_reason: company ? reason : null,
      reconnect_by: null,
      indexed_metadata: [],
      follow_platform_edits: maker.platform === 'manual' ? null : true,
      created_at: shown.created_at,
    };
    const [given, meant] = [shown, expected].map(canonicalText);
    return [
      ...observeMaker(maker, prefix),
      ...unless(maker.email === email, `${prefix} is another user's`),
      ...unless(given === meant, `${given} must be ${meant}`),
      ...(company
        ? imports.statusViolations(
            { applicationId, prefix },
            { company, status, reason, seen: operation },
          )
        : []),
    ];
  };

  /** The settings of a tenant as the table has them. */
  const settingViolations = (tenant: RawItem, maker: Creation, moment: number): string[] => {
    const seen = { startedAt: moment, endedAt: moment };
    const shown = {
      company_name: tenant.companyName,
      cash_flow_method: tenant.cashFlowMethod,
      financial_year_end: tenant.financialYearEnd,
      profit_layout: tenant.profitLayout ?? 'ifrs_18',
      entry_years_back: tenant.entryYearsBack ?? null,
      entry_years_ahead: tenant.entryYearsAhead ?? null,
      lock_date: tenant.lockDate ?? null,
      locked_from: tenant.lockedFrom ?? null,
    };
    const prefix = String(tenant.prefix);
    const meant = settings.expectedSettings(
      placeOf({ applicationId: maker.applicationId, prefix }),
      { shown, seen, initial: initialSettings(maker, seen) },
    );
    const [given, expected] = [shown, meant].map(canonicalText);
    return unless(given === expected, `${prefix} has ${given}, and must have ${expected}`);
  };

  return {
    begin: creations.add,
    mayBeAnothers: creations.mayBeAnothers,

    /** Whether the reply that a key was used for something else may be true, and must be. */
    reuse: (creation: Creation): { isPossible: boolean; isCertain: boolean } => {
      const { operation, content } = creation;
      const known = uniqueUses.get(keyOf(creation) ?? '');
      if (known) {
        const isOther = known.content !== content;
        return { isPossible: isOther, isCertain: isOther && known.since < operation.startedAt };
      }
      const others = creations
        .before(operation)
        .filter((it) => keyOf(it) === keyOf(creation) && it.content !== content);
      return { isPossible: others.length > 0, isCertain: false };
    },

    /** A tenant that an operation was told it has made, found or renewed. */
    check: (
      creation: Creation,
      { prefix, isReplay }: { prefix: string; isReplay: boolean },
    ): string[] => {
      const since = creation.operation.endedAt;
      const isOld = isReplay || creation.company !== undefined;
      const violations = [
        ...observeUniqueUses(creation, prefix),
        ...unless(isOld || couldBeNamed(prefix, creation), `${prefix} is another's`),
        ...unless(isOld || !certain.has(prefix), `${prefix} was there before`),
        ...unless(
          (certain.get(prefix)?.creation ?? creation).email === creation.email,
          `${prefix} is another user's`,
        ),
      ];
      if (!certain.has(prefix)) certain.set(prefix, { since, creation });
      link(creation, { prefix, since });
      return violations;
    },

    /** The tenant that an operation can count on, if there is one. */
    find: (
      { applicationId, prefix }: { applicationId: string; prefix: string },
      { startedAt }: Pick<Span, 'startedAt'>,
    ): Creation | undefined => {
      const { since, creation } = certain.get(prefix) ?? {};
      const isThere = since !== undefined && since < startedAt;
      return isThere && creation?.applicationId === applicationId ? creation : undefined;
    },

    /** The problems of a tenant in the reply to its own change. */
    checkSummary: (
      { applicationId, email }: Creation,
      shown: { operation: Operation; shown: Record<string, unknown> },
    ): string[] => checkShown({ applicationId, email }, shown),

    /** The tenants that somebody was told of. */
    prefixes: () =>
      [...certain].map(
        ([
          prefix,
          {
            creation: { applicationId, email, company },
          },
        ]) => ({
          applicationId,
          email,
          prefix,
          company,
        }),
      ),

    /** The companies of connected tenants, by place, as far as they have been seen. */
    connected: (): Map<string, Company> =>
      new Map(
        [...makers].flatMap(([prefix, { applicationId, company }]) =>
          company ? [[placeOf({ applicationId, prefix }), company]] : [],
        ),
      ),
    creations: (): readonly Creation[] => creations.all,

    /** A user's tenants, as its profile shows them to an operation. */
    checkProfile: (
      user: User,
      { operation, data }: { operation: Operation; data: NonNullable<Answer['data']> },
    ): string[] => {
      const tenants = data.tenants as Record<string, unknown>[];
      const shown = new Set(tenants.map(({ tenant_domain_url }) => tenant_domain_url));
      const promised = (links.get(nameOf(user)) ?? []).filter(
        ({ since }) => since < operation.startedAt,
      );
      const dates = tenants.map(({ created_at }) => String(created_at));
      return [
        ...unless(data.tenant_count === tenants.length, `counts ${data.tenant_count} tenants`),
        ...unless(shown.size === tenants.length, 'a tenant is shown twice'),
        ...unless(dates.join() === [...dates].sort().join(), 'the oldest tenant is not first'),
        ...promised.flatMap(({ prefix }) => unless(shown.has(prefix), `${prefix} is not shown`)),
        ...tenants.flatMap((it) => checkShown(user, { operation, shown: it })),
      ];
    },

    /** Compares the tenants in the table with the requests. */
    compare: (items: readonly RawItem[], moment: number): string[] => {
      const tenants = items.filter(({ sk }) => sk === 'TENANT');
      const prefixes = new Set(tenants.map(({ prefix }) => String(prefix)));
      return [
        ...tenants.flatMap((tenant) => {
          const { applicationId, createdAt, prefix } = tenant;
          const maker = creations.makerOf(String(applicationId), String(createdAt));
          return maker
            ? [...observeMaker(maker, String(prefix)), ...settingViolations(tenant, maker, moment)]
            : [`tenant ${prefix} was asked for by nobody`];
        }),
        ...[...certain.keys()].flatMap((prefix) =>
          unless(prefixes.has(prefix), `tenant ${prefix} is lost`),
        ),
      ];
    },
  };
};
