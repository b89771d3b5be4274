// Bare calls, the lower bound for an operation: the same calls to the table, prepared in advance
// and sent with the product's client for the table, which does less than the SDK's own.

import { randomUUID } from 'node:crypto';
import * as sdk from '@aws-sdk/client-dynamodb';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { openDynamoDBClient, openPostCalls } from '#shared/table/dynamodb-client.ts';

/** A call to the table. The input has the attributes in DynamoDB's JSON. */
export type TableCall = { operation: string; input: object };

type Serialize = AwsJson1_0Protocol['serializeRequest'];

/** Runs `work` and returns the calls that it made to the table, in order. */
export const recordCalls = async (work: () => Promise<unknown>): Promise<TableCall[]> => {
  const calls: TableCall[] = [];
  const { prototype } = AwsJson1_0Protocol;
  const { serializeRequest } = prototype;
  const record: Serialize = function record(this: AwsJson1_0Protocol, ...args) {
    const [{ name }, input] = args;
    calls.push({ operation: name, input: structuredClone(input) });
    return serializeRequest.apply(this, args);
  };
  prototype.serializeRequest = record;
  try {
    await work();
  } finally {
    prototype.serializeRequest = serializeRequest;
  }
  return calls;
};

/** Replaces texts and named numbers in a repetition of recorded calls. */
export type Renewal = {
  text: (text: string) => string;
  number?: ((name: string, value: number) => number) | undefined;
};

const isNumber = (value: object): value is { N: string } => 'N' in value;

const renewed = (value: unknown, renewal: Renewal, name = ''): unknown => {
  if (typeof value === 'string') return renewal.text(value);
  if (Array.isArray(value)) return value.map((each) => renewed(each, renewal, name));
  if (typeof value !== 'object' || value === null) return value;
  if (isNumber(value)) return { N: String(renewal.number?.(name, Number(value.N)) ?? value.N) };
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [renewal.text(key), renewed(each, renewal, key)]),
  );
};

/** Copies of the recorded calls with other keys and new request tokens. */
export const repetitionOf = (calls: readonly TableCall[], renewal: Renewal): TableCall[] =>
  calls.map(({ operation, input }) => {
    const copy = renewed(input, renewal) as object;
    const token = 'ClientRequestToken' in copy && { ClientRequestToken: randomUUID() };
    return { operation, input: { ...copy, ...token } };
  });

type Command = new (input: object) => Parameters<sdk.DynamoDBClient['send']>[0];

/** The product's client with the product's settings. */
export const openBareClient = () => {
  const client = openDynamoDBClient({
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 4_000,
      throwOnRequestTimeout: true,
    },
    maxAttempts: 3,
  });
  const { batchGet, transactWrite } = openPostCalls(client);
  const commands = sdk as unknown as Record<string, Command>;
  const sendOne = ({ operation, input }: TableCall): Promise<unknown> => {
    if (operation === 'BatchGetItem') return batchGet(input as sdk.BatchGetItemCommandInput);
    if (operation === 'TransactWriteItems') {
      return transactWrite(input as sdk.TransactWriteItemsCommandInput);
    }
    const CommandClass = commands[`${operation}Command`];
    if (CommandClass === undefined) throw new Error(`the SDK has no operation ${operation}`);
    return client.send(new CommandClass(input));
  };
  return {
    /** Sends the calls in sequence. */
    send: async (calls: readonly TableCall[]): Promise<void> => {
      for (const call of calls) await sendOne(call);
    },
    close: () => client.destroy(),
  };
};

export type BareClient = ReturnType<typeof openBareClient>;
