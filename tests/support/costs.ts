// What a piece of work cost at the table, as the table's calls were made.

import { type Call, measureUsage } from '#shared/usage.ts';

/** Calls that overlap in time count as one: the longest chain of calls that follow each other. */
const sequentialCalls = (calls: readonly Call[]): number => {
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

export const costOf = async (work: () => Promise<unknown>) => {
  const { usage } = await measureUsage(work);
  return {
    sequentialCalls: sequentialCalls(usage.calls),
    operations: usage.calls.map(({ operation }) => operation),
    units: usage.calls.reduce((sum, { units }) => sum + units, 0),
  };
};
