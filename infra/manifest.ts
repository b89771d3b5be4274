// The architecture: one row per function, in three files. The local server and the deployment both
// read it, so a local route cannot drift from a deployed one.

import { type FunctionRow, writingActions } from './function-row.ts';
import { background } from './manifest-background.ts';
import { books } from './manifest-books.ts';
import { tenancy } from './manifest-tenancy.ts';
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

/**
 * Those that read much of a tenant's books for a single request, for which they have the longest
 * time: each application gets fewer of these.
 */
export const longReads = functionsOfKind('api').filter(
  ({ row }) => isReadOnly(row) && row.timeoutSeconds > 15,
);

const routesOf = (...names: FunctionName[]) =>
  functionsOfKind('api').filter(({ name }) => names.includes(name));

/** Many entries at once, which wait for others as a post does. Each application gets fewer. */
export const batches = routesOf('create-journal-entries');

/**
 * A reversal is the post of a single entry, and its repeat two reads. An application sends fewer of
 * these than posts, but many at once where its users or its retries meet.
 */
export const reversals = routesOf('reverse-journal-entry');

/** The functions that a function asks Lambda to call, and may. */
export const functionsInvokedBy = (name: FunctionName): FunctionName[] =>
  functionsOfKind('invocation').flatMap((invoked) =>
    invoked.trigger.by === name ? [invoked.name] : [],
  );
