// Lambda's runtime API, as far as a runtime client needs it ("Using the Lambda runtime API", AWS
// Lambda Developer Guide): it hands out invocations one by one and takes what became of each.

import { readBody } from '#infra/http-server.ts';
import { serve } from '../support/servers/serve.ts';

export type Invocation = {
  requestId: string;
  functionArn: string;
  traceId: string;
  /** JSON, as all payloads. */
  payload: string;
};

export type Outcome = { isError: boolean; payload: string };

/** The most that a synchronous reply may be (AWS Lambda quotas). */
const maximumBytes = 6 * 1024 * 1024;

export type RuntimeApi = Awaited<ReturnType<typeof startRuntimeApi>>;

/** The API for one process, which handles one invocation at a time. */
export const startRuntimeApi = async (timeoutSeconds: number) => {
  const waiting: Invocation[] = [];
  const underWay = new Map<string, (outcome: Outcome) => void>();
  const ready = Promise.withResolvers<undefined | string>();
  let deliver: ((invocation: Invocation) => void) | undefined;

  const next = (): Promise<Invocation> => {
    ready.resolve(undefined);
    const first = waiting.shift();
    if (first) return Promise.resolve(first);
    const { promise, resolve } = Promise.withResolvers<Invocation>();
    deliver = resolve;
    return promise;
  };

  const { url, stop } = await serve(async (request, response) => {
    const [, id, part] =
      /^\/2018-06-01\/runtime\/(?:invocation\/)?([^/]+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? [];
    if (id === 'next') {
      const invocation = await next();
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Lambda-Runtime-Aws-Request-Id': invocation.requestId,
        'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutSeconds * 1000),
        'Lambda-Runtime-Invoked-Function-Arn': invocation.functionArn,
        'Lambda-Runtime-Trace-Id': invocation.traceId,
      });
      return response.end(invocation.payload);
    }
    const payload = String(await readBody(request, maximumBytes));
    response.writeHead(202).end('{"status":"OK"}');
    if (id === 'init') return ready.resolve(payload);
    underWay.get(id ?? '')?.({ isError: part === 'error', payload });
    return undefined;
  });

  return {
    address: new URL(url).host,
    /** Resolves when the function waits for its first invocation, or with what kept it from it. */
    ready: ready.promise,
    invoke: (invocation: Invocation): Promise<Outcome> => {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      underWay.set(invocation.requestId, resolve);
      if (deliver) deliver(invocation);
      else waiting.push(invocation);
      deliver = undefined;
      return promise.finally(() => underWay.delete(invocation.requestId));
    },
    /** Reports the end of the process to all waiting callers. */
    end: async (reason: string): Promise<void> => {
      ready.resolve(reason);
      const payload = JSON.stringify({ errorType: 'Runtime.ExitError', errorMessage: reason });
      for (const settle of underWay.values()) settle({ isError: true, payload });
      await stop();
    },
  };
};
