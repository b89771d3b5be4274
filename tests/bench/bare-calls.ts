// Bare calls, the lower bound for an operation: the same calls to the table, prepared in advance
// and sent with the SDK alone.

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Send = DynamoDBDocumentClient['send'];
export type Command = Parameters<Send>[0];

/** Runs `work` and returns the commands that it sent to the table, in order. */
export const recordCommands = async (work: () => Promise<unknown>): Promise<Command[]> => {
  const commands: Command[] = [];
  const { prototype } = DynamoDBDocumentClient;
  const send = prototype.send;
  prototype.send = function record(this: DynamoDBDocumentClient, ...args: unknown[]) {
    commands.push(args[0] as Command);
    return Reflect.apply(send, this, args);
  } as Send;
  try {
    await work();
  } finally {
    prototype.send = send;
  }
  return commands;
};

/** Replaces texts and named numbers in a repetition of recorded commands. */
export type Renewal = {
  text: (text: string) => string;
  number?: ((name: string, value: number) => number) | undefined;
};

const renewed = (value: unknown, renewal: Renewal, name = ''): unknown => {
  if (typeof value === 'string') return renewal.text(value);
  if (typeof value === 'number') return renewal.number?.(name, value) ?? value;
  if (Array.isArray(value)) return value.map((each) => renewed(each, renewal, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [renewal.text(key), renewed(each, renewal, key)]),
  );
};

/** Copies of the recorded commands with other keys and new request tokens. */
export const repetitionOf = (commands: readonly Command[], renewal: Renewal): Command[] =>
  commands.map((command) => {
    const CommandClass = command.constructor as new (input: unknown) => Command;
    const input = renewed(command.input, renewal) as object;
    return new CommandClass(
      'ClientRequestToken' in input ? { ...input, ClientRequestToken: randomUUID() } : input,
    );
  });

/** The SDK's client with the same settings as the product's. */
export const openBareClient = () => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      requestHandler: {
        connectionTimeout: 1_000,
        requestTimeout: 4_000,
        throwOnRequestTimeout: true,
      },
      maxAttempts: 3,
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  return {
    /** Sends the commands in sequence. */
    send: async (commands: readonly Command[]): Promise<void> => {
      for (const command of commands) await client.send(command);
    },
    close: () => client.destroy(),
  };
};

export type BareClient = ReturnType<typeof openBareClient>;
