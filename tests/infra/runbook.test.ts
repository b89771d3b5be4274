import { readFileSync } from 'node:fs';
import type { ScheduledEvent } from 'aws-lambda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import { type FunctionName, functions } from '#infra/manifest.ts';
import { readCommandLine } from '#infra/ops/command-line.ts';
import { openLog } from '#shared/log.ts';
import { lambdaContext } from '../support/events.ts';
import { runEveryFunction } from '../support/every-function.ts';
import { keepMetrics } from '../support/metrics.ts';
import { linesOf, type OutputLine } from '../support/output.ts';

const runbook = readFileSync('infra/runbook.md', 'utf8');

/** The articles by their anchors, which GitHub makes of headings in small letters. */
const articles = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((article) => [article.slice(0, article.indexOf('\n')), article.replace(/\s+/g, ' ')]),
);

describe('the runbook', () => {
  const names = Object.keys(functions) as FunctionName[];

  test.each(names)('has an article on %s that says what its failure means', (name) => {
    expect(articles.get(name)).toContain(functions[name].errorImpact);
  });

  test('has an article for every other alarm, and none beside them', () => {
    const others = [...articles.keys()].filter((anchor) => !(anchor in functions));
    expect(others.sort()).toEqual([
      'failure-queue',
      'gateway-5xx',
      'stale-rates',
      'stream-lag',
      'table-throttles',
      'throttles',
    ]);
  });

  test.each([...articles])(
    'says in %s where to look, what to do and when to escalate',
    (_, text) => {
      const parts = [...text.matchAll(/- \*\*(\w+)\*\*/g)].map(([, part]) => part);
      expect(parts).toEqual(['Look', 'Causes', 'Do', 'Escalate']);
    },
  );

  test('links only to its own articles', () => {
    const links = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((anchor) => !articles.has(anchor))).toEqual([]);
  });

  const commandLines = [...runbook.matchAll(/npm run ops -- ([^`]+)`/g)].map(([, line = '']) =>
    line.replace(/\s+/g, ' '),
  );
  test.each([...new Set(commandLines)])('names a command that exists: %s', (line) => {
    expect(() => readCommandLine(line.split(' '), {})).not.toThrow();
  });

  test('names only metrics that there are', () => {
    const own = readFileSync('shared/metrics.ts', 'utf8').match(/(?<=')[A-Z]\w+(?=')/g);
    const named = [...runbook.matchAll(/(AWS )?metrics? ((?:`\w+`(?:, | and )?)+)/g)].flatMap(
      ([, ofAws, list = '']) => (ofAws ? [] : (list.match(/\w*[A-Z]\w+/g) ?? [])),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !own?.includes(name))).toEqual([]);
  });
});

describe('a query of the runbook', () => {
  /** What Logs Insights knows by itself, and the words of its language. */
  const words = new Set(
    [
      '@timestamp fields filter sort stats limit by as asc desc and or not like in',
      'ispresent count sum avg min max bin m',
    ].flatMap((line) => line.split(' ')),
  );
  const queries = [...runbook.matchAll(/^ *```\n([\s\S]+?)^ *```/gm)].map(
    ([, query = '']) => query,
  );
  let fields: Set<string>;

  const namesIn = (value: unknown, path: string[] = []): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, inner]) => namesIn(inner, [...path, name]))
      : [path.join('.')];

  /** The line of an entry that could not be posted, which nothing brings about from outside. */
  const postAndFail = (): Promise<OutputLine[]> => {
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
    const handler = createHandler({
      journalEntries: {
        async *listDue() {
          yield { pk: 'tenant', sk: 'entry' };
        },
        post: () => Promise.reject(new Error('the table did not answer')),
      },
      clock: () => new Date(),
      log: openLog('post-scheduled-entries'),
      metrics: keepMetrics(),
    });
    const event = { time: '2026-03-23T00:05:00Z' } as ScheduledEvent;
    return linesOf(() => handler(event, lambdaContext(300_000)).catch(() => {}));
  };

  beforeAll(async () => {
    const lines = [...(await runEveryFunction()).lines, ...(await postAndFail())];
    const written = lines.filter((line) => !('_aws' in line)).flatMap((line) => namesIn(line));
    // The gateway writes its own log, in the fields that the deployment declares.
    const gateway = readFileSync('infra/constructs/api.ts', 'utf8');
    const ofGateway = gateway.match(/^ {2}\w+(?=: '\$context)/gm)?.map((name) => name.trim());
    fields = new Set([...written, ...(ofGateway ?? [])]);
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
