// Verifies the carried totals of a tenant against the rows of its sheets.

import type { TenantName } from '#shared/table/keys.ts';
import { type Checked, type Checking, type Difference, inBothReadings } from './differences.ts';

const readDifferences = async (
  name: TenantName,
  { books }: Pick<Checking, 'books'>,
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const { month, expected, found } of await books.readCarriedTotals(name)) {
    const lines = new Set([...expected, ...found]);
    const [one, other] = [new Set(expected), new Set(found)];
    for (const line of lines) {
      if (one.has(line) && other.has(line)) continue;
      differences.push({
        date: null,
        series: null,
        what: `totals carried at the end of ${month}`,
        expected: one.has(line) ? line : 'no such row',
        found: other.has(line) ? line : 'no such row',
      });
    }
  }
  return differences;
};

/**
 * Only differences of two readings are real, because a run can carry totals meanwhile. Repairing
 * makes the next run carry all months again.
 */
export const verifyTotals = async (
  name: TenantName,
  { books, pause, repair }: Checking,
): Promise<Checked> => {
  const first = await readDifferences(name, { books });
  if (first.length === 0) return { differences: [], repaired: [] };
  await pause();
  const differences = inBothReadings(first, await readDifferences(name, { books }));
  if (differences.length === 0 || !repair) return { differences, repaired: [] };
  await books.restartTotals(name);
  return { differences: [], repaired: differences };
};
