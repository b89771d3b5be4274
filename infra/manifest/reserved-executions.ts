// The executions that a stage reserves, by function.

import { endpointsWith, type FunctionName } from './manifest.ts';
import type { ReservedConcurrency } from './stages.ts';

/** The reserved executions of each function that has some. */
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
