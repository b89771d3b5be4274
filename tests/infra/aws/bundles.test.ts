// The deployed bundles: their content, and that they work.

import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  bundleFunctions,
  externalModules,
  maximumBundleBytes,
  oversizedBundles,
} from '#infra/aws/bundles.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { historyXml, realDaysBetween } from '../../support/builders/ecb-files.ts';
import { deployFunctions } from '../../support/processes/deployed-functions.ts';
import { makeDataFolder } from '../../support/processes/service.ts';
import { giveConsent } from '../../support/servers/sandbox.ts';

const names = Object.keys(functions) as FunctionName[];
const ratesFile = historyXml(realDaysBetween('2026-03-16', '2026-03-23'));
const deployed = await deployFunctions({ ratesFile });
afterAll(deployed.stop);

describe('a bundle', () => {
  test.each(names)('of %s has all that it needs inside', async (name) => {
    const code = await readFile(deployed.bundles[name].entryPoint, 'utf8');
    const namesIn = (call: RegExp) => [...code.matchAll(call)].map(([, module = '']) => module);
    expect(namesIn(/\brequire\("([^"]+)"\)/g).filter((module) => !isBuiltin(module))).toEqual([]);
    const importedLater = namesIn(/\bimport\("([^"]+)"\)/g);
    expect(new Set(importedLater.filter((module) => !isBuiltin(module)))).toEqual(
      new Set(externalModules),
    );
  });

  test('is the same at each build', async () => {
    const folder = await makeDataFolder();
    onTestFinished(folder.remove);
    const { authorizer } = await bundleFunctions(['authorizer'], folder.path);
    expect(await readFile(authorizer.entryPoint, 'utf8')).toBe(
      await readFile(deployed.bundles.authorizer.entryPoint, 'utf8'),
    );
  });

  test('that cannot be made says why', async () => {
    const name = 'no-such-function' as FunctionName;
    await expect(bundleFunctions([name], '/nowhere')).rejects.toThrow(
      'Could not resolve "functions/no-such-function/index.ts"',
    );
  });

  test('is small, or has a reason not to be', () => {
    expect(oversizedBundles(deployed.bundles)).toEqual([]);
    expect(oversizedBundles({ authorizer: { bytes: maximumBundleBytes } })).toEqual([]);
    expect(oversizedBundles({ authorizer: { bytes: maximumBundleBytes + 1 } })).toEqual([
      'authorizer has 450001 bytes, more than 450000. Make it smaller, or state in its row of ' +
        'the manifest that it has all adapters.',
    ]);
    expect(oversizedBundles({ 'oauth-callback': { bytes: maximumBundleBytes + 1 } })).toEqual([]);
  });
});

const exampleEvent = async (name: string) =>
  JSON.parse(await readFile(join('tests/data/events', `${name}.json`), 'utf8'));

const resultOf = async (name: FunctionName, event: unknown) => {
  const outcome = await deployed.invoke(name, event);
  if ('error' in outcome) throw new Error(`${name}: ${outcome.error}\n${outcome.output}`);
  return outcome.result;
};

/** One function of each trigger; the others are called as bundles by tests/end-to-end. */
describe('called with events as AWS sends them, a cold process each', () => {
  let userId: string;
  let callback: URL;
  const findImport = async () =>
    (await deployed.database.scan()).find(({ kind }) => kind === 'import');

  test('authorizer lets only a valid key pass', async () => {
    const event = await exampleEvent('authorizer');
    const withKey = (key: string) => ({
      ...event,
      headers: { ...event.headers, 'X-API-Key': key },
    });
    expect(await resultOf('authorizer', withKey(deployed.apiKey))).toMatchObject({
      principalId: deployed.applicationId,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: ['arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/v1/*'],
          },
        ],
      },
      context: { applicationId: deployed.applicationId },
    });
    expect(await deployed.invoke('authorizer', event)).toMatchObject({ error: 'Unauthorized' });
  });

  test('ensure-user registers a user, and logs it', async () => {
    const outcome = await deployed.invoke('ensure-user', await exampleEvent('api-post'));
    const reply = 'result' in outcome ? (outcome.result as { body: string }) : { body: '{}' };
    const body = JSON.parse(reply.body);
    userId = body.data?.user_id;
    const data = { user_id: expect.any(String), email: 'ada@example.com', created: true };
    expect({ ...reply, body }).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
      body: { status: 'success', status_code: 200, data },
    });
    const lines = outcome.output.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 'INFO',
        service: 'ensure-user',
        request_id: 'c6af9ac6-7b61-4a1e-9a41-93e8deadbeef',
      }),
    );
  });

  test('refresh-exchange-rates adds the rates of the bank', async () => {
    const event = { ...(await exampleEvent('schedule')), time: '2026-03-24T03:00:00Z' };
    expect(await resultOf('refresh-exchange-rates', event)).toMatchObject({
      added: 6,
      newest: '2026-03-23',
    });
  });

  test('initiate-oauth says where to send the browser', async () => {
    const event = await exampleEvent('api-get');
    const query = { ...event.multiValueQueryStringParameters, user_id: [userId] };
    const asked = { ...event, multiValueQueryStringParameters: query };
    const { body } = (await resultOf('initiate-oauth', asked)) as { body: string };
    callback = await giveConsent(JSON.parse(body).data.authorization_url);
    expect([...callback.searchParams.keys()]).toEqual(expect.arrayContaining(['code', 'state']));
  });

  test('oauth-callback creates the company’s tenant', async () => {
    await openApplications(deployed.database.table).record({
      applicationId: '0123456789abcdef',
      name: 'Example',
      status: 'active',
      redirectUrls: [],
      createdAt: '2026-03-23T09:30:00.000Z',
    });
    const event = { ...(await exampleEvent('url')), rawQueryString: callback.search.slice(1) };
    expect(await resultOf('oauth-callback', event)).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('The company is connected'),
    });
  });

  test('start-imports asks Lambda for a run of its import', async () => {
    const event = await exampleEvent('stream');
    const [record] = event.Records;
    const image = marshall((await findImport()) ?? {});
    const result = await resultOf('start-imports', {
      Records: [{ ...record, dynamodb: { ...record.dynamodb, NewImage: image } }],
    });
    expect(result).toEqual({ batchItemFailures: [] });
    const { applicationId, schemaName, importId } = (await findImport()) ?? {};
    const payload = { applicationId, schemaName, importId };
    expect(deployed.invocations).toEqual([['import-tenant-data', payload]]);
  });

  test('import-tenant-data brings its chart of accounts and its journals', async () => {
    const [[, payload] = []] = deployed.invocations;
    await resultOf('import-tenant-data', payload);
    expect(await findImport()).toMatchObject({
      status: 'complete',
      checkpoint: {
        accountsImported: companiesOf.platform_a[0]?.accounts.length,
        journalsImported: expect.any(Number),
        journalsRefused: 0,
      },
    });
  });
});
