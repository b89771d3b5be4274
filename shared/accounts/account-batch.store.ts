// Decides on the accounts of one transaction of an import, and makes its actions.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import {
  accountKey,
  type Key,
  keyText,
  platformAccountKey,
  type TenantName,
} from '../table/keys.ts';
import { type Action, type Item, ifNotExists } from '../table/table.ts';
import { cleaned, truncate } from '../texts.ts';
import {
  archiveAction,
  type ImportedPart,
  importedAccountAction,
  importedClassificationAfter,
  importedPartOf,
} from './account-actions.store.ts';
import {
  Account,
  codeById,
  maximumAccountNameLength,
  ownCodeOf,
  type PlatformAccount,
} from './accounts.ts';
import { lineClasses, lineClassOf } from './line-classes.ts';

/** The item that finds an account by its platform's id, with what the lines of journals need. */
export const PlatformAccountEntry = z.object({
  code: z.string(),
  name: z.string(),
  lineClass: z.enum(lineClasses),
  number: z.optional(z.int()),
});
export type PlatformAccountEntry = z.infer<typeof PlatformAccountEntry>;

/** Versions before 1.3.0 kept only whether the account is cash. */
const StoredEntry = z.extend(PlatformAccountEntry, {
  lineClass: z.optional(PlatformAccountEntry.shape.lineClass),
  isCash: z.optional(z.boolean()),
});

/** Only accounts that the ledger itself adds have a role. */
export type AccountToRecord = PlatformAccount & { role?: string };

export const entryIn = (
  items: ReadonlyMap<string, Item>,
  key: Key,
): PlatformAccountEntry | undefined => {
  const item = items.get(keyText(key));
  if (item === undefined) return undefined;
  const { isCash, lineClass = isCash ? 'cash' : 'unknown', ...entry } = StoredEntry.parse(item);
  return { ...entry, lineClass };
};

/** Decides on the accounts of a batch, in sequence, from their stored items. */
export const openBatch = (
  name: TenantName,
  {
    items,
    room,
    numbered,
    accountCodeBytes,
  }: { items: ReadonlyMap<string, Item>; room: number; numbered: number; accountCodeBytes: number },
) => {
  const taken = new Set<string>();
  const leftOut: string[] = [];
  let added = 0;

  const accountAt = (code: string): Account | undefined => {
    const item = items.get(keyText(accountKey(name, code)));
    return item && Account.parse(item);
  };
  const isFree = (code: string, accountId: string): boolean => {
    const owner = accountAt(code);
    return !taken.has(code) && (owner === undefined || owner.platformAccountId === accountId);
  };
  /** The number of an account; the next one if it is new. One of an earlier version has none. */
  const numberOf = (current: Account | undefined): Pick<Account, 'number'> => {
    const number = current === undefined ? numbered + added + 1 : current.number;
    return number === undefined ? {} : { number };
  };
  /** An account keeps its code, even if it is too long for a new account. */
  const codeFor = (account: PlatformAccount, before: PlatformAccountEntry | undefined): string => {
    const own = ownCodeOf(account);
    const isUsable =
      own !== undefined && (before?.code === own || Buffer.byteLength(own) <= accountCodeBytes);
    return isUsable && isFree(own, account.accountId) ? own : codeById(account.accountId);
  };

  return {
    /** The number of added accounts, and the ids of the accounts beyond the quota. */
    result: () => ({ added, leftOut }),

    actionsFor: (platformAccount: AccountToRecord): Action[] => {
      const { accountId, type, status, role } = platformAccount;
      const idKey = platformAccountKey(name, accountId);
      const before = entryIn(items, idKey);
      const code = codeFor(platformAccount, before);
      const current = accountAt(code);
      if (current === undefined && added >= room) {
        leftOut.push(accountId);
        return [];
      }
      taken.add(code);
      const accountName = truncate(maximumAccountNameLength, cleaned('name', platformAccount.name));
      const imported: ImportedPart = {
        code,
        name: accountName,
        type,
        status,
        platformAccountId: accountId,
        ...(role !== undefined && { role }),
      };
      const former = before && before.code !== code ? accountAt(before.code) : undefined;
      const after = importedClassificationAfter(platformAccount, { current, former });
      const normalBalance = former ? undefined : current?.normalBalance;
      const lineClass = lineClassOf({ type, role, normalBalance, ...after });
      const number = numberOf(current);
      const entry: PlatformAccountEntry = { code, name: accountName, lineClass, ...number };
      const isUpToDate =
        current !== undefined &&
        isDeepStrictEqual(importedPartOf(current), imported) &&
        isDeepStrictEqual(before, entry);
      if (isUpToDate) return [];
      if (current === undefined) added += 1;
      // One transaction writes the account and its id, so they cannot come from different imports.
      return [
        importedAccountAction(name, { imported, ...number, platformAccount, current, former }),
        {
          put: { ...idKey, ...entry },
          condition: before ? 'code = :before' : ifNotExists,
          ...(before && { values: { ':before': before.code } }),
        },
        ...(former ? [archiveAction(name, former)] : []),
      ];
    },
  };
};
