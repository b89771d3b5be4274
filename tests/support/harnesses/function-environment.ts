// What functions reach outside of a service: a table, secrets, platforms, a source of exchange
// rates, Lambda for calls of each other, and the environment that leads them there.

import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { prepareDemo } from '#infra/local/demo.ts';
import { startLambdaApi } from '#infra/local/stand-ins/lambda-api.ts';
import {
  ensureLocalSecrets,
  replaceLocalSecret,
  startSecretsManager,
} from '#infra/local/stand-ins/secrets-manager.ts';
import { type EnvironmentInputs, environmentOf } from '#infra/manifest/environment.ts';
import { secretNames } from '#infra/manifest/function-row.ts';
import { localCredentials } from '#infra/manifest/local-credentials.ts';
import { type FunctionName, functionsOfKind } from '#infra/manifest/manifest.ts';
import { secretIdOf } from '#infra/manifest/names.ts';
import { stages } from '#infra/manifest/stages.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { issueApiKey } from '#shared/applications/issue-api-key.service.ts';
import { openSecret, VersionedKeys } from '#shared/secrets.ts';
import { nbpReply, realNbpDay } from '../builders/nbp-tables.ts';
import { testAuthenticatorKeys } from '../builders/secrets.ts';
import { openTestTable } from '../dynamodb/test-table.ts';
import { makeDataFolder } from '../processes/service.ts';
import { startFakeServer } from '../servers/fake-server.ts';
import { bySlot, startSandboxPlatform } from '../servers/sandbox.ts';

export const startFunctionEnvironment = async ({ ratesFile }: { ratesFile: string }) => {
  const folder = await makeDataFolder();
  const database = await openTestTable();
  const secretsManager = await startSecretsManager({
    file: `${folder.path}/secrets.json`,
    ...localCredentials,
  });
  const client = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  const { platformClients } = await ensureLocalSecrets(client);
  await replaceLocalSecret(client, 'authenticator-keys', testAuthenticatorKeys);
  const sandbox = await startSandboxPlatform({ clients: platformClients });
  const bank = await startFakeServer({ body: ratesFile });
  const polishBank = await startFakeServer({
    body: nbpReply('B', [realNbpDay('2026-03-18')]),
  });
  const invocations: [name: FunctionName, payload: unknown][] = [];
  const queue = { isDown: false };
  const lambda = await startLambdaApi({
    secretAccessKey: localCredentials.secretAccessKey,
    add: async (...invocation) => {
      if (queue.isDown) throw new Error('the queue is down');
      invocations.push(invocation);
    },
  });
  const secretId = secretIdOf('local', 'api-key-pepper');
  const keyIssuing = {
    applications: openApplications(database.table),
    pepper: openSecret(client, { secretId, schema: VersionedKeys }),
    clock: () => new Date(),
    random: randomBytes,
  };
  const { applicationId, apiKey } = await prepareDemo(keyIssuing, folder.path);
  return {
    folder,
    database,
    sandbox,
    bank,
    /** The requested invocations. The test runs them. */
    invocations,
    /** If it is down, Lambda takes no invocation. */
    queue,
    applicationId,
    apiKey,
    /** Another key of the application, for reading only. */
    issueReadOnlyKey: async (): Promise<string> => {
      const key = { applicationId, access: 'read_only', expiresAt: null } as const;
      return (await issueApiKey(keyIssuing, key))?.apiKey ?? '';
    },
    /** The stage's settings, with the secrets and functions to use: by default, all. */
    variables: (
      uses: Pick<EnvironmentInputs, 'secrets' | 'invokes'> = {
        secrets: secretNames,
        invokes: functionsOfKind('invocation').map(({ name }) => name),
      },
    ): Record<string, string> => ({
      AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
      AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint,
      ...environmentOf('local', {
        settings: { ...stages.local, exchangeRatesUrl: bank.url },
        ...uses,
        nbpRatesUrl: polishBank.url,
        callbackBaseUrl: 'https://callback.ledger.example',
        platformBaseUrls: bySlot(sandbox.baseUrl),
      }),
      TABLE_NAME: database.tableName,
    }),
    stop: async (): Promise<void> => {
      await Promise.all([
        bank.stop(),
        polishBank.stop(),
        lambda.stop(),
        sandbox.stop(),
        secretsManager.stop(),
      ]);
      await folder.remove();
    },
  };
};

export type FunctionEnvironment = Awaited<ReturnType<typeof startFunctionEnvironment>>;
