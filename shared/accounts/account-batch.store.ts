// Decides on the accounts of one transaction of an import, and makes its actions.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { shownAccountOf } from '../history/tenant-history.store.ts';
import { differenceOf, type ShownFields } from '../history/tenant-history.ts';
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
  accountAction,
  type ImportedPart,
  importedAccountOf,
  replaceAccountAction,
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
    lockedCodes,
  }: {
    items: ReadonlyMap<string, Item>;
    room: number;
    numbered: number;
    accountCodeBytes: number;
    /** The accounts with entries in the locked period. Their types do not change. */
    lockedCodes: ReadonlySet<string>;
  },
) => {
  const taken = new Set<string>();
  const leftOut: string[] = [];
  const keptTypes: string[] = [];
  const [before, after]: [ShownFields, ShownFields] = [{}, {}];
  let added = 0;

  /** Notes what changes for the history. */
  const note = (from: Account | undefined, to: Account): void => {
    const difference = differenceOf(from ? shownAccountOf(from) : {}, shownAccountOf(to));
    if (from) before[to.code] = difference.before;
    after[to.code] = from ? difference.after : shownAccountOf(to);
  };

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

  /** The stored accounts that an import changes. `pointer` finds the account by its id. */
  const storedFor = (platformAccount: AccountToRecord) => {
    const pointer = entryIn(items, platformAccountKey(name, platformAccount.accountId));
    const code = codeFor(platformAccount, pointer);
    const former = pointer && pointer.code !== code ? accountAt(pointer.code) : undefined;
    return { pointer, code, current: accountAt(code), former };
  };

  /** The type of an account after its import. */
  const typeOf = ({ accountId, type }: AccountToRecord, current: Account | undefined) => {
    const isKept = current && current.type !== type && lockedCodes.has(current.code);
    if (isKept) keptTypes.push(accountId);
    return isKept ? current.type : type;
  };

  const archiveActions = (former: Account | undefined): Action[] => {
    if (former === undefined) return [];
    const archived: Account = { ...former, status: 'archived' };
    note(former, archived);
    return [replaceAccountAction(name, { before: former, after: archived })];
  };

  return {
    /**
     * The number of added accounts, the ids of the accounts beyond the quota and of those that
     * keep their types, and what changed.
     */
    result: () => ({ added, leftOut, keptTypes, changed: { before, after } }),

    actionsFor: (platformAccount: AccountToRecord): Action[] => {
      const { accountId, status, role } = platformAccount;
      const { pointer, code, current, former } = storedFor(platformAccount);
      if (current === undefined && added >= room) {
        leftOut.push(accountId);
        return [];
      }
      taken.add(code);
      const type = typeOf(platformAccount, current);
      const accountName = truncate(maximumAccountNameLength, cleaned('name', platformAccount.name));
      const imported: ImportedPart = {
        code,
        name: accountName,
        type,
        status,
        platformAccountId: accountId,
        ...(role !== undefined && { role }),
      };
      const number = numberOf(current);
      const account = importedAccountOf({
        imported,
        ...number,
        platformAccount: { ...platformAccount, type },
        current,
        former,
      });
      const lineClass = lineClassOf(account);
      const entry: PlatformAccountEntry = { code, name: accountName, lineClass, ...number };
      const isUpToDate =
        current !== undefined &&
        isDeepStrictEqual({ ...current, ...imported }, current) &&
        isDeepStrictEqual(pointer, entry);
      if (isUpToDate) return [];
      if (current === undefined) added += 1;
      note(current, account);
      const idKey = platformAccountKey(name, accountId);
      // One transaction writes the account and its id, so they cannot come from different imports.
      return [
        current
          ? replaceAccountAction(name, { before: current, after: account })
          : { ...accountAction(name, account), condition: ifNotExists },
        {
          put: { ...idKey, ...entry },
          condition: pointer ? 'code = :before' : ifNotExists,
          ...(pointer && { values: { ':before': pointer.code } }),
        },
        ...archiveActions(former),
      ];
    },
  };
};
