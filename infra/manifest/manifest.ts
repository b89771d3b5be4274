// One row per function, from three files. The local service and the deployment both read these
// rows, so local routes equal deployed ones.

import { backgroundRows } from './background-rows.ts';
import { eventRows } from './event-rows.ts';
import { type FunctionRow, writingActions } from './function-row.ts';
import { ledgerRows } from './ledger-rows.ts';
import { tenancyRows } from './tenancy-rows.ts';
import type { Trigger } from './triggers.ts';

/** Paths have no trailing slash. The gateway serves them with and without it. */
export const functions = {
  ...tenancyRows,
  ...ledgerRows,
  ...eventRows,
  ...backgroundRows,
} as const;

export type FunctionName = keyof typeof functions;

/** Functions in the events stack because the service stack has no room for them. */
const beyondService: readonly FunctionName[] = ['export-books', 'get-tenant-balances'];

/** Whether the function is in the events stack. All others are in the service stack. */
export const isOfEvents = (name: FunctionName): boolean =>
  name in eventRows || beyondService.includes(name);

/** The rows of one kind of trigger, with the function's name. */
export const functionsOfKind = <Kind extends Trigger['kind']>(kind: Kind) =>
  (Object.entries(functions) as [FunctionName, FunctionRow][]).flatMap(([name, row]) =>
    row.trigger.kind === kind
      ? [{ name, row, trigger: row.trigger as Extract<Trigger, { kind: Kind }> }]
      : [],
  );

/** Whether a function has no permission to change the table. */
export const isReadOnly = ({ table }: FunctionRow): boolean =>
  !table.some((action) => writingActions.includes(action));

/** The routes that a read-only key can call, as `GET/path`: those of functions that only read. */
export const readOnlyRoutes: readonly string[] = functionsOfKind('api')
  .filter(({ row }) => isReadOnly(row))
  .map(({ trigger: { method, path } }) => `${method}${path}`);

/** The endpoints with a throttle of their own for each application. */
export const throttledEndpoints = functionsOfKind('api').flatMap(({ name, row, trigger }) =>
  row.throttle ? [{ name, trigger, throttle: row.throttle }] : [],
);

/** The functions that this function may invoke through Lambda. */
export const functionsInvokedBy = (name: FunctionName): FunctionName[] =>
  functionsOfKind('invocation').flatMap((invoked) =>
    invoked.trigger.by.includes(name) ? [invoked.name] : [],
  );
