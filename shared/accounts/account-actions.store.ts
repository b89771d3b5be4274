// The actions that write accounts. For an imported account, the platform decides some fields and
// callers decide the others, so each action changes only its own fields.

import { declaredEvents } from '../events/event-types.ts';
import { type FieldUpdate, updateAction } from '../table/field-updates.ts';
import { accountKey, type TenantName } from '../table/keys.ts';
import { ifNotExists, type PutAction, type UpdateAction } from '../table/table.ts';
import type { AccountChanges } from './account-rules.ts';
import {
  type Account,
  type AccountSubtype,
  isCash,
  isSubtypeOf,
  type PlatformAccount,
} from './accounts.ts';

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

export const importedPartOf = ({
  subtype: _,
  cashFlow: __,
  number: ___,
  ...imported
}: Account): Omit<Account, 'subtype' | 'cashFlow' | 'number'> => imported;

/** Changes an account if it still has the same type. */
export const changeAction = (
  name: TenantName,
  { account: { code, type }, changes }: { account: Account; changes: AccountChanges },
): UpdateAction =>
  updateAction(accountKey(name, code), {
    set: { ...changes, ...declaredEvents('account.updated') },
    expected: { type },
  });

/** The subtype of a stored account after an import that may change its type. Cash stays cash. */
const subtypeAfter = (stored: Account, platform: PlatformAccount): AccountSubtype | undefined => {
  if (stored.subtype === undefined || isSubtypeOf(platform.type, stored.subtype)) {
    return stored.subtype;
  }
  if (platform.type === 'asset' && isCash(stored)) return 'cash';
  return platform.subtype === null || platform.subtype === 'cash' ? undefined : platform.subtype;
};

/**
 * Writes an imported account. Its subtype and cash-flow class are set when it is first imported. It
 * keeps them after that, even under another code.
 *
 * @param options.number the number of the account; `undefined` for one of an earlier version
 * @param options.current the account with this code, if it exists
 * @param options.former the same account under its previous code, if the code has changed
 */
export const importedAccountAction = (
  name: TenantName,
  options: {
    imported: ImportedPart;
    number?: number | undefined;
    platformAccount: PlatformAccount;
    current: Account | undefined;
    former: Account | undefined;
  },
): UpdateAction => {
  const { imported, number, platformAccount, current, former } = options;
  const classification = (): Pick<FieldUpdate, 'set' | 'initial'> => {
    if (former) {
      const subtype = subtypeAfter(former, platformAccount);
      return { set: { subtype, cashFlow: former.cashFlow } };
    }
    const { subtype, cashFlow } = platformAccount;
    if (!current) return { initial: { subtype: subtype ?? undefined, cashFlow } };
    const subtypeNow = subtypeAfter(current, platformAccount);
    return subtypeNow === current.subtype ? {} : { set: { subtype: subtypeNow } };
  };
  const { set, initial = {} } = classification();
  return updateAction(accountKey(name, imported.code), {
    set: { kind, ...imported, ...set, ...declaredEvents() },
    initial: { ...initial, number },
    condition: `${ifNotExists} OR #platformAccountId = :platformAccountId`,
  });
};

/**
 * Archives an account under its previous code. Fails if the classification, which was copied to the
 * new code, has changed since it was read.
 */
export const archiveAction = (
  name: TenantName,
  { code, platformAccountId, subtype, cashFlow }: Account,
): UpdateAction =>
  updateAction(accountKey(name, code), {
    set: { status: 'archived', ...declaredEvents() },
    expected: { platformAccountId, subtype, cashFlow },
  });
