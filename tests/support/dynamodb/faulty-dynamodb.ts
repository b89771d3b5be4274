// A proxy before the embedded DynamoDB that answers some calls with faults, as the service would.

import { text } from 'node:stream/consumers';
import { serve } from '../servers/serve.ts';

export type Exception = { status: number; body: object };

/** A reply of the service, a lost connection or silence. */
export type Fault = Exception | 'hangs up' | 'stays silent';

export const startFaultyDynamoDB = async (endpoint: string) => {
  const faults = new Map<string, { fault: (body: string) => Fault; times: number }>();
  const calls: string[] = [];

  const { url, stop } = await serve(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await text(request);
    calls.push(operation);
    const planned = faults.get(operation);
    if (planned && planned.times > 0) {
      planned.times -= 1;
      const fault = planned.fault(body);
      if (fault === 'hangs up') request.socket.destroy();
      if (typeof fault === 'string') return;
      response.writeHead(fault.status, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(fault.body));
      return;
    }
    const { host, connection, 'content-length': length, ...headers } = request.headers;
    const answer = await fetch(endpoint, { method: 'POST', headers: headers as never, body });
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(await answer.text());
  });

  return {
    endpoint: url,
    stop,
    /** Every operation that was asked for since the last `plan`. */
    calls,
    /** Answers the next `times` calls of an operation with a fault. */
    plan: (operation: string, times: number, fault: Fault | ((body: string) => Fault)): void => {
      calls.length = 0;
      faults.set(operation, { times, fault: typeof fault === 'function' ? fault : () => fault });
    },
  };
};

const exceptionOf = (name: string, body: object = { message: name }): Exception => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...body },
});

/** A throttle, as the service states it. */
export const throttle = exceptionOf('ThrottlingException');

/** A write of one item that met a transaction. */
export const transactionConflict = exceptionOf('TransactionConflictException', {
  message: 'Transaction is ongoing for the item',
});

/** An earlier try of the same transaction that has not ended. */
export const transactionInProgress = exceptionOf('TransactionInProgressException');

/** A transaction that was cancelled for these reasons, one for each of its actions. */
export const transactionCancelled = (...reasons: { Code: string; Item?: object }[]): Exception =>
  exceptionOf('TransactionCanceledException', {
    Message:
      'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${reasons.map(({ Code }) => Code).join(', ')}]`,
    CancellationReasons: reasons,
  });
