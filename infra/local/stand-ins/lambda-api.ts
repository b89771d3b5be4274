// Lambda's API on this machine, for asynchronous invocations of one function by another.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../http-server.ts';
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import { functionNameOf } from '../../manifest/names.ts';
import { isSignedWith } from './request-signature.ts';

type Reply = { status: number; error?: string; message?: string };

/** The functions that others invoke, by their name at Lambda. */
const invocable = new Map<string, FunctionName>(
  functionsOfKind('invocation').map(({ name }) => [functionNameOf('local', name), name]),
);

type Dependencies = {
  secretAccessKey: string;
  /** Queues an invocation. Settles when it is stored. */
  add: (name: FunctionName, payload: unknown) => Promise<void>;
};

const answer = async (
  request: IncomingMessage,
  { secretAccessKey, add }: Dependencies,
): Promise<Reply> => {
  const { method, url: path = '', headers } = request;
  const body = await text(request);
  if (!isSignedWith(secretAccessKey, { path, headers, body })) {
    return { status: 403, error: 'InvalidSignatureException', message: 'Not signed by its stage.' };
  }
  const [, functionName = ''] = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/.exec(path) ?? [];
  const name = invocable.get(functionName);
  if (method !== 'POST' || name === undefined) {
    return { status: 404, error: 'ResourceNotFoundException', message: 'Function not found.' };
  }
  if (headers['x-amz-invocation-type'] !== 'Event') {
    const message = 'Only asynchronous invocations are served here.';
    return { status: 400, error: 'InvalidParameterValueException', message };
  }
  let payload: unknown;
  try {
    payload = JSON.parse(body);
  } catch {
    const message = 'Could not parse request body into json.';
    return { status: 400, error: 'InvalidRequestContentException', message };
  }
  await add(name, payload);
  return { status: 202 };
};

/**
 * Starts the stand-in on 127.0.0.1, at a free port. Requests must be signed with the key of the
 * running service. permissions.ts enforces which function may invoke which (AWS Lambda API
 * Reference, "Invoke").
 */
export const startLambdaApi = async (options: Dependencies) => {
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, error, message } = await answer(request, options).catch(
      (fault: Error): Reply => ({ status: 500, error: 'ServiceException', message: fault.message }),
    );
    response.writeHead(status, error === undefined ? {} : { 'x-amzn-ErrorType': error });
    response.end(error === undefined ? '' : JSON.stringify({ Message: message }));
  };
  const { port, stop } = await listen(listener, { port: 0, purpose: "Lambda's API" });
  return { endpoint: `http://127.0.0.1:${port}`, stop };
};
