// The actions that write accounts. For an imported account, the platform decides some fields and
// callers decide the others.

import { declaredEvents } from '../events/event-types.ts';
import { replaceAction, updateAction } from '../table/field-updates.ts';
import { accountKey, platformAccountKey, type TenantName } from '../table/keys.ts';
import { ifNotExists, type PutAction, type UpdateAction } from '../table/table.ts';
import {
  type Account,
  type AccountSubtype,
  isCash,
  isSubtypeOf,
  type PlatformAccount,
} from './accounts.ts';
import { lineClassOf } from './line-classes.ts';
import { type Classification, classificationIn } from './reclassification.ts';

const kind = 'account';

/** The action that puts an account of a new tenant. */
export const accountAction = (name: TenantName, account: Account): PutAction => ({
  put: { ...accountKey(name, account.code), kind, ...account },
});

/** The action that adds an account for a caller. */
export const addAction = (name: TenantName, account: Account): PutAction => ({
  put: { ...accountAction(name, account).put, ...declaredEvents('account.created') },
  condition: ifNotExists,
});

/** The fields of an imported account that its platform decides. */
export type ImportedPart = Pick<Account, 'code' | 'name' | 'type' | 'status' | 'role'> & {
  platformAccountId: string;
};

/** Replaces an account if it has not changed since it was read. */
export const replaceAccountAction = (
  name: TenantName,
  {
    before,
    after,
    events = [],
  }: {
    before: Account;
    after: Account;
    /** The events of the change; none for an import. */
    events?: readonly 'account.updated'[];
  },
): PutAction => {
  const { name: called, status, type } = before;
  const { put } = accountAction(name, after);
  const expected = { name: called, status, type, ...classificationIn(before) };
  return replaceAction({ ...put, ...declaredEvents(...events) }, expected);
};

/**
 * Changes the class in the item that finds an imported account by its platform's id, because
 * imports read only that item.
 */
export const pointerActions = (
  name: TenantName,
  { before, after }: { before: Account; after: Account },
): UpdateAction[] => {
  const { code, platformAccountId } = after;
  const lineClass = lineClassOf(after);
  if (platformAccountId === undefined || lineClass === lineClassOf(before)) return [];
  const key = platformAccountKey(name, platformAccountId);
  return [updateAction(key, { set: { lineClass }, expected: { code } })];
};

/** The subtype of a stored account after an import that may change its type. Cash stays cash. */
const subtypeAfter = (stored: Account, platform: PlatformAccount): AccountSubtype | undefined => {
  if (stored.subtype === undefined || isSubtypeOf(platform.type, stored.subtype)) {
    return stored.subtype;
  }
  if (platform.type === 'asset' && isCash(stored)) return 'cash';
  return platform.subtype === null || platform.subtype === 'cash' ? undefined : platform.subtype;
};

/**
 * The account of a platform after its import. Its subtype and cash-flow class are set when it is
 * first imported. It keeps them after that, even under another code.
 *
 * @param options.number the number of the account; `undefined` for one of an earlier version
 * @param options.current the account with this code, if it exists
 * @param options.former the same account under its previous code, if the code has changed
 */
export const importedAccountOf = (options: {
  imported: ImportedPart;
  number?: number | undefined;
  platformAccount: PlatformAccount;
  current: Account | undefined;
  former: Account | undefined;
}): Account => {
  const { imported, number, platformAccount, current, former } = options;
  const classificationOf = (): Classification & Pick<Account, 'earlier'> => {
    const source = former ?? current;
    if (source === undefined) {
      const { subtype, cashFlow } = platformAccount;
      return { subtype: subtype ?? undefined, cashFlow };
    }
    const { cashFlow, currentPart, earlier } = source;
    return { subtype: subtypeAfter(source, platformAccount), cashFlow, currentPart, earlier };
  };
  return {
    ...current,
    ...imported,
    ...classificationOf(),
    ...(number !== undefined && { number }),
  };
};
