// What every function does in all of its work: it uses its row's permissions, and its log has
// the fields that the runbook's queries name.

import { readFileSync } from 'node:fs';
import type { ScheduledEvent } from 'aws-lambda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import { permissionsOf } from '#infra/local/stand-ins/permissions.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { dueDateKey } from '#shared/table/keys.ts';
import { openLog } from '#shared/telemetry.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { runEveryFunction } from '../../support/harnesses/every-function.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';
import { linesOf, type OutputLine } from '../../support/recorders/output.ts';

let work: Awaited<ReturnType<typeof runEveryFunction>>;
// It takes half a minute, and longer on a busy machine.
const maximumMilliseconds = 180_000;
beforeAll(async () => {
  work = await runEveryFunction();
}, maximumMilliseconds);

describe('a function uses exactly the permissions of its row:', () => {
  test.each(Object.keys(functions) as FunctionName[])('%s', (name) => {
    const remedy =
      'Set the row in infra/manifest/*-rows.ts, or reach the call in every-function.ts.';
    expect([...(work.actions.get(name) ?? [])].sort(), remedy).toEqual(permissionsOf(name).sort());
  });
});

test('queries have both bounds of the sort key: the embedded engine scans for a prefix', () => {
  expect([...work.keyConditions].sort()).toEqual([
    'due_pk = :partition AND due_sk < :bound',
    'due_pk = :partition AND due_sk > :bound',
    'pk = :pk AND sk BETWEEN :first AND :last',
  ]);
});

describe('a query of the runbook', () => {
  /** The fields that Logs Insights adds, and the keywords of its language. */
  const words = new Set(
    [
      '@timestamp @message fields filter sort stats limit by as asc desc and or not like in',
      'ispresent count sum avg min max bin m',
    ].flatMap((line) => line.split(' ')),
  );
  const runbook = readFileSync('infra/ops/queries.md', 'utf8');
  const withoutCommands = runbook.replace(/^ *```sh\n[\s\S]+?^ *```$/gm, '');
  const queries = [...withoutCommands.matchAll(/^ *```\n([\s\S]+?)^ *```/gm)].map(
    ([, query = '']) => query,
  );
  /** The line of a call that did not end well (AWS Lambda Developer Guide, "platform.report"). */
  const ofLambda = [
    ...['type', 'record.requestId', 'record.status', 'record.errorType'],
    ...['record.metrics.durationMs', 'record.metrics.maxMemoryUsedMB'],
  ];
  let fields: Set<string>;

  const namesIn = (value: unknown, path: string[] = []): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => namesIn(inner, [...path, name]))
      : [path.join('.')];

  /** The line of an entry that could not be posted, which nothing brings about from outside. */
  const postAndFail = (): Promise<OutputLine[]> => {
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
    const dueDate = dueDateKey({ applicationId: 'app1', schemaName: 'acme' }, '2026-03-23');
    const handler = createHandler({
      applications: { find: async () => undefined },
      dueWork: {
        async *list() {
          yield [{ ...dueDate, due_sk: '2026-03-23' }];
        },
        putBack: async () => true,
        putOff: async () => 'stuck',
      },
      dueDates: {
        findRevision: () => Promise.reject(new Error('the item cannot be read')),
        remove: async () => true,
      },
      earlierDueEntries: { convertDue: async () => 0 },
      scheduledEntries: {
        listPage: async () => ({ entries: [], next: undefined }),
        post: async () => ({ posted: 0, altered: 0, unreadable: 0 }),
      },
      clock: () => new Date(),
      log: openLog('post-scheduled-entries'),
      metrics: keepMetrics(),
    });
    const event = { time: '2026-03-23T00:05:00Z' } as ScheduledEvent;
    return linesOf(() => handler(event, lambdaContext(300_000)).catch(() => {}));
  };

  beforeAll(async () => {
    const lines = [...work.lines, ...(await postAndFail())];
    const written = lines.flatMap((line) => namesIn(line));
    // The gateway writes its own log, in the fields that the deployment declares.
    const gateway = readFileSync('infra/aws/constructs/api.ts', 'utf8');
    const ofGateway = gateway.match(/^ {2}\w+(?=: '\$context)/gm)?.map((name) => name.trim());
    const metrics = readFileSync('shared/telemetry.ts', 'utf8').match(/(?<=^ {2}\| ')\w+/gm) ?? [];
    fields = new Set([...written, ...(ofGateway ?? []), ...ofLambda, ...metrics]);
    return () => vi.unstubAllEnvs();
  });

  test.each(queries.map((query) => [query.trim().split('\n')[0], query] as const))(
    'uses fields that the logs have: %s',
    (_, query) => {
      const plain = query.replace(/"[^"]*"|\/[^/]*\//g, '');
      const aliases = [...plain.matchAll(/\bas (\w+)/g)].map(([, alias = '']) => alias);
      const used = plain.match(/@?[a-z_][\w.]*/gi) ?? [];
      const unknown = used.filter(
        (name) => !words.has(name) && !aliases.includes(name) && !fields.has(name),
      );
      expect(unknown).toEqual([]);
      expect(used.some((name) => fields.has(name))).toBe(true);
    },
  );
});
