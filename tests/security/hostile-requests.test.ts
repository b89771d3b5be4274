// Requests that break the bounds of every field of every endpoint: each is refused, and soon.

import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EndpointSchema } from '#infra/docs/operations.ts';
import { type Invoke, openFunctions } from '#infra/local/stand-ins/lambda.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import { maximumBodyBytes } from '#shared/endpoint/json-body.ts';
import { maximumProblems } from '#shared/errors.ts';
import { historyXml, realDaysBetween } from '../support/builders/ecb-files.ts';
import { type ApiEventOptions, apiEvent, readResult } from '../support/events/lambda-events.ts';
import {
  type FunctionEnvironment,
  startFunctionEnvironment,
} from '../support/harnesses/function-environment.ts';

let environment: FunctionEnvironment;
let invoke: Invoke;
beforeAll(async () => {
  const ratesFile = historyXml(realDaysBetween('2026-03-16', '2026-03-20'));
  environment = await startFunctionEnvironment({ ratesFile });
  Object.assign(process.env, environment.variables());
  invoke = await openFunctions();
});
afterAll(() => environment.stop());

const eventOf = (options: ApiEventOptions = {}) =>
  apiEvent({ applicationId: environment.applicationId, ...options });

type Json = Record<string, unknown>;

/** A marker in a body, whose place a hostile text takes: no object could hold all of them. */
const marker = 'hostile';

/** The space in a body of the largest size, beside its other fields. */
const room = maximumBodyBytes - 4_096;
const fill = (piece: string, bytes = room): string =>
  piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));
const listOf = (piece: string): string => `[${fill(`${piece},`)}${piece}]`;
const unknownFields = Array.from({ length: 20_000 }, (_, n) => `"f${n}":0`).join(',');
const nearlyKnown = Array.from({ length: 9_000 }, (_, n) => `"domain_ur${n}":0`).join(',');
const marks = (bytes: number): string =>
  `a${fill('\u0301', bytes / 2)}${fill('\u0316', bytes / 2)}`;

/** JSON texts, each as large as a body may be. */
const hostile: Record<string, string> = {
  'a list of numbers': listOf('0'),
  'a list of empty objects': listOf('{}'),
  'a list of lists': listOf('[0]'),
  'a list of whole lines': listOf('{"account":"1010","debit":"1"}'),
  'a list of wrong lines': listOf('{"account":0,"debit":{},"x":0}'),
  'a list of entries of many numbers': `[${fill(`{"entries":[${fill('0,', 4_000)}0]},`)}0]`,
  'lists in lists': `${fill('[', room / 2)}${fill(']', room / 2)}`,
  'objects in objects': `${'{"a":'.repeat(room / 6)}0${'}'.repeat(room / 6)}`,
  'unknown fields': `{${unknownFields}}`,
  'fields that are nearly known': `{${nearlyKnown}}`,
  'a long text': JSON.stringify(fill('a')),
  'a text of digits': JSON.stringify(fill('9')),
  'a number of digits': fill('9'),
  'a text of marks in the wrong order': JSON.stringify(marks(room)),
  'a text of joined characters': JSON.stringify(fill('\u{1f468}\u200d')),
  'a text that could be an address': JSON.stringify(
    `${fill('a.', room / 2)}@${fill('a.', room / 2)}`,
  ),
};

/** Every place of a request at which something may stand: its fields, and those within them. */
const placesIn = (value: unknown, set: (hostileValue: unknown) => unknown): unknown[] => {
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    return [
      set(marker),
      ...(first === undefined ? [] : placesIn(first, (it) => set([it, ...others]))),
    ];
  }
  if (typeof value !== 'object' || value === null) return [set(marker)];
  const fields = Object.entries(value as Json);
  return [
    set(marker),
    ...fields.flatMap(([name, of]) => placesIn(of, (it) => set({ ...value, [name]: it }))),
  ];
};

/** CPU time of this process, which does not depend on the load of the machine. */
const mostMilliseconds = 3_000;

const expectRefusal = async (name: Parameters<Invoke>[0], event: object, what: string) => {
  const before = process.cpuUsage();
  const result = readResult((await invoke(name, event)) as APIGatewayProxyResult);
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1_000;
  expect(result.status, what).toBeGreaterThanOrEqual(400);
  expect(result.status, what).toBeLessThan(500);
  expect(result.body.error.details.length, what).toBeLessThanOrEqual(maximumProblems);
  expect(milliseconds, `${what} took ${milliseconds} ms`).toBeLessThan(mostMilliseconds);
};

const apis = functionsOfKind('api');
const posts = apis.filter(({ trigger }) => trigger.method === 'POST');
const gets = apis.filter(({ trigger }) => trigger.method === 'GET');

const exampleOf = async (name: string): Promise<Json> => {
  const { documentation }: EndpointSchema = await import(`../../functions/${name}/schema.ts`);
  const examples = documentation.examples.map(({ request }) => request as Json);
  // An entry of a batch has the fields of create-journal-entry.
  const entriesOfBatch = name === 'create-journal-entries' && { journal_entries: [] };
  // Everything that any example has, in one.
  return Object.assign({}, ...examples, entriesOfBatch);
};

test.each(posts)(
  '$name refuses values that are too long or too deep',
  async ({ name }) => {
    const bodies = placesIn(await exampleOf(name), (it) => it).map((it) => JSON.stringify(it));
    for (const [title, text] of Object.entries(hostile)) {
      for (const body of bodies) {
        const event = { ...eventOf(), body: body.replace(`"${marker}"`, () => text) };
        await expectRefusal(name, event, `${title} in ${body.slice(0, 200)}`);
      }
    }
  },
  240_000,
);

test.each(posts)('$name refuses bodies of any depth that are not JSON', async ({ name }) => {
  for (const body of [fill('['), fill('{"a":'), fill('"'), fill('\\'), `"${fill('\\u0000')}`]) {
    await expectRefusal(name, { ...eventOf(), body }, body.slice(0, 20));
  }
});

/** The maximum size of a request line and its headers (API Gateway quotas). */
const queryBytes = 10_240;

test.each(gets)('$name refuses parameters that are too long', async ({ name }) => {
  const example = (await exampleOf(name)) as Record<string, string>;
  const pathParameters = { platform: 'platform_a' };
  const texts = [fill('a', queryBytes), fill('9', queryBytes), marks(queryBytes)];
  for (const field of Object.keys(example)) {
    for (const text of texts) {
      const query = { ...example, [field]: text };
      const event = eventOf({ method: 'GET', query, pathParameters });
      await expectRefusal(name, event, `${field} of ${text.slice(0, 5)}`);
    }
  }
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, '0']));
  const event = eventOf({ method: 'GET', query: { ...example, ...many }, pathParameters });
  await expectRefusal(name, event, 'unknown parameters');
});
