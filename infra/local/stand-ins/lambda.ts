// Calls a function as Lambda does: its own handler, a context, and an end to its time.

import { randomUUID } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import type { ReservedExecutions } from '../../manifest/reserved-executions.ts';
import { withinGrants } from './permissions.ts';

/** A function that was stopped because its time was over. */
export class FunctionTimedOut extends Error {}

/** A call that was turned away, since all the executions that the function gets are under way. */
export class InvocationRefused extends Error {}

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Where a function's sources begin. */
const sourceOf = (name: FunctionName): string =>
  fileURLToPath(new URL(`../../../functions/${name}/index.ts`, import.meta.url));

/**
 * Loads a function with the log level that was asked for. Where none was, it logs errors only, and
 * a scheduled one nothing: what it throws is reported by whoever runs it here, in words for people.
 */
const loadHandler = async (name: FunctionName, entryPoint: string): Promise<Handler> => {
  const { POWERTOOLS_LOG_LEVEL: asked } = process.env;
  const usual = functions[name].trigger.kind === 'schedule' ? 'SILENT' : 'ERROR';
  process.env.POWERTOOLS_LOG_LEVEL = asked ?? usual;
  const module = await import(pathToFileURL(entryPoint).href);
  if (asked === undefined) delete process.env.POWERTOOLS_LOG_LEVEL;
  return module.handler as Handler;
};

export type Invoke = (name: FunctionName, event: unknown) => Promise<unknown>;

/**
 * Loads every function, so that one with a fault is found at start and not at its first call.
 *
 * @param options.entryPointOf the path of a function's module: of its sources, or of its bundle
 */
export const openFunctions = async ({
  entryPointOf = sourceOf,
  reservedConcurrency = {},
}: {
  entryPointOf?: (name: FunctionName) => string;
  reservedConcurrency?: ReservedExecutions;
} = {}): Promise<Invoke> => {
  const names = Object.keys(functions) as FunctionName[];
  const handlers = new Map<string, Handler>();
  for (const name of names) handlers.set(name, await loadHandler(name, entryPointOf(name)));
  return withReservedConcurrency(reservedConcurrency, async (name, event) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`there is no function ${name}`);
    const timeoutMilliseconds = functions[name].timeoutSeconds * 1000;
    const endsAt = Date.now() + timeoutMilliseconds;
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new FunctionTimedOut(`${name} ran out of time`)),
      timeoutMilliseconds,
    );
    try {
      const work = () => handler(event, contextOf(name, endsAt));
      return await Promise.race([withinGrants(name, work), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  });
};

/** Turns calls away beyond the executions that are set aside for a function, as Lambda does. */
export const withReservedConcurrency = (reserved: ReservedExecutions, invoke: Invoke): Invoke => {
  const underWay = new Map<FunctionName, number>();
  const countBy = (name: FunctionName, change: 1 | -1): void => {
    underWay.set(name, (underWay.get(name) ?? 0) + change);
  };
  return async (name, event) => {
    if ((underWay.get(name) ?? 0) >= (reserved[name] ?? Infinity)) {
      throw new InvocationRefused(`${name} has no execution left`);
    }
    countBy(name, 1);
    try {
      return await invoke(name, event);
    } finally {
      countBy(name, -1);
    }
  };
};

const contextOf = (name: FunctionName, endsAt: number): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${name}`,
  memoryLimitInMB: String(functions[name].memoryMegabytes),
  awsRequestId: randomUUID(),
  logGroupName: `/aws/lambda/${name}`,
  logStreamName: 'local',
  getRemainingTimeInMillis: () => Math.max(0, endsAt - Date.now()),
  done: () => {},
  fail: () => {},
  succeed: () => {},
});
