// How a stage is shared out to its functions: which of them have a throttle of their own for each
// application, and how many executions are set aside for each.

import {
  batches,
  type FunctionName,
  type functionsOfKind,
  longReads,
  reversals,
} from './manifest.ts';
import type { ReservedConcurrency, Throttle, Throttling } from './stages.ts';

type Route = ReturnType<typeof functionsOfKind<'api'>>[number];

/** The methods that an application gets fewer of than of the others, each with its throttle. */
export const methodThrottles = ({
  longRead,
  batch,
  reversal,
}: Throttling): { route: Route; throttle: Throttle }[] => [
  ...longReads.map((route) => ({ route, throttle: longRead })),
  ...batches.map((route) => ({ route, throttle: batch })),
  ...reversals.map((route) => ({ route, throttle: reversal })),
];

/** How many executions are set aside for each function that has any. */
export type ReservedExecutions = Partial<Record<FunctionName, number>>;

/** What a stage says of all functions of a kind, and of single ones, by function. */
export const reservedExecutions = (reserved: ReservedConcurrency = {}): ReservedExecutions => {
  const { eachLongRead, ...single } = reserved;
  if (eachLongRead === undefined) return single;
  return { ...Object.fromEntries(longReads.map(({ name }) => [name, eachLongRead])), ...single };
};

/** How many executions a stage sets aside in all. */
export const reservedInAll = (reserved: ReservedConcurrency | undefined): number =>
  Object.values(reservedExecutions(reserved)).reduce((sum, it) => sum + it, 0);
