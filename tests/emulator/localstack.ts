// Starts LocalStack in host mode, on a free port of 127.0.0.1, and waits until it serves.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stages } from '#infra/manifest/stages.ts';

/** A part that was started. `kill` is for the sudden end of this process. */
export type Stoppable = { stop: () => Promise<void>; kill?: () => void };

const startFile = fileURLToPath(new URL('./localstack/start.py', import.meta.url));
const temporaryFolder = 'temporary';
const maximumStartMilliseconds = 300_000;

type Options = {
  python: string;
  port: number;
  dynamoDBPort: number;
  lambdaHostUrl: string;
  folder: string;
  /** Is given the process as soon as there is one. */
  keep: (part: Stoppable) => void;
};

const variablesOf = ({ port, dynamoDBPort, lambdaHostUrl, folder }: Options) => ({
  ...process.env,
  FILESYSTEM_ROOT: join(folder, 'localstack'),
  TMPDIR: join(folder, temporaryFolder),
  GATEWAY_LISTEN: `127.0.0.1:${port}`,
  // Addresses that it hands out have this name: callbacks, queues.
  LOCALSTACK_HOST: `localhost:${port}`,
  // Nothing is sent to its makers, and nothing fetched from them.
  DISABLE_EVENTS: '1',
  SKIP_SSL_CERT_DOWNLOAD: '1',
  DNS_ADDRESS: '0',
  EVENT_RULE_ENGINE: 'python',
  // DynamoDB Local's own streams instead of LocalStack's imitation.
  PROVIDER_OVERRIDE_DYNAMODB: 'v2',
  PROVIDER_OVERRIDE_DYNAMODBSTREAMS: 'v2',
  // What reads the stream for Lambda waits a second before each batch, and the records that its
  // filter does not let through are batches too.
  LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC: '0.01',
  LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_EMPTY_POLL_SEC: '0.5',
  // What Lambda tries again after a minute and after two more is tried again at once here.
  LAMBDA_RETRY_BASE_DELAY: '1',
  // The address of a queue without a host name that this machine would have to resolve.
  SQS_ENDPOINT_STRATEGY: 'path',
  // The quota that production asks for.
  LAMBDA_LIMITS_CONCURRENT_EXECUTIONS: String(stages.production.deployment.accountConcurrency),
  DYNAMODB_LOCAL_PORT: String(dynamoDBPort),
  LAMBDA_HOST: lambdaHostUrl,
  // Resources of unknown types are skipped, and reported at the end.
  CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES: '1',
  PYTHONDONTWRITEBYTECODE: '1',
});

export type LocalStack = Awaited<ReturnType<typeof startLocalStack>>;

/** @throws with the end of its log, if it does not start */
export const startLocalStack = async (options: Options) => {
  const { python, port, folder } = options;
  mkdirSync(join(folder, temporaryFolder), { recursive: true });
  const child = spawn(python, [startFile], {
    env: variablesOf(options),
    // The process ends with this pipe, so it cannot outlive the command.
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const logFile = createWriteStream(join(folder, 'localstack.log'));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      logFile.write(chunk);
    });
  }
  const exited = once(child, 'exit');
  const kill = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended before.
    }
  };
  options.keep({
    kill,
    stop: async () => {
      child.kill('SIGTERM');
      await Promise.race([exited, pause(5_000, undefined, { ref: false })]);
      kill();
      await exited;
    },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const giveUpAt = Date.now() + maximumStartMilliseconds;
  for (;;) {
    const answered = await fetch(`${endpoint}/_localstack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) break;
    if ((child.exitCode ?? child.signalCode) !== null || Date.now() > giveUpAt) {
      throw new Error(`LocalStack did not start:\n${log.slice(-3_000)}`);
    }
    await pause(100);
  }
  return { endpoint, log: (): string => log };
};
