// A tenant's chart by the accounts of its platform.

import type { Account } from '../accounts/accounts.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { type RowName, rowNamesOf } from '../sheets/row-text.ts';

/** An account that is not of the platform is named by its code. */
const idOf = ({ code, platformAccountId }: Account): string => platformAccountId ?? `code:${code}`;

export const platformChartOf = (chart: ReadonlyMap<string, Account>) => {
  // If the code of an account has changed, the chart has it twice. Its former part is archived.
  const archivedFirst = [...chart.values()].toSorted(
    (one, other) => Number(one.status === 'active') - Number(other.status === 'active'),
  );
  const current = new Map(archivedFirst.map((account) => [idOf(account), account]));
  const retained = archivedFirst.find(
    ({ subtype, platformAccountId }) =>
      subtype === 'retained_earnings' && platformAccountId !== undefined,
  );
  const idsByRowName = new Map(
    archivedFirst.flatMap((account) =>
      rowNamesOf(account).map((name) => [name, idOf(account)] as const),
    ),
  );
  return {
    /** The id of an account, by its name on sheets. */
    idOfRow: (name: RowName): string => {
      const id = idsByRowName.get(name);
      if (id === undefined) throw new BooksDiffer(`the chart has no account ${name} of a sheet`);
      return id;
    },
    /** The account that an id has now. */
    find: (id: string): Account | undefined => current.get(id),
    retainedEarnings: retained && idOf(retained),
    isProfitAndLoss: (id: string): boolean =>
      ['revenue', 'expense'].includes(current.get(id)?.type ?? ''),
  };
};
