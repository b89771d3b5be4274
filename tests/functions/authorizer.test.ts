import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createHandler,
  type Dependencies,
  maximumRecordingMilliseconds,
} from '#functions/authorizer/handler.ts';
import { functionsOfKind, readOnlyRoutes } from '#infra/manifest/manifest.ts';
import {
  apiKeyText,
  hashApiKey,
  newApiKey,
  newApplicationId,
  readApiKey,
} from '#shared/applications/api-keys.ts';
import {
  type ApiKey,
  type Application,
  openApplications,
} from '#shared/applications/applications.store.ts';
import type { Secret, VersionedKeys } from '#shared/secrets.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { authorizerEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { costFields, keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const apiArn = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234';
const requestId = 'b5c5b7f5-8a3c-4d5f-9b0a-0123456789ab';
const now = new Date('2026-03-23T09:30:00.000Z');
const createdAt = '2026-01-01T00:00:00.000Z';

const applications = openApplications((await openTestTable()).table);

const first = randomBytes(32);
const second = randomBytes(32);
const peppers = (current: string, versions: Record<string, Buffer>): VersionedKeys => ({
  current,
  versions: Object.fromEntries(
    Object.entries(versions).map(([version, pepper]) => [version, pepper.toString('base64')]),
  ),
});

/** The secret in Secrets Manager, and an instance that caches it. */
let stored: VersionedKeys;
let pepper: Secret<VersionedKeys>;
let log: ReturnType<typeof keepLog>;

const openPepper = (): Secret<VersionedKeys> => {
  let known = stored;
  const readAgain = async () => {
    known = stored;
    return known;
  };
  return { read: async () => known, readAgain };
};

beforeEach(() => {
  stored = peppers('1', { '1': first });
  pepper = openPepper();
  log = keepLog();
});

/** Gives an application another key. */
const addKey = async (applicationId: string, changes: Partial<ApiKey> = {}, under = first) => {
  const { keyId, apiKey } = newApiKey(applicationId, randomBytes);
  const recorded = await applications.recordKey({
    keyId,
    applicationId,
    hash: hashApiKey(apiKey, under),
    pepperVersion: '1',
    createdAt,
    access: 'full',
    expiresAt: null,
    revokedAt: null,
    ...changes,
  });
  expect(recorded).toBe(true);
  const { access = 'full' } = changes;
  return { caller: { applicationId, keyId, access }, apiKey };
};

/** Makes an application with a key. */
const addApplication = async (changes: Partial<Application> = {}, key: Partial<ApiKey> = {}) => {
  const applicationId = newApplicationId(randomBytes);
  await applications.record({
    applicationId,
    name: applicationId,
    status: 'active',
    redirectUrls: [],
    createdAt,
    ...changes,
  });
  return addKey(applicationId, key);
};

const openHandler = (changes: Partial<Dependencies> = {}) => {
  const metrics = keepMetrics();
  const clock = () => now;
  const handler = createHandler({
    applications,
    pepper,
    readOnlyRoutes,
    clock,
    sleep,
    log,
    metrics,
    ...changes,
  });
  return (apiKey: string) => handler(authorizerEvent(apiKey), lambdaContext());
};

const authorize = (apiKey: string) => openHandler()(apiKey);

const outcomeOf = (apiKey: string) =>
  authorize(apiKey).then(
    ({ policyDocument: { Statement } }) => Statement[0]?.Effect,
    (error: unknown) => error,
  );

/** The gateway answers 401 to this message, and 500 to any other error. */
const unauthorized = new Error('Unauthorized');

const withAnotherSecret = (apiKey: string) =>
  apiKeyText({ keyId: readApiKey(apiKey)?.keyId ?? '', secret: '5'.repeat(64) });
const mistyped = (apiKey: string) =>
  apiKey.replace(/_./, (start) => (start === '_0' ? '_1' : '_0'));
const newKeyOf = (applicationId = '0123456789abcdef') =>
  newApiKey(applicationId, randomBytes).apiKey;

const suspended = { status: 'suspended' } as const;
const revoked = { revokedAt: now.toISOString() };

describe('an accepted key', () => {
  test('identifies the caller, also as one of several keys, until it expires', async () => {
    const one = await addApplication();
    const other = await addKey(one.caller.applicationId, { expiresAt: '2026-03-23T09:30:00.001Z' });
    for (const { apiKey, caller } of [one, other]) {
      const { context, policyDocument } = await authorize(apiKey);
      expect([context, policyDocument.Statement[0]?.Effect]).toEqual([caller, 'Allow']);
    }
  });

  test('gets a policy for every route of the stage only', async () => {
    const { apiKey } = await addApplication();
    const { policyDocument } = await authorize(apiKey);
    const {
      Resource: [Resource = ''],
    } = policyDocument.Statement[0] as { Resource: string[] };
    // In a policy's resource, a star matches any text (IAM User Guide, "Resource").
    const covers = (arn: string) => arn.startsWith(Resource.replace(/\*$/, ''));
    const routes = functionsOfKind('api').map(
      ({ trigger }) => `${apiArn}/v1/${trigger.method}${trigger.path}/`,
    );
    expect(routes.length).toBeGreaterThan(1);
    expect(routes.filter((arn) => !covers(arn))).toEqual([]);
    expect(covers(`${apiArn}/v2/POST/external/v1/users/ensure/`)).toBe(false);
    expect(covers(`${apiArn}/v10/POST/external/v1/users/ensure/`)).toBe(false);
  });

  test('of a suspended application gets a denial', async () => {
    const { apiKey, caller } = await addApplication(suspended);
    const { context, policyDocument } = await authorize(apiKey);
    expect(context).toMatchObject({ ...caller, refusalCode: 'application_suspended' });
    expect(policyDocument.Statement[0]?.Effect).toBe('Deny');
    expect(log.lines).toMatchObject([['authorize', { outcome: 'application_suspended' }]]);
  });
});

describe('a refused key', () => {
  type Row = [
    title: string,
    reason: string,
    application: Partial<Application>,
    key: Partial<ApiKey>,
    given?: (apiKey: string) => string,
  ];
  const unknownToIts = (apiKey: string) => newKeyOf(readApiKey(apiKey)?.applicationId);

  test.each<Row>([
    ['unknown', 'unknown', {}, {}, () => newKeyOf()],
    ['unknown to an existing application', 'unknown', {}, {}, unknownToIts],
    ['of a known id with another secret', 'unknown', {}, {}, withAnotherSecret],
    ['of a revoked id with another secret', 'unknown', {}, revoked, withAnotherSecret],
    ['of a suspended application with another secret', 'unknown', suspended, {}, withAnotherSecret],
    ['expired at this moment', 'expired', {}, { expiresAt: now.toISOString() }],
    ['revoked', 'revoked', {}, revoked],
    ['revoked, of a suspended application', 'revoked', suspended, revoked],
    ['hashed with a retired pepper', 'pepper_retired', {}, { pepperVersion: '0' }],
  ])('gets 401: %s', async (...[, reason, application, key, given]) => {
    const { apiKey } = await addApplication(application, key);
    const sent = given?.(apiKey) ?? apiKey;
    await expect(authorize(sent)).rejects.toEqual(unauthorized);
    const line = { request_id: requestId, reason, outcome: 'api_key_not_accepted' };
    expect(log.lines).toEqual([['authorize', { ...line, ...costFields(1) }]]);
    expect(JSON.stringify(log.lines)).not.toContain(sent.split('_')[2]);
  });

  const otherItem = '0123456789abcdef#KEY#000';
  test.each([
    ['missing', () => ''],
    ['mistyped', mistyped],
    ['truncated', (apiKey: string) => apiKey.slice(0, -1)],
    [
      'with the key of another item',
      () => apiKeyText({ keyId: otherItem, secret: '5'.repeat(64) }),
    ],
  ])('gets 401 before table and pepper are read: %s', async (_title, given) => {
    const { apiKey } = await addApplication();
    pepper = { ...pepper, read: () => Promise.reject(new Error('the pepper was read')) };
    await expect(authorize(given(apiKey))).rejects.toEqual(unauthorized);
    const line = { request_id: requestId, reason: 'malformed', outcome: 'api_key_not_accepted' };
    expect(log.lines).toEqual([['authorize', { ...line, ...costFields() }]]);
  });

  test('takes the same steps for known and unknown ids', async () => {
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
    const unknown = await steps(newKeyOf());
    expect(unknown.pepperWasRead).toBe(true);
    expect(await steps(withAnotherSecret(apiKey))).toEqual(unknown);
  });
});

describe('the last use of a key', () => {
  const lastUse = async ({ caller }: Awaited<ReturnType<typeof addKey>>) =>
    (await applications.findWithKey(caller)).lastUsedOn;

  test('is the latest day on which it was accepted', async () => {
    const key = await addApplication();
    expect(await lastUse(key)).toBeUndefined();
    for (const [moment, date] of [
      ['2026-03-23T23:59:59.999Z', '2026-03-23'],
      ['2026-03-24T00:00:00.000Z', '2026-03-24'],
      ['2026-03-23T23:59:59.999Z', '2026-03-24'],
    ] as const) {
      await openHandler({ clock: () => new Date(moment) })(key.apiKey);
      expect(await lastUse(key)).toBe(date);
    }
  });

  test.each([
    ['revoked', {}, revoked],
    ['of a suspended application', suspended, {}],
  ])('is not recorded for a key that is %s', async (_title, application, key) => {
    const added = await addApplication(application, key);
    await outcomeOf(added.apiKey);
    expect(await lastUse(added)).toBeUndefined();
  });

  test.each([
    ['fails', () => Promise.reject(new Error('no table'))],
    ['hangs', () => new Promise<never>(() => {})],
  ])('does not fail or delay an authorization if its record %s', async (_title, fault) => {
    const { apiKey } = await addApplication();
    let attempts = 0;
    const recordUse = () => {
      attempts += 1;
      return fault();
    };
    const ask = openHandler({ applications: { ...applications, recordUse } });
    const startedAt = performance.now();
    for (const _ of [1, 2, 3]) {
      expect((await ask(apiKey)).policyDocument.Statement[0]?.Effect).toBe('Allow');
    }
    expect(performance.now() - startedAt).toBeLessThan(maximumRecordingMilliseconds + 1_000);
    expect(attempts, 'for a minute nothing is tried again').toBe(1);
  });
});

describe('the pepper', () => {
  test('verifies older keys after a rotation, until their version is retired', async () => {
    const { apiKey } = await addApplication();
    stored = peppers('2', { '1': first, '2': second });
    await pepper.readAgain();
    expect(await outcomeOf(apiKey)).toBe('Allow');
    stored = peppers('2', { '2': second });
    pepper = openPepper();
    expect(await outcomeOf(apiKey)).toEqual(unauthorized);
  });

  test('is read again at once for a key of an unknown version', async () => {
    const { caller, apiKey } = await addApplication();
    expect(await outcomeOf(apiKey)).toBe('Allow');
    stored = peppers('2', { '1': first, '2': second });
    const later = await addKey(caller.applicationId, { pepperVersion: '2' }, second);
    expect(await outcomeOf(later.apiKey)).toBe('Allow');
    expect(await outcomeOf(apiKey)).toBe('Allow');
  });

  test('of another version does not verify a key', async () => {
    stored = peppers('1', { '1': first, '2': second });
    const { apiKey } = await addApplication({}, { pepperVersion: '2' });
    expect(await outcomeOf(apiKey)).toEqual(unauthorized);
  });

  test('that cannot be read does not refuse the key', async () => {
    const { apiKey } = await addApplication();
    pepper = { ...pepper, read: () => Promise.reject(new Error('no secret')) };
    await expect(authorize(apiKey)).rejects.toThrow('no secret');
  });
});
