import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openInvocationQueue } from '#infra/local/stand-ins/invocation-queue.ts';
import { startLambdaApi } from '#infra/local/stand-ins/lambda-api.ts';
import { localCredentials } from '#infra/manifest/local-credentials.ts';
import { functions } from '#infra/manifest/manifest.ts';
import { openInvoker } from '#shared/endpoint/invoker.ts';
import { makeDataFolder } from '../../../support/processes/service.ts';

const name = 'import-tenant-data';
const functionName = `ledger-local-${name}`;
const settings = { credentials: localCredentials };

const openFolder = async (): Promise<string> => {
  const folder = await makeDataFolder();
  onTestFinished(folder.remove);
  return folder.path;
};

/** The parts of the service, and a function whose runs end on request. */
const start = async ({ dataFolder, places = 2 }: { dataFolder: string; places?: number }) => {
  const queue = await openInvocationQueue({ dataFolder, concurrency: { [name]: places } });
  const { secretAccessKey } = localCredentials;
  const { endpoint, stop } = await startLambdaApi({ secretAccessKey, ...queue });
  const happened: string[] = [];
  const ends = new Map<unknown, PromiseWithResolvers<void>>();
  const reported: string[] = [];
  const run = () =>
    queue.run(
      async (_name, payload) => {
        happened.push(`${payload} begins`);
        const end = Promise.withResolvers<void>();
        ends.set(payload, end);
        await end.promise;
        happened.push(`${payload} ends`);
      },
      (text) => reported.push(text),
    );
  onTestFinished(async () => {
    for (const { resolve } of ends.values()) resolve();
    await Promise.all([queue.stop(), stop()]);
  });
  const invoke = openInvoker(functionName, { endpoint, ...settings });
  return {
    endpoint,
    queue,
    run,
    happened,
    reported,
    /** Requests runs in sequence, as start-imports does. */
    ask: async (...payloads: string[]) => {
      for (const payload of payloads) await invoke(payload as unknown as object);
    },
    end: (payload: string) => ends.get(payload)?.resolve(),
    fail: (payload: string) => ends.get(payload)?.reject(new Error(`no ${payload}`)),
    until: (...expected: string[]) =>
      vi.waitFor(() => expect(happened).toEqual(expected), { timeout: 10_000 }),
  };
};

test('runs are concurrent, and the oldest waiting one is next', async () => {
  const { run, ask, end, until } = await start({ dataFolder: await openFolder() });
  run();
  await ask('a', 'b', 'c', 'd');
  await until('a begins', 'b begins');
  end('b');
  await until('a begins', 'b begins', 'b ends', 'c begins');
  await ask('b again');
  end('c');
  await until('a begins', 'b begins', 'b ends', 'c begins', 'c ends', 'd begins');
});

test('a restart continues unfinished runs in order', async () => {
  const dataFolder = await openFolder();
  const first = await start({ dataFolder, places: 1 });
  first.run();
  await first.ask('a', 'b', 'c');
  first.end('a');
  await first.until('a begins', 'a ends', 'b begins');
  // Nothing tells a process that it is killed.
  const second = await start({ dataFolder, places: 1 });
  await second.ask('d');
  second.run();
  for (const payload of ['b', 'c', 'd']) {
    await vi.waitFor(() => expect(second.happened.at(-1)).toBe(`${payload} begins`));
    second.end(payload);
  }
  await second.until(...['b', 'c', 'd'].flatMap((it) => [`${it} begins`, `${it} ends`]));
});

test('a failed run is repeated, and set aside after the last attempt', async () => {
  const dataFolder = await openFolder();
  const { run, ask, fail, happened, reported, until } = await start({ dataFolder });
  run();
  await ask('a');
  const tries = functions[name].trigger.maximumRetries + 1;
  for (let count = 1; count <= tries; count += 1) {
    await until(...Array(count).fill('a begins'));
    fail('a');
  }
  const file = join(dataFolder, 'failed-records.jsonl');
  const failure = await vi.waitFor(async () => JSON.parse(await readFile(file, 'utf8')));
  expect(failure).toMatchObject({ requestPayload: 'a', responsePayload: { errorMessage: 'no a' } });
  expect([happened.length, reported.length]).toEqual([tries, tries]);
  await vi.waitFor(async () =>
    expect(await readFile(join(dataFolder, 'invocations.json'), 'utf8')).toBe('[]'),
  );
});

test('an invocation that could not be stored does not block others', async () => {
  const dataFolder = await openFolder();
  const { queue, run, until } = await start({ dataFolder });
  run();
  await rename(dataFolder, `${dataFolder}-gone`);
  await expect(queue.add(name, 'a')).rejects.toThrow();
  await rename(`${dataFolder}-gone`, dataFolder);
  await queue.add(name, 'b');
  await until('b begins');
});

test('other functions, other kinds of invocation and unsigned requests are refused', async () => {
  const { endpoint, queue, run, happened } = await start({ dataFolder: await openFolder() });
  run();
  const asking = (
    asked: Partial<ConstructorParameters<typeof InvokeCommand>[0]>,
    secretAccessKey = localCredentials.secretAccessKey,
  ) => {
    const credentials = { ...localCredentials, secretAccessKey };
    const client = new LambdaClient({ endpoint, credentials, maxAttempts: 1 });
    const input = { FunctionName: functionName, InvocationType: 'Event', Payload: '{}' } as const;
    return client.send(new InvokeCommand({ ...input, ...asked }));
  };
  for (const [error, asked] of [
    ['ResourceNotFoundException', { FunctionName: 'ledger-local-resume-imports' }],
    ['InvalidParameterValueException', { InvocationType: 'RequestResponse' }],
    ['InvalidRequestContentException', { Payload: 'x' }],
  ] as const) {
    await expect(asking(asked)).rejects.toMatchObject({ name: error });
  }
  await expect(asking({}, 'another')).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  const unsigned = await fetch(`${endpoint}/2015-03-31/functions/${functionName}/invocations`, {
    method: 'POST',
    headers: { 'X-Amz-Invocation-Type': 'Event' },
    body: '{}',
  });
  expect(unsigned.status).toBe(403);
  await queue.stop();
  expect(happened).toEqual([]);
});
