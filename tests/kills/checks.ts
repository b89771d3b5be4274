// Compares the replies to clients with the items of the table.

import { historyPrefix } from '#shared/table/history-keys.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { unless } from '../support/readers/violations.ts';
import { batchSize, memoInBatch, type Operation } from './operations.ts';

type Held = { name: string; identity: string };

const entryOf = ({ kind, memo, entryId, journalNumber }: RawItem): Held | undefined =>
  kind === 'entry' ? { name: String(memo), identity: `${entryId} ${journalNumber}` } : undefined;

/** The things of a kind that the table holds, each under the name that its client gave it. */
const heldOf: Record<Operation['kind'], (item: RawItem) => Held | undefined> = {
  entry: (item) => entryOf(item),
  reversal: (item) => entryOf(item),
  batch: () => undefined,
  cancellation: ({ kind, memo, status }) =>
    kind === 'entry' ? { name: String(memo), identity: String(status) } : undefined,
  lock: ({ sk, after }) => {
    if (!String(sk).startsWith(historyPrefix)) return undefined;
    const { lock_date: to } = after as { lock_date?: unknown };
    return to === undefined ? undefined : { name: String(to), identity: String(to) };
  },
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
    (kind === 'entry' || kind === 'reversal') && acknowledged
      ? [`${body.domain_url} ${acknowledged.split(' ')[1]}`]
      : [],
  );
  return [...Map.groupBy(told, (number) => number)].flatMap(([number, all]) =>
    all.length > 1 ? [`${number} was given to ${all.length} entries`] : [],
  );
};

/** A batch is in the table in full, as acknowledged, or not in the table. */
const batchViolations = (
  { name, acknowledged, isIdempotent }: Operation,
  heldBy: (name: string) => string[],
): string[] => {
  const places = Array.from({ length: batchSize }, (_, place) => place);
  const held = places.flatMap((place) => heldBy(memoInBatch(name, place)));
  if (held.length === 0) {
    const mustBeThere = acknowledged !== undefined || isIdempotent;
    return mustBeThere ? [`batch "${name}" is lost`] : [];
  }
  const told = held.join(', ');
  return [
    ...unless(held.length === batchSize, `batch "${name}" has ${held.length} entries`),
    ...unless(
      acknowledged === undefined || acknowledged === told,
      `batch "${name}" was acknowledged as ${acknowledged} and is ${told}`,
    ),
  ];
};

/**
 * Acknowledged operations that are lost or changed, and operations with several results. Repeatable
 * operations have been repeated, so each has one result. The others have one or none.
 */
export const acknowledgementViolations = (
  items: readonly RawItem[],
  operations: readonly Operation[],
): string[] => {
  const kinds = [...new Set(operations.map(({ kind }) => kind))];
  const found = new Map(kinds.map((kind) => [kind, identitiesByName(items, kind)]));
  const entry = identitiesByName(items, 'entry');
  const violations = operations.flatMap((operation) => {
    const { kind, name, acknowledged, isIdempotent } = operation;
    if (kind === 'batch') return batchViolations(operation, entry);
    // A repeated lock moves the lock again, and each move is recorded.
    const all = found.get(kind)?.(name) ?? [];
    const held = kind === 'lock' ? all.slice(0, 1) : all;
    const isOutOfSight = kind === 'cancellation' && acknowledged === undefined;
    if (isOutOfSight) return [];
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
