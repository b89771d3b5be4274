// The SDK's client for the table, with less work for each call. A post makes two calls, and the
// SDK took more of its processor time than everything else together.
//
// It keeps the SDK's retries, time limits, signatures, errors and connections. It leaves out:
// - the walk through the schema of a request and of a reply: both are DynamoDB's JSON already
// - the log of each call, and the header with the SDK's name
// - a new signer for each call; for the calls of a post also a new chain of middleware.

import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

type ProtocolSettings = ConstructorParameters<typeof AwsJson1_0Protocol>[0];
type Codec = NonNullable<ProtocolSettings['jsonCodec']>;

const utf8 = new TextDecoder();

/** Writes and reads JSON as it is. Binary attributes, which the table does not have, would fail. */
const plainJson = {
  setSerdeContext: () => {},
  createSerializer: () => {
    let bytes = Buffer.alloc(0);
    return {
      setSerdeContext: () => {},
      write: (_schema: unknown, value: unknown) => {
        bytes = Buffer.from(JSON.stringify(value));
      },
      flush: () => bytes,
    };
  },
  createDeserializer: () => ({
    setSerdeContext: () => {},
    read: async (_schema: unknown, bytes: Uint8Array) => JSON.parse(utf8.decode(bytes)),
    readObject: (_schema: unknown, value: unknown) => value,
  }),
} as unknown as Codec;

export class PlainJsonProtocol extends AwsJson1_0Protocol {
  constructor(settings: ProtocolSettings) {
    super({ ...settings, jsonCodec: plainJson });
  }
}

/** The SDK's middleware that a client can leave out. */
const unusedMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware'];

export const removeUnusedMiddleware = ({
  middlewareStack,
}: {
  middlewareStack: { remove: (name: string) => boolean };
}): void => {
  for (const name of unusedMiddleware) {
    if (!middlewareStack.remove(name)) throw new Error(`the SDK has no ${name}`);
  }
};

export const openDynamoDBClient = (config: DynamoDBClientConfig): DynamoDBClient => {
  const client = new DynamoDBClient({ ...config, protocol: PlainJsonProtocol });
  removeUnusedMiddleware(client);
  const { signer: makeSigner } = client.config;
  let signer: ReturnType<typeof makeSigner> | undefined;
  client.config.signer = (scheme) => {
    signer ??= makeSigner(scheme);
    return signer;
  };
  return client;
};

type Handler<Input, Output> = (command: { input: Input }) => Promise<{ output: Output }>;

/** Sends commands of one kind. Puts the client's middleware together only once. */
const senderOf = <Input, Output>(resolve: (input: Input) => Handler<Input, Output>) => {
  let handle: Handler<Input, Output> | undefined;
  return async (input: Input): Promise<Output> => {
    handle ??= resolve(input);
    return (await handle({ input })).output;
  };
};

/** The calls of a post. Inputs and outputs have the attributes in DynamoDB's JSON. */
export const openPostCalls = ({ middlewareStack, config }: DynamoDBClient) => ({
  batchGet: senderOf<BatchGetItemCommandInput, BatchGetItemCommandOutput>((input) =>
    new BatchGetItemCommand(input).resolveMiddleware(middlewareStack, config, {}),
  ),
  transactWrite: senderOf<TransactWriteItemsCommandInput, TransactWriteItemsCommandOutput>(
    (input) => new TransactWriteItemsCommand(input).resolveMiddleware(middlewareStack, config, {}),
  ),
});
