import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { functions } from '#infra/manifest/manifest.ts';
import { newApiKey, newApplicationId } from '#shared/applications/api-keys.ts';
import { callLimits } from '#shared/aws-call-limits.ts';
import { authorizerEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { startFakeServer } from '../support/servers/fake-server.ts';

test('the authorizer fails in time if the table does not answer', async () => {
  const silence = await startFakeServer();
  silence.reply = undefined;
  const keys = { current: '1', versions: { '1': randomBytes(32).toString('base64') } };
  const secret = JSON.stringify({ SecretString: JSON.stringify(keys) });
  const secretsManager = await startFakeServer({ body: secret });
  afterAll(() => Promise.all([silence.stop(), secretsManager.stop()]));
  Object.assign(process.env, {
    TABLE_NAME: 'ledger',
    API_KEY_PEPPER_SECRET: 'pepper',
    READ_ONLY_ROUTES: '',
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
