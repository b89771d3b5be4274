// Calls a function like Lambda: with a context, a timeout and reserved concurrency.

import { randomUUID } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import type { ReservedConcurrency } from '../../manifest/stages.ts';
import { withinPermissions } from './permissions.ts';
import { remember } from './remember.ts';

/** A function exceeded its timeout. */
export class FunctionTimedOut extends Error {}

/** A call was refused because all reserved executions of the function are in use. */
export class InvocationRefused extends Error {}

type Handler = (event: unknown, context: Context) => Promise<unknown>;

const sourceOf = (name: FunctionName): string =>
  fileURLToPath(new URL(`../../../functions/${name}/index.ts`, import.meta.url));

/**
 * Loads a function with the configured log level. By default, functions log errors only, and
 * scheduled functions nothing: the local service reports their errors itself.
 */
const loadHandler = async (name: FunctionName, entryPoint: string): Promise<Handler> => {
  const { POWERTOOLS_LOG_LEVEL: configured } = process.env;
  const usual = functions[name].trigger.kind === 'schedule' ? 'SILENT' : 'ERROR';
  process.env.POWERTOOLS_LOG_LEVEL = configured ?? usual;
  const module = await import(pathToFileURL(entryPoint).href);
  if (configured === undefined) delete process.env.POWERTOOLS_LOG_LEVEL;
  return module.handler as Handler;
};

export type Invoke = (name: FunctionName, event: unknown) => Promise<unknown>;

/**
 * @param options.entryPointOf the path of a function's module, in its sources or its bundle
 * @param options.loadsAtStart whether all functions load now, which finds errors early, or each one
 *   at its first call, like a cold start. Each bundle has its own copy of its packages in memory.
 */
export const openFunctions = async ({
  entryPointOf = sourceOf,
  reservedConcurrency = {},
  loadsAtStart = true,
}: {
  entryPointOf?: (name: FunctionName) => string;
  reservedConcurrency?: ReservedConcurrency;
  loadsAtStart?: boolean;
} = {}): Promise<Invoke> => {
  let lastLoad: Promise<unknown> = Promise.resolve();
  /** Loads a function once. Loads are sequential, because each one sets the log level. */
  const handlerOf = remember((name: FunctionName): Promise<Handler> => {
    const load = lastLoad.then(() => loadHandler(name, entryPointOf(name)));
    lastLoad = load.catch(() => {});
    return load;
  });
  const names = Object.keys(functions) as FunctionName[];
  if (loadsAtStart) await Promise.all(names.map(handlerOf));
  return withReservedConcurrency(reservedConcurrency, async (name, event) => {
    const handler = await handlerOf(name);
    const timeoutMilliseconds = functions[name].timeoutSeconds * 1000;
    const endsAt = Date.now() + timeoutMilliseconds;
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new FunctionTimedOut(`${name} ran out of time`)),
      timeoutMilliseconds,
    );
    try {
      const work = () => handler(event, contextOf(name, endsAt));
      return await Promise.race([withinPermissions(name, work), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  });
};

/** Refuses calls beyond the reserved executions of a function, like Lambda. */
export const withReservedConcurrency = (reserved: ReservedConcurrency, invoke: Invoke): Invoke => {
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
