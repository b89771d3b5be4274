import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { recordingMilliseconds } from '#functions/authorizer/key-use.ts';
import {
  type FunctionName,
  type FunctionRow,
  functions,
  functionsInvokedBy,
} from '#infra/manifest.ts';
import { callLimits, invocationLimits, longestCallMilliseconds } from '#shared/call-limits.ts';
import { newApiKey, newApplicationId } from '#shared/domain/api-keys.ts';
import { authorizerEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { startFakeServer } from '../support/servers/fake-server.ts';

const rows = Object.entries(functions) as [FunctionName, FunctionRow][];

/** What a function's entry point opens its clients with. */
const limitsOf = (name: FunctionName) => {
  const entryPoint = readFileSync(`functions/${name}/index.ts`, 'utf8');
  return callLimits[entryPoint.includes('callLimits.short') ? 'short' : 'standard'];
};

test.each(rows)('what %s waits for ends before its time is over', (name, row) => {
  const { table, secrets } = limitsOf(name);
  const longest =
    longestCallMilliseconds(table) +
    row.secrets.length * longestCallMilliseconds(secrets) +
    functionsInvokedBy(name).length * longestCallMilliseconds(invocationLimits) +
    (name === 'authorizer' ? recordingMilliseconds : 0);
  expect(longest).toBeLessThanOrEqual(row.timeoutSeconds * 1_000);
});

test('the authorizer fails by itself at a table that does not answer', async () => {
  const silence = await startFakeServer();
  silence.reply = undefined;
  const keys = { current: '1', versions: { '1': randomBytes(32).toString('base64') } };
  const secret = JSON.stringify({ SecretString: JSON.stringify(keys) });
  const secretsManager = await startFakeServer({ body: secret });
  afterAll(() => Promise.all([silence.stop(), secretsManager.stop()]));
  Object.assign(process.env, {
    TABLE_NAME: 'ledger',
    API_KEY_PEPPER_SECRET: 'pepper',
    AWS_ENDPOINT_URL_DYNAMODB: silence.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  const { handler } = await import('#functions/authorizer/index.ts');
  const { apiKey } = newApiKey(newApplicationId(randomBytes), randomBytes);
  const startedAt = performance.now();
  const authorized = handler(authorizerEvent(apiKey), lambdaContext());
  await expect(authorized).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(seconds).toBeLessThan(functions.authorizer.timeoutSeconds);
  expect(silence.requests).toHaveLength(callLimits.short.table.maximumAttempts);
});
