// The executions that a stage reserves, by function.

import { endpointsWith, type FunctionName } from './manifest.ts';
import type { ReservedConcurrency } from './stages.ts';

/** How many executions a stage sets aside for each function that has any. */
export type ReservedExecutions = Partial<Record<FunctionName, number>>;

export const reservedExecutions = ({
  eachLongRead,
  ...single
}: ReservedConcurrency = {}): ReservedExecutions => ({
  ...(eachLongRead !== undefined &&
    Object.fromEntries(endpointsWith('longRead').map((name) => [name, eachLongRead]))),
  ...single,
});

export const reservedInAll = (reserved: ReservedConcurrency | undefined): number =>
  Object.values(reservedExecutions(reserved)).reduce((sum, it) => sum + it, 0);
