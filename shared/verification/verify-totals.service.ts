// Verifies the carried totals of a tenant against its sheets.

import type { RecordedTotalsStore } from '../operator/recorded-totals.store.ts';
import type { TenantName } from '../table/keys.ts';
import type { Checking } from './checking.service.ts';
import { type Checked, checkedAs, type Difference, inTwoReadings } from './differences.ts';

type TotalsChecking = Pick<Checking, 'pause' | 'repair'> & { totals: RecordedTotalsStore };

const listDifferences = async (
  totals: RecordedTotalsStore,
  name: TenantName,
): Promise<Difference[]> =>
  (await totals.list(name)).flatMap(({ what, expected, found }) => {
    const place = { date: null, series: null, what };
    return [
      ...expected
        .filter((line) => !found.includes(line))
        .map((line) => ({ ...place, expected: line, found: 'no such row' })),
      ...found
        .filter((line) => !expected.includes(line))
        .map((line) => ({ ...place, expected: 'no such row', found: line })),
    ];
  });

/** Repairing makes the next runs carry all totals again. */
export const verifyTotals = async (
  name: TenantName,
  { totals, pause, repair }: TotalsChecking,
): Promise<Checked> => {
  const differences = await inTwoReadings(() => listDifferences(totals, name), pause);
  const isRepaired = repair && differences.length > 0;
  if (isRepaired) await totals.restart(name);
  return checkedAs(differences, isRepaired);
};
