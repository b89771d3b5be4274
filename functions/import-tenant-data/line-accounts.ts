// The tenant's accounts that the lines of journals name, in any of the ways in which they do.

import type { Accounts, PlatformAccountEntry } from '#shared/accounts/accounts.store.ts';
import {
  type AccountReference,
  isTaxAccount,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';
import type { TenantName } from '#shared/table/keys.ts';

export type LineAccounts = {
  /** A line's account; `undefined` where the chart lacks it. */
  find: (account: AccountReference) => PlatformAccountEntry | undefined;
  /** Whether the line goes to our account for taxes. */
  isTaxClearing: (account: AccountReference) => boolean;
};

/**
 * Looks up every account that these journals name, in as few calls as they need. Tax goes to our
 * account for it where the platform names none, or one that the chart lacks.
 * @param options.mayRereadChart whether the chart may have it once it is read again
 */
export const findAccounts = async (
  journals: readonly PlatformJournal[],
  options: { accounts: Accounts; name: TenantName; mayRereadChart: boolean },
): Promise<LineAccounts> => {
  const { accounts, name, mayRereadChart } = options;
  const references = journals.flatMap(({ lines }) => lines.map(({ account }) => account));
  const ids = new Set<string>();
  const codes = new Set<string>();
  for (const reference of references) {
    if (reference === 'tax') continue;
    if ('id' in reference) ids.add(reference.id);
    else codes.add(reference.code);
  }
  const [byId, byCode] = await Promise.all([
    accounts.findMany(name, [...ids]),
    accounts.findManyByCode(name, [...codes]),
  ]);
  const isTaxClearing = (reference: AccountReference): boolean => {
    if (reference === 'tax') return true;
    const isKnown = 'id' in reference && byId.has(reference.id);
    return isTaxAccount(reference) && !isKnown && !mayRereadChart;
  };
  const taxClearing = references.some(isTaxClearing) ? await accounts.taxClearing(name) : undefined;
  return {
    isTaxClearing,
    find: (reference) => {
      if (reference === 'tax' || isTaxClearing(reference)) return taxClearing;
      return 'id' in reference ? byId.get(reference.id) : byCode.get(reference.code);
    },
  };
};
