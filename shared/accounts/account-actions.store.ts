// The writes of single accounts. Of an account that comes from a platform, the platform decides
// some fields and callers the others, so each write changes its own fields and leaves the rest.

import { type Fields, settingOf } from '../table/field-updates.ts';
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

/** The action that puts an account under its code. */
export const accountAction = (name: TenantName, account: Account): PutAction => ({
  put: { ...accountKey(name, account.code), kind, ...account },
});

/** What its platform decides of an account, whenever it is imported. */
export type ImportedPart = Pick<Account, 'code' | 'name' | 'type' | 'status' | 'role'> & {
  platformAccountId: string;
};

export const importedPartOf = ({ subtype: _, cashFlow: __, ...imported }: Account) => imported;

/** Changes an account of a type, where it still is of that type. */
export const changeAction = (
  name: TenantName,
  { account: { code, type }, changes }: { account: Account; changes: AccountChanges },
): UpdateAction => {
  const { names, values, ...setting } = settingOf(changes);
  return {
    update: accountKey(name, code),
    ...setting,
    condition: '#type = :type',
    names: { ...names, '#type': 'type' },
    values: { ...values, ':type': type },
  };
};

/** The subtype of an account that its platform may have given another type. Cash stays cash. */
const subtypeAfter = (kept: Account, given: PlatformAccount): AccountSubtype | undefined => {
  if (kept.subtype === undefined || isSubtypeOf(given.type, kept.subtype)) return kept.subtype;
  if (given.type === 'asset' && isCash(kept)) return 'cash';
  return given.subtype === null || given.subtype === 'cash' ? undefined : given.subtype;
};

/**
 * Records what a platform says of an account. How the statements show it is written with the
 * account, and stays as it is afterwards: it comes along where the account gets another code.
 *
 * @param options.present the account under the code, if it is there
 * @param options.former the account under the code that it had until now, if that was another
 */
export const importAction = (
  name: TenantName,
  options: {
    imported: ImportedPart;
    given: PlatformAccount;
    present: Account | undefined;
    former: Account | undefined;
  },
): UpdateAction => {
  const { imported, given, present, former } = options;
  const classification = (): { kept?: Fields; initial?: Fields } => {
    if (former) {
      return { kept: { subtype: subtypeAfter(former, given), cashFlow: former.cashFlow } };
    }
    if (present) {
      const subtype = subtypeAfter(present, given);
      return subtype === present.subtype ? {} : { kept: { subtype } };
    }
    return { initial: { subtype: given.subtype ?? undefined, cashFlow: given.cashFlow } };
  };
  const { kept, initial } = classification();
  return {
    update: accountKey(name, imported.code),
    ...settingOf({ kind, ...imported, ...kept }, initial),
    condition: `${ifNotExists} OR #platformAccountId = :platformAccountId`,
  };
};

/**
 * Archives an account under a code that it has no longer, where its classification is still what
 * came along to its new code.
 */
export const archiveAction = (
  name: TenantName,
  { code, platformAccountId, subtype, cashFlow }: Account,
): UpdateAction => {
  const unchanged = Object.entries({ platformAccountId, subtype, cashFlow });
  const conditions = unchanged.map(([field, value]) =>
    value === undefined ? `attribute_not_exists(#${field})` : `#${field} = :${field}`,
  );
  const { names, values } = settingOf({ status: 'archived', platformAccountId, subtype, cashFlow });
  return {
    update: accountKey(name, code),
    expression: 'SET #status = :status',
    condition: conditions.join(' AND '),
    names,
    values,
  };
};
