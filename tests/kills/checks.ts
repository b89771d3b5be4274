// Compares what clients were told with what the table holds, item by item.

import type { RawItem } from '../support/readers/item-kinds.ts';
import { unless } from '../support/readers/violations.ts';
import type { Operation } from './operations.ts';

type Held = { name: string; identity: string };

/** The things of a kind that the table holds, each under the name that its client gave it. */
const heldOf: Record<Operation['kind'], (item: RawItem) => Held | undefined> = {
  entry: ({ kind, memo, entryId, journalNumber }) =>
    kind === 'entry' ? { name: String(memo), identity: `${entryId} ${journalNumber}` } : undefined,
  user: ({ sk, email, userId }) =>
    sk === 'USER' ? { name: String(email), identity: String(userId) } : undefined,
  tenant: ({ sk, companyName, schemaName }) =>
    sk === 'TENANT' ? { name: String(companyName), identity: String(schemaName) } : undefined,
  connection: (item) => heldOf.tenant(item),
};

const identitiesByName = (items: readonly RawItem[], kind: Operation['kind']) => {
  const held = Map.groupBy(
    items.map(heldOf[kind]).filter((it) => it !== undefined),
    ({ name }) => name,
  );
  return (name: string): string[] => (held.get(name) ?? []).map(({ identity }) => identity);
};

/** Numbers that two entries of one tenant were given, going by what clients were told alone. */
const sharedNumbers = (operations: readonly Operation[]): string[] => {
  const told = operations.flatMap(({ kind, acknowledged, body }) =>
    kind === 'entry' && acknowledged ? [`${body.domain_url} ${acknowledged.split(' ')[1]}`] : [],
  );
  return [...Map.groupBy(told, (number) => number)].flatMap(([number, all]) =>
    all.length > 1 ? [`${number} was given to ${all.length} entries`] : [],
  );
};

/**
 * What was acknowledged and is lost or changed, and what is there more than once. What can be sent
 * again has been by now, so all of it must be there; the rest may be, once.
 */
export const acknowledgementViolations = (
  items: readonly RawItem[],
  operations: readonly Operation[],
): string[] => {
  const tenant = identitiesByName(items, 'tenant');
  const [entry, user] = [identitiesByName(items, 'entry'), identitiesByName(items, 'user')];
  const found = { entry, user, tenant, connection: tenant };
  const violations = operations.flatMap(({ kind, name, acknowledged, isIdempotent }) => {
    const held = found[kind](name);
    if (held.length > 1) return [`${kind} "${name}" is there ${held.length} times`];
    const mustBeThere = acknowledged !== undefined || isIdempotent;
    if (held.length === 0) return mustBeThere ? [`${kind} "${name}" is lost`] : [];
    return unless(
      acknowledged === undefined || acknowledged === held[0],
      `${kind} "${name}" was acknowledged as ${acknowledged} and is ${held[0]}`,
    );
  });
  return [...new Set(violations), ...sharedNumbers(operations)];
};

/** Tenants whose import has not brought every journal of the company, once. */
export const importViolations = (
  items: readonly RawItem[],
  connected: readonly { schemaName: string; journals: number }[],
): string[] =>
  connected.flatMap(({ schemaName, journals }) => {
    const inTenant = items.filter(({ pk }) => String(pk).endsWith(`#TENANT#${schemaName}`));
    const status = inTenant.find(({ sk }) => sk === 'TENANT')?.status;
    const imported = inTenant.filter(
      ({ kind, sk }) => kind === 'entry' && /^ENTRY#[\d-]+#IJ#/.test(String(sk)),
    ).length;
    return [
      ...unless(status === 'active', `tenant ${schemaName} is ${status}`),
      ...unless(
        imported === journals,
        `tenant ${schemaName} has ${imported} of ${journals} imported journals`,
      ),
    ];
  });
