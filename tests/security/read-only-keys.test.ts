// Read-only keys at every route of the manifest: the gateway's decisions over HTTP, and the
// functions' own refusals in case a policy is wrong.

import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { afterAll, describe, expect, test } from 'vitest';
import { listen } from '#infra/http-server.ts';
import { createGateway } from '#infra/local/stand-ins/gateway.ts';
import { type Invoke, openFunctions } from '#infra/local/stand-ins/lambda.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import { stages } from '#infra/manifest/stages.ts';
import { historyXml, realDaysBetween } from '../support/builders/ecb-files.ts';
import { startFunctionEnvironment } from '../support/harnesses/function-environment.ts';
import { rawRequest } from './two-applications.ts';

const ratesFile = historyXml(realDaysBetween('2026-03-16', '2026-03-20'));
const environment = await startFunctionEnvironment({ ratesFile });
Object.assign(process.env, environment.variables());
const invoke = await openFunctions();

/** Replaces the policy by one that allows everything. The caller does not change. */
const invokeWithMistake: Invoke = async (name, event) => {
  if (name !== 'authorizer') return invoke(name, event);
  const result = (await invoke(name, event)) as APIGatewayAuthorizerResult;
  const statement = { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' };
  return { ...result, policyDocument: { Version: '2012-10-17', Statement: [statement] } };
};

const keys = { reader: await environment.issueReadOnlyKey(), full: environment.apiKey };
const stops = [environment.stop];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** Serves a gateway; `ask` says the status of a reply and the code of a refusal. */
const serve = async (calls: Invoke) => {
  const { throttling } = stages.local;
  const gateway = createGateway(calls, { throttling, report: () => {} });
  const server = await listen(gateway, { port: 0, purpose: 'gateway' });
  stops.push(server.stop);
  return async (key: keyof typeof keys, method: string, path: string) => {
    const { status, body } = await rawRequest(`http://127.0.0.1:${server.port}`, {
      method,
      path: path.replace('{platform}', 'platform_a'),
      headers: { 'X-API-Key': keys[key], 'Content-Length': '0' },
    });
    return [status, JSON.parse(body || '{}').error?.code ?? 'success'];
  };
};

const ask = await serve(invoke);
const askWithMistake = await serve(invokeWithMistake);
const refused = [403, 'api_key_read_only'];

const routes = functionsOfKind('api').map(({ name, trigger: { method, path } }) => ({
  name,
  method,
  path,
  // As the reference states it: every GET but one, and one POST.
  isOpen: method === 'GET' ? name !== 'initiate-oauth' : name === 'get-user-profile',
}));

describe.each(routes)('$name', ({ method, path, isOpen }) => {
  test(`is ${isOpen ? 'open' : 'closed'} to a read-only key, in both its forms`, async () => {
    for (const form of [path, `${path}/`]) {
      const full = await ask('full', method, form);
      expect(full).not.toEqual(refused);
      expect(await ask('reader', method, form)).toEqual(isOpen ? full : refused);
    }
  });

  test('is refused even if the policy is mistaken', async () => {
    const full = await askWithMistake('full', method, path);
    expect(await askWithMistake('reader', method, path)).toEqual(isOpen ? full : refused);
  });
});

describe('a read-only key', () => {
  test.each([
    ['by a detour', 'POST', '/external/v1/users/profile/../ensure/'],
    ['by a detour in other letters', 'POST', '/external/v1/users/profile/%2e%2e/ensure/'],
    ['by an open path in the query', 'POST', '/external/v1/users/ensure?/../users/profile'],
  ])('gets nowhere %s', async (_title, method, path) => {
    expect(await ask('reader', method, path)).toEqual(refused);
  });

  test('gets nowhere by a method that an open path does not have', async () => {
    const unknown = [404, 'route_not_found'];
    expect(await ask('reader', 'PUT', '/external/v1/users/profile/')).toEqual(unknown);
  });
});
