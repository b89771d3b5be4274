// Combines waiting entries of one date and series into one transaction.

import { rowsOfEntry, type SheetRow } from '../../sheets/day-sheet.ts';
import {
  busyMark,
  hasRoom,
  inboxMarkOf,
  type SheetName,
  sheetOf,
} from '../../sheets/day-sheets.store.ts';
import { updateAction } from '../../table/field-updates.ts';
import { ticketIn } from '../../table/inbox-keys.ts';
import {
  externalIdKey,
  type Key,
  keyText,
  readEntryKey,
  sheetKey,
  type TenantName,
  tenantLinkKey,
} from '../../table/keys.ts';
import { type Decision, isMissingIn, itemIn, type Snapshot } from '../../table/optimistic-write.ts';
import {
  type Action,
  type Item,
  ifNotExists,
  maximumTransactionActions,
} from '../../table/table.ts';
import { linkedCheck } from '../../tenants/tenant-links.store.ts';
import { guardKeysOf, idempotencyGuard } from '../entry-guards.store.ts';
import { recordingOf } from '../entry-recording.store.ts';
import { isWaiting, type Numbers, type WaitingEntry } from './waiting-entry.store.ts';

const sheetActions = 1;

/** The entry, its item in the inbox, its guards, and the check of its user. */
const actionsFor = ({ entry, idempotencyKey, user }: WaitingEntry): number =>
  2 + [entry.externalId ?? undefined, idempotencyKey, user].filter((it) => it !== undefined).length;

/**
 * Divides waiting entries into groups that fit into one transaction each. The entries of a group
 * come from one page of a query, which has at most 1 MB, so a transaction has less than 4 MB.
 */
export const groupsOf = (waiting: readonly WaitingEntry[]): WaitingEntry[][] => {
  const groups: WaitingEntry[][] = [];
  let left = 0;
  for (const it of waiting) {
    const actions = actionsFor(it);
    if (actions > left) {
      groups.push([]);
      left = maximumTransactionActions - sheetActions;
    }
    groups.at(-1)?.push(it);
    left -= actions;
  }
  return groups;
};

/** The action that ends the wait of an entry, if its request still waits at `decidedAt`. */
const endOfWait = (
  key: Key,
  { decidedAt, ...fields }: { decidedAt: number } & ({ state: 'returned' } | RecordedFields),
): Action =>
  updateAction(key, {
    set: { ...fields, decidedAt, content: undefined },
    expected: { state: 'waiting' },
    condition: 'deadline > :decidedAt',
  });

type RecordedFields = { state: 'recorded' } & Numbers;

type Group = {
  of: SheetName;
  group: readonly WaitingEntry[];
  now: number;
  /** Whether the holder has seen several entries that waited at the same time. */
  isContended: boolean;
  /** How long the holder has been busy with more entries than fit into one transaction. */
  waitMilliseconds: number;
};

/** Entries that must not be recorded here are returned. Their requests find out why. */
const divide = (
  name: TenantName,
  { of, group, now }: Pick<Group, 'of' | 'group' | 'now'>,
  snapshot: Snapshot,
) => {
  const guards = new Set<string>();
  const rows: SheetRow[] = [...sheetOf(itemIn(snapshot, sheetKey(name, of))).rows];
  const divided: { recorded: WaitingEntry[]; returned: WaitingEntry[] } = {
    recorded: [],
    returned: [],
  };
  for (const it of group) {
    if (!isWaiting(itemIn(snapshot, it.key), now)) continue;
    const { entry, idempotencyKey, user } = it;
    const own = guardKeysOf(name, { externalIds: [entry.externalId], idempotencyKey });
    const isRepeat = own.some((key) => guards.has(keyText(key)) || itemIn(snapshot, key));
    const isUnlinked = user && isMissingIn(snapshot, tenantLinkKey(user, name.schemaName));
    const added = rowsOfEntry(entry);
    if (isRepeat || isUnlinked || !hasRoom({ rows: [...rows, ...added] })) {
      divided.returned.push(it);
      continue;
    }
    divided.recorded.push(it);
    for (const key of own) guards.add(keyText(key));
    rows.push(...added);
  }
  return divided;
};

const sheetIn = (actions: readonly Action[], key: Key): Item | undefined =>
  actions.map((it) => ('put' in it ? it.put : undefined)).find((item) => item?.sk === key.sk);

/** What a transaction did: the numbers of recorded entries by ticket, and the sheet after it. */
export type Combination = { numbers: Map<string, Numbers>; sheetItem: Item | undefined };

/**
 * Decides on a group of waiting entries: numbers and counts them in the order of arrival.
 * @param snapshot the sheet and the items of the group
 */
export const combine = (
  name: TenantName,
  { of, group, now, isContended, waitMilliseconds }: Group,
  snapshot: Snapshot,
): Decision<Combination> => {
  const { recorded, returned } = divide(name, { of, group, now }, snapshot);
  const key = sheetKey(name, of);
  const sheetItem = itemIn(snapshot, key);
  if (recorded.length + returned.length === 0) return { result: { numbers: new Map(), sheetItem } };
  const entries = recorded.map(({ entry, random }) => {
    const { externalId } = entry;
    return {
      entry,
      random,
      guard: externalId === null ? undefined : externalIdKey(name, externalId),
    };
  });
  const inbox = isContended ? busyMark(now, { waitMilliseconds }) : inboxMarkOf(sheetItem);
  const recording = recordingOf(name, { series: of.series, entries, inbox }, snapshot);
  const numbers = new Map<string, Numbers>();
  const users = new Map<string, Action>();
  const actions: Action[] = [];
  for (const [index, { key: waitKey, idempotencyKey, user }] of recorded.entries()) {
    const written = recording.recorded[index];
    if (written?.entry.postingSequence == null || written.entry.hash === null) {
      throw new Error('an entry of an inbox was not counted');
    }
    const { postingSequence, hash } = written.entry;
    const own = { sequence: readEntryKey(written.key).sequence, postingSequence, hash };
    numbers.set(ticketIn(waitKey), own);
    actions.push(endOfWait(waitKey, { state: 'recorded', decidedAt: now, ...own }));
    if (user) users.set(user.email, linkedCheck(user, name));
    if (idempotencyKey !== undefined) {
      const guard = idempotencyGuard(name, idempotencyKey, { keys: [written.key], isBatch: false });
      actions.push({ put: guard, condition: ifNotExists });
    }
  }
  const returns = returned.map(({ key }) => endOfWait(key, { state: 'returned', decidedAt: now }));
  return {
    result: { numbers, sheetItem: sheetIn(recording.actions, key) ?? sheetItem },
    actions: [...recording.actions, ...actions, ...users.values(), ...returns],
  };
};
