import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/authorizer/handler.ts';
import { startSecretsManager } from '#infra/local/secrets-manager.ts';
import { functionsOfKind } from '#infra/manifest.ts';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/domain/api-keys.ts';
import { openVersionedKeys, type Secret, type VersionedKeys } from '#shared/secrets.ts';
import { type ApiKey, type Application, openApplications } from '#shared/store/applications.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { authorizerEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { costFields, keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const apiArn = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234';
const requestId = 'b5c5b7f5-8a3c-4d5f-9b0a-0123456789ab';
const now = new Date('2026-03-23T09:30:00.000Z');

const firstPepper = randomBytes(32);
const secondPepper = randomBytes(32);
const peppers = (current: string, versions: Record<string, Buffer>): string =>
  JSON.stringify({
    current,
    versions: Object.fromEntries(
      Object.entries(versions).map(([version, pepper]) => [version, pepper.toString('base64')]),
    ),
  });

let folder: string;
let secretsManager: Awaited<ReturnType<typeof startSecretsManager>>;
let client: SecretsManagerClient;
let applications: ReturnType<typeof openApplications>;
let pepper: Secret<VersionedKeys>;
let log: ReturnType<typeof keepLog>;

beforeAll(async () => {
  const database = await openTestTable();
  applications = openApplications(database.table);
  folder = await mkdtemp(join(tmpdir(), 'authorizer-'));
  secretsManager = await startSecretsManager({ file: join(folder, 'secrets.json') });
  client = new SecretsManagerClient({ endpoint: secretsManager.endpoint });
  await client.send(new CreateSecretCommand({ Name: 'pepper', SecretString: '{}' }));
});
afterAll(async () => {
  client.destroy();
  await secretsManager.stop();
  await rm(folder, { recursive: true });
});

const rotate = (SecretString: string) =>
  client.send(new PutSecretValueCommand({ SecretId: 'pepper', SecretString }));

beforeEach(async () => {
  await rotate(peppers('1', { '1': firstPepper }));
  pepper = openVersionedKeys(client, 'pepper');
  log = keepLog();
});

/** Gives an application another key. */
const addKey = async (
  applicationId: string,
  changes: Partial<ApiKey> = {},
  under = firstPepper,
) => {
  const { keyId, apiKey } = newApiKey(applicationId, randomBytes);
  const recorded = await applications.recordKey({
    keyId,
    applicationId,
    hash: hashApiKey(apiKey, under),
    pepperVersion: '1',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    ...changes,
  });
  expect(recorded).toBe(true);
  return { applicationId, keyId, apiKey };
};

/** Makes an application with a key. */
const addApplication = async (changes: Partial<Application> = {}, key: Partial<ApiKey> = {}) => {
  const applicationId = newApplicationId(randomBytes);
  await applications.record({
    applicationId,
    name: applicationId,
    status: 'active',
    redirectUrls: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  });
  return addKey(applicationId, key);
};

const authorize = (apiKey: string, headers?: Record<string, string>) => {
  const metrics = keepMetrics();
  const handler = createHandler({ applications, pepper, clock: () => now, log, metrics });
  return handler(authorizerEvent(apiKey, headers), lambdaContext());
};

const outcomeOf = (apiKey: string) =>
  authorize(apiKey).then(
    ({ policyDocument: { Statement } }) => Statement[0]?.Effect,
    (error: unknown) => error,
  );

/** The word by which the gateway answers 401; it would answer 500 to any other error. */
const unauthorized = new Error('Unauthorized');

const withAnotherSecret = (apiKey: string) =>
  apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

const policy = (effect: 'Allow' | 'Deny', owner: { applicationId: string; keyId: string }) => ({
  principalId: owner.applicationId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: `${apiArn}/v1/*` }],
  },
  context: { applicationId: owner.applicationId, keyId: owner.keyId },
  usageIdentifierKey: `application-${owner.applicationId}`,
});

describe('a key that is accepted', () => {
  test('allows the whole stage and says who calls', async () => {
    const { apiKey, ...owner } = await addApplication();
    expect(await authorize(apiKey)).toEqual(policy('Allow', owner));
    expect(log.lines).toEqual([
      [
        'authorize',
        {
          request_id: requestId,
          application_id: owner.applicationId,
          key_id: owner.keyId,
          outcome: 'success',
          ...costFields(1),
        },
      ],
    ]);
  });

  test('gets a policy for every route of the stage, and for no other', async () => {
    const { apiKey } = await addApplication();
    const { policyDocument } = await authorize(apiKey);
    const { Resource } = policyDocument.Statement[0] as { Resource: string };
    // In a policy's resource a star stands for any text (IAM User Guide, "Resource").
    const covers = (arn: string) => arn.startsWith(Resource.replace(/\*$/, ''));
    const routes = functionsOfKind('api').map(
      ({ trigger }) => `${apiArn}/v1/${trigger.method}${trigger.path}/`,
    );
    expect(routes.length).toBeGreaterThan(1);
    expect(routes.filter((arn) => !covers(arn))).toEqual([]);
    expect(covers(`${apiArn}/v2/POST/external/v1/users/ensure/`)).toBe(false);
    expect(covers(`${apiArn}/v10/POST/external/v1/users/ensure/`)).toBe(false);
  });

  test.each(['X-API-Key', 'x-api-key', 'X-Api-Key'])('is found in the header %s', async (name) => {
    const { apiKey, ...owner } = await addApplication();
    expect(await authorize(apiKey, { Accept: '*/*', [name]: apiKey })).toEqual(
      policy('Allow', owner),
    );
  });

  test('may be one of several of its application', async () => {
    const first = await addApplication();
    const second = await addKey(first.applicationId);
    expect(await authorize(first.apiKey)).toEqual(policy('Allow', first));
    expect(await authorize(second.apiKey)).toEqual(policy('Allow', second));
  });

  test('may have an end that is still to come', async () => {
    const { apiKey } = await addApplication({}, { expiresAt: '2026-03-23T09:30:00.001Z' });
    expect(await outcomeOf(apiKey)).toBe('Allow');
  });

  test('of a suspended application gets a denial', async () => {
    const { apiKey, ...owner } = await addApplication({ status: 'suspended' });
    expect(await authorize(apiKey)).toEqual(policy('Deny', owner));
    expect(log.lines).toMatchObject([
      ['authorize', { outcome: 'application_suspended', table_calls: 1 }],
    ]);
  });
});

describe('a key that is not accepted', () => {
  test.each<[string, string, () => Promise<string>]>([
    ['unknown', 'unknown', async () => newApiKey('0123456789abcdef', randomBytes).apiKey],
    [
      'unknown to an application that is there',
      'unknown',
      async () => newApiKey((await addApplication()).applicationId, randomBytes).apiKey,
    ],
    [
      'of a known id with another secret',
      'unknown',
      async () => withAnotherSecret((await addApplication()).apiKey),
    ],
    [
      'of a revoked id with another secret',
      'unknown',
      async () =>
        withAnotherSecret((await addApplication({}, { revokedAt: now.toISOString() })).apiKey),
    ],
    [
      'of a suspended application with another secret',
      'unknown',
      async () => withAnotherSecret((await addApplication({ status: 'suspended' })).apiKey),
    ],
    [
      'expired this very moment',
      'expired',
      async () => (await addApplication({}, { expiresAt: now.toISOString() })).apiKey,
    ],
    [
      'revoked',
      'revoked',
      async () => (await addApplication({}, { revokedAt: '2026-03-23T09:29:00.000Z' })).apiKey,
    ],
    [
      'revoked, of a suspended application',
      'revoked',
      async () =>
        (await addApplication({ status: 'suspended' }, { revokedAt: now.toISOString() })).apiKey,
    ],
    [
      'hashed under a pepper that has been retired',
      'pepper_retired',
      async () => (await addApplication({}, { pepperVersion: '0' })).apiKey,
    ],
  ])('because it is %s is answered 401', async (_title, reason, makeKey) => {
    const apiKey = await makeKey();
    await expect(authorize(apiKey)).rejects.toEqual(unauthorized);
    expect(log.lines).toEqual([
      [
        'authorize',
        { request_id: requestId, reason, outcome: 'api_key_not_accepted', ...costFields(1) },
      ],
    ]);
    expect(JSON.stringify(log.lines)).not.toContain(apiKey.split('_')[2]);
  });

  test.each([
    ['is empty', ''],
    ['is a key id alone', '0123456789abcdef00c0ffee'],
    ['lacks a part of its secret', `lk_0123456789abcdef00c0ffee_${'5'.repeat(63)}`],
    ['is very long', 'lk_'.repeat(3_000)],
    ['reaches for another item', `lk_0123456789abcdef#KEY#000_${'5'.repeat(64)}`],
  ])('because it %s is answered 401 without a look into the table', async (_title, apiKey) => {
    await expect(authorize(apiKey)).rejects.toEqual(unauthorized);
    expect(log.lines).toEqual([
      [
        'authorize',
        {
          request_id: requestId,
          reason: 'malformed',
          outcome: 'api_key_not_accepted',
          ...costFields(),
        },
      ],
    ]);
  });

  test('because there is none is answered 401', async () => {
    await expect(authorize('', { Authorization: 'Bearer x' })).rejects.toEqual(unauthorized);
  });

  test('costs the same steps whether its id is known or not', async () => {
    const { apiKey } = await addApplication();
    const kept = pepper;
    const steps = async (given: string) => {
      let reads = 0;
      const read = () => {
        reads += 1;
        return kept.read();
      };
      pepper = { ...kept, read };
      log = keepLog();
      await expect(authorize(given)).rejects.toEqual(unauthorized);
      const [[, line]] = log.lines as [[string, Record<string, unknown>]];
      return { pepperWasRead: reads > 0, ...line, duration_ms: 'not compared' };
    };
    const unknown = await steps(newApiKey('0123456789abcdef', randomBytes).apiKey);
    expect(unknown.pepperWasRead).toBe(true);
    expect(await steps(withAnotherSecret(apiKey))).toEqual(unknown);
  });
});

describe('the pepper', () => {
  test('once rotated verifies the keys made before, until its version is retired', async () => {
    const { apiKey } = await addApplication();
    expect(await outcomeOf(apiKey)).toBe('Allow');
    await rotate(peppers('2', { '1': firstPepper, '2': secondPepper }));
    await pepper.readAgain();
    expect(await outcomeOf(apiKey)).toBe('Allow');
    await rotate(peppers('2', { '2': secondPepper }));
    pepper = openVersionedKeys(client, 'pepper');
    expect(await outcomeOf(apiKey)).toEqual(unauthorized);
  });

  test('is read again for a key made under a version not known yet, and at once', async () => {
    const { applicationId, apiKey } = await addApplication();
    expect(await outcomeOf(apiKey)).toBe('Allow');
    await rotate(peppers('2', { '1': firstPepper, '2': secondPepper }));
    const second = await addKey(applicationId, { pepperVersion: '2' }, secondPepper);
    expect(await outcomeOf(second.apiKey)).toBe('Allow');
    expect(await outcomeOf(apiKey)).toBe('Allow');
  });

  test('of another version does not verify a key', async () => {
    await rotate(peppers('1', { '1': firstPepper, '2': secondPepper }));
    const { apiKey } = await addApplication({}, { pepperVersion: '2' });
    expect(await outcomeOf(apiKey)).toEqual(unauthorized);
  });
});

describe('a failure behind the authorizer', () => {
  test('is an error of ours, not a refusal of the key', async () => {
    const { apiKey } = await addApplication();
    pepper = openVersionedKeys(client, 'none');
    await expect(authorize(apiKey)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
