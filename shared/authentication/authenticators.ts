// Authenticators of items: a MAC under a key from Secrets Manager, in the field `mac`. Writes add
// it to the items that count in the books, and every read checks it. So somebody who can change the
// table but cannot read the key changes no such item unnoticed. It costs no unit of the table.
//
// It does not notice that an item is missing, or is an earlier version of itself. `books verify`
// does, and so does a digest that the customer has stored.

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { canonicalJson } from '../canonical-json.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { type Secret, VersionedKeys } from '../secrets.ts';

type Item = Record<string, unknown>;
type Key = { pk: string; sk: string };

/**
 * Whether items have authenticators.
 * - `off`: nothing is authenticated, so that an earlier version can be put back in service
 * - `adopting`: new items are authenticated, and items without an authenticator are accepted
 * - `required`: items without one are refused. The secret says this and not the table: somebody who
 *   can change the table could remove authenticators, and the sign that they are required.
 */
const authenticatorUses = ['off', 'adopting', 'required'] as const;
export type AuthenticatorUse = (typeof authenticatorUses)[number];

const FilledKeys = z.intersection(
  VersionedKeys,
  z.object({ use: z._default(z.enum(authenticatorUses), 'required') }),
);
export type AuthenticatorKeys = z.infer<typeof FilledKeys>;

/** A deployment creates the secret empty, and fills it at its end. */
const empty: AuthenticatorKeys = { current: '', versions: {}, use: 'off' };

export const AuthenticatorKeys = z.union([
  FilledKeys,
  z.pipe(
    z.strictObject({}),
    z.transform((): AuthenticatorKeys => empty),
  ),
]);

/** The field of the authenticator: the version of the key, a point, and 128 bits in base64. */
export const macField = 'mac';
/** HMAC-SHA-256, truncated to 128 bits (NIST SP 800-107 section 5.3.3). */
const macBytes = 16;

type FieldFilter = (field: string) => boolean;

const without = (...fields: string[]): FieldFilter => {
  const others = new Set([macField, ...fields]);
  return (field) => !others.has(field);
};

const only = (...fields: string[]): FieldFilter => {
  const covered = new Set(['pk', 'sk', ...fields]);
  return (field) => covered.has(field);
};

/**
 * The covered fields of each kind of item of a tenant, by the start of its sort key. The others can
 * change by updates; where they count, `books verify` checks them.
 */
const coveredFields: Readonly<Record<string, FieldFilter>> = {
  TENANT: only('applicationId', 'schemaName', 'prefix', 'platform', 'currency', 'createdAt'),
  ACCOUNT: without(),
  ENTRY: without('reversedBy', 'reversalCancelledAt', 'due_pk', 'due_sk'),
  SEQUENCE: without('revision', 'inboxHolder', 'inboxUntil'),
  CARRIED: without(),
  CHAINS: without(),
  EXT: without(),
  IDEMPOTENCY: without(),
  REF: without(),
  COMPARISON: without(),
  REPORT: without(),
  HISTORY: without(),
};

/** The state of what is carried changes by updates, and no figure comes from it. */
const uncoveredSorts = new Set(['CARRIED']);

const splitIsOfTenant = (pk: string): boolean => {
  const [, , kind, schemaName, ...others] = pk.split('#');
  return kind === 'TENANT' && schemaName !== undefined && others.length === 0;
};

/** A report reads thousands of items of one partition. */
let lastPartition = '';
let isLastOfTenant = false;

const isOfTenant = (pk: string): boolean => {
  if (lastPartition !== pk) isLastOfTenant = splitIsOfTenant(pk);
  lastPartition = pk;
  return isLastOfTenant;
};

/**
 * A text has its length in front, so it needs no escapes. They would take longer than the MAC,
 * because the rows of a sheet have thousands of tabs.
 */
const valueText = (value: unknown): string =>
  typeof value === 'string' ? `${value.length}"${value}` : canonicalJson(value);

/**
 * The covered part of an item as text; `undefined` if items of its kind have no
 * authenticator. It copies no item, because reports read thousands.
 */
const coveredOf = (item: Item): string | undefined => {
  const [pk, sk] = [String(item.pk), String(item.sk)];
  const end = sk.indexOf('#');
  const isCovered = coveredFields[end < 0 ? sk : sk.slice(0, end)];
  if (isCovered === undefined || uncoveredSorts.has(sk) || !isOfTenant(pk)) return undefined;
  let text = '';
  const names = Object.keys(item).filter((name) => isCovered(name) && item[name] !== undefined);
  for (const name of names.sort()) text += `${name}:${valueText(item[name])}\n`;
  return text;
};

/** Whether items of these keys can have authenticators. */
export const mayHaveAuthenticators = ({ pk }: Pick<Key, 'pk'>): boolean => isOfTenant(pk);

const keyObjects = new WeakMap<AuthenticatorKeys['versions'], Map<string, KeyObject>>();

const keyObjectOf = ({ versions }: AuthenticatorKeys, version: string): KeyObject | undefined => {
  const known = keyObjects.get(versions) ?? new Map<string, KeyObject>();
  keyObjects.set(versions, known);
  const text = Object.hasOwn(versions, version) ? versions[version] : undefined;
  if (text === undefined) return undefined;
  const key = known.get(version) ?? createSecretKey(Buffer.from(text, 'base64'));
  known.set(version, key);
  return key;
};

const macOf = (covered: string, key: KeyObject): Buffer =>
  createHmac('sha256', key).update(covered).digest().subarray(0, macBytes);

/** @returns the text of the authenticator under the current key */
const authenticatorOf = (covered: string, keys: AuthenticatorKeys): string => {
  const key = keyObjectOf(keys, keys.current);
  if (key === undefined) throw new Error('the current authenticator key is missing');
  return `${keys.current}.${macOf(covered, key).toString('base64url')}`;
};

const versionIn = (text: string): string => text.slice(0, text.indexOf('.'));

/** What is wrong with an item; `undefined` if it is as the ledger wrote it. */
type Fault = 'missing' | 'unknown_key' | 'wrong';

const faultOf = (item: Item, covered: string, keys: AuthenticatorKeys): Fault | undefined => {
  const text = item[macField];
  if (typeof text !== 'string') return keys.use === 'required' ? 'missing' : undefined;
  const key = keyObjectOf(keys, versionIn(text));
  if (key === undefined) return 'unknown_key';
  const [found, expected] = [
    Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url'),
    macOf(covered, key),
  ];
  return found.length === macBytes && timingSafeEqual(found, expected) ? undefined : 'wrong';
};

/** An item whose authenticator is missing or wrong. */
export type AlteredItem = { key: Key; fault: Fault };

export type Authenticators = ReturnType<typeof openAuthenticators>;

/** @param options.onAltered receives altered items; without it, reading one throws BooksDiffer */
export const openAuthenticators = (
  secret: Secret<AuthenticatorKeys>,
  { onAltered }: { onAltered?: (item: AlteredItem) => void } = {},
) => ({
  /** Begins to read the keys, so that they arrive together with the items. */
  prepare: (): void => {
    // A failure shows when the keys are used.
    secret.read().catch(() => {});
  },

  /** Adds authenticators to the items that these actions put. */
  authenticated: async <Action extends object>(actions: readonly Action[]): Promise<Action[]> => {
    const covered = actions.map((action) =>
      'put' in action ? coveredOf(putBy(action)) : undefined,
    );
    if (covered.every((text) => text === undefined)) return [...actions];
    const keys = await secret.read();
    if (keys.use === 'off') return [...actions];
    return actions.map((action, index) => {
      const text = covered[index];
      if (text === undefined) return action;
      return { ...action, put: { ...putBy(action), [macField]: authenticatorOf(text, keys) } };
    });
  },

  /**
   * Checks items as they were read, and removes their authenticators.
   * @throws BooksDiffer for an altered item
   */
  checked: async (items: readonly Item[]): Promise<void> => {
    let keys: AuthenticatorKeys | undefined;
    for (const item of items) {
      const covered = coveredOf(item);
      if (covered === undefined) continue;
      keys ??= await secret.read();
      let fault = keys.use === 'off' ? undefined : faultOf(item, covered, keys);
      if (fault === 'unknown_key') {
        keys = await secret.readAgain();
        fault = faultOf(item, covered, keys);
      }
      delete item[macField];
      if (fault === undefined) continue;
      const key = { pk: String(item.pk), sk: String(item.sk) };
      if (onAltered === undefined) {
        throw new BooksDiffer(`the authenticator of ${key.sk} of ${key.pk} is ${fault}`);
      }
      onAltered({ key, fault });
    }
  },
});

/**
 * The new authenticator of a stored item that has none, or one under an earlier key.
 * @returns `altered` if its authenticator is wrong, or missing although it is required; `undefined`
 *   if the item stays
 */
export const renewalOf = (
  item: Item,
  keys: AuthenticatorKeys,
): { before: unknown; after: string } | 'altered' | undefined => {
  const covered = coveredOf(item);
  if (covered === undefined) return undefined;
  const before = item[macField];
  if (typeof before === 'string' && versionIn(before) === keys.current) return undefined;
  if (faultOf(item, covered, keys) !== undefined) return 'altered';
  return { before, after: authenticatorOf(covered, keys) };
};

const putBy = (action: { put?: unknown }): Item => action.put as Item;
