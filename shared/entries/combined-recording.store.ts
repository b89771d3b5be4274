// Combines requests for single entries of one date: one transaction records all of them.

import { rowsOfEntry, withRows } from '../sheets/day-sheet.ts';
import { hasRoom } from '../sheets/day-sheets.store.ts';
import { sheetIn } from '../sheets/new-sheets.store.ts';
import { keyText, type TenantName, tenantLinkKey } from '../table/keys.ts';
import { type Decision, isMissingIn, itemIn, type Snapshot } from '../table/optimistic-write.ts';
import { maximumTransactionActions } from '../table/table.ts';
import { type LinkedUser, linkedCheck } from '../tenants/tenant-links.store.ts';
import { guardKeysOf, idempotencyGuardActions } from './entry-guards.store.ts';
import { maximumLinesPerItem } from './entry-items.store.ts';
import { recordingOf } from './entry-recording.store.ts';
import type { ApiEntry, JournalEntry, UnnumberedEntry } from './journal-entry.ts';

/** A request to record one entry that is new. */
export type SingleEntry = {
  entry: UnnumberedEntry<ApiEntry>;
  /** The random part of its id. */
  random: Uint8Array;
  idempotencyKey: string | undefined;
  /** The user who posts. The tenant must be linked to the user. */
  user: LinkedUser | undefined;
};

/** Whether an entry changes one sheet only and takes one item. */
export const canCombine = ({
  status,
  accrualDate,
  lines,
}: Pick<UnnumberedEntry<ApiEntry>, 'status' | 'accrualDate' | 'lines'>): boolean =>
  status === 'posted' && accrualDate === null && lines.length <= maximumLinesPerItem;

/** The sheet, the item that lists it as late or the check that its date is not carried, a block. */
const sheetActions = 3;

/** Half of what a transaction can have (DynamoDB Developer Guide, "Quotas"). */
const maximumBytes = 2 ** 21;

/** The entry, the items that list it, its guards, and the check of its user. */
const actionsFor = ({ entry, idempotencyKey, user }: SingleEntry): number =>
  1 +
  (entry.indexed?.length ?? 0) +
  [entry.externalId ?? undefined, idempotencyKey, user].filter((it) => it !== undefined).length;

/**
 * How many of these requests fit into one transaction, from the first one on.
 * @param options.furtherActions the number of further actions for each of them
 */
export const countFitting = (
  requests: readonly SingleEntry[],
  { furtherActions = 0 } = {},
): number => {
  let actions = sheetActions;
  let bytes = 0;
  const excess = requests.findIndex((request) => {
    actions += actionsFor(request) + furtherActions;
    bytes += Buffer.byteLength(JSON.stringify(request.entry));
    return actions > maximumTransactionActions || bytes > maximumBytes;
  });
  return excess < 0 ? requests.length : Math.max(1, excess);
};

/** The requests that can be recorded now. The others must find out alone why they cannot. */
const recordable = (
  name: TenantName,
  { date, requests }: { date: string; requests: readonly SingleEntry[] },
  snapshot: Snapshot,
): SingleEntry[] => {
  const guards = new Set<string>();
  const free = requests.filter(({ entry: { externalId }, idempotencyKey, user }) => {
    const own = guardKeysOf(name, { externalIds: [externalId], idempotencyKey });
    const isRepeat = own.some((key) => guards.has(keyText(key)) || itemIn(snapshot, key));
    if (isRepeat || (user && isMissingIn(snapshot, tenantLinkKey(user, name.schemaName)))) {
      return false;
    }
    for (const key of own) guards.add(keyText(key));
    return true;
  });
  const sheet = sheetIn(snapshot, name, { series: 'MJ', date });
  const added = free.flatMap(({ entry }) => rowsOfEntry(entry));
  return hasRoom(withRows(sheet, added)) ? free : [];
};

/**
 * Numbers and counts the entries of these requests, in their order.
 * @returns the recorded entry of each request, or undefined if the transaction does not record it
 */
export const combine = (
  name: TenantName,
  { date, requests }: { date: string; requests: readonly SingleEntry[] },
  snapshot: Snapshot,
): Decision<(JournalEntry | undefined)[]> => {
  const included = recordable(name, { date, requests }, snapshot);
  if (included.length === 0) return { result: requests.map(() => undefined) };
  const entries = included.map(({ entry, random, idempotencyKey }) => ({
    entry,
    random,
    isKeyed: idempotencyKey !== undefined,
  }));
  const { recorded, actions, blocks } = recordingOf(name, { series: 'MJ', entries }, snapshot);
  const recordedOf = new Map(included.map((request, index) => [request, recorded[index]]));
  const guards = [...recordedOf].flatMap(([{ idempotencyKey }, written]) =>
    written
      ? idempotencyGuardActions(name, idempotencyKey, { keys: [written.key], isBatch: false })
      : [],
  );
  const users = new Map(included.flatMap(({ user }) => (user ? [[user.email, user]] : [])));
  return {
    result: requests.map((request) => recordedOf.get(request)?.entry),
    actions: [
      ...actions,
      ...blocks,
      ...guards,
      ...[...users.values()].map((it) => linkedCheck(it, name)),
    ],
  };
};
