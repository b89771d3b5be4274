// The tenant's accounts that the lines of journals name, in any of the ways in which they do.

import type { AccountReference, PlatformJournal } from '#shared/platforms/platform.ts';
import type { Accounts, PlatformAccountEntry } from '#shared/store/accounts.ts';
import type { TenantName } from '#shared/store/keys.ts';

/** Finds a line's account; `undefined` where the chart lacks it. */
export type LineAccounts = (account: AccountReference) => PlatformAccountEntry | undefined;

/** Looks up every account that these journals name, in as few calls as they need. */
export const findAccounts = async (
  journals: readonly PlatformJournal[],
  { accounts, name }: { accounts: Accounts; name: TenantName },
): Promise<LineAccounts> => {
  const references = journals.flatMap(({ lines }) => lines.map(({ account }) => account));
  const ids = new Set<string>();
  const codes = new Set<string>();
  for (const reference of references) {
    if (reference === 'tax') continue;
    if ('id' in reference) ids.add(reference.id);
    else codes.add(reference.code);
  }
  const [byId, byCode, taxClearing] = await Promise.all([
    accounts.findMany(name, [...ids]),
    accounts.findManyByCode(name, [...codes]),
    references.includes('tax') ? accounts.taxClearing(name) : undefined,
  ]);
  return (reference) => {
    if (reference === 'tax') return taxClearing;
    return 'id' in reference ? byId.get(reference.id) : byCode.get(reference.code);
  };
};
