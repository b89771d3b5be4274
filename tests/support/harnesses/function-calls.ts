// Calls of functions at their entry points, as their triggers make them.

import type { APIGatewayProxyResult } from 'aws-lambda';
import { vi } from 'vitest';
import { turnMilliseconds } from '#functions/import-tenant-data/run-turn.ts';
import type { FunctionName } from '#infra/manifest/manifest.ts';
import { type ApiEventOptions, apiEvent, readResult } from '../events/lambda-events.ts';
import { streamEvent } from '../events/stream-events.ts';
import { readForm, urlEvent } from '../events/url-events.ts';
import { type ConsentChoice, giveConsent } from '../servers/sandbox.ts';
import type { FunctionEnvironment } from './function-environment.ts';

export type Call = (name: FunctionName, event: unknown) => Promise<unknown>;

export const openCalls = (
  call: Call,
  { applicationId, database, sandbox, invocations }: FunctionEnvironment,
) => {
  const ask = async (name: FunctionName, request: ApiEventOptions) => {
    const event = apiEvent({ applicationId, ...request });
    // Requests of such ids are among those whose line has their calls to the table.
    event.requestContext.requestId += '00';
    return readResult((await call(name, event)) as APIGatewayProxyResult).body;
  };
  return {
    ask,
    run: (name: FunctionName, time: string) => call(name, { time }),
    /** Runs all due work of a function at a time of the clock. */
    runAt: async (now: string, name: FunctionName) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
      await call(name, { time: '2999-12-31T00:05:00Z' });
      vi.useRealTimers();
    },
    /** Walks through the platform's consent and back, chooses a company, and goes there again. */
    authorize: async (userId: string, choice: ConsentChoice) => {
      const { data } = await ask('initiate-oauth', {
        method: 'GET',
        query: { user_id: userId, cash_flow_method: 'direct' },
        pathParameters: { platform: 'platform_a' },
      });
      const back = await giveConsent(data.authorization_url, choice);
      const event = urlEvent({ path: back.pathname, query: back.search.slice(1) });
      const page = await call('oauth-callback', event);
      const { hidden, choices } = readForm(page as APIGatewayProxyResult);
      const form = { ...hidden, company: choices[0] ?? '' };
      await call('oauth-callback', urlEvent({ path: back.pathname, form }));
      await call('oauth-callback', event);
    },
    /** Walks through the consent to a connection that waits, and confirms it twice. */
    confirm: async (userId: string, choice: ConsentChoice) => {
      const { data } = await ask('initiate-oauth', {
        method: 'GET',
        query: {
          user_id: userId,
          cash_flow_method: 'direct',
          confirm_connection: 'true',
          redirect_url: 'https://app.example/connected',
        },
        pathParameters: { platform: 'platform_a' },
      });
      const back = await giveConsent(data.authorization_url, choice);
      const event = urlEvent({ path: back.pathname, query: back.search.slice(1) });
      const { headers } = (await call('oauth-callback', event)) as APIGatewayProxyResult;
      const { searchParams } = new URL(String(headers?.Location));
      const { status: _, ...brought } = Object.fromEntries(searchParams);
      const body = { user_id: userId, ...brought };
      await ask('confirm-tenant', { body });
      await ask('confirm-tenant', { body });
    },
    /** Connects a company with tokens that its caller holds. */
    connect: async (userId: string) => {
      const url = `${sandbox.baseUrl('platform_b')}/test-tokens`;
      const body = JSON.stringify({ company_id: 'tilleul-librairie' });
      const granted = (await (await fetch(url, { method: 'POST', body })).json()) as object;
      const connection = { platform: 'platform_b', cash_flow_method: 'direct', ...granted };
      await ask('create-tenant', { body: { user_id: userId, ...connection } });
    },
    /** Starts every requested import, and then runs them. Their turns end on the way. */
    import: async () => {
      const items = await database.scan();
      const requested = items.filter((it) => it.kind === 'import' && it.status === 'requested');
      await call('start-imports', streamEvent(...requested));
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(), shouldAdvanceTime: true });
      for (const asked of invocations.splice(0)) {
        const passing = setTimeout(() => vi.setSystemTime(Date.now() + turnMilliseconds), 50);
        await call(...asked);
        clearTimeout(passing);
      }
      vi.useRealTimers();
    },
  };
};

export type Calls = ReturnType<typeof openCalls>;
