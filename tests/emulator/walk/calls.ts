// Calls to the deployed API through the gateway, and visits of the callback as a browser does.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FunctionName } from '#infra/manifest/manifest.ts';
import { functionNameOf } from '#infra/manifest/names.ts';
import { type ApiErrorCode, apiErrors } from '#shared/errors.ts';
import { callApi } from '../../support/processes/service.ts';
import type { Emulator } from '../emulator.ts';
import type { Deployed } from './deployed.ts';

export type Reply = Awaited<ReturnType<typeof callApi>>;
export type CallOptions = Parameters<typeof callApi>[2];

/** Calls below `/external/v1/`, as the application. */
export const call = ({ api }: Deployed, path: string, options?: CallOptions): Promise<Reply> =>
  callApi(api, path, options);

/** The data of a reply that is a success. */
// biome-ignore lint/suspicious/noExplicitAny: each endpoint has data of its own.
export const dataOf = ({ status, body }: Reply): any => {
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.status, body.status_code], ['success', 200]);
  return body.data;
};

/** The form of every refusal. */
export const assertRefused = (
  { status, body, headers }: Reply,
  { code, details = [] }: { code: ApiErrorCode; details?: readonly unknown[] },
): void => {
  const { message, request_id, retryable, ...error } = body?.error ?? {};
  const expected = { code, details };
  assert.deepEqual([status, error], [apiErrors[code].status, expected], JSON.stringify(body));
  assert.deepEqual([body.status, body.status_code], ['error', status]);
  assert.deepEqual([message, typeof retryable], [apiErrors[code].message, 'boolean']);
  assert.match(request_id, /^[0-9a-f-]{36}$/);
  assert.equal(headers.get('Content-Type')?.split(';')[0], 'application/json');
  assert.equal(headers.get('Cache-Control'), 'no-store');
};

/** In the events of the walk itself, in the place of the rule that sends them. */
export const ruleOfWalk = 'rule/walk';

/** Runs a scheduled function by the event of a rule (EventBridge User Guide), for any moment. */
export const runSchedule = async (
  { aws, stage }: Emulator,
  name: FunctionName,
  time = new Date().toISOString(),
  // biome-ignore lint/suspicious/noExplicitAny: each function has a report of its own.
): Promise<any> => {
  const { failed, payload } = await aws.invoke(functionNameOf(stage, name), {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time,
    region: aws.region,
    resources: [`arn:aws:events:${aws.region}:000000000000:${ruleOfWalk}`],
    detail: {},
  });
  assert.equal(failed, false, `${name}: ${JSON.stringify(payload)}`);
  return payload;
};

export type Page = { status: number; location: string | undefined; text: string };

/** Visits an https address of LocalStack's as a browser would, by its name, on this machine. */
export const visit = async (address: string): Promise<Page> => {
  const { host, port, pathname, search } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const options = { host: '127.0.0.1', port, path: pathname + search, headers: { Host: host } };
  const outgoing = send(options, async (answer) => {
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text });
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
};

/** Repeats a call until its answer is accepted. @throws with the last answer */
export const until = async <Answer>(
  what: string,
  ask: () => Promise<Answer>,
  { will, seconds = 60 }: { will: (answer: Answer) => boolean; seconds?: number },
): Promise<Answer> => {
  const giveUpAt = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (will(answer)) return answer;
    if (Date.now() > giveUpAt) {
      throw new Error(`${what}: not within ${seconds} s, but ${JSON.stringify(answer)}`);
    }
    await pause(250);
  }
};
