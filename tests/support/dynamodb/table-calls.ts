// Stands between the SDK's client and the table: every call is seen before it is sent, and may be
// answered by somebody else. All of the SDK around it is real: its retries, tokens and errors.

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { remember } from '#infra/local/stand-ins/remember.ts';
import { unsigned } from './unsigned.ts';

type Handler = DynamoDBClient['config']['requestHandler'];
type RetryStrategy = Awaited<ReturnType<DynamoDBClient['config']['retryStrategy']>>;
export type Reply = Awaited<ReturnType<Handler['handle']>>;

/** The parts of a request that tests read. */
type TableRequest = {
  TransactItems?: Record<string, unknown>[];
  RequestItems?: Record<string, { Keys: Record<string, unknown>[] }>;
};

/** One attempt at a call to the table. */
export type TableCall = {
  /** The call's place among all of its client, and the attempt's among those at the call. */
  number: number;
  attempt: number;
  operation: string;
  readonly request: TableRequest;
  /** Sends the call to the table, and reads the whole answer. */
  send: () => Promise<Reply>;
  /** Sends the call to a server that never answers, so it ends at the client's time limit. */
  sendIntoSilence: () => Promise<never>;
};

/** Makes an answer of the service's own form. */
export const replyWith = (statusCode: number, body: object): Reply => ({
  response: {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body)),
  } as Reply['response'],
});

/** The body of an answer that was read whole. */
export const bodyOf = ({ response }: Reply): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(response.body));

/** The attempts that the SDK makes at a call, as openTable asks it to. */
export const attemptsPerCall = 3;

/** A client whose attempts end after this time. All tables use its connections. */
const clientWithin = remember(
  (requestTimeout: number) =>
    new DynamoDBClient({
      maxAttempts: attemptsPerCall,
      requestHandler: { requestTimeout, throwOnRequestTimeout: true },
    }),
);

const patience = 30_000;

/** The answer, read whole: it has arrived before anybody decides what becomes of it. */
const readWhole = async ({ response }: Reply): Promise<Reply> => {
  const { streamCollector } = clientWithin(patience).config;
  return replyWith(response.statusCode, await streamCollector(response.body));
};

/** Nobody waits for the pauses between attempts; whether there is another is up to the SDK. */
const strategyWithoutPauses = async () => {
  const usual = await clientWithin(patience).config.retryStrategy();
  const Strategy = usual.constructor as new (attempts: number) => RetryStrategy;
  const strategy = new Strategy(attemptsPerCall);
  const { retryBackoffStrategy } = strategy as { retryBackoffStrategy?: object };
  if (retryBackoffStrategy === undefined) throw new Error('the SDK pauses in another way');
  Object.assign(retryBackoffStrategy, { computeNextBackoffDelay: () => 0 });
  return strategy;
};

/** An address that takes connections and never answers, and how long a client bears that. */
export type Silence = { port: number; limitMilliseconds: number };

export const openSilence = async (limitMilliseconds: number): Promise<Silence> => {
  const server = createServer((socket) => void socket.on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return { port: (server.address() as AddressInfo).port, limitMilliseconds };
};

/** The settings of a client whose calls go through `intercept`. */
export const interceptedBy = async (
  intercept: (call: TableCall) => Promise<Reply>,
  { endpoint, silence }: { endpoint: string; silence: Silence },
): Promise<DynamoDBClientConfig> => {
  const { requestHandler } = clientWithin(patience).config;
  const impatient = clientWithin(silence.limitMilliseconds).config.requestHandler;
  const attempts = new Map<string, { number: number; made: number }>();

  const handle: Handler['handle'] = (request, options) => {
    const id = String(request.headers['amz-sdk-invocation-id']);
    const { number, made } = attempts.get(id) ?? { number: attempts.size, made: 0 };
    attempts.set(id, { number, made: made + 1 });
    return intercept({
      number,
      attempt: made,
      operation: String(request.headers['x-amz-target']).split('.')[1] ?? '',
      // Few look into a request, and parsing each took longer than sending it.
      get request() {
        return JSON.parse(new TextDecoder().decode(request.body));
      },
      send: async () => readWhole(await requestHandler.handle(request, options)),
      sendIntoSilence: async () => {
        await impatient.handle({ ...request, port: silence.port } as typeof request, options);
        throw new Error('silence answered');
      },
    });
  };
  return {
    ...unsigned,
    endpoint,
    requestHandler: Object.assign(Object.create(requestHandler), { handle, destroy: () => {} }),
    retryStrategy: await strategyWithoutPauses(),
  };
};
