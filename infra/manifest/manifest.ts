// The architecture: one row per function, in three files. The local server and the deployment both
// read it, so a local route cannot drift from a deployed one.

import { background } from './background-rows.ts';
import { type FunctionRow, writingActions } from './function-row.ts';
import { books } from './ledger-rows.ts';
import { tenancy } from './tenancy-rows.ts';
import type { Trigger } from './triggers.ts';

/** Paths have no last slash, as the gateway declares them; it serves both forms. */
export const functions = { ...tenancy, ...books, ...background } as const;

export type FunctionName = keyof typeof functions;

/** The rows of one kind of trigger, with the function's name. */
export const functionsOfKind = <Kind extends Trigger['kind']>(kind: Kind) =>
  (Object.entries(functions) as [FunctionName, FunctionRow][]).flatMap(([name, row]) =>
    row.trigger.kind === kind
      ? [{ name, row, trigger: row.trigger as Extract<Trigger, { kind: Kind }> }]
      : [],
  );

/** Whether a function is granted nothing that changes the table. */
export const isReadOnly = ({ table }: FunctionRow): boolean =>
  !table.some((action) => writingActions.includes(action));

/**
 * What a read-only key may call, as `GET/path`. A route that is added is among them if its function
 * only reads, and needs no word here.
 */
export const readOnlyRoutes: readonly string[] = functionsOfKind('api')
  .filter(({ row }) => isReadOnly(row))
  .map(({ trigger: { method, path } }) => `${method}${path}`);

/** The endpoints with a further throttle for each application. */
export const throttledEndpoints = functionsOfKind('api').flatMap(({ name, row, trigger }) =>
  row.throttle ? [{ name, trigger, throttle: row.throttle }] : [],
);

/** The names of the endpoints with this throttle. */
export const endpointsWith = (throttle: NonNullable<FunctionRow['throttle']>): FunctionName[] =>
  throttledEndpoints.filter((it) => it.throttle === throttle).map(({ name }) => name);

/** The functions that a function asks Lambda to call, and may. */
export const functionsInvokedBy = (name: FunctionName): FunctionName[] =>
  functionsOfKind('invocation').flatMap((invoked) =>
    invoked.trigger.by === name ? [invoked.name] : [],
  );
