// The history of a tenant: a hash chain of the changes of its accounts, settings, lock and links.
// Each hash covers the change and the previous hash.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { canonicalJson, sha256 } from '../canonical-json.ts';

/** The hash before the first change. */
const noHash = '0'.repeat(64);

/** Who made a change. The id is that of an API key or a user, or the name of an operator. */
export const Actor = z.object({
  actor: z.enum(['api_key', 'user', 'import', 'operator', 'service']),
  actorId: z.nullable(z.string()),
});
export type Actor = z.infer<typeof Actor>;

export const byKey = (keyId: string): Actor => ({ actor: 'api_key', actorId: keyId });

export const byOperator = (operator: string): Actor => ({ actor: 'operator', actorId: operator });

/** The user of an authorization, without an API key. */
export const byUser = (userId: string | undefined): Actor => ({
  actor: 'user',
  actorId: userId ?? null,
});

export const byImport: Actor = { actor: 'import', actorId: null };

/** The ledger itself, for example when it writes down the state of an earlier version. */
export const byService: Actor = { actor: 'service', actorId: null };

/** Fields with their names and values in replies. */
export const ShownFields = z.record(z.string(), z.json());
export type ShownFields = z.infer<typeof ShownFields>;

/** The kinds of changes in the list, in its order: this history, and what happened to entries. */
export const listedKinds = ['settings', 'entries', 'postings', 'cancellations'] as const;

/**
 * What a change changed. `history_opened` writes down the state of a tenant of an earlier version.
 */
export const changeKinds = [
  'tenant_created',
  'history_opened',
  'company_connected',
  'company_disconnected',
  'account_created',
  'account_updated',
  'accounts_imported',
  'import_ended',
  'settings_updated',
  'user_linked',
  'user_unlinked',
  'operator_command',
] as const;

/**
 * `subject` is the code of an account, the id of a user or import, or a command. `before` and
 * `after` have the changed fields; for several accounts, those of each account by its code.
 */
export const Change = z.object({
  sequence: z.int(),
  at: z.string(),
  actor: Actor.shape.actor,
  actorId: Actor.shape.actorId,
  what: z.enum(changeKinds),
  subject: z.nullable(z.string()),
  before: ShownFields,
  after: ShownFields,
  hash: z.string(),
});
export type Change = z.infer<typeof Change>;

/** A change before it joins the history. */
export type NewChange = Omit<Change, 'sequence' | 'hash'>;

/** A change of a tenant's lock, as earlier versions stored it. `from` is null for the first. */
export const LockChange = z.object({
  at: z.string(),
  from: z.nullable(z.string()),
  to: z.string(),
  keyId: z.string(),
});
export type LockChange = z.infer<typeof LockChange>;

/** The end of a history: the number of changes, and the last hash. */
export type HistoryEnd = { changes: number; changesHead: string };

export const emptyHistory: HistoryEnd = { changes: 0, changesHead: noHash };

/** A change as the audit list shows it, without its hash. */
export const contentOfChange = ({ actorId, hash: _, ...content }: Change) => ({
  ...content,
  actor_id: actorId,
});

/** @param previous the hash of the previous change, 64 hex digits */
export const hashOfChange = (change: Change, previous: string): string =>
  sha256(`h1\n${previous}\n${canonicalJson(contentOfChange(change))}`);

/** Puts a change at the end of a history. */
export const appendedTo = (
  { changes, changesHead }: HistoryEnd,
  added: NewChange,
): { change: Change; end: HistoryEnd } => {
  const numbered = { ...added, sequence: changes + 1, hash: '' };
  const hash = hashOfChange(numbered, changesHead);
  const end = { changes: numbered.sequence, changesHead: hash };
  return { change: { ...numbered, hash }, end };
};

const shownName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const shownValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shownValue);
  return typeof value === 'object' && value !== null ? shownFieldsOf(value) : value;
};

/** Stored fields with the names of replies. Undefined fields are left out. */
export const shownFieldsOf = (stored: object): ShownFields =>
  Object.fromEntries(
    Object.entries(stored)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [shownName(name), shownValue(value)]),
  ) as ShownFields;

/** The fields that differ, before and after. A missing field is null. */
export const differenceOf = (
  before: ShownFields,
  after: ShownFields,
): Pick<Change, 'before' | 'after'> => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const pick = (fields: ShownFields): ShownFields =>
    Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: pick(before), after: pick(after) };
};

/** The fields after a change of some of them. */
export const withChanged = (fields: ShownFields, after: ShownFields): ShownFields =>
  Object.fromEntries(Object.entries({ ...fields, ...after }).filter(([, value]) => value !== null));
