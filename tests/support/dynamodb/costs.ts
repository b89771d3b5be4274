// The cost of some work, by its calls to the table.

import { meterUsage, type TableCall } from '#shared/table/metering.ts';

/** Calls that overlap in time count as one: the longest chain of calls that follow each other. */
const sequentialCalls = (calls: readonly TableCall[]): number => {
  const byEnd = [...calls].sort((one, other) => one.endedAt - other.endedAt);
  let reached = -Infinity;
  let count = 0;
  for (const { startedAt, endedAt } of byEnd) {
    if (startedAt < reached) continue;
    count += 1;
    reached = endedAt;
  }
  return count;
};

/** The read and write units of these calls. */
export const unitsOf = (calls: readonly TableCall[]) => ({
  read: calls.reduce((sum, { units, writeUnits }) => sum + units - writeUnits, 0),
  write: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});

/** Calls in sequence, the operations in their order, and the capacity units that they consumed. */
export const costOf = async (work: () => Promise<unknown>) => {
  const { usage } = await meterUsage(work);
  return {
    sequentialCalls: sequentialCalls(usage.calls),
    operations: usage.calls.map(({ operation }) => operation),
    units: unitsOf(usage.calls),
  };
};
