import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, onTestFinished, test } from 'vitest';
import { localCredentials, localRegion } from '#infra/local-credentials.ts';
import {
  type Account,
  concurrencyProblem,
  findConcurrencyProblem,
} from '#infra/ops/deployment/account-concurrency.ts';
import { stageNamed } from '../../support/harnesses/stage-app.ts';
import { serve } from '../../support/servers/serve.ts';

const production = stageNamed('production');
const reservedConcurrency = { 'create-journal-entry': 540, 'import-tenant-data': 270 };
const stage = { ...production, settings: { ...production.settings, reservedConcurrency } };

const asWanted = reservedConcurrency;
const allOther = { 'create-journal-entry': 710, 'import-tenant-data': 100 };

test.each<[title: string, account: Account, problem: string | undefined]>([
  ['a new account', { concurrency: 10, unreserved: 10, reserved: {} }, 'can reserve 0. Ask'],
  ['one with just enough', { concurrency: 910, unreserved: 910, reserved: {} }, undefined],
  [
    'one with one too few',
    { concurrency: 909, unreserved: 909, reserved: {} },
    'can reserve 809. Ask',
  ],
  ['a second deployment', { concurrency: 910, unreserved: 100, reserved: asWanted }, undefined],
  [
    'another stage beside it',
    { concurrency: 1_000, unreserved: 250, reserved: {} },
    'can reserve 150. Ask',
  ],
  [
    'one where a function gets what another still has',
    { concurrency: 1_079, unreserved: 269, reserved: allOther },
    'reserves 170 executions more for some of its functions, and the account has 169 to reserve',
  ],
  [
    'one where both have room at once',
    { concurrency: 1_080, unreserved: 270, reserved: allOther },
    undefined,
  ],
])('in %s, what can be reserved is found before a deployment', (_, account, expected) => {
  const problem = concurrencyProblem(stage, account);
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expected);
});

test('AWS is asked for the account, and for the functions that are there', async () => {
  const limits = { ConcurrentExecutions: 940, UnreservedConcurrentExecutions: 400 };
  const answers: Record<string, object> = {
    '/2016-08-19/account-settings': { AccountLimit: limits },
    '/2019-09-30/functions/ledger-production-create-journal-entry/concurrency': {
      ReservedConcurrentExecutions: 540,
    },
  };
  const server = await serve(({ url = '' }, response) => {
    const answer = answers[url];
    const headers = answer ? {} : { 'x-amzn-errortype': 'ResourceNotFoundException' };
    response.writeHead(answer ? 200 : 404, headers).end(JSON.stringify(answer ?? {}));
  });
  onTestFinished(server.stop);
  const client = new LambdaClient({
    endpoint: server.url,
    region: localRegion,
    credentials: localCredentials,
  });
  expect(await findConcurrencyProblem(stage, client)).toBeUndefined();
  limits.UnreservedConcurrentExecutions = 300;
  expect(await findConcurrencyProblem(stage, client)).toContain('others have reserved 100');
});
