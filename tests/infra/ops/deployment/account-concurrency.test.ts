import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, onTestFinished, test } from 'vitest';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import {
  type Account,
  concurrencyProblem,
  findConcurrencyProblem,
} from '#infra/ops/deployment/account-concurrency.ts';
import { stageNamed } from '../../../support/harnesses/stage-app.ts';
import { serve } from '../../../support/servers/serve.ts';

const production = stageNamed('production');
const reservedConcurrency = { 'create-journal-entry': 540, 'import-tenant-data': 270 };
const stageFor = (accountConcurrency: number) => ({
  ...production,
  settings: { ...production.settings, reservedConcurrency },
  deployment: { ...production.deployment, accountConcurrency },
});
const stage = stageFor(900);

const asWanted = reservedConcurrency;
const allOther = { 'create-journal-entry': 710, 'import-tenant-data': 100 };

test.each<[title: string, account: Account, problem: string | undefined]>([
  [
    'a new account',
    { concurrency: 10, unreserved: 10, reserved: {} },
    'so 0 are available. Request',
  ],
  ['an account with just enough', { concurrency: 910, unreserved: 910, reserved: {} }, undefined],
  [
    'an account with one too few',
    { concurrency: 909, unreserved: 909, reserved: {} },
    'so 809 are available. Request',
  ],
  ['a second deployment', { concurrency: 910, unreserved: 100, reserved: asWanted }, undefined],
  [
    'an account with another stage',
    { concurrency: 1_000, unreserved: 250, reserved: {} },
    'so 150 are available. Request',
  ],
  [
    'an increase before a decrease',
    { concurrency: 1_079, unreserved: 269, reserved: allOther },
    'by 170 executions. The account has 169 left until other reservations are lowered',
  ],
  [
    'an increase with room before the decrease',
    { concurrency: 1_080, unreserved: 270, reserved: allOther },
    undefined,
  ],
])('checks before a deployment: %s', (_, account, expected) => {
  const problem = concurrencyProblem(stage, account);
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expected);
});

test('refuses limits for a larger account', () => {
  const account = { concurrency: 1_000, unreserved: 1_000, reserved: {} };
  expect(concurrencyProblem(stageFor(1_000), account)).toBeUndefined();
  expect(concurrencyProblem(stageFor(1_001), account)).toContain(
    'are for an account with 1001 executions, and this account has 1000',
  );
});

test('reads the limits of the account and the reservations of existing functions', async () => {
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
  expect(await findConcurrencyProblem(stage, client)).toContain(
    'Other functions have reserved 100',
  );
});
