// Stands between the functions and LocalStack, and notes every call of AWS that a function makes.

import { Agent, request as send } from 'node:http';
import { readBody } from '#infra/http-server.ts';
import { serve } from '../support/servers/serve.ts';

/** One call: of which function, of which service, and what was asked. */
export type AwsCall = {
  functionName: string;
  service: string;
  /** As IAM knows it, without the service. */
  operation: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own.
  input: any;
};

const maximumBytes = 16 * 1024 * 1024;

/** What a REST protocol says by its path. */
const restOperations: readonly (readonly [RegExp, string])[] = [
  [/^\/2015-03-31\/functions\/[^/]+\/invocations/, 'Invoke'],
];

const operationOf = (target: string | undefined, path: string): string => {
  const named = target?.split('.').at(-1);
  const [, byPath] = restOperations.find(([pattern]) => pattern.test(path)) ?? [];
  return named ?? byPath ?? `an unknown call of ${path}`;
};

/** Who signs says for which service (SigV4: `Credential=<key>/<date>/<region>/<service>/…`). */
const serviceOf = (authorization = ''): string =>
  /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(authorization)?.[1] ?? 'unknown';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const startAwsCalls = async () => {
  const calls: AwsCall[] = [];
  const agent = new Agent({ keepAlive: true });
  let endpoint = '';

  const { url, stop } = await serve(async (incoming, outgoing) => {
    const [, functionName = '', path = '/'] = /^\/([^/]+)(\/.*)?$/.exec(incoming.url ?? '') ?? [];
    const body = (await readBody(incoming, maximumBytes)) ?? Buffer.alloc(0);
    const { headers, method } = incoming;
    calls.push({
      functionName,
      service: serviceOf(headers.authorization),
      operation: operationOf([headers['x-amz-target'] ?? []].flat()[0], path),
      path,
      input: parse(body.toString()),
    });
    const inner = send(new URL(path, endpoint), { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    inner.end(body);
  });

  return {
    calls: calls as readonly AwsCall[],
    urlOf: (functionName: string): string => `${url}/${functionName}`,
    /** LocalStack starts later, and has then an address. */
    leadTo: (address: string): void => {
      endpoint = address;
    },
    stop: async (): Promise<void> => {
      await stop();
      agent.destroy();
    },
  };
};
