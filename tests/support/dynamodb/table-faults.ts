// The faults of a call to the table: the caller dies, the table refuses, or no reply arrives. To
// the SDK, each looks like DynamoDB, the network or the end of the process.

import { type Exception, transactionCancelled, transactionConflict } from './faulty-dynamodb.ts';
import { bodyOf, type Reply, replyWith, type TableCall } from './table-calls.ts';

/** Further effects of a fault. */
type FaultContext = {
  /** The place of the action that a transaction fails at. */
  action: number;
  /** Ends the process: it sends no more calls and no reply. */
  crash: () => Promise<never>;
  /** Holds a call back. It arrives after its caller has stopped waiting. */
  keepForLater: (send: () => Promise<unknown>) => void;
};

type Carry = (call: TableCall, context: FaultContext) => Promise<Reply>;

const exception = (name: string, { status = 400, ...body }: { status?: number } = {}): Reply =>
  replyWith(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...body });

const replyOf = ({ status, body }: Exception): Reply => replyWith(status, body);

const hangUp = (): never => {
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
};

const cancelled = ({ request }: TableCall, reason: { Code: string; action: number }): Reply => {
  const { TransactItems = [] } = request;
  const reasons = TransactItems.map((_, index) => ({
    Code: index === reason.action ? reason.Code : 'None',
  }));
  return replyOf(transactionCancelled(...reasons));
};

/** Leaves the last key of a batch out, as the service does where capacity ends in the middle. */
const leaveOut: Carry = async ({ request, send }) => {
  const [tableName = '', asked] = Object.entries(request.RequestItems ?? {})[0] ?? [];
  const Keys = asked?.Keys.slice(-1) ?? [];
  const answer = bodyOf(await send());
  const responses = answer.Responses as Record<string, Record<string, unknown>[]>;
  const isLeftOut = (item: Record<string, unknown>): boolean =>
    Keys.some(({ pk, sk }) => JSON.stringify([pk, sk]) === JSON.stringify([item.pk, item.sk]));
  return replyWith(200, {
    ...answer,
    Responses: { [tableName]: responses[tableName]?.filter((item) => !isLeftOut(item)) ?? [] },
    UnprocessedKeys: { [tableName]: { ...asked, Keys } },
  });
};

/** The operations that a fault fits, and its effect. */
type FaultKind = { suits?: (operation: string) => boolean; carryOut: Carry };

const isTransaction = (operation: string): boolean => operation === 'TransactWriteItems';
const isSingleWrite = (operation: string): boolean =>
  operation === 'UpdateItem' || operation === 'DeleteItem';
/** A read whose reply is lost is like a read that did not happen. */
const isWrite = (operation: string): boolean =>
  isTransaction(operation) || isSingleWrite(operation);
const isBatch = (operation: string): boolean => operation === 'BatchGetItem';
export const isRead = (operation: string): boolean =>
  isBatch(operation) || operation === 'GetItem' || operation === 'Query';

const kinds = {
  'crash before': { carryOut: (_, { crash }) => crash() },
  'crash after': {
    carryOut: async ({ send }, { crash }) => {
      await send();
      return crash();
    },
  },
  throttled: { carryOut: async () => exception('ThrottlingException') },
  'capacity spent': { carryOut: async () => exception('ProvisionedThroughputExceededException') },
  'server error before': {
    carryOut: async () => exception('InternalServerError', { status: 500 }),
  },
  'server error after': {
    suits: isWrite,
    carryOut: async ({ send }) => {
      await send();
      return exception('InternalServerError', { status: 500 });
    },
  },
  'hang-up before': { carryOut: async () => hangUp() },
  'hang-up after': {
    suits: isWrite,
    carryOut: async ({ send }) => {
      await send();
      return hangUp();
    },
  },
  'silence before': { carryOut: ({ sendIntoSilence }) => sendIntoSilence() },
  'silence after': {
    suits: isWrite,
    carryOut: async ({ send, sendIntoSilence }) => {
      await send();
      return sendIntoSilence();
    },
  },
  'arrives late': {
    suits: isWrite,
    carryOut: ({ send, sendIntoSilence }, { keepForLater }) => {
      keepForLater(send);
      return sendIntoSilence();
    },
  },
  'keys left out': { suits: isBatch, carryOut: leaveOut },
  'action in conflict': {
    suits: isTransaction,
    carryOut: async (call, { action }) => cancelled(call, { Code: 'TransactionConflict', action }),
  },
  'action throttled': {
    suits: isTransaction,
    carryOut: async (call, { action }) => cancelled(call, { Code: 'ThrottlingError', action }),
  },
  'transaction in progress': {
    suits: isTransaction,
    carryOut: async () => exception('TransactionInProgressException'),
  },
  'item in conflict': {
    suits: isSingleWrite,
    carryOut: async () => replyOf(transactionConflict),
  },
} as const satisfies Record<string, FaultKind>;

export type Fault = keyof typeof kinds;

const all: Record<Fault, FaultKind> = kinds;

/** The faults that a call of this operation can meet. */
export const faultsOf = (operation: string): Fault[] =>
  (Object.keys(all) as Fault[]).filter((fault) => all[fault].suits?.(operation) ?? true);

/** Whether the process dies of it. */
export const isCrash = (fault: Fault): boolean => fault.startsWith('crash');

/** Whether it befalls a single action of a transaction. */
export const isOfAction = (fault: Fault): boolean => fault.startsWith('action');

/** Lets a fault happen to a call. */
export const carryOut = (fault: Fault, call: TableCall, context: FaultContext): Promise<Reply> =>
  all[fault].carryOut(call, context);
