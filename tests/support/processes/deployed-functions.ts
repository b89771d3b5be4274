// The functions bundled as they are deployed, each called in a process that has nothing but its
// environment, with a table, secrets, a platform and a source of exchange rates.

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { bundleAll } from '#infra/bundles.ts';
import { environmentOf } from '#infra/environment.ts';
import { prepareDemo } from '#infra/local/demo.ts';
import { ensureLocalSecrets, startSecretsManager } from '#infra/local/secrets-manager.ts';
import { type FunctionName, functions } from '#infra/manifest.ts';
import { secretIdOf } from '#infra/names.ts';
import { stages } from '#infra/stages.ts';
import { openVersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import { keepReply } from '../events/lambda-events.ts';
import { secrets } from '../recorders/secrets-collector.ts';
import { startFakeServer } from '../servers/fake-server.ts';
import { startSandboxPlatform } from '../servers/sandbox.ts';
import type { Invocation, Outcome } from './invoke-function.ts';
import { makeDataFolder } from './service.ts';

const invoker = new URL('./invoke-function.ts', import.meta.url);

export const deployFunctions = async (options: { ratesFile: string }) => {
  const folder = await makeDataFolder();
  const bundles = await bundleAll(join(folder.path, 'bundles'));
  const database = await openTestTable();
  const secretsManager = await startSecretsManager({ file: join(folder.path, 'secrets.json') });
  const secretsClient = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  const { platformClients } = await ensureLocalSecrets(secretsClient);
  const { applicationId, apiKey } = await prepareDemo(
    {
      applications: openApplications(database.table),
      pepper: openVersionedKeys(secretsClient, secretIdOf('local', 'api-key-pepper')),
      clock: () => new Date(),
      random: randomBytes,
    },
    folder.path,
  );
  const sandbox = await startSandboxPlatform({ clients: platformClients });
  const bank = await startFakeServer({ body: options.ratesFile });
  const callbackBaseUrl = 'https://callback.ledger.example';

  /** What Lambda sets, and the stage's settings with the secrets that the function may read. */
  const environmentFor = (name: FunctionName): Record<string, string> => ({
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
    ...environmentOf('local', {
      settings: { ...stages.local, exchangeRatesUrl: bank.url },
      secrets: functions[name].secrets,
      callbackBaseUrl,
      platformBaseUrls: {
        platform_a: sandbox.baseUrl('platform_a'),
        platform_b: sandbox.baseUrl('platform_b'),
        platform_c: sandbox.baseUrl('platform_c'),
      },
    }),
    TABLE_NAME: database.tableName,
  });

  /** Starts the function cold and calls it once; `output` is what it wrote to its log. */
  const invoke = async (
    name: FunctionName,
    event: unknown,
  ): Promise<Outcome & { output: string }> => {
    const child = fork(invoker, { env: environmentFor(name), execArgv: [], silent: true });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const closed = once(child, 'close');
    const invocation: Invocation = {
      entryPoint: bundles[name].entryPoint,
      event,
      timeoutMilliseconds: functions[name].timeoutSeconds * 1000,
    };
    child.send(invocation);
    const answer = await Promise.race([once(child, 'message'), closed.then(() => undefined)]);
    if (answer === undefined) throw new Error(`${name} ended without an answer:\n${output}`);
    child.kill();
    await closed;
    secrets.keep(`the log of ${name}`, output);
    const outcome = answer[0] as Outcome;
    if ('result' in outcome) keepReply(outcome.result as object);
    return { ...outcome, output };
  };

  return {
    bundles,
    database,
    applicationId,
    apiKey,
    invoke,
    stop: async (): Promise<void> => {
      await Promise.all([bank.stop(), sandbox.stop(), secretsManager.stop()]);
      await folder.remove();
    },
  };
};
